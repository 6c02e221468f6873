package tokens

import "math/bits"

// Most of a transcript is ASCII, and its runs are three bytes long on average. A
// loop over bytes or runs stumbles at the end of each, for nobody can predict
// where that is. So 64 bytes are taken at once: a bit for each byte and class, and
// then the cost of all their runs from the bits alone, by shifts and by counting.
// What is not ASCII, and runs of 64 bytes and more, are left to the functions of
// runs.go, which are the definition; TestBlocks and FuzzBlocks hold the two
// against each other.

// block is the classes of up to 64 bytes, bit i for byte i.
type block struct {
	letter, small uint64
	digit         uint64
	space         uint64 // blanks and line ends
	newline, tab  uint64
	punct         uint64
	wide          uint64 // no ASCII
	same          uint64 // as the byte before
}

// blockBytes is how many bytes a block has: one for each bit of a word.
const blockBytes = 64

// classify sorts the first n bytes of s, at most 64; not those far behind one that
// is no ASCII.
func classify(s string, n int) (b block) {
	last := uint64(0)
	for k := 0; k < n && b.wide == 0; k += 8 {
		var x uint64
		if n-k >= 8 {
			x = load(s[k:])
		} else {
			for i := n - 1; i >= k; i-- {
				x = x<<8 | uint64(s[i])
			}
		}
		low := x &^ highs
		folded := low | 0x20*ones
		letter := (folded + 0x1F*ones) &^ (folded + 0x05*ones)
		digit := (low + 0x50*ones) &^ (low + 0x46*ones)
		// These have the high bit where the byte is another one.
		tab := (low ^ '\t'*ones) + 0x7F*ones
		newline := ((low ^ '\n'*ones) + 0x7F*ones) & ((low ^ '\r'*ones) + 0x7F*ones)
		space := ((low ^ ' '*ones) + 0x7F*ones) & newline & tab
		other := x ^ (x<<8 | last)
		other |= (other &^ highs) + 0x7F*ones
		last = x >> 56
		ascii := highs &^ x
		b.letter |= gather(letter&ascii) << k
		b.small |= gather(letter&(low<<2)&ascii) << k // bit 5 tells small letters from capitals
		b.digit |= gather(digit&ascii) << k
		b.space |= gather(ascii&^space) << k
		b.newline |= gather(ascii&^newline) << k
		b.tab |= gather(ascii&^tab) << k
		b.wide |= gather(x&highs) << k
		b.same |= gather(highs&^other) << k
	}
	b.punct = firstBits(n) &^ (b.letter | b.digit | b.space | b.wide)
	b.same &^= 1
	return b
}

// gather makes a byte of the high bits of the bytes of x, which has no others.
func gather(x uint64) uint64 { return x * 0x0002040810204081 >> 56 }

// firstBits are the lowest n bits.
func firstBits(n int) uint64 { return 1<<n - 1 }

// starts are the first bytes of the runs in set.
func starts(set uint64) uint64 { return set &^ (set << 1) }

// whole is how many bytes belong to runs of which a block of n bytes holds all.
// atEnd says that the text ends behind it.
func (b *block) whole(n int, atEnd bool) int {
	begin := starts(b.letter) | starts(b.digit) | starts(b.space) | starts(b.punct)
	open := b.letter // runs that what follows may belong to, or changes
	switch {
	case b.wide != 0: // it may be a letter
		n = bits.TrailingZeros64(b.wide)
	case atEnd:
		open = b.space // white space costs something else at the end
	default:
		open = ^uint64(0)
	}
	if n > 0 && open>>(n-1)&1 != 0 {
		n = bits.Len64(begin&firstBits(n)) - 1
	}
	return n
}

// cost is that of the runs of the first n bytes, all of them whole, behind a run
// of class before; last is the class of the last of them.
func (b *block) cost(n int, before class) (cost milli, last class) {
	mask := firstBits(n)
	again := b.same & (b.same << 1) & mask // the third and later of the same character
	letter, space, punctuation := b.letter&mask, b.space&mask, b.punct&mask
	if letter != 0 {
		cost = b.words(letter, again, before)
	}
	if digits := b.digit & mask; digits != 0 {
		// A group begins with the run, and three digits behind another one.
		at := starts(digits)
		three := digits & (digits << 1) & (digits << 2)
		for ; at != 0; at = at << 3 & three {
			cost += count(at) * wDigits
		}
	}
	if space != 0 {
		cost += b.spaces(space, before)
	}
	cost += count(starts(punctuation))*wPunctRun + count(punctuation&^again)*wPunct + count(punctuation&again)*wRepeat
	switch end := uint64(1) << (n - 1); {
	case letter&end != 0:
		last = lower
	case space&end != 0:
		last = blank
	case punctuation&end != 0:
		last = punct
	default:
		last = digit
	}
	return cost, last
}

// words is the cost of the letters.
func (b *block) words(letter, again uint64, before class) milli {
	capital := letter &^ b.small
	begin := starts(letter) | capital&(b.small<<1)
	plain := letter &^ again
	cost := count(begin)*wWord + count(plain)*wLetter + count(plain&capital)*wUpper + count(letter&again)*wRepeat
	// The 7th letter of a word has 6 before it that begin none but the first.
	inside := letter &^ begin
	two := inside & (inside << 1)
	four := two & (two << 2)
	if six := four & (two << 4); six != 0 {
		eleven := four & (four << 4) & (two << 8) & (inside << 10)
		cost += count(six&^again)*wLong + count(eleven&^again)*wVeryLong
	}
	digitBefore := b.digit << 1
	if before == digit {
		digitBefore |= 1
	}
	behind, ahead := letter&digitBefore, letter&(b.digit>>1)
	if behind|ahead != 0 {
		// The first and the last 16 letters of a run that a digit stands beside.
		for reach, room := 1, letter; reach < mixedReach; reach *= 2 {
			behind |= behind << reach & room
			room &= room << reach
		}
		for reach, room := 1, letter; reach < mixedReach; reach *= 2 {
			ahead |= ahead >> reach & room
			room &= room >> reach
		}
		cost += count(behind|ahead) * wMixed
	}
	return cost
}

// spaces is the cost of the white space.
func (b *block) spaces(space uint64, before class) milli {
	begin := starts(space)
	newline := b.newline & space
	blanks := space &^ newline
	// first are the first line ends of their runs, of those runs that begin at
	// one of some places: adding carries a bit over the blanks before it.
	first := func(begin uint64) uint64 {
		return newline & (begin | (blanks+begin&blanks)&^blanks)
	}
	marked := b.punct << 1
	if before == punct || before == symbol {
		marked |= 1
	}
	lines := first(begin)
	cost := milli(0)
	if lines != 0 {
		mark := first(begin & marked)
		cost = count(mark)*wNewlineMark + count(lines&^mark)*wNewline
	}
	end := blanks &^ (b.space >> 1) // the last blanks of their runs
	number := end & (b.digit >> 1)
	return cost + count(end&(blanks<<1))*wBlanks + count(number)*wBlankDigit + count(end&b.tab&^number)*wTab
}

func count(set uint64) milli { return milli(bits.OnesCount64(set)) }
