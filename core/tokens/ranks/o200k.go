// Package ranks carries the merge tables of the public vocabularies, made by
// scripts/oracle/planes. A program that does not import it carries none of them;
// one that calls a single function of it is linked with that table alone.
package ranks

import _ "embed" // for the tables

//go:embed o200k_base.planes
var o200k string

// O200k is the planes of o200k_base for tokens.NewEncoding, 1.2 MB.
func O200k() string { return o200k }
