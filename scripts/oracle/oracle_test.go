// Package oracle holds core/tokens against github.com/pkoukk/tiktoken-go.
package oracle

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/tamp-dev/tamp/core/tokens"
	"github.com/tamp-dev/tamp/core/tokens/ranks"
	"github.com/tamp-dev/tamp/scripts/ranks/trial"
)

// known reports whether tiktoken-go can be right on a text: it uses Go's own
// Unicode tables, for which a character of a later version is none. (In Go 1.26
// they are 15.0; 5,055 characters of 16.0 are missing.) The text's other
// characters that are none are none in 16.0 either, but it takes both tables to
// say so, so all of them are left to npm tiktoken.
func known(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co) {
			return false
		}
	}
	return true
}

func pair(t *testing.T, name, planes string) (*tokens.Encoding, *tiktoken.Tiktoken) {
	t.Helper()
	ours, err := tokens.NewEncoding(name, planes)
	if err != nil {
		t.Fatal(err)
	}
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	theirs, err := tiktoken.GetEncoding(name)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

func TestTiktokenGo(t *testing.T) {
	for _, x := range []struct {
		name   string
		planes string
	}{{"o200k_base", ranks.O200k()}, {"cl100k_base", ranks.Cl100k()}} {
		ours, theirs := pair(t, x.name, x.planes)
		for _, set := range trial.Sets() {
			// A twentieth of the texts: tiktoken-go counts 1 to 4 MB/s.
			checked, differ := 0, 0
			for g := 0; g < set.Groups; g += 20 {
				for _, text := range set.Make(g) {
					if !known(text) || len(text) > 4000 {
						continue
					}
					checked++
					got, want := ours.Encode(text), theirs.EncodeOrdinary(text)
					if !slices.Equal(got, want) {
						if differ++; differ <= 5 {
							t.Errorf("%s %s: %q is %v, want %v", x.name, set.Name, text, got, want)
						}
					}
				}
			}
			if checked < 50 {
				t.Errorf("%s %s: only %d texts were compared", x.name, set.Name, checked)
			}
			t.Logf("%s %s: %d texts, %d differ", x.name, set.Name, checked, differ)
		}
	}
}

// TestTiktokenGoOnCorpus takes the files of the directory TAMP_CORPUS.
func TestTiktokenGoOnCorpus(t *testing.T) {
	dir := os.Getenv("TAMP_CORPUS")
	if dir == "" {
		t.Skip("TAMP_CORPUS names no directory of texts")
	}
	var texts []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		texts = append(texts, string(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, planes := range map[string]string{"o200k_base": ranks.O200k(), "cl100k_base": ranks.Cl100k()} {
		ours, theirs := pair(t, name, planes)
		for i, text := range trial.Slices(texts, 5000) {
			if got, want := ours.Encode(text), theirs.EncodeOrdinary(text); known(text) && !slices.Equal(got, want) {
				t.Errorf("%s slice %d: %q is %v, want %v", name, i, text, got, want)
			}
		}
	}
}
