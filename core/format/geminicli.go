package format

import (
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Sessions of Gemini CLI. Older versions wrote one JSON object, which is edited;
// newer ones write a log of lines, which is added to. A message of the model
// holds its calls together with their results.

func geminiCLIFormat() *format {
	return &format{
		Info: Info{
			Name: "gemini-cli", Title: "Gemini CLI session", Provider: "google",
			Shapes: []string{shapeRequest, shapeArray, shapeLog}, Write: "append",
			// One JSON object has no end to write lines at; the CLI itself writes it anew.
			Edited: []string{shapeRequest, shapeArray},
		},
		family:  transcript.Chat,
		rules:   geminiHarnessRefusals(),
		members: []string{"messages"},
		holds: func(o object) (member, sign string) {
			if o.Get("projectHash").Is(rawjson.String) && o.Get("messages").Is(rawjson.Array) {
				return "messages", "it has projectHash"
			}
			return "", ""
		},
		item:   func(e value) bool { return !e.Get("projectHash").Exists() && cliSign(e) != "" },
		sniff:  sniffGeminiCLI,
		decode: decodeGeminiCLI,
	}
}

// cliSign is what only a message of this format has, or a line of its log.
func cliSign(e value) string {
	switch {
	case e.Get("role").Exists():
	case str(e, "type") == "gemini" && e.Get("content").Exists():
		return "type gemini"
	case e.Get("projectHash").Is(rawjson.String) && e.Get("sessionId").Is(rawjson.String):
		return "projectHash"
	case e.Get("$rewindTo").Is(rawjson.String):
		return "$rewindTo"
	case e.Get("$set").Get("messages").Is(rawjson.Array):
		return "a checkpoint of messages"
	}
	return ""
}

func sniffGeminiCLI(s *sample) finding {
	return s.signs(cliSign)
}

func decodeGeminiCLI(s *sample, _ *format, opt Options) (*Document, error) {
	if s.list.lines != nil {
		return decodeCLILog(s, opt)
	}
	silent := newCLINoise()
	items, err := s.decodeSome(readCLI, silent.noise)
	if err != nil {
		return nil, err
	}
	var last, model value
	at := map[int]int{} // the element at each place
	for i, e := range s.list.elems {
		last, model = newestCLI(e, last, model)
		at[e.from()] = i
	}
	if len(silent.repeats) > 0 {
		s.list.owner = silent.owners(s.list.len(), s.list.first, at)
	}
	t := &transcript.Transcript{Items: items, Writer: newCLIWriter(opt.Now, last, model), Model: str(model, "model")}
	return &Document{Transcript: t, codec: &cliCodec{list: s.list}}, nil
}

// newestCLI keeps the newest message that has a time, and the newest that names
// its model.
func newestCLI(e, last, model value) (value, value) {
	if e.Get("timestamp").Is(rawjson.String) {
		last = e
	}
	if e.Get("model").Is(rawjson.String) {
		model = e
	}
	return last, model
}

// cliCodec is that of a session of one object. The CLI has no API of its own:
// requests are Chat Completions.
type cliCodec struct {
	converted
	list
}

// cliNoise knows what of a session is no history to the model: what the CLI tells
// the person, commands to the CLI itself, the context that it makes anew when it
// resumes, and results that stand with their calls already.
type cliNoise struct {
	answered map[string]int // the place of the message with a call and its result, by the call's id
	repeats  map[int]int    // the place of that message, by the place of one that repeats results
}

func newCLINoise() *cliNoise { return &cliNoise{map[string]int{}, map[int]int{}} }

func (n *cliNoise) noise(e value) bool {
	if !e.Is(rawjson.Object) {
		return false // that is told as a fault
	}
	switch str(e, "type") {
	case "gemini":
		for call := range e.Get("toolCalls").Elems() {
			if result := call.Get("result"); result.Exists() && !result.Is(rawjson.Null) {
				n.answered[call.Get("id").Text()] = e.from()
			}
		}
		return false
	case "user":
		return toCLI(e.Get("content")) || n.repeated(e)
	}
	return true
}

// repeated reports whether a message of the user holds nothing but results that
// stand in the message of their calls: the CLI writes them a second time when it
// brings its log in line with what it sent.
func (n *cliNoise) repeated(e value) bool {
	at := -1
	for p := range e.Get("content").Elems() {
		id := p.Get("functionResponse").Get("id").Text()
		by, ok := n.answered[id]
		if !ok || id == "" || at >= 0 && at != by {
			return false
		}
		at = by
	}
	if at >= 0 {
		n.repeats[e.from()] = at
	}
	return at >= 0
}

// owners are, for each of some messages, the item that it belongs to where that
// is not the one before it: what repeats results goes with their calls. items are
// the messages that are items, at is the message at each place.
func (n *cliNoise) owners(messages int, items []int, at map[int]int) []int {
	item := make(map[int]int, len(items))
	for i, m := range items {
		item[m] = i
	}
	owner := make([]int, messages)
	for m := range owner {
		owner[m] = -1
	}
	for repeat, by := range n.repeats {
		owner[at[repeat]] = item[at[by]]
	}
	return owner
}

// toCLI reports whether a message of the user is one that the CLI does not send
// when it resumes: without any text, a command, a question for help, or context
// that it writes itself.
func toCLI(content rawjson.Value) bool {
	var said string
	switch content.Kind() {
	case rawjson.String:
		said = content.Text()
	case rawjson.Array:
		for p := range content.Elems() {
			if said = p.Text() + p.Get("text").Text(); strings.TrimSpace(said) != "" {
				break
			}
			if p.Is(rawjson.Object) && !p.Get("text").Exists() {
				return false // a picture, a result
			}
		}
	case rawjson.Object:
		if said = content.Get("text").Text(); !content.Get("text").Exists() {
			return false
		}
	default:
	}
	said = strings.TrimSpace(said)
	for _, mark := range []string{"/", "?", "<session_context>", "<hook_context>"} {
		if strings.HasPrefix(said, mark) {
			return true
		}
	}
	return said == ""
}

// told is what a count says as evidence.
func told(n int, format string) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf(format, n)}
}
