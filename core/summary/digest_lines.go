package summary

import (
	"strings"
	"unicode/utf8"
)

// lineSource says who wrote a line.
type lineSource uint8

const (
	fromResult lineSource = iota
	fromUser
	fromAssistant
)

// lineBook holds the distinct lines of the folded span and the identifiers in
// them (paths, symbols, ids, numbers). What the budget has left after the
// sections goes to the lines that carry most pairs of identifiers per token:
// a fact is two identifiers on one line, and a line is worth what its facts
// are: who stated them, how late, how often, and whether the assistant used
// their identifiers itself.
type lineBook struct {
	span  int // items in the span: recency is a place in it
	seen  int // items begun
	item  int
	lines []keyLine
	index map[string]int32
	names map[string]int32
	ids   []lineID // of all lines, one after the other
	used  []int    // for each identifier, how much the assistant used it
	pairs map[uint64]int32
	facts []int32 // of all lines, one after the other: places in worth
	worth []int
	heap  []int32 // lines by gain, the best first
}

// keyLine is one distinct line. Weights, worths and gains are whole
// thousandths: every platform must choose the same lines.
type keyLine struct {
	text    string
	from    int32 // its identifiers in ids
	to      int32
	weight  int
	gain    int
	factsTo int32 // the end of its facts, which begin where those of the line before end
}

type lineID struct{ id, at int32 }

const (
	lineShortest = 12  // shorter lines (braces, numbers) say nothing alone
	pieceBytes   = 160 // long records are taken in pieces of about this length
	pairReach    = 100 // identifiers of one fact begin within this many bytes
	pairNext     = 5   // and among the next five
	lineIDs      = 24  // identifiers of one line that are looked at
	lineFixed    = 8   // bytes that a line costs beyond its text: indent and newline
)

func newLineBook(span int) *lineBook {
	return &lineBook{span: max(span, 1), item: -1, index: map[string]int32{}, names: map[string]int32{}, pairs: map[uint64]int32{}}
}

// add takes the lines of one part of item i.
func (b *lineBook) add(text string, i int, source lineSource) {
	if i != b.item {
		b.item = i
		b.seen++
	}
	late := min(1000*b.seen/b.span, 1000)
	weight := [...]int{fromResult: 350, fromUser: 800, fromAssistant: 1000}[source] * (300 + 700*late/1000*late/1000) / 1000
	eachLine(text, func(line string) bool {
		if len(line) < lineShortest || source == fromResult && verdict(line) {
			return true
		}
		if len(line) <= quoteBytes {
			b.line(line, weight, source)
			return true
		}
		eachField(line, func(piece string) bool {
			b.line(piece, weight, source)
			return true
		})
		return true
	})
}

