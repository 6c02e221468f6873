package tokens

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tamp-dev/tamp/scripts/ranks/trial"
)

// TestKinds says which bytes kindOfByte has in which row.
func TestKinds(t *testing.T) {
	for c := range 256 {
		want := 7
		for k, end := range []int{0x80, 0xD0, 0xE0, 0xE2, 0xE4, 0xEA, 0xF0} {
			if c < end {
				want = k
				break
			}
		}
		if c >= 0x80 && c < 0xC2 {
			want = 8 // begins no character
		}
		if got := int(kindOfByte[c]); got != want {
			t.Errorf("%#x: kind %d, want %d", c, got, want)
		}
	}
}

// TestVocabulary: every token merges to itself, and each table knows it.
func TestVocabulary(t *testing.T) {
	for _, v := range vocabs(t) {
		words := v.makeWords()
		if v.makeWords() != words {
			t.Errorf("%s: the words are made twice", v.name)
		}
		w := v.worker()
		w.emit = true
		for id, s := range v.bytes {
			w.out = w.out[:0]
			// A token that is no text can not be encoded, but merged as windows are.
			if utf8.ValidString(s) {
				w.bpe(s)
			} else {
				w.windows(s)
			}
			if len(w.out) != 1 || w.out[0] != id {
				t.Fatalf("%s: token %d, %q, is %d", v.name, id, s, w.out)
			}
			if len(s) > 1 && len(s) <= 8 && s[len(s)-1] != 0 {
				if word, _ := pieceKey(s); !words.has(word, len(s)) {
					t.Fatalf("%s: token %d, %q, is not among the words", v.name, id, s)
				}
			}
		}
	}
}

// long are pieces of n bytes that are hard to merge: repeats, and random ones of
// few and of many letters.
func long(n int) map[string]string {
	pieces := map[string]string{}
	for _, unit := range []string{"a", " ", "=", "-", "\n", "A", "ab", "\r\n", "aab", "abaabaaab", "\u0301", "👩‍💻", "あ", "привет", "ไทย", "の中", "\u00a0", "\x00", "!?", "ff0"} {
		pieces[fmt.Sprintf("%q again and again", unit)] = strings.Repeat(unit, n/len(unit)+1)
	}
	var x uint64
	next := func(n int) int {
		x = x*6364136223846793005 + 1442695040888963407
		return int(x>>33) % n
	}
	for name, letters := range map[string]string{
		"two letters": "ab", "letters": "etaoinshrdlucmfwypvbgkqjxz", "blanks": " \t\n", "signs": "=-_#*", "han": "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出", "kana": "のにはをたがでてとしれさあ", "emoji": "😀🎉👩\u200d💻\ufe0f❤",
	} {
		runes := []rune(letters)
		x = uint64(len(letters)) // the same text whatever the order of the map
		var b strings.Builder
		for b.Len() < n {
			b.WriteRune(runes[next(len(runes))])
		}
		pieces["random "+name] = b.String()
	}
	x = 1
	var b strings.Builder
	for b.Len() < n {
		b.WriteRune(rune(0x4E00 + next(0x5200)))
	}
	pieces["random Han"] = b.String()
	return pieces
}

// TestWindows merges long pieces by windows, at once, and the plain way.
func TestWindows(t *testing.T) {
	for _, v := range vocabs(t) {
		w := v.worker()
		w.emit = true
		for name, s := range long(3000) {
			s = s[:3000] // some end within a character: windows do not mind
			want := v.plain(s)
			w.out = w.out[:0]
			if n := w.windows(s); n != len(want) || !equal(w.out, want) {
				t.Errorf("%s %s: windows give %d tokens, want %d", v.name, name, n, len(want))
			}
			var m merged
			w.merges(&m, s, 0, len(s))
			if !slices.Equal(m.ids, want) {
				t.Errorf("%s %s: all at once gives %d tokens, want %d", v.name, name, len(m.ids), len(want))
			}
			m = merged{}
			for i := range len(s) {
				m.ids, m.ends = append(m.ids, v.pairs.ofByte[s[i]]), append(m.ends, i+1)
			}
			for i := range m.ids {
				rank := uint32(apart)
				if i+1 < len(m.ids) {
					rank = v.pairs.join(m.ids[i], m.ids[i+1])
				}
				m.ranks = append(m.ranks, rank)
			}
			w.heapMerge(&m)
			if !slices.Equal(m.ids, want) || m.ends[len(m.ends)-1] != len(s) {
				t.Errorf("%s %s: the heap gives %d tokens, want %d", v.name, name, len(m.ids), len(want))
			}
		}
	}
}

