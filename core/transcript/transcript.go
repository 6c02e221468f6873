// Package transcript is the model of a conversation that every other package
// of core works on: a Transcript is a list of Items in order, whatever format
// they came in. It knows how items belong together (Groups), who wrote them
// (a person, a harness, a model) and what a provider refuses (Rules). It reads
// no format itself and imports nothing of core.
package transcript

import "slices"

// Role is who speaks. Roles that a format invents (mini-swe-agent's "exit")
// are kept as they are written.
type Role string

// The roles that the three wire families share.
const (
	System    Role = "system"
	Developer Role = "developer"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// PartKind is what a part of an item holds.
type PartKind uint8

// The kinds of parts.
const (
	Text     PartKind = iota // prose, also a refusal
	Thinking                 // reasoning that the model wrote, signed or not; Text may be empty
	Call                     // a tool call: ID, Name, Text is the input (JSON or raw text)
	Result                   // a tool result: ID of its call, Text is the output
	Image
	Audio
	File
	Opaque // bytes that only the provider can read: encrypted reasoning, compaction items
	Other  // what the format has and the model has no word for
)

// String is the kind's name in JSON.
func (k PartKind) String() string {
	return [...]string{"text", "thinking", "call", "result", "image", "audio", "file", "opaque", "other"}[min(k, Other)]
}

// Payload reports whether a part of the kind is bytes that nobody reads as text.
func (k PartKind) Payload() bool {
	switch k {
	case Image, Audio, File, Opaque:
		return true
	default:
		return false
	}
}

// Part is one piece of an item. Start and End are the place of its bytes in
// Item.Raw; both are 0 where the part is not a JSON value of its own (the text
// of a message whose content is a plain string has the place of that string).
//
// BodyStart and BodyEnd are, in a Call, the place of the value that is its
// input, in a Result that of its output; both are 0 where it has none (an
// output that is absent).
type Part struct {
	ID         string // Call: its id. Result: the id of the call it answers. "" if it has none
	Name       string // Call: the tool
	Text       string // decoded text; Opaque: the encoded payload
	Start, End int
	BodyStart  int
	BodyEnd    int
	Bytes      int      // media: length of the inline base64 payload, 0 for a link
	Detail     string   // image: "low", "high", "original", "auto"
	Kind       PartKind // here, where the flags are: 8 bytes less for each part
	Signed     bool     // Thinking or Call with a signature: the provider checks its bytes
	Failed     bool     // Result that the format marks as an error
	Summary    bool     // Text that the format itself marks as an earlier summary (a compaction block)
	Server     bool     // Call or Result that the provider ran itself (web search): both stand in one assistant message
	// Pending, by the format's own word. Call: it waits for something outside of
	// the loop (an approval, a job that runs for long), and does so however long
	// the conversation goes on. Result: an interim one, which leaves its call
	// waiting for another result of the same id.
	Pending bool
}

// Item is one message or one Responses-style item. Raw is never changed and
// is what a kept item is written back from.
type Item struct {
	Raw  []byte
	Path string // place below the transcript as sent: "[7]", ".messages[7]"; for JSON Lines ":12" (the line)
	// Shown is Raw without what a harness keeps for itself beside the message
	// and no provider is sent; nil where that is all of it.
	Shown []byte
	Role  Role   // whose: assistant for reasoning and calls, tool for results that are items of their own
	Type  string // the format's own type: "message", "reasoning", "function_call", ...; "" for chat messages
	ID    string // the item's own id ("msg_1"), "" if it has none

	Parts []Part
	// Begins is the place in Raw from which on the provider reads the content: it
	// ignores what stands before a summary of its own making. 0 is all of it. No
	// part stands before it.
	Begins int

	// Context is the kind of an initial context item (its start marker, else
	// its opening tag, else its text): developer messages, AGENTS.md and
	// environment fragments. "" for all others.
	Context string
	// Fragment says that a harness wrote this user message, not a person.
	Fragment bool
	// Hook says of a fragment that hooks wrote all of it: what they tell the model
	// stands for what a person would have.
	Hook bool
	// Summary says that this is an earlier summary and nothing else, by the
	// format's own mark or by its prefix. A message that holds one beside other
	// parts has it in its Parts only.
	Summary bool
	// Empty says that the content is null, "" or [] and nothing else stands in
	// its place (tool calls).
	Empty bool
	// Null says that the content is null, [] or not there, and that the format
	// wants it: an empty text would do.
	Null bool
}

// Family is the shape of a provider's API: where things are placed depends on it.
type Family uint8

// The families.
const (
	Chat      Family = iota // OpenAI Chat Completions: {role, content, tool_calls}
	Responses               // OpenAI Responses items, Codex rollouts
	Messages                // Anthropic Messages: content blocks, two roles
)

// Transcript is one conversation: the items of its effective history.
type Transcript struct {
	Format string // name in GET /v1/formats
	Family Family
	Items  []Item

	// What the model sees beside the items; counted as overhead, never touched.
	System string // the request's own system, instructions
	Tools  []byte // the request's tools as they stand, nil if it has none
	Model  string // the request's model, "" if it names none
	// NoTools says that the transcript came in a request, and that it declares no
	// tools; a list that stands alone says nothing.
	NoTools bool
	// Thinks says that the request asks for thinking in every answer.
	Thinks bool

	Rules  Rules
	Writer Writer
}

// Writer renders what a compaction adds or cuts, in the transcript's own
// format. Packages under format implement it.
type Writer interface {
	// Message is a new message of text, with its bytes.
	Message(role Role, text string) Item
	// WithText is the same message with its content replaced by text: other
	// fields keep their bytes.
	WithText(it *Item, text string) Item
	// WithoutSummary is the same message without the parts that are marked as an
	// earlier summary: all other parts and fields keep their bytes.
	WithoutSummary(it *Item) Item
	// WithParts is the same item with some of its parts changed: all other bytes
	// stay. False where the format can not do that, or where nothing would be
	// left in the item. Edits name each part once, in ascending order.
	WithParts(it *Item, edits []Edit) (Item, bool)
	// Joined is one message with the parts of a and behind them those of b, for
	// providers that refuse two messages of one role in a row. False where the
	// format can not do that, which depends on the shape of the two and not on
	// what they say. Fields beside the content are those of a, but of b where only
	// that came in (it has a Path).
	Joined(a, b *Item) (Item, bool)
	// Answer is the item that answers part n of it, a Call, with a text. False
	// where a result is no item of its own in the format.
	Answer(it *Item, n int, text string) (Item, bool)
}

// Sealer is what the Writer of a format can do too that holds summaries which only
// the provider can read.
type Sealer interface {
	// Sealed is the item that carries such a summary.
	Sealed(payload string) Item
	// Given reads the list of items that a provider answered with, each with its
	// own bytes. An error has the path below the list.
	Given(list []byte) ([]Item, *Error)
	// Shortened is an output item with a text in the place of what a tool gave, or
	// without the tools that a search found. False for every other item, and for an
	// output that no text can stand for.
	Shortened(it *Item, text string) (Item, bool)
}

// Answerer is what the Writer of a format can do too whose messages hold the
// results of their own calls.
type Answerer interface {
	// Answered is the item in which part n, a Call, has a result that says text, as
	// what went wrong where the format tells the two apart. Its parts stand in the
	// same order, with the result among them. False where the call has a result, or
	// where the format has no place for one.
	Answered(it *Item, n int, text string) (Item, bool)
}

// Mover is what the Writer of a format can do too whose items hold several
// results, or ids of their own.
type Mover interface {
	// Apart takes results out of a message: a new message of the user with those
	// parts, named in ascending order, and what is left of it, which may be nothing. Their bytes stay. False
	// where one of them is no element of the content.
	Apart(it *Item, parts []int) (results, rest Item, ok bool)
	// Renamed is the item with another id of its own, or with none where id is "".
	// False where it has none, or where other items may know it by that.
	Renamed(it *Item, id string) (Item, bool)
}

// Edit is a change to one part of an item. With Drop the part goes and nothing
// takes its place. Else Text takes it: as a Result's output, as a Call's input
// (Text is a JSON object then), as a text in the place of media. ID, where it is
// not empty, becomes the id of a Call, or the id that a Result answers.
type Edit struct {
	Part int // index in Item.Parts
	Drop bool
	Text string // "" leaves it as it is
	ID   string
}

// Entry is one place of a compacted transcript.
type Entry struct {
	From int   // index in Items, -1 for an inserted message
	New  *Item // nil: the item's own bytes
	// Plain says that an inserted message of the user is no summary: a log that
	// marks those leaves it without the mark.
	Plain bool
}

// Text is all text parts of the item, joined with nothing between them.
func (it *Item) Text() string {
	n, first := 0, ""
	for i := range it.Parts {
		if it.Parts[i].Kind == Text {
			if n == 0 {
				first = it.Parts[i].Text
			}
			n++
		}
	}
	if n < 2 {
		return first
	}
	var b []byte
	for i := range it.Parts {
		if it.Parts[i].Kind == Text {
			b = append(b, it.Parts[i].Text...)
		}
	}
	return string(b)
}

// Sent is the bytes that a provider is sent: Shown, else Raw.
func (it *Item) Sent() []byte {
	if it.Shown != nil {
		return it.Shown
	}
	return it.Raw
}

// HoldsSummary reports whether an earlier summary stands in the item beside
// other parts.
func (it *Item) HoldsSummary() bool {
	return !it.Summary && slices.ContainsFunc(it.Parts, func(p Part) bool { return p.Summary })
}

// Has reports whether the item has a part of one of these kinds.
func (it *Item) Has(kinds ...PartKind) bool {
	for i := range it.Parts {
		for _, k := range kinds {
			if it.Parts[i].Kind == k {
				return true
			}
		}
	}
	return false
}

// Reference reports whether the item only names one that the provider keeps,
// whatever that is: reasoning, a text, a call.
func (it *Item) Reference() bool {
	return it.Type == "item_reference" && len(it.Parts) > 0
}

// RealUser reports whether a person wrote this item: a user message with text
// or media that is no harness fragment, no earlier summary and not only tool
// results.
func (it *Item) RealUser() bool {
	return it.Role == User && !it.Fragment && !it.Summary && it.Context == "" &&
		(it.Has(Text, Image, Audio, File) || !it.Has(Result, Call, Thinking, Opaque))
}

// Answers is how many answers of the model the item holds: 1, and one more each
// time that it goes on behind a result, in formats whose messages hold a whole
// tool loop.
func (it *Item) Answers() int {
	n, behind := 1, false
	for i := range it.Parts {
		switch it.Parts[i].Kind {
		case Result:
			behind = true
		case Text, Thinking, Call:
			if behind {
				n, behind = n+1, false
			}
		default:
		}
	}
	return n
}

// Generated reports whether a model wrote this item.
func (it *Item) Generated() bool {
	return it.Role == Assistant
}
