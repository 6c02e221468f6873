package text

import (
	"html"
	"os"
	"regexp"
	"strings"
	"testing"
)

func tables() map[string]map[string]Entry {
	return map[string]map[string]Entry{"shell": shell, "outcome": outcome, "codes": codes}
}

// Both columns are filled and have the same places, and no key stands in two
// tables, where the second would never be read.
func TestCatalogue(t *testing.T) {
	place := regexp.MustCompile(`\{\d\}`)
	seen := map[string]string{}
	for name, table := range tables() {
		for key, e := range table {
			if other, ok := seen[key]; ok {
				t.Errorf("%s: in %s and in %s", key, name, other)
			}
			seen[key] = name
			if strings.TrimSpace(e.En) == "" || strings.TrimSpace(e.Ja) == "" {
				t.Errorf("%s: a language is empty", key)
			}
			count := func(s string) map[string]int {
				m := map[string]int{}
				for _, p := range place.FindAllString(s, -1) {
					m[p]++
				}
				return m
			}
			en, ja := count(e.En), count(e.Ja)
			for p := range en {
				if ja[p] != en[p] {
					t.Errorf("%s: %s stands %d times in English, %d times in Japanese", key, p, en[p], ja[p])
				}
			}
			if len(en) != len(ja) {
				t.Errorf("%s: %d places in English, %d in Japanese", key, len(en), len(ja))
			}
		}
	}
}

// The page is readable before the engine is there, so index.html holds the
// English text itself. It must be the catalogue's.
func TestIndexSpeaksTheCatalogue(t *testing.T) {
	src, err := os.ReadFile("../../static/index.html")
	if err != nil {
		t.Fatal(err)
	}
	page := string(src)
	text := regexp.MustCompile(`data-text="([^"]+)"[^>]*>([^<]*)<`).FindAllStringSubmatch(page, -1)
	if len(text) < 40 {
		t.Fatalf("only %d texts found in index.html, the pattern no longer fits it", len(text))
	}
	same := func(key, got string) {
		want, ok := Lookup(English, key)
		if !ok {
			t.Errorf("index.html: no such key %q", key)
		} else if got := html.UnescapeString(strings.TrimSpace(got)); got != want {
			t.Errorf("index.html: %s is %q, the catalogue says %q", key, got, want)
		}
	}
	for _, m := range text {
		same(m[1], m[2])
	}
	for _, m := range regexp.MustCompile(`placeholder="([^"]*)"[^>]*data-hint="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		same(m[2], m[1])
	}
	for _, m := range regexp.MustCompile(`aria-label="([^"]*)"[^>]*data-name="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		same(m[2], m[1])
	}
	for _, m := range regexp.MustCompile(`data-say="([^"]+)"[^>]*data-en="([^"]*)"[^>]*data-ja="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		same(m[1], m[2])
		if want, _ := Lookup(Japanese, m[1]); want != html.UnescapeString(m[3]) {
			t.Errorf("index.html: %s is %q in Japanese, the catalogue says %q", m[1], m[3], want)
		}
	}
}

func TestGet(t *testing.T) {
	if got, want := Get(Japanese, "result.tokens", "1,234"), "1,234 トークン"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Get(English, "fate.unheard_of"); got != "fate.unheard_of" {
		t.Errorf("an unknown key came back as %q", got)
	}
}

func TestOf(t *testing.T) {
	for tag, want := range map[string]Lang{"ja": Japanese, "ja-JP": Japanese, "en-GB": English, "": English, "jam": English} {
		if got := Of(tag); got != want {
			t.Errorf("%q: %s, want %s", tag, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -4321: "-4,321"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{999: "999 B", 12_345: "12.3 KB", 999_949: "999.9 KB", 999_950: "1.0 MB", 1_167_255: "1.2 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for share, want := range map[float64]string{0.5: "50 %", 0.8137: "81.4 %", 0: "0 %", 1: "100 %"} {
		if got := Percent(share); got != want {
			t.Errorf("%g: %s, want %s", share, got, want)
		}
	}
}