func equal(a []int, b []uint32) bool {
	return slices.EqualFunc(a, b, func(x int, y uint32) bool { return x == int(y) })
}

// TestWorkIsLinear counts steps, not time: four times the text, four times the
// steps, and never more than 40 for a byte.
func TestWorkIsLinear(t *testing.T) {
	steps := func(v vocab, s string) int {
		w := &worker{e: v.Encoding, short: newPieceCache(), long: newLongCache()}
		w.count(s, 1<<40)
		return w.steps
	}
	for _, v := range vocabs(t) {
		large := long(100_000)
		for name, s := range long(25_000) {
			few, many := steps(v, s), steps(v, large[name])
			if many > 5*few+1000 {
				t.Errorf("%s %s: %d steps for 25 KB, %d for 100 KB", v.name, name, few, many)
			}
			if many > 40*100_000 {
				t.Errorf("%s %s: %d steps for 100 KB", v.name, name, many)
			}
		}
	}
}

// TestCaches: an entry is found for its own piece alone, before and after growth.
func TestCaches(t *testing.T) {
	short, long := newPieceCache(), newLongCache()
	known := map[string]int{}
	for i, text := range trial.Sets()[0].Make(3) {
		for size := 1; size <= cachedBytes && size <= len(text); size++ {
			s, n := text[:size], 1+(i+size)%cachedBytes
			if _, ok := known[s]; ok {
				continue
			}
			low, high := pieceKey(s)
			if got := short.find(low, high); got != 0 {
				t.Fatalf("%q is known before it was put, as %d", s, got)
			}
			known[s] = n
			short.put(low, high, n)
			if got := short.find(low, high); got != n {
				t.Fatalf("%q: %d, want %d", s, got, n)
			}
		}
	}
	found := 0
	for s, n := range known {
		low, high := pieceKey(s)
		switch got := short.find(low, high); got {
		case 0: // another took its place
		case n:
			found++
		default:
			t.Errorf("%q: %d, want %d", s, got, n)
		}
	}
	if found < len(known)/2 {
		t.Errorf("%d of %d pieces are found again", found, len(known))
	}
	for _, text := range trial.Sets()[2].Make(1) {
		for size := cachedBytes + 1; size <= longMaxBytes && size <= len(text); size++ {
			n, hash := long.find(text[:size])
			if n != 0 && n != size {
				t.Fatalf("%q: %d, want %d", text[:size], n, size)
			}
			long.put(text[:size], hash, size)
			if n, _ = long.find(text[:size]); n != size {
				t.Fatalf("%q: %d right behind it was put, want %d", text[:size], n, size)
			}
		}
	}
}

// FuzzEncode: what is counted is what is encoded, the tokens' bytes are the text's,
// with U+FFFD for each bad byte, and a batch or a limit changes nothing.
func FuzzEncode(f *testing.F) {
	for _, set := range trial.Sets() {
		for _, text := range set.Make(0)[:20] {
			f.Add(text[:min(len(text), 100)])
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, v := range vocabs(t) {
			ids := v.Encode(s)
			if n := v.Count(s); n != len(ids) {
				t.Fatalf("%s: counts %d, has %d tokens", v.name, n, len(ids))
			}
			var b strings.Builder
			for _, id := range ids {
				b.WriteString(v.bytes[id])
			}
			if b.String() != trial.Mend(s) {
				t.Fatalf("%s: the tokens are %q", v.name, b.String())
			}
			if n, within := v.CountAtMost(s, len(ids)/2); within != (len(ids) <= len(ids)/2) || n > len(ids) {
				t.Fatalf("%s: at most %d: %d %v", v.name, len(ids)/2, n, within)
			}
			mended, at := trial.Mend(s), 0
			want := []uint32{}
			for at < len(mended) && len(mended) < 2000 {
				end := v.next(mended, at)
				if end <= at {
					t.Fatalf("%s: a piece from %d to %d", v.name, at, end)
				}
				want = append(want, v.plain(mended[at:end])...)
				at = end
			}
			if len(mended) < 2000 && !equal(ids, want) {
				t.Fatalf("%s: %v, merged the plain way %v", v.name, ids, want)
			}
		}
	})
}
