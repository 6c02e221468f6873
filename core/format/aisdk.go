package format

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"strings"

	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/transcript"
)

// Vercel's AI SDK writes conversations in two shapes: UIMessages, which useChat
// keeps and applications store (aisdk_ui.go), and ModelMessages, which it sends to
// models (aisdk_model.go). This is what the two have in common.

// sdkRefusals are what the SDK refuses before it calls any provider.
func sdkRefusals(roles ...transcript.Role) transcript.Rules {
	return provider{
		name:  "any",
		roles: roles,
		rules: []transcript.Rule{
			{Code: "known_roles", Text: "Roles are system, user and assistant, and tool in ModelMessages.", Source: "ai 7, MessageConversionError and InvalidPromptError"},
			{Code: "calls_answered", Text: "Each tool call that the provider did not run itself has a result before the next user or system message.", Source: "ai 7, MissingToolResultsError"},
			{Code: "results_called", Text: "A tool result answers a call before it.", Source: "the providers' APIs: the SDK passes orphans on"},
			{Code: "ids_present", Text: "Calls and results have a toolCallId.", Source: "ai 7, schemas of UIMessage and ModelMessage"},
		},
	}.refusals()
}

// sdkStream is what a stream of chunks is called where it is refused.
const sdkStream = "a stream of chunks of the AI SDK, of which messages have to be made first"

// sdkChunk reports whether a type is that of a chunk of the SDK's streams: of a
// UI message stream, or of a model's answer. Such a stream is no list of messages
// (the SDK's readUIMessageStream makes them of it).
func sdkChunk(kind string) bool {
	switch kind {
	case "text-start", "text-delta", "text-end", "reasoning-start", "reasoning-delta", "reasoning-end",
		"tool-input-start", "tool-input-delta", "tool-input-end", "tool-input-available", "tool-input-error",
		"tool-output-available", "tool-output-error", "tool-output-denied",
		"start-step", "finish-step", "reset-step", "stream-start", "message-metadata":
		return true
	}
	return false
}

// sdkChunkText reports whether a text begins with chunks as the SDK sends them
// over HTTP: a server-sent event whose data is one, or two lines of AI SDK 4, whose
// chunks have one character for their type (0:"Hel", d:{"finishReason":"stop"}).
func sdkChunkText(text []byte) bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(string(text[:min(len(text), sdkChunkHead)])), "\n")
	if data, ok := strings.CutPrefix(first, "data:"); ok {
		v, err := rawjson.Parse([]byte(strings.TrimSpace(data)))
		if err != nil {
			return false
		}
		kind := v.Get("type").Text()
		return sdkChunk(kind) || kind == "start"
	}
	second, _, _ := strings.Cut(rest, "\n")
	return sdkOldChunk(first) && sdkOldChunk(second)
}

func sdkOldChunk(line string) bool {
	if len(line) < 3 || line[1] != ':' || (line[0] < '0' || line[0] > '9') && (line[0] < 'a' || line[0] > 'k') {
		return false
	}
	v, err := rawjson.Parse([]byte(strings.TrimSpace(line[2:])))
	return err == nil && (v.Is(rawjson.String) || v.Is(rawjson.Object) || v.Is(rawjson.Array))
}

// sdkChunkHead is how much of a text is looked at for its first lines: the first
// chunk of a stream, {"type":"start","messageId":..}, has less than 200 bytes.
const sdkChunkHead = 4096

// noiseBytes is how much of what no model is sent stays counted with a message:
// ids, marks and empty metadata are below it, and not worth a copy without them.
const noiseBytes = 256

// sdkProviders are what providers added to a part or message, each under its
// name: providerMetadata in UIMessages, providerOptions in ModelMessages.
func sdkProviders(v rawjson.Value, yield func(name string, data rawjson.Value) bool) {
	for _, key := range []string{"providerOptions", "providerMetadata", "callProviderMetadata", "experimental_providerMetadata"} {
		for name, data := range v.Get(key).Members() {
			if !yield(name, data) {
				return
			}
		}
	}
}

// sdkSealed reports whether a thought carries what a provider checks or decrypts:
// a signature, encrypted reasoning, redacted thoughts.
func sdkSealed(v rawjson.Value) bool {
	found := v.Get("signature").Text() != "" // AI SDK 4
	sdkProviders(v, func(_ string, data rawjson.Value) bool {
		for _, key := range []string{"signature", "thoughtSignature", "reasoningEncryptedContent", "redactedData"} {
			found = found || data.Get(key).Text() != ""
		}
		return !found
	})
	return found
}

// sdkItemID is the id that OpenAI's Responses API gave to what a part stands for.
func sdkItemID(v rawjson.Value) string {
	id := ""
	sdkProviders(v, func(_ string, data rawjson.Value) bool {
		id = data.Get("itemId").Text()
		return id == ""
	})
	return id
}

