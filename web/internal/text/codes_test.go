package text

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core"
)

// Every code of a defect that a format can have is said in both languages.
func TestDefectCodes(t *testing.T) {
	seen := 0
	for _, f := range core.Formats().Formats {
		for _, r := range f.Rules {
			seen++
			if _, ok := Lookup(Japanese, "defect."+r.Code); !ok {
				t.Errorf("%s: the page has no words for %s", f.Name, r.Code)
			}
		}
	}
	if seen < 15 {
		t.Errorf("only %d rules found", seen)
	}
	// A log's, which no rule of a provider names.
	if _, ok := Lookup(Japanese, "defect.malformed_line"); !ok {
		t.Error("the page has no words for malformed_line")
	}
}

// Why a policy that clears cleared nothing is said in both languages.
func TestUnprunedCodes(t *testing.T) {
	for _, why := range core.SparedReasons() {
		for _, lang := range []Lang{English, Japanese} {
			if _, ok := Lookup(lang, "unpruned."+string(why)); !ok {
				t.Errorf("the page has no words for %s", why)
			}
		}
	}
	if len(core.SparedReasons()) < 11 {
		t.Error("too few reasons")
	}
}

// The defaults that empty fields name are the engine's.
func TestDefaults(t *testing.T) {
	presets := map[string]string{}
	for _, p := range core.Presets().Presets {
		presets[p.Name] = string(p.Policy)
	}
	for key, c := range map[string]struct{ preset, member string }{
		"default.fraction": {"balanced", `"fraction":`},
		"default.keep":     {"lait", `"keep_last_n":`},
		"default.user":     {"codex", `"user_message_tokens":`},
	} {
		_, value, ok := strings.Cut(presets[c.preset], c.member)
		if !ok || !json.Valid([]byte(presets[c.preset])) {
			t.Errorf("%s: the preset is %s", c.preset, presets[c.preset])
			continue
		}
		value = value[:strings.IndexAny(value, ",}")]
		for _, lang := range []Lang{English, Japanese} {
			if got := Get(lang, key); !strings.HasSuffix(got, " "+value) {
				t.Errorf("%s says %q, the engine's default is %s", key, got, value)
			}
		}
	}
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		key  string
		args []string
		want string // arguments in brackets
	}{
		{"notice.loaded", []string{"a{1}.json", "1 B"}, "Read [a{1}.json], [1 B]"},
		{"input.replaced", []string{"\u202ex"}, "Replaced: [\u202ex]"},
		{"notice.copied", nil, "Copied"},
		{"notice.loaded", nil, "Read {0}, {1}"},
		{"unheard", []string{"x"}, "unheard"},
	} {
		var got strings.Builder
		for _, p := range Pieces(English, c.key, c.args...) {
			if p.Arg {
				got.WriteString("[" + p.Text + "]")
			} else {
				got.WriteString(p.Text)
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.key, got.String(), c.want)
		}
	}
}

// A replay that finds no answer is said in both languages.
func TestCassetteMiss(t *testing.T) {
	said := map[string]bool{}
	for _, lang := range []Lang{English, Japanese} {
		words, ok := Lookup(lang, "code."+core.CassetteMiss)
		if !ok || words == "" {
			t.Errorf("%v has no words for it", lang)
		}
		said[words] = true
	}
	if len(said) != 2 {
		t.Errorf("both say %v", said)
	}
}
