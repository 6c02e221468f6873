package tokens

import (
	"bytes"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// What a provider adds around the texts, in tokens. The frame and the priming
// are the rule that OpenAI publishes for its chat models.
const (
	priming = 3 // once: the opening of the answer
	frame   = 4 // of a message: three marks and its role
	named   = 1 // of a message with a name, beside the name itself
	// callFrame is the header of a tool call beside its name and input, as the
	// open harmony format writes it: channel, "commentary", " to=functions.",
	// constraint and "json" are nine tokens, of which the role's frame has one.
	callFrame = 8
)

// Measured is the size of a transcript: the tokens of each item, in order, and
// of what stands beside them (the request's own instructions, its tools, the
// priming of the answer).
type Measured struct {
	Overhead int
	Items    []int
}

// Total is the overhead and all items.
func (m Measured) Total() int {
	n := m.Overhead
	for _, x := range m.Items {
		n += x
	}
	return n
}

// Measure measures every item of t and what stands beside them: tools as the
// counter's model is sent them (see toolTokens). Bytes4 counts no tool schemas
// and no priming, as Codex does. Cost: linear in the bytes.
func Measure(t *transcript.Transcript, c Counter) Measured {
	m := Measured{Items: make([]int, len(t.Items))}
	if c.Name() == bytes4Name {
		m.Overhead = c.Count(t.System)
	} else {
		m.Overhead = priming + c.Count(t.System) + toolTokens(t.Tools, c)
	}
	for i := range t.Items {
		m.Items[i] = Item(t, &t.Items[i], c)
	}
	return m
}

// Item is the tokens of one item of a transcript, its frame included.
//
// Bytes4 takes a quarter of the item's compact JSON, in which pictures, sound
// and encrypted parts stand for what Codex takes them for. Fields that Codex
// does not know count too; so does a null, as in a rollout that Codex wrote.
//
// Every other counter counts the texts: prose, thinking, calls, results. Media
// count by size, never as text. Calls and results have a frame each, however
// the format packs them into messages, so that one conversation measures the
// same in every format.
//
// Reasoning and compaction items with an encrypted payload count by its length
// alone, with every counter. Cost: linear in the item's bytes.
func Item(t *transcript.Transcript, it *transcript.Item, c Counter) int {
	if n := sealedLen(it); n > 0 {
		return quarter(sealedBytes(n))
	}
	if c.Name() == bytes4Name {
		return itemBytes4(it)
	}
	n, frames, prose := 0, 0, false
	for i := range it.Parts {
		p := &it.Parts[i]
		switch p.Kind {
		case transcript.Call:
			frames++
			n += callFrame + c.Count(p.Name)
		case transcript.Result:
			frames++
		case transcript.Text, transcript.Thinking:
			prose = true
		default: // media stand inside a message
		}
		n += part(it, p, c)
	}
	if prose {
		frames++
	}
	if len(it.Parts) == 0 && !it.Empty {
		n += rawTokens(it.Raw, c) // nothing of it is known: better too much
	}
	if t.Family == transcript.Chat {
		n += nameTokens(it, c)
	}
	return n + frame*max(1, frames)
}

// nameTokens is the name of a chat message, which its frame has room for: of a
// speaker, or of the tool in a result. Calls have names of their own. Cost: a
// look for the word; only where it is found the item is read.
func nameTokens(it *transcript.Item, c Counter) int {
	if it.Has(transcript.Call) || !mayBeNamed(it) {
		return 0
	}
	v, err := rawjson.Parse(it.Sent())
	if err != nil {
		return 0
	}
	name, ok := v.Get("name").Str()
	if !ok || name == "" {
		return 0
	}
	return named + c.Count(name)
}

// mayBeNamed reports whether the word stands in the item beside its parts: nobody
// has to look for it in a text of megabytes.
func mayBeNamed(it *transcript.Item) bool {
	key, at := []byte(`"name"`), 0
	for i := range it.Parts {
		p := &it.Parts[i]
		if p.Start <= 0 || p.Start < at || p.End > len(it.Raw) {
			continue // the item itself, or within the part before
		}
		if bytes.Contains(it.Raw[at:p.Start], key) {
			return true
		}
		at = max(p.End, p.Start)
	}
	return bytes.Contains(it.Raw[at:], key)
}

// part is the tokens of what a part holds.
func part(it *transcript.Item, p *transcript.Part, c Counter) int {
	switch p.Kind {
	case transcript.Image:
		return imageTokens(it, p, c)
	case transcript.Audio:
		if p.Bytes == 0 && p.Text == "" {
			return linked
		}
		return audioTokens(p.Bytes)
	case transcript.Opaque:
		return quarter(opaqueBytes(it, len(p.Text)))
	case transcript.Thinking:
		if p.Text == "" && p.Signed { // withheld: the signature carries it
			return quarter(sealedBytes(p.End - p.Start))
		}
	case transcript.File, transcript.Other:
		switch {
		case p.Bytes > 0:
			return quarter(decoded(p.Bytes)) + c.Count(p.Text)
		case p.Kind == transcript.File && p.Text == "":
			return linked
		}
		if p.Text == "" && p.Kind == transcript.Other && p.Start >= 0 && p.Start < p.End && p.End <= len(it.Raw) {
			return rawTokens(it.Raw[p.Start:p.End], c)
		}
	case transcript.Text, transcript.Call, transcript.Result:
	}
	return c.Count(p.Text)
}

// Part is the tokens of what a part of an item holds, without any frame. Bytes4
// counts whole items otherwise; for a part it gives a quarter of its text, and
// of media what the other counters give. Cost: linear in the part.
func Part(it *transcript.Item, p *transcript.Part, c Counter) int { return part(it, p, c) }

// Media is the tokens of a picture, sound or file in a message, 0 for any other
// part. Bytes4 gives what Codex takes a picture for, of a link too: whoever reads
// it is shown the picture. Cost: constant, but for a file that holds its text.
func Media(it *transcript.Item, p *transcript.Part, c Counter) int {
	switch p.Kind {
	case transcript.Image:
		if c.Name() == bytes4Name {
			return quarter(imageBytes(it, p))
		}
		return part(it, p, c)
	case transcript.Audio, transcript.File:
		return part(it, p, c)
	default:
		return 0
	}
}

// sealedLen is the length of the encrypted payload that an item consists of; 0
// if it is no such item.
func sealedLen(it *transcript.Item) (n int) {
	switch it.Type {
	case "reasoning", "compaction", "compaction_summary", "context_compaction":
		for i := range it.Parts {
			if it.Parts[i].Kind == transcript.Opaque {
				n += len(it.Parts[i].Text)
			}
		}
	}
	return n
}

// opaqueBytes is what an encrypted part of n characters stands for where it is
// not the whole item.
func opaqueBytes(it *transcript.Item, n int) int {
	switch it.Type {
	case "function_call_output", "agent_message":
		return n/16*9 + (n%16*9+15)/16
	case "custom_tool_call_output":
		return n
	}
	return sealedBytes(n)
}

// itemBytes4 is Codex's measure of an item that is not sealed.
func itemBytes4(it *transcript.Item) int {
	n := compactLen(it.Sent())
	for i := range it.Parts {
		p := &it.Parts[i]
		switch {
		case p.Kind == transcript.Opaque:
			n += opaqueBytes(it, len(p.Text)) - len(p.Text)
		case p.Bytes <= 0 || !holdsMedia(it.Type):
		case p.Kind == transcript.Image:
			n += imageBytes(it, p) - p.Bytes
		case p.Kind == transcript.Audio:
			// The length in seconds is not read here; Codex counts sound of
			// unknown length as the text of its URL.
			_, whole := payload(it, p)
			n += bytesPerToken*quarter(whole) - whole
		}
	}
	return quarter(n)
}

// holdsMedia says whether Codex replaces media in items of this type. A
// generated picture, for one, counts with all its bytes.
func holdsMedia(itemType string) bool {
	switch itemType {
	case "", "message", "function_call_output", "custom_tool_call_output":
		return true
	}
	return false
}
