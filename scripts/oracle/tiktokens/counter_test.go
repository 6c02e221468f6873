package tiktokens_test

import (
	"testing"

	"github.com/pkoukk/tiktoken-go"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/scripts/oracle/tiktokens"
)

func TestNamed(t *testing.T) {
	for _, x := range []struct {
		name, text string
		want       int
	}{
		{"r50k_base", "", 0},
		{"r50k_base", "hello world", 2},
		{"p50k_base", "hello world", 2},
		// p50k_base has tokens for runs of blanks, r50k_base none.
		{"r50k_base", "x        y", 9},
		{"p50k_base", "x        y", 3},
		{"p50k_base", "<|endoftext|>", 7},
	} {
		c, err := tiktokens.Named(x.name)
		if err != nil {
			t.Fatal(err)
		}
		if n := c.Count(x.text); n != x.want || c.Name() != x.name || c.ErrorP95() != 0 {
			t.Errorf("%s %q: %d as %s, want %d", x.name, x.text, n, c.Name(), x.want)
		}
	}
	if _, err := tiktokens.Named("nothing_base"); err == nil {
		t.Error("an encoding that is none has a counter")
	}
}

func TestOwn(t *testing.T) {
	ranks := map[string]int{}
	for c := range 256 {
		ranks[string([]byte{byte(c)})] = c
	}
	ranks["ab"] = 256
	bpe, err := tiktoken.NewCoreBPE(ranks, nil, `\w+|\W+`)
	if err != nil {
		t.Fatal(err)
	}
	own := tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{Name: "mine"}, map[string]any{})
	var c tokens.Counter = tiktokens.Own("mine", own)
	if n := c.Count("abab c"); n != 4 || c.Name() != "mine" { // ab ab " " c
		t.Errorf("%d tokens by %s, want 4", n, c.Name())
	}
}
