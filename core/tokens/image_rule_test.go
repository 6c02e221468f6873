package tokens

import "testing"

// Check values of the providers' own pages, and of their formulas by hand.
func TestImageRules(t *testing.T) {
	plain := ImageRule{Rule: "patches", Most: 1536, Side: 2048}
	visual := ImageRule{Rule: "visual", Patch: 28, Side: 1568, Most: 1568}
	gemini := ImageRule{Rule: "gemini", Base: 258, Side: 384, Tile: 768}
	for _, x := range []struct {
		rule   ImageRule
		w, h   int64
		detail string
		want   int
	}{
		// OpenAI: tiles of gpt-4o
		{defaultImage(), 1024, 1024, "", 765},
		{defaultImage(), 2048, 4096, "high", 1105},
		{defaultImage(), 4096, 8192, "low", 85},
		{defaultImage(), 0, 0, "", 765},
		// OpenAI: patches, before the multiplier
		{plain, 1024, 1024, "", 1024},
		{plain, 1800, 2400, "", 1452},
		{plain, 32, 32, "", 1},
		{plain, 33, 32, "", 2},
		{plain, 4096, 4096, "low", 256},                          // 512 by 512
		{plain, 1, 1 << 30, "", 64},                              // 2,048 long, a patch wide
		{ImageRule{Rule: "patches", Most: 3}, 1, 1 << 20, "", 3}, // a line that no scale makes fit
		{plain, 1 << 40, 1 << 40, "", 1521},                      // 39 by 39
		{ImageRule{Rule: "patches", Most: 1536, Side: 2048, Multiplier: 1.62}, 1024, 1024, "", 1659}, // 1,658.88
		// Claude: 28 pixels, 1,568 of them, then 4,784
		{visual, 28, 28, "", 1},
		{visual, 1092, 1092, "", 1521},
		{visual, 200, 200, "", 64},
		{visual, 4000, 4000, "", 1568},
		{visual, 3136, 1568, "", 1568}, // 1,568 by 784: 56 by 28
		// Gemini
		{gemini, 384, 384, "", 258},
		{gemini, 385, 384, "", 258},
		{gemini, 769, 768, "", 516},
		{gemini, 1536, 1537, "", 6 * 258},
		{ImageRule{Rule: "fixed", Base: 7}, 5000, 5000, "", 7},
	} {
		if got := x.rule.Tokens(x.w, x.h, x.detail); got != x.want {
			t.Errorf("%s, %d by %d, %s: %d, want %d", x.rule.Rule, x.w, x.h, x.detail, got, x.want)
		}
	}
}

// The rule of each model of the guide, on the pictures of the guide.
func TestImagesOfModels(t *testing.T) {
	for _, x := range []struct {
		id           string
		square, tall int // 1,024 by 1,024 and 1,800 by 2,400
	}{
		{"gpt-4o", 765, 765},
		{"gpt-4.1", 765, 765},
		{"gpt-4.5-preview", 765, 765},
		{"chatgpt-4o-latest", 765, 765},
		{"gpt-5", 70 + 4*140, 70 + 4*140},
		{"gpt-5-chat-latest", 630, 630},
		{"o1", 675, 675},
		{"o1-pro", 675, 675},
		{"o3", 675, 675},
		{"gpt-4o-mini", 2833 + 4*5667, 25501},
		{"computer-use-preview", 65 + 4*129, 581},
		{"gpt-4.1-mini", 1659, 2353},
		{"gpt-5-mini", 1659, 2353},
		{"gpt-5.4-mini", 1659, 2353}, // times 1.62
		{"gpt-4.1-nano", 2520, 3572},
		{"gpt-5-nano", 2520, 3572},
		{"gpt-5.4-nano", 2520, 3572}, // times 2.46
		{"o4-mini", 1762, 2498},      // times 1.72
		{"gpt-5.2", 1024, 1452},
		{"gpt-5.3-codex", 1024, 1452},
		{"gpt-5.1-codex-max", 1024, 1452},
		// 1,800 by 2,400 within 2,048 is 1,536 by 2,048: 3,072 patches, over 2,500
		// by a scale of .9021: 43.30 by 57.73 patches become 42.75 by 57, so 43 by 57.
		{"gpt-5.4", 1024, 2451},
		// 5.5 takes "auto" for "original": 57 by 75 patches; so does 5.6.
		{"gpt-5.5", 1024, 4275},
		{"gpt-5.6-sol", 1024, 4275},
		{"claude-sonnet-4-5", 37 * 37, 1568},
		{"claude-opus-4-7", 37 * 37, 4784},
		{"gemini-2.5-pro", 4 * 258, 12 * 258},
		{"mistral-large", 765, 765},
		{"o3-mini", 765, 765}, // not known: as gpt-4o
	} {
		c := Estimate()
		if m, ok := LookupModel(x.id); ok {
			c = m.Counter(c, 0)
		}
		for i, want := range []int{x.square, x.tall} {
			size := [2][2]uint32{{1024, 1024}, {1800, 2400}}[i]
			it := picture(png(size[0], size[1]), "")
			if got := imageTokens(&it, &it.Parts[0], c); got != want {
				t.Errorf("%s, %v: %d, want %d", x.id, size, got, want)
			}
		}
	}
	m, _ := LookupModel("gpt-5.4")
	if got := m.Image.Tokens(4000, 4000, "original"); got != 10000 { // 125 by 125 patches over 10,000: 100 by 100
		t.Errorf("gpt-5.4, original: %d", got)
	}
	m, _ = LookupModel("gpt-5.6-sol")
	if got := m.Image.Tokens(8000, 8000, "original"); got != 250*250 {
		t.Errorf("gpt-5.6, original: %d", got)
	}
}

func FuzzImageRule(f *testing.F) {
	f.Add(int64(1800), int64(2400), 1536, 2048, 32, uint8(1))
	f.Add(int64(1), int64(1<<62), 1, 0, 1, uint8(1))
	f.Fuzz(func(t *testing.T, w, h int64, most, side, patch int, kind uint8) {
		r := ImageRule{Rule: []string{"tiles", "patches", "visual", "gemini", "fixed"}[kind%5], Base: 85, Tile: 170, Patch: patch, Most: most, Side: side}
		if !r.Valid() {
			return
		}
		n := r.Tokens(w, h, "")
		if n < 0 || r.Rule == "patches" && most > 0 && n > most || r.Rule != "fixed" && n == 0 {
			t.Fatalf("%+v, %d by %d: %d", r, w, h, n)
		}
	})
}
