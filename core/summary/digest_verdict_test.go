package summary

import "testing"

// A verdict of an earlier run may be outdated, and is never a line to keep.
func TestVerdict(t *testing.T) {
	for line, want := range map[string]bool{
		"FAIL\tpostbox/letter 0.01s": true, "--- FAIL: TestPrintable (0.00s)": true, "    --- PASS: TestA": true, "ok  \tpostbox/inbox": true,
		"FAILED tests/a.py::test_b": true, "not ok 3 - x": true, "okapi: a name": false, "letter/printable.go:12: want x": false, "a FAIL in the middle": false,
	} {
		if verdict(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
