package format

import (
	"slices"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// inlineBytes is the length of the base64 payload of a data URL; 0 for every
// other URL. Parameters and the word base64 are matched in any case.
func inlineBytes(url string) int {
	if len(url) < len("data:") || !equalFold(url[:len("data:")], "data:") {
		return 0
	}
	head, payload, ok := strings.Cut(url, ",")
	if !ok {
		return 0
	}
	for param := range strings.SplitSeq(head, ";") {
		if equalFold(param, "base64") {
			return len(payload)
		}
	}
	return 0
}

// media is a part for the value v of the item that starts at from.
func media(kind transcript.PartKind, v rawjson.Value, from int) transcript.Part {
	return transcript.Part{Kind: kind, Start: v.Start() - from, End: v.End() - from}
}

// linked is a media part whose link may be a data URL.
func linked(kind transcript.PartKind, v rawjson.Value, from int, url string) transcript.Part {
	p := media(kind, v, from)
	p.Bytes = inlineBytes(url)
	return p
}

// roomFor makes room in parts for one of each element of a list: a message of
// 10,000 calls would otherwise be copied twenty times over.
func roomFor(parts []transcript.Part, list rawjson.Value) []transcript.Part {
	const most = 100_000 // what the list holds is not looked at yet
	return slices.Grow(parts, min(list.Len(), most))
}

// placeBody sets the place of a call's input or a result's output: that of v, whose
// item starts at from.
func placeBody(p *transcript.Part, v rawjson.Value, from int) {
	if v.Exists() && !v.Is(rawjson.Null) {
		p.BodyStart, p.BodyEnd = v.Start()-from, v.End()-from
	}
}

// inlineFile is a file part whose data is a data URL or bare base64.
func inlineFile(v rawjson.Value, from int, data string) transcript.Part {
	p := linked(transcript.File, v, from, data)
	if p.Bytes == 0 {
		p.Bytes = len(data)
	}
	return p
}

// foldText moves the text parts behind the result at into it, joined by line
// ends; media stay as parts of their own.
func foldText(parts []transcript.Part, at int) []transcript.Part {
	var text []byte
	first, n := "", 0
	out := parts[:at+1]
	for _, p := range parts[at+1:] {
		if p.Kind != transcript.Text {
			out = append(out, p)
			continue
		}
		switch n++; n {
		case 1:
			first = p.Text
		case 2:
			text = append(append(append(text, first...), '\n'), p.Text...)
		default:
			text = append(append(text, '\n'), p.Text...)
		}
	}
	if n > 1 {
		first = string(text)
	}
	out[at].Text = first
	return out
}

// arguments are the input of a call: a string's text, anything else as it stands.
func arguments(v rawjson.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	if v.Is(rawjson.Null) {
		return ""
	}
	return v.CompactText()
}
