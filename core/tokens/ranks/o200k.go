// Package ranks carries the merge tables of the public vocabularies, made by
// scripts/oracle/planes. A program that does not import it carries none of them;
// one that calls a single function of it is linked with that table alone.
package ranks

import _ "embed" // for the tables

//go:embed o200k_base.planes
var o200k string

// O200k is the planes of o200k_base for tokens.NewEncoding, 1.2 MB. Every call
// copies them; they can be let go as soon as the encoding is made.
func O200k() []byte { return []byte(o200k) }
