package format

import (
	"strings"
	"testing"
)

// In a request to the summariser the results of a message stand before its other
// blocks, as the API wants them, whether anything else of it changes or not.
func TestResultsBeforeText(t *testing.T) {
	const call = `{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]},`
	const text, result = `{"type":"text","text":"I stopped it."}`, `{"type":"tool_result","tool_use_id":"c","content":"r"}`
	for _, c := range []struct{ name, content, want string }{
		{"behind", text + "," + result, result + "," + text},
		{"before", result + " ,  " + text, result + " ,  " + text}, // its own bytes
		{"alone", result, result},
	} {
		d := mustDecode(t, "["+call+`{"role":"user","content":[`+c.content+`]}]`, Options{})
		body, err := d.Body(BodyRequest{Items: []int{0, 1, 2}, Prompt: "P"})
		if err != nil || !strings.Contains(string(body), `"content":[`+c.want+`]`) {
			t.Errorf("%s: %v\n%s\nwant %s", c.name, err, body, c.want)
		}
	}
}
