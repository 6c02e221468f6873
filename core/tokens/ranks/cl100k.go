//go:build !tamp_o200k

package ranks

import _ "embed" // for the tables

//go:embed cl100k_base.planes
var cl100k string

// Cl100k is the planes of cl100k_base for tokens.NewEncoding, 0.6 MB. Built with the tag tamp_o200k it is empty, and the program carries
// o200k_base alone.
func Cl100k() string { return cl100k }