// verdict reports whether a line of output is what a test run says of itself. A
// later run may say otherwise, so it is no fact to keep: the outcome of the last
// run stands among commands and errors.
func verdict(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, word := range [...]string{"FAIL", "--- FAIL", "--- PASS", "PASS", "ok ", "not ok "} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// addCall takes what a call passes on: its script, or its arguments with the
// line breaks that they have.
func (b *lineBook) addCall(c *callFacts, input string, i int) {
	if c.text != "" || c.root.kind != 'o' {
		b.add(c.text, i, fromAssistant)
		return
	}
	if len(input) <= quoteBytes {
		b.add(input, i, fromAssistant)
		return
	}
	for k := range c.root.kids {
		kid := &c.root.kids[k]
		if kid.kind == 's' {
			b.add(kid.str(), i, fromAssistant)
		} else {
			b.add(kid.raw, i, fromAssistant)
		}
	}
}

func (b *lineBook) line(text string, weight int, source lineSource) {
	n, known := b.index[text]
	if !known {
		from := len(b.ids)
		b.scan(text)
		if len(b.ids)-from < 2 {
			b.ids = b.ids[:from]
			return
		}
		n = int32(len(b.lines))
		b.index[text] = n
		b.lines = append(b.lines, keyLine{text: text, from: int32(from), to: int32(len(b.ids))})
	}
	l := &b.lines[n]
	// Said again: worth more, but ten times is not ten times as much.
	l.weight = min(max(l.weight, weight)+min(l.weight, weight)/5, 1<<20)
	if source == fromAssistant {
		for _, id := range b.ids[l.from:l.to] {
			b.used[id.id] = min(b.used[id.id]+weight, 4000)
		}
	}
}

// scan appends the identifiers of a line to ids.
func (b *lineBook) scan(line string) {
	from := len(b.ids)
	for i := 0; i < len(line); {
		if !idByte(line[i]) {
			i++
			continue
		}
		start := i
		for i < len(line) && (idByte(line[i]) || idJoiner(line[i]) && i+1 < len(line) && (idByte(line[i+1]) || line[i+1] == '/') || strings.HasPrefix(line[i:], "://")) {
			i++
		}
		if start > 0 && (line[start-1] == '/' || line[start-1] == '.') {
			start--
		}
		if !identifies(line[start:i]) {
			continue
		}
		id, ok := b.names[line[start:i]]
		if !ok {
			id = int32(len(b.used))
			b.names[line[start:i]] = id
			b.used = append(b.used, 0)
		}
		b.ids = append(b.ids, lineID{id, int32(start)})
		if len(b.ids)-from == lineIDs {
			return
		}
	}
}

func idByte(c byte) bool {
	l := c | 0x20
	return l >= 'a' && l <= 'z' || c >= '0' && c <= '9' || c == '_'
}

func idJoiner(c byte) bool {
	return c == '.' || c == '/' || c == '-' || c == '@' || c == '~' || c == '+'
}

// identifies tells an identifier from an ordinary word: it mixes letters with
// digits, case or punctuation, or is a number of three digits.
func identifies(s string) bool {
	if len(s) < 3 {
		return false
	}
	var lower, upper, digit, joint, inner int
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				inner++
			}
		case c >= '0' && c <= '9':
			digit++
		case c != '-':
			joint++
		}
	}
	switch {
	case joint > 0, inner > 0:
		return lower+upper+digit > 1
	case digit > 0:
		return lower+upper > 0 || digit >= 3
	}
	return lower == 0 && upper >= 3
}

// eachField splits a long record, JSON above all, at the ends of its fields
// into pieces of about pieceBytes.
func eachField(line string, yield func(piece string) bool) {
	for len(line) > quoteBytes/2 {
		end := pieceEnd(line)
		piece := strings.TrimSpace(line[:end])
		if piece != "" && !yield(piece) {
			return
		}
		line = line[end:]
	}
	if line = strings.TrimSpace(line); line != "" {
		yield(line)
	}
}

func pieceEnd(line string) int {
	const half = pieceBytes / 2
	limit := min(len(line), pieceBytes+half)
	comma, blank := 0, 0
	for i := half; i < limit; i++ {
		switch line[i] {
		case '}', ']':
			if i+1 < limit && (line[i+1] == ',' || line[i+1] == '}') {
				continue
			}
			return i + 1
		case ',', ';':
			comma = i + 1
			if comma >= pieceBytes {
				return comma
			}
		case ' ':
			blank = i + 1
		}
	}
	switch {
	case comma > 0:
		return comma
	case blank > 0:
		return blank
	}
	for limit > 1 && limit < len(line) && !utf8.RuneStart(line[limit]) {
		limit--
	}
	return limit
}

// eachPair gives the pairs of identifiers of a line.
func (b *lineBook) eachPair(ids []lineID, yield func(pair uint64)) {
	for i, x := range ids {
		for j := i + 1; j < len(ids) && j <= i+pairNext && ids[j].at-x.at <= pairReach; j++ {
			if y := ids[j].id; y != x.id {
				yield(uint64(min(x.id, y))<<32 | uint64(max(x.id, y)))
			}
		}
	}
}

