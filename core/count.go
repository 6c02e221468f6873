package core

import (
	"bytes"
	"errors"

	"github.com/tamp-dev/tamp/core/format"
	"github.com/tamp-dev/tamp/core/internal/rawjson"
	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/transcript"
)

// CountResult is the answer of /v1/count: total is overhead and all items.
type CountResult struct {
	Format   FormatInfo  `json:"format"`
	Counter  CounterInfo `json:"counter"`
	Total    int         `json:"total"`
	Overhead int         `json:"overhead"` // instructions and tools beside the items, the priming of the answer
	Items    []ItemCount `json:"items"`
	Model    *ModelInfo  `json:"model,omitempty"`
}

// ItemCount is the tokens of one item of the effective history, its frame
// included.
type ItemCount struct {
	Index  int `json:"index"`
	Tokens int `json:"tokens"`
}

// Count counts the transcript of a request, for its model and by the counter of
// its policy; usage and state correct an estimate. Nothing else of the request
// is looked at. A single answer of a provider is counted too. Cost: linear.
func Count(req Request) (*CountResult, error) { return new(Engine).Count(req) }

// Count is the function of that name, with the engine's encodings.
func (e *Engine) Count(req Request) (*CountResult, error) {
	if err := checkRead(req); err != nil {
		return nil, err
	}
	j, err := e.open(req, readAny)
	if err != nil {
		return nil, err
	}
	res := &CountResult{
		Format: j.formatInfo(), Counter: j.counterInfo(), Model: j.modelInfo(),
		Total: j.measured.Total(), Overhead: j.measured.Overhead, Items: make([]ItemCount, len(j.measured.Items)),
	}
	for i, n := range j.measured.Items {
		res.Items[i] = ItemCount{i, n}
	}
	return res, nil
}

// readAny reads a history, or what holds none to compact but can be counted: a
// single answer, a request of one text.
func readAny(req Request) (*format.Document, error) {
	doc, err := readHistory(req)
	var refused *transcript.Error
	if !errors.As(err, &refused) || refused.Code != "not_a_history" || req.Conversation != "" {
		return doc, err
	}
	root, bad := rawjson.Parse(req.Transcript)
	if bad != nil {
		return nil, err
	}
	verdict := format.Verdict{Name: "openai-responses", Confidence: 1, Evidence: []string{"input is one text"}, Shape: "request"}
	var src []byte
	if input := root.Get("input"); input.Is(rawjson.String) {
		src = append(src, req.Transcript[:input.Start()]...)
		src = append(src, `[{"role":"user","content":`...)
		src = append(src, input.Raw()...)
		src = append(src, "}]"...)
		src = append(src, req.Transcript[input.End():]...)
	} else if verdict, bad = format.Detect(req.Transcript); bad != nil {
		return nil, err
	} else if src = answerItems(root, verdict.Name); src == nil {
		return nil, err
	}
	req.Format = verdict.Name
	req.Transcript = src
	if doc, bad = readHistory(req); bad != nil {
		return nil, bad
	}
	doc.Verdict = verdict
	for _, key := range []string{"model", "modelVersion"} { // the second: Gemini
		if model, ok := root.Get(key).Str(); ok {
			doc.Model = model
		}
	}
	return doc, nil
}

// answerItems is the items of a single answer as a list; nil: there are none.
func answerItems(root rawjson.Value, name string) []byte {
	var items [][]byte
	switch name {
	case "openai-responses":
		if output := root.Get("output"); output.Is(rawjson.Array) {
			return output.Raw()
		}
	case "openai-chat":
		for choice := range root.Get("choices").Elems() {
			if message := choice.Get("message"); message.Is(rawjson.Object) {
				items = append(items, message.Raw())
			}
		}
	case "anthropic-messages":
		items = append(items, root.Raw())
	case "gemini-contents":
		for candidate := range root.Get("candidates").Elems() {
			if content := candidate.Get("content"); content.Is(rawjson.Object) {
				items = append(items, content.Raw())
			}
		}
	case "bedrock-converse":
		items = append(items, root.Get("output").Get("message").Raw())
	}
	if items == nil {
		return nil
	}
	list := append([]byte{'['}, bytes.Join(items, []byte{','})...)
	return append(list, ']')
}

// ModelInfo says what is known of the model that the figures are for.
type ModelInfo struct {
	ID  string `json:"id"`            // as the request or the transcript names it, at most 40 bytes
	Row string `json:"row,omitempty"` // of the table of models, or of the request's own; absent: it is not known
	// ContextWindow is the window that a fraction is measured against: the
	// request's, else the table's less the longest answer. 0 is unknown.
	ContextWindow int           `json:"context_window,omitempty"`
	MaxOutput     int           `json:"max_output_tokens,omitempty"`
	Encoding      string        `json:"encoding,omitempty"`
	Price         *tokens.Price `json:"price,omitempty"` // US dollars for a million tokens
	Source        string        `json:"source,omitempty"`
	Date          string        `json:"date,omitempty"`
}