// sdkTied reports whether edits drop a thought that others in the message can
// not do without: where both have ids of the Responses API, the SDK sends those
// ids, and the API refuses a call or text of that kind without its reasoning.
func sdkTied(v rawjson.Value, member string, it *transcript.Item, edits []transcript.Edit) bool {
	gone := map[int]bool{}
	for _, e := range edits {
		if e.Drop && it.Parts[e.Part].Kind == transcript.Thinking {
			gone[it.Parts[e.Part].Start] = true
		}
	}
	if len(gone) == 0 {
		return false
	}
	tied, others := false, false
	for p := range v.Get(member).Elems() {
		if sdkItemID(p) != "" {
			tied = tied || gone[p.Start()]
			others = others || !gone[p.Start()]
		}
	}
	return tied && others
}

// sdkSummary reports whether a text is Anthropic's compaction block, which the
// SDK keeps as a text part that says so.
func sdkSummary(v rawjson.Value) bool {
	found := false
	sdkProviders(v, func(_ string, data rawjson.Value) bool {
		found = data.Get("type").Text() == "compaction"
		return !found
	})
	return found
}

// sdkReader reads the parts of one message.
type sdkReader struct {
	it   *transcript.Item
	from int
}

// part adds a part with the place of the value v.
func (r *sdkReader) part(kind transcript.PartKind, v rawjson.Value, text string) *transcript.Part {
	r.it.Parts = append(r.it.Parts, transcript.Part{Kind: kind, Text: text, Start: v.Start() - r.from, End: v.End() - r.from})
	return &r.it.Parts[len(r.it.Parts)-1]
}

// text adds a text part.
func (r *sdkReader) text(p rawjson.Value) *fault {
	s, f := text(p, "text")
	if f != nil {
		return f
	}
	r.part(transcript.Text, p, s).Summary = sdkSummary(p)
	return nil
}

// custom adds a part that only one provider knows. OpenAI's compaction item is
// one: an earlier summary that nobody else can read.
func (r *sdkReader) custom(p rawjson.Value) {
	sealed := ""
	sdkProviders(p, func(_ string, data rawjson.Value) bool {
		sealed = data.Get("encryptedContent").Text()
		return sealed == ""
	})
	if sealed == "" {
		r.part(transcript.Other, p, "")
		return
	}
	r.part(transcript.Opaque, p, sealed).Summary = strings.HasSuffix(p.Get("kind").Text(), ".compaction")
}

// file adds a part of some media type. Its bytes are a link, a data URL or bare
// base64, in a member that has had many names, or in an object around one.
func (r *sdkReader) file(p rawjson.Value) {
	data := rawjson.Value{}
	for _, key := range []string{"url", "data", "image"} {
		if data = p.Get(key); data.Exists() {
			break
		}
	}
	if data.Is(rawjson.Object) { // ai 7: {"type":"data","data":..}, {"type":"url","url":..}
		inner := data.Get("data")
		if !inner.Exists() {
			inner = data.Get("url")
		}
		data = inner
	}
	kind := sdkMedia(p)
	s := data.Text()
	m := linked(kind, p, r.from, s)
	if m.Bytes == 0 && s != "" && !strings.Contains(s, ":") { // no link: base64 has no colon
		m.Bytes = len(s)
	}
	r.it.Parts = append(r.it.Parts, m)
}

// sdkMedia is the kind of a part by its type, or by its media type, of which
// "image" alone is one, too.
func sdkMedia(p rawjson.Value) transcript.PartKind {
	if strings.HasPrefix(p.Get("type").Text(), "image") {
		return transcript.Image
	}
	media := cmp.Or(p.Get("mediaType").Text(), p.Get("mimeType").Text(), p.Get("contentType").Text())
	switch kind, _, _ := strings.Cut(media, "/"); strings.ToLower(kind) {
	case "image":
		return transcript.Image
	case "audio":
		return transcript.Audio
	}
	return transcript.File
}

// sdkFinish sets what follows from the parts of a message.
func sdkFinish(it *transcript.Item) {
	it.Empty = len(it.Parts) == 0
	it.Summary = !it.Empty
	for i := range it.Parts {
		it.Summary = it.Summary && it.Parts[i].Summary
	}
	mark(it)
}

// sdkID is an id as the SDK makes them, 16 letters and digits. Its own are random;
// this one is made from what it is for, so that the same input gives the same id.
func sdkID(seeds ...string) string {
	h := fnv.New128a()
	for _, s := range seeds {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum, id := h.Sum(nil), make([]byte, 0, 16)
	for _, half := range [][]byte{sum[:8], sum[8:]} {
		x := binary.BigEndian.Uint64(half)
		for range 8 {
			id = append(id, digits[x%62])
			x /= 62
		}
	}
	return string(id)
}
