// Package state is the page without a browser: what it knows (State), what can
// happen (Action), and one pure function from the two to the next State and to
// what must be done about it (Effect). It knows no DOM and runs natively.
package state

import (
	"maps"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/text"
)

// State is all that the page shows. A State is never changed: Reduce gives a
// new one, which shares what stayed.
type State struct {
	Lang   text.Lang
	Source Source
	Values Values

	// Summary is the caller's own; nil is the digest's.
	Summary *string

	Words   *Words   // what the transcript says; nil before it was read
	Answer  *Answer  // the last result that worked; nil before the first
	Request *Request // what would be sent to a model, for Answer
	Unasked *Problem // why there is no Request, though there is an Answer
	Stale   bool     // Answer is not that of the settings as they stand
	Problem *Problem // why the last evaluation was refused; nil if it was not

	another bool   // the transcript is another than that of Answer
	asked   planID // what Request was asked for

	Pending bool // an evaluation is due
	Runs    int  // evaluations so far

	Tables Tables // where the tables of the exact counter are

	// Several says that the file holds several conversations, so that one must
	// be named.
	Several bool

	// Sample is the sample that the transcript is, unedited, or that is on its
	// way; "" is none.
	Sample string
	// Past holds transcripts that another took the place of, the newest last.
	Past []Past
	// Note is what must be known of how the transcript came, until another comes.
	Note Notice

	// config is the text of a configuration that the engine can ask about.
	config string

	// wish counts what a person wanted the transcript to be. What arrives for an
	// older wish is not wanted any more.
	wish int

	Shown  map[string]int // steps of text that are shown, by row
	Notice Notice
	Hand   string // what a person must copy by hand, the clipboard being closed

	Formats []core.FormatEntry
	Reasons map[string]core.ReasonInfo
}

// Source is a transcript as it was typed or read. A file keeps its own bytes
// (its line ends, too), as long as nobody edits it.
type Source struct {
	Text string
	Name string // of the file or sample, "" if it was typed

	sample bool // it is the sample of that name
	edited bool // by a person, since it came
}

// listed is the sample that the text is, "" if it is none.
func (src Source) listed() string {
	if src.sample {
		return src.Name
	}
	return ""
}

// Past is a transcript that another took the place of, with what a person wrote
// about it.
type Past struct {
	Source  Source
	Summary *string
	edited  bool // typed, in part at least: nobody else has it
}

// Tables says where the tables of the exact counter are: a file of its own
// beside the program, fetched when a first answer was estimated without them. A
// host may leave the file out; estimates then stay.
type Tables string

// Encoding is the one encoding whose tables the page fetches, as the engine
// names it: the other one is for models that have gone out of use.
const Encoding = "o200k_base"

// Where the tables are.
const (
	TablesUnasked Tables = ""
	TablesLoading Tables = "loading"
	TablesHere    Tables = "here"
	TablesAbsent  Tables = "absent"
)

// Values are the controls of the form by their key, as they are typed; a
// checked box is "true".
type Values map[string]string

func (v Values) with(key, value string) Values {
	next := maps.Clone(v)
	if next == nil {
		next = Values{}
	}
	next[key] = value
	return next
}

// Notice is what the live region says: a key of the catalogue and its
// arguments. N grows with each, so that the same words are spoken twice.
type Notice struct {
	Key  string
	Args []string
	N    int
}

func (s State) say(key string, args ...string) State {
	s.Notice = Notice{Key: key, Args: args, N: s.Notice.N + 1}
	return s
}

// Action is something that happened.
type Action interface{ action() }

