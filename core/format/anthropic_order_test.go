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

// Of server tools the pairs stand in the request to the summariser, in one message
// or in two of a turn that was paused; halves and results before their call do not.
func TestServerPairsInBody(t *testing.T) {
	const search, found, text = `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`, `{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`, `{"type":"text","text":"t"}`
	for _, c := range []struct{ name, first, second, wantFirst, wantSecond string }{
		{"one message", search + "," + found, text, search + "," + found, text},
		{"a paused turn", text + "," + search, found + "," + text, text + "," + search, found + "," + text},
		{"the result first", found + "," + search + "," + text, text, text, text},
		{"a half", text + "," + search, text, text, text},
	} {
		d := mustDecode(t, `[{"role":"user","content":"u"},{"role":"assistant","content":[`+c.first+`]},{"role":"assistant","content":[`+c.second+`]}]`, Options{})
		body, err := d.Body(BodyRequest{Items: []int{0, 1, 2}, Prompt: "P"})
		want := `{"role":"assistant","content":[` + c.wantFirst + `]},{"role":"assistant","content":[` + c.wantSecond + `]}`
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, body, want)
		}
	}
}
