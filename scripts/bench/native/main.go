// Command native measures the token engine against
// github.com/tiktoken-go/tokenizer, both native, on the texts of a folder that
// scripts/bench/corpus.mjs has written:
//
//	go run . ../../../build/bench/corpus
//
// It is a module of its own, so that tamp's does not know that package. It
// prints how many times faster the engine is, class by class, and fails below
// the floor of 15 times.
package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/tokens/ranks"
)

const (
	floor  = 15
	rounds = 7
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench-tokens:", err)
		os.Exit(1)
	}
}

// A text with the best times of each.
type text struct {
	name      string
	body      string
	hot, cold time.Duration
	peer      time.Duration
	note      string
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments, must be the folder of the corpus", len(args))
	}
	texts, err := read(args[0])
	if err != nil {
		return err
	}
	peer, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return err
	}
	// Rounds are interleaved: whatever else the machine does hits both.
	for round := range rounds {
		for i := range texts {
			if err := texts[i].measure(peer, round); err != nil {
				return err
			}
		}
	}
	return report(texts)
}

func read(folder string) ([]text, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no *.txt there", folder)
	}
	var texts []text
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text{
			name: strings.TrimSuffix(filepath.Base(name), ".txt"), body: string(body),
			hot: math.MaxInt64, cold: math.MaxInt64, peer: math.MaxInt64,
		})
	}
	return texts, nil
}

// measure does one round on a text. The tables are built anew each time, since
// that empties the caches; building is not timed.
func (t *text) measure(peer tokenizer.Codec, round int) error {
	engine, err := tokens.NewEncoding("o200k_base", ranks.O200k())
	if err != nil {
		return err
	}
	var n int
	t.cold = min(t.cold, timed(func() { n = engine.Count(t.body) }))
	t.hot = min(t.hot, timed(func() { n = engine.Count(t.body) }))
	if round > 2 {
		return nil // the peer's passes are long enough for three to do
	}
	var ids []uint
	t.peer = min(t.peer, timed(func() { ids, _, err = peer.Encode(t.body) }))
	if err == nil && len(ids) != n {
		t.note = fmt.Sprintf("the peer has %d tokens, not %d", len(ids), n)
	}
	return err
}

func timed(run func()) time.Duration {
	start := time.Now()
	run()
	return time.Since(start)
}

func report(texts []text) error {
	rows := []string{"class\tMB/s hot\tMB/s cold\ttimes tokenizer v0.10.0, hot\tcold\t\n"}
	var all text
	all.name = "all"
	var size int
	line := func(t text, size int) {
		rate := func(d time.Duration) float64 { return float64(size) / 1e6 / d.Seconds() }
		rows = append(rows, fmt.Sprintf("%s\t%.0f\t%.0f\t%.1f\t%.1f\t%s\n", t.name, rate(t.hot), rate(t.cold), ratio(t.peer, t.hot), ratio(t.peer, t.cold), t.note))
	}
	for _, t := range texts {
		line(t, len(t.body))
		size += len(t.body)
		all.hot, all.cold, all.peer = all.hot+t.hot, all.cold+t.cold, all.peer+t.peer
	}
	line(all, size)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, err := io.WriteString(w, strings.Join(rows, ""))
	if err = errors.Join(err, w.Flush()); err != nil {
		return err
	}
	got := ratio(all.peer, all.hot)
	if got < floor {
		return fmt.Errorf("natively %.1f times tiktoken-go/tokenizer, must be at least %d", got, floor)
	}
	fmt.Printf("ok   natively times tiktoken-go/tokenizer: %.1f (at least %d)\n", got, floor)
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
