package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/transcript"
)

// ccLine is a line of a session: a type, a uuid with the parent's behind "<"
// ("b<a", "a<" for none, "a" for no such member), and the other members.
func ccLine(kind, id string, members ...string) string {
	parts := []string{}
	uuid, parent, hung := strings.Cut(id, "<")
	switch {
	case hung && parent == "":
		parts = append(parts, `"parentUuid":null`)
	case hung:
		parts = append(parts, `"parentUuid":"`+parent+`"`)
	}
	parts = append(parts, `"isSidechain":false`, `"type":"`+kind+`"`)
	parts = append(parts, members...)
	parts = append(parts, `"uuid":"`+uuid+`"`, `"timestamp":"T-`+uuid+`"`, `"sessionId":"S"`, `"cwd":"/w"`, `"version":"2.1.0"`)
	return "{" + strings.Join(parts, ",") + "}\n"
}

// ccUser is a line of a user; content is JSON, or a text.
func ccUser(id, content string, members ...string) string {
	if content == "" || content[0] != '[' && content != "null" {
		content = `"` + content + `"`
	}
	return ccLine("user", id, append([]string{`"message":{"role":"user","content":` + content + `}`}, members...)...)
}

// ccAnswer is a line of an answer: one block.
func ccAnswer(id, answer, block string, members ...string) string {
	return ccLine("assistant", id, append([]string{`"message":{"id":"` + answer + `","type":"message","role":"assistant","model":"claude-x","content":[` + block +
		`],"stop_reason":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":180000,"output_tokens":7,"service_tier":"standard"}}`}, members...)...)
}

func ccText(s string) string { return `{"type":"text","text":"` + s + `"}` }
func ccCall(id string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"Read","input":{"path":"` + id + `"}}`
}

func ccResult(id string) string {
	return `{"tool_use_id":"` + id + `","type":"tool_result","content":"out ` + id + `"}`
}

// ccGave is a line with the result of a call, and what the screen shows of it.
func ccGave(id, call, source string) string {
	return ccUser(id, "["+ccResult(call)+"]", `"toolUseResult":{"type":"text","file":{"content":"out `+call+`"}}`, `"sourceToolAssistantUUID":"`+source+`"`)
}

const ccThought = `{"type":"thinking","thinking":"hm","signature":"sig"}`

// ccBoundary is a line that a compaction begins with.
func ccBoundary(id, meta string) string {
	return ccLine("system", id+"<", `"logicalParentUuid":"x"`, `"subtype":"compact_boundary"`, `"content":"c"`, `"compactMetadata":{"trigger":"auto","preTokens":9`+meta+`}`)
}

func ccSummary(id, text string) string {
	return ccUser(id, text, `"isVisibleInTranscriptOnly":true`, `"isCompactSummary":true`)
}

// A session as the CLI writes it: an answer over four lines, its two results on
// branches of their own, the conversation going on below the second one.
var ccFork = `{"type":"queue-operation","operation":"enqueue","sessionId":"S","content":"go"}` + "\n" +
	`{"type":"file-history-snapshot","messageId":"a","snapshot":{},"isSnapshotUpdate":false}` + "\n" +
	ccUser("a<", "go") +
	ccLine("attachment", "b<a", `"attachment":{"type":"environment","snapshot":{}}`) +
	ccAnswer("c<b", "m1", ccThought) +
	ccAnswer("d<c", "m1", ccText("both")) +
	ccAnswer("e<d", "m1", ccCall("x")) +
	ccAnswer("f<e", "m1", ccCall("y")) +
	ccGave("g<e", "x", "e") +
	ccGave("h<f", "y", "f") +
	ccLine("progress", "i<h", `"data":{"type":"hook_progress"}`) +
	ccAnswer("j<i", "m2", ccText("done")) +
	ccLine("system", "k<j", `"subtype":"turn_duration"`, `"durationMs":5`) +
	`{"type":"last-prompt","lastPrompt":"go","leafUuid":"j","sessionId":"S"}` + "\n"

// shown is what items say: who (U a person, u somebody else in the user's name, a
// the model, S a summary), their texts and tools, and where.
func ccShown(d *Document) string {
	var all []string
	for i := range d.Items {
		it := &d.Items[i]
		who := map[transcript.Role]string{transcript.User: "u", transcript.Assistant: "a"}[it.Role]
		switch {
		case it.Summary:
			who = "S"
		case it.RealUser():
			who = "U"
		}
		var said []string
		for _, p := range it.Parts {
			switch p.Kind {
			case transcript.Text:
				said = append(said, p.Text)
			case transcript.Call:
				said = append(said, "call "+p.ID)
			case transcript.Result:
				said = append(said, p.Text)
			default:
				said = append(said, p.Kind.String())
			}
		}
		all = append(all, who+" "+strings.Join(said, "+")+" at "+it.Path)
	}
	return strings.Join(all, ", ")
}
