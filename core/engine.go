package core

import (
	"fmt"
	"sync"

	"github.com/tamp-dev/tamp/core/tokens"
)

// Engine is the engine with the exact encodings that it was given; the zero
// value has none and estimates, as the functions of this package do. A model
// whose encoding is there is counted exactly, all others by the estimate.
//
// Engine is safe for concurrent use, and encodings may be added while it is
// used: a call that runs keeps the counter that it began with.
type Engine struct {
	// Configs reads a policy that came as a text of configuration; nil refuses one.
	// It is set before the engine is used. Its errors are *Error.
	Configs func(text string) (Config, error)

	mu        sync.Mutex
	encodings []offer
}

// offer is one encoding, or what it is built from when it is first needed.
type offer struct {
	name     string
	planes   func() string // nil: built
	encoding tokens.Counter
	err      error
}

// NewEngine is an engine with those encodings.
func NewEngine(encodings ...*tokens.Encoding) *Engine {
	e := &Engine{}
	for _, enc := range encodings {
		e.add(offer{name: enc.Name(), encoding: enc})
	}
	return e
}

// AddEncoding builds an encoding from its merge-pair planes (the files of
// core/tokens/ranks) and counts with it from now on. An error says what is wrong
// with the planes, and changes nothing. Cost: about 10 ms natively, 40 in wasm.
func (e *Engine) AddEncoding(name, planes string) error {
	enc, err := tokens.NewEncoding(name, planes)
	if err != nil {
		return err
	}
	e.add(offer{name: name, encoding: enc})
	return nil
}

// Offer names an encoding whose planes are at hand: it is built when the first
// model asks for it. planes is called once at most; none (an encoding that was
// left out of the build) is as if nothing were offered.
func (e *Engine) Offer(name string, planes func() string) {
	e.add(offer{name: name, planes: planes})
}

func (e *Engine) add(o offer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.encodings {
		if e.encodings[i].name == o.name {
			e.encodings[i] = o
			return
		}
	}
	e.encodings = append(e.encodings, o)
}

// encoding is the encoding of that name; nil if there is none.
func (e *Engine) encoding(name string) (tokens.Counter, error) {
	if name == "" {
		return nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.encodings {
		o := &e.encodings[i]
		if o.name != name {
			continue
		}
		if o.planes != nil {
			planes := o.planes()
			o.planes = nil
			if len(planes) == 0 {
				return nil, nil
			}
			enc, err := tokens.NewEncoding(name, planes)
			if err != nil {
				o.err = fmt.Errorf("the encoding %s: %w", name, err)
				return nil, o.err
			}
			o.encoding = enc
		}
		return o.encoding, o.err
	}
	return nil, nil
}

// ModelTable is what the table of models has: the row of the longest id that
// begins the model's own. false: it is not known.
func ModelTable(id string) (tokens.Model, bool) { return tokens.LookupModel(id) }
