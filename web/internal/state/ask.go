package state

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tamp-dev/tamp/core"
	"github.com/tamp-dev/tamp/web/internal/source"
)

// Engine is core.Call.
type Engine func(op string, body []byte) ([]byte, error)

// Words is a transcript as a person reads it. It is the same for every policy.
type Words struct {
	core.ItemsResult
	of wordsID
}

// wordsID is all that the reading of a transcript depends on.
type wordsID struct{ source, format, conversation string }

func (s State) wordsID() wordsID {
	return wordsID{s.Source.Text, s.Values[KeyFormat], s.Values[KeyConversation]}
}

// Ask asks the engine about the state as it stands: what the transcript says,
// unless that is known, and what becomes of it. It is the expensive part, some
// 0.2 s for a megabyte in a browser.
func Ask(engine Engine, s State) Settled {
	if s.Words == nil || s.Words.of != s.wordsID() {
		words, err := read(engine, quoted(s.Source.Text), s.wordsID())
		if err != nil {
			return Settled{Err: err}
		}
		s.Words = words
	}
	done := Settled{Words: s.Words}
	answer, err := engine("compact", s.Body())
	if err != nil {
		done.Err = err
		return done
	}
	if done.Answer, done.Err = readAnswer(answer); done.Err != nil {
		return done
	}
	after := done.Words
	if done.Answer.Compacted {
		output := string(done.Answer.Output)
		if done.Answer.Text {
			output = quote(output)
		}
		// The format is named: a short result may look like several.
		after, err = read(engine, output, wordsID{format: done.Answer.Format.Name, conversation: s.Values[KeyConversation]})
		if err != nil {
			done.Err = fmt.Errorf("the engine cannot read its own result: %w", err)
			return done
		}
	}
	done.Answer.speak(done.Words, after)
	if s.Summary != nil {
		done.Answer.own = *s.Summary
	}
	return done
}

// AskPlan asks for the summary request.
func AskPlan(engine Engine, s State) Planned {
	answer, err := engine("plan", s.PlanBody())
	if err != nil {
		return Planned{Err: err}
	}
	request, err := readRequest(answer)
	if err != nil || request == nil {
		return Planned{Err: err}
	}
	words, err := read(engine, string(request.Body), wordsID{format: request.Format})
	if err != nil {
		return Planned{Err: fmt.Errorf("the engine cannot read its own request: %w", err)}
	}
	request.Prompt = lastWords(words)
	return Planned{Request: request}
}

// lastWords is the last text of a transcript. The instruction of a request
// stands there in every format; a provider reads it last, a person looks for it
// first.
func lastWords(w *Words) string {
	if len(w.Items) == 0 {
		return ""
	}
	parts := w.Items[len(w.Items)-1].Parts
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Kind == "text" {
			return parts[i].Text
		}
	}
	return ""
}

// read asks for the words of a transcript, which is JSON already.
func read(engine Engine, transcript string, of wordsID) (*Words, error) {
	var o object
	o.raw("transcript", transcript)
	o.text("format", of.format)
	o.text("conversation", of.conversation)
	answer, err := engine("items", []byte(o.String()))
	if err != nil {
		return nil, err
	}
	words := &Words{of: of}
	if err := json.Unmarshal(answer, &words.ItemsResult); err != nil {
		return nil, fmt.Errorf("the engine's items cannot be read: %w", err)
	}
	return words, nil
}

// quoted is a transcript as it stands in a request: byte for byte where it is
// one JSON array or object, else as a JSON string.
func quoted(text string) string {
	if source.One([]byte(text)) {
		return strings.TrimSpace(text)
	}
	return quote(text)
}
