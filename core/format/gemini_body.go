package format

import (
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// noted is what the model says between results and the prompt: a turn that holds
// results and a text beside them is taken for the answer to the calls alone.
const noted = "(The results are noted.)"

func geminiTurns() *turnStyle {
	return &turnStyle{
		own:     ownContent,
		list:    func(v rawjson.Value) rawjson.Value { return partsHolder(v).Get("parts") },
		message: geminiMessage,
		text:    untypedText,
		answer:  geminiAnswer,
		between: noted,
	}
}

// ownContent is the content of an item as it stands, nil where its role is not
// one of the API's two.
func ownContent(it *transcript.Item, v rawjson.Value) []byte {
	content := partsHolder(v)
	role := content.Get("role")
	switch {
	case role.Text() == "user" && it.Role == transcript.User, role.Text() == "model" && it.Role == transcript.Assistant:
	case !role.Exists() && it.Role == transcript.User:
	default:
		return nil
	}
	return content.Raw()
}

// body is a generateContent request. The model's name stands in the URL of that;
// the body has room for it too, by its full name.
func (c *geminiCodec) body(t *transcript.Transcript, r BodyRequest) []byte {
	b := newBody()
	if r.Model != "" && !strings.Contains(r.Model, "/") {
		r.Model = "models/" + r.Model
	}
	b.str("model", r.Model)
	b.raw("systemInstruction", systemContent(c.system))
	b.array("contents")
	geminiTurns().turns(t, r.Items).write(b, r.Prompt)
	b.endArray()
	if r.SendTools == "always" && t.Tools != nil {
		b.raw("tools", t.Tools)
		b.raw("toolConfig", []byte(`{"functionCallingConfig":{"mode":"NONE"}}`))
	}
	if r.MaxTokens > 0 {
		config := newBody()
		config.num("maxOutputTokens", r.MaxTokens)
		b.raw("generationConfig", config.end())
	}
	return b.end()
}

// systemContent is the request's own system instruction in the API's form: SDKs
// take a text or a list of parts as well.
func systemContent(v rawjson.Value) []byte {
	if v.Is(rawjson.Object) && v.Get("parts").Exists() {
		return v.Raw()
	}
	parts := []byte("[")
	switch v.Kind() {
	case rawjson.String:
		parts = append(parts, untypedText(v.Text())...)
	case rawjson.Object:
		parts = append(parts, v.Raw()...)
	case rawjson.Array:
		for e := range v.Elems() {
			if e.Is(rawjson.String) {
				parts = comma(parts, untypedText(e.Text()))
			} else {
				parts = comma(parts, e.Raw())
			}
		}
	default:
		return nil
	}
	b := newBody()
	b.raw("parts", append(parts, ']'))
	return b.end()
}

// systemText is the text of a system instruction.
func systemText(v rawjson.Value) string {
	content, err := rawjson.Parse(systemContent(v))
	if err != nil {
		return ""
	}
	return joined(content.Get("parts"))
}
