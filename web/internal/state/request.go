package state

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tamp-dev/tamp/core"
)

// jsonNumber says whether s is a number as JSON writes it. What a person typed
// instead is sent as a string, so that the engine says what is wrong with it.
// (No regexp here: that package would add 0.1 MB to the compressed page.)
func jsonNumber(s string) bool {
	return strings.IndexByte("-0123456789", s[0]) >= 0 && json.Valid([]byte(s))
}

// object writes a JSON object member by member.
type object struct{ buf bytes.Buffer }

func (o *object) raw(key, value string) {
	if o.buf.Len() > 0 {
		o.buf.WriteByte(',')
	}
	o.buf.WriteString(quote(key))
	o.buf.WriteByte(':')
	o.buf.WriteString(value)
}

// number leaves out what is not filled in.
func (o *object) number(key, typed string) {
	switch typed = strings.TrimSpace(typed); {
	case typed == "":
	case jsonNumber(typed):
		o.raw(key, typed)
	default:
		o.raw(key, quote(typed))
	}
}

func (o *object) text(key, typed string) {
	if typed != "" {
		o.raw(key, quote(typed))
	}
}

func (o *object) flag(key string, on bool) {
	if on {
		o.raw(key, "true")
	}
}

func (o *object) String() string { return "{" + o.buf.String() + "}" }

// quote is s as a JSON string.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Body is the request as it is sent to the engine, and as it would be posted
// to /v1/compact. The transcript stands in it byte for byte where it is one
// JSON array or object, else as a JSON string.
func (s State) Body() []byte {
	settings := s.members()
	if s.Summary != nil {
		settings.raw("summary", quote(*s.Summary))
	}
	return s.body(settings)
}

// PlanBody is the same without the summary, for /v1/plan: the request is for
// whoever writes one.
func (s State) PlanBody() []byte { return s.body(s.members()) }

func (s State) body(settings *object) []byte {
	var b bytes.Buffer
	b.Grow(len(s.Source.Text) + settings.buf.Len() + 32)
	b.WriteString(`{"transcript":`)
	b.WriteString(quoted(s.Source.Text))
	if settings.buf.Len() > 0 {
		b.WriteByte(',')
		b.Write(settings.buf.Bytes())
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Settings is the request without transcript and summary, as JSON on one line.
func (s State) Settings() string { return s.members().String() }

func (s State) members() *object {
	v := s.Values
	var o object
	o.text("format", v[KeyFormat])
	o.text("conversation", v[KeyConversation])
	o.raw("policy", v.policy())
	var model object
	model.text("id", strings.TrimSpace(v[KeyModel]))
	if v[KeySystem] == Balanced {
		model.number("context_window", v["balanced.context_window"])
	}
	if model.buf.Len() > 0 {
		o.raw("model", model.String())
	}
	o.number("round", v[KeyRound])
	o.text("phase", v[KeyPhase])
	if v[KeyPhase] == "standalone_turn" {
		// The only phase of a compaction that a person asked for, and of no other.
		o.raw("trigger", `"manual"`)
	}
	var usage object
	usage.number("prompt_tokens", v[KeyPromptTokens])
	if usage.buf.Len() > 0 {
		o.raw("usage", usage.String())
	}
	o.flag("force", v[KeyForce] == "true")
	o.flag("rewrite", s.ShowRewrite() && v[KeyRewrite] == "true")
	return &o
}

// ShowRewrite says whether the choice of a copy means anything here: for what
// is, or is told to be, a log that the engine writes behind.
func (s State) ShowRewrite() bool {
	name := s.Values[KeyFormat]
	if name == "" && s.Words != nil {
		name = s.Words.Format.Name
	}
	for _, f := range core.Formats().Formats {
		if f.Name == name {
			return f.Write == "append"
		}
	}
	return false
}

// policy is the value of policy: each system in its own form.
func (v Values) policy() string {
	var own, o object
	system := v[KeySystem]
	if system == FromFile {
		return v.filed()
	}
	if system == Balanced {
		o.raw("preset", quote(Balanced))
		own.number("fraction", v["balanced.fraction"])
		if own.buf.Len() > 0 {
			o.raw("triggers", "["+own.String()+"]")
		}
		var keep object
		keep.number("last_tokens", v["balanced.last_tokens"])
		if keep.buf.Len() > 0 {
			o.raw("keep", keep.String())
		}
		return o.String()
	}
	for _, f := range policyFields[system] {
		typed := v[system+"."+f.name]
		if f.number {
			own.number(f.name, typed)
		} else {
			own.text(f.name, typed)
		}
	}
	o.raw(system, own.String())
	return o.String()
}
