package format

import "testing"

func TestExitFailed(t *testing.T) {
	for text, want := range map[string]bool{
		"Chunk ID: a\nWall time: 1 s\nProcess exited with code 1\nOutput:\nx": true,
		"Chunk ID: a\nProcess exited with code 0\nOutput:\nx":                 false,
		"Exit code: 127\nWall time: 0 s":                                      true,
		"Exit code: 0":                                                        false,
		"Exit code: -9":                                                       true,
		`{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}`:    true,
		`{"output":"x","metadata":{"exit_code": 0}}`:                          false,
		"the log says: Process exited with code 1":                            false, // not its own line
		"": false,
	} {
		if got := exitFailed(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	d := mustDecode(t, `[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"Exit code: 1\nx"}]`, Options{})
	if !d.Items[1].Parts[0].Failed {
		t.Error("a failed output is not marked")
	}
}