// The actions.
type (
	// Start is the page at its beginning, or after a restart: what its
	// controls hold, and what the engine knows.
	Start struct {
		Lang    text.Lang
		Values  Values
		Text    string
		Summary *string
		Formats []core.FormatEntry
		Reasons []core.ReasonInfo
	}
	// Typed is an edit of the transcript.
	Typed struct{ Text string }
	// Open asks for the first of so many files, by its name.
	Open struct {
		Name string
		File File
		Of   int
	}
	// Pick asks for a sample by its file name.
	Pick struct{ Sample string }
	// Loaded is a file or sample that has been read, for the wish that the
	// effect named.
	Loaded struct {
		Name string
		Data []byte
		Wish int
	}
	// Unread is a file or sample that could not be read.
	Unread struct {
		Name string
		Wish int
	}
	// Clear empties the transcript.
	Clear struct{}
	// Undo brings back the last of Past.
	Undo struct{}
	// Set is a change of a control.
	Set struct{ Key, Value string }
	// Write is an edit of the summary.
	Write struct{ Text string }
	// Reset gives the summary back to the digest.
	Reset struct{}
	// Speak changes the language.
	Speak struct{ Lang text.Lang }
	// CopyOut asks for a copy.
	CopyOut struct{ What Copyable }
	// CopyDone says how a copy went.
	CopyDone struct {
		Text string
		OK   bool
	}
	// CloseHand closes the box of what is copied by hand.
	CloseHand struct{}
	// Download asks for the result as a file.
	Download struct{}
	// Show points at a place of the transcript, in bytes.
	Show struct{ Start, End int }
	// More shows a further step of a row's text, Less only its beginning.
	More struct{ Row string }
	// Less is the way back.
	Less struct{ Row string }
	// Settled is what Ask found out.
	Settled struct {
		Words  *Words
		Answer *Answer
		Err    error
	}
	// Arrived is the file of the tables, or why there is none. After AddTables
	// it also says that the engine has refused them.
	Arrived struct {
		Data []byte
		Err  error
	}
	// Configured is what was found out about a text of configuration.
	Configured struct{ Config Config }
	// Planned is what AskPlan found out.
	Planned struct {
		Request *Request // nil: there is nothing to ask a model
		Err     error
	}
)

// File is a file that a person chose or dropped.
type File interface {
	// Read gives all bytes to done, once.
	Read(done func(data []byte, err error))
}

// Copyable is one of the things that can be copied.
type Copyable string

// What can be copied.
const (
	CopyResult   Copyable = "result"
	CopyRequest  Copyable = "request"
	CopySettings Copyable = "settings"
)

func (Start) action()     {}
func (Typed) action()     {}
func (Open) action()      {}
func (Loaded) action()    {}
func (Unread) action()    {}
func (Pick) action()      {}
func (Clear) action()     {}
func (Undo) action()      {}
func (Set) action()       {}
func (Write) action()     {}
func (Reset) action()     {}
func (Speak) action()     {}
func (CopyOut) action()   {}
func (CopyDone) action()  {}
func (CloseHand) action() {}
func (Download) action()  {}
func (Show) action()      {}
func (More) action()      {}
func (Less) action()      {}
func (Settled) action()   {}
func (Arrived) action()   {}
func (Planned) action()   {}

func (Configured) action() {}

// Effect is something that must be done outside.
type Effect interface{ effect() }

// The effects.
type (
	// Evaluate asks the engine soon: at once, or when the person pauses.
	Evaluate struct{ Now bool }
	// Plan asks the engine for the summary request when nothing else is due.
	Plan struct{}
	// Copy puts a text on the clipboard.
	Copy struct{ Text string }
	// Save downloads a file.
	Save struct {
		Name string
		Data []byte
	}
	// Fetch reads a sample.
	Fetch struct {
		Sample string
		Wish   int
	}
	// ReadFile reads a file.
	ReadFile struct {
		Name string
		File File
		Wish int
	}
	// ReadConfig finds out what a text of configuration says.
	ReadConfig struct{ Text string }
	// KeepConfig gives that to the engine.
	KeepConfig struct{ Config Config }
	// FetchTables reads the file of the tables.
	FetchTables struct{}
	// AddTables gives the tables to the engine.
	AddTables struct{ Data []byte }
	// SetInput puts a text into the transcript's box.
	SetInput struct{ Text string }
	// Select marks a place in the transcript's box, in UTF-16 units.
	Select struct{ Start, End int }
)

func (Evaluate) effect()    {}
func (Plan) effect()        {}
func (Copy) effect()        {}
func (Save) effect()        {}
func (Fetch) effect()       {}
func (FetchTables) effect() {}
func (AddTables) effect()   {}
func (SetInput) effect()    {}
func (Select) effect()      {}
func (ReadFile) effect()    {}
func (ReadConfig) effect()  {}
func (KeepConfig) effect()  {}
