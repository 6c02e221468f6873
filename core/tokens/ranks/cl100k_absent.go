//go:build tamp_o200k

package ranks

// Cl100k is empty: this program is built without the planes of cl100k_base.
func Cl100k() string { return "" }