// weigh gives every fact its worth. cover then takes away what is told
// elsewhere, and rank orders the lines.
func (b *lineBook) weigh() {
	var named []uint64
	for i := range b.lines {
		l := &b.lines[i]
		b.eachPair(b.ids[l.from:l.to], func(p uint64) {
			n, ok := b.pairs[p]
			if !ok {
				n = int32(len(b.worth))
				b.pairs[p] = n
				b.worth = append(b.worth, 0)
				named = append(named, p)
			}
			b.worth[n] = min(b.worth[n]+l.weight, 1<<20)
			b.facts = append(b.facts, n)
		})
		l.factsTo = int32(len(b.facts))
	}
	for i, w := range b.worth {
		used := min(b.used[named[i]>>32]+b.used[named[i]&0xffffffff], 4000)
		b.worth[i] = 1000 * w / (1000 + 2*w/5) * (2000 + used) / 2000
	}
}

// cover takes the facts of a text that already stands in the digest out of the
// reckoning.
func (b *lineBook) cover(text string) {
	from := len(b.ids)
	b.scan(text)
	b.eachPair(b.ids[from:], func(p uint64) {
		if n, ok := b.pairs[p]; ok {
			b.worth[n] = 0
		}
	})
	b.ids = b.ids[:from]
}

func (b *lineBook) factsOf(n int32) []int32 {
	from := int32(0)
	if n > 0 {
		from = b.lines[n-1].factsTo
	}
	return b.facts[from:b.lines[n].factsTo]
}

// gainOf is the worth of a line's facts per byte. A fact that stands twice in
// one line counts twice: the same for all lines, and cheaper.
func (b *lineBook) gainOf(n int32) int {
	sum := 0
	for _, f := range b.factsOf(n) {
		sum += b.worth[f]
	}
	return 1000 * sum / (len(b.lines[n].text) + lineFixed)
}

// take says that line n stands in the digest now.
func (b *lineBook) take(n int32) {
	for _, f := range b.factsOf(n) {
		b.worth[f] = 0
	}
}

// rank makes the heap of lines by gain.
func (b *lineBook) rank() {
	b.heap = b.heap[:0]
	for i := range b.lines {
		if b.lines[i].gain = b.gainOf(int32(i)); b.lines[i].gain > 0 {
			b.heap = append(b.heap, int32(i))
		}
	}
	for i := len(b.heap)/2 - 1; i >= 0; i-- {
		b.sink(i)
	}
}

// less orders by gain, then by age, so that ties fall the same way everywhere.
func (b *lineBook) less(i, j int32) bool {
	x, y := b.lines[i].gain, b.lines[j].gain
	return x > y || x == y && i > j
}

func (b *lineBook) sink(i int) {
	for {
		c := 2*i + 1
		if c >= len(b.heap) {
			return
		}
		if c+1 < len(b.heap) && b.less(b.heap[c+1], b.heap[c]) {
			c++
		}
		if !b.less(b.heap[c], b.heap[i]) {
			return
		}
		b.heap[i], b.heap[c] = b.heap[c], b.heap[i]
		i = c
	}
}

// next is the line that adds most to what is covered, -1 when none adds
// anything. Gains only fall; the best is taken when its gain still is within a
// tenth of what it was reckoned at, so that each line is reckoned a bounded
// number of times.
func (b *lineBook) next() int32 {
	for len(b.heap) > 0 {
		n := b.heap[0]
		old := b.lines[n].gain
		g := b.gainOf(n)
		b.lines[n].gain = g
		if 10*g >= 9*old && g > 0 {
			b.heap[0] = b.heap[len(b.heap)-1]
			b.heap = b.heap[:len(b.heap)-1]
			b.sink(0)
			return n
		}
		if g <= 0 {
			b.heap[0] = b.heap[len(b.heap)-1]
			b.heap = b.heap[:len(b.heap)-1]
		}
		b.sink(0)
	}
	return -1
}
