package tokens

import (
	"math"
	"math/bits"
)

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	// margin is what the fast path may look ahead.
	margin = 24
)

// What the fast path makes of a piece's first byte.
const (
	asciiLetter = iota
	asciiSpace
	asciiSymbol
	asciiDigit
	asciiNewline
	asciiWide // no ASCII
)

// asciiKind is the kind of each byte.
var asciiKind = func() (kinds [256]byte) {
	for c := range kinds {
		switch {
		case c >= 0x80:
			kinds[c] = asciiWide
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			kinds[c] = asciiLetter
		case '0' <= c && c <= '9':
			kinds[c] = asciiDigit
		case c == '\n', c == '\r':
			kinds[c] = asciiNewline
		case c == ' ', '\t' <= c && c <= '\r':
			kinds[c] = asciiSpace
		default:
			kinds[c] = asciiSymbol
		}
	}
	return kinds
}()

// lowBytes masks the first n bytes of a word, for n up to 8.
var lowBytes = [16]uint64{
	0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1,
	1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1,
}

// count is the number of tokens of s, or some number above limit as soon as it is
// above. It cuts ASCII eight bytes at a time: a load, and masks with the high bit
// of each byte that is a letter, a capital, white space. What is not ASCII, longer
// than eight bytes or near the end of the text goes to the general cutters. A
// function of its own for the cut would be tidier, and costs 8 % in wasm.
func (w *worker) count(s string, limit int) int {
	e := w.e
	total := 0
	for i := 0; i < len(s); {
		if total > limit {
			return total
		}
		end := 0
		if len(s)-i < margin {
			goto general
		}
		{
			x := load(s[i:])
			low := x &^ highs
			folded := low | 0x20*ones
			alpha := (folded + 0x1F*ones) &^ (folded + 0x05*ones) &^ x & highs
			small := low << 2 & alpha // bit 5 tells small letters from capitals
			stop := (alpha ^ highs) | (alpha^small)&(small<<8)&e.camel
			size := bits.TrailingZeros64(stop&^0x80) >> 3
			kind := asciiKind[byte(x)]
			if kind < asciiDigit && (size > 1 || kind == asciiLetter) {
				if !e.o200k && byte(x) == '\'' && contraction(s, i) > 0 {
					goto general
				}
				if size == 8 {
					size = wordEnd(s, i, small>>63, e.camel)
					if size == 0 {
						goto general
					}
				}
				switch next := s[i+size]; {
				case next >= 0x80:
					goto general
				case next == '\'' && e.o200k:
					size += contraction(s, i+size)
				}
			} else {
				switch kind {
				case asciiDigit:
					size = digits(low, x)
					if size == 0 {
						goto general
					}
					if w.emit {
						for at := 0; at < size; at += 3 {
							w.encodeShort(s[i+at : i+min(at+3, size)])
						}
					}
					i += size
					total += (size + 2) / 3
					continue
				case asciiWide:
					goto general
				default:
					size = e.gap(s[i:], x, low, alpha)
					if size == 0 {
						goto general
					}
				}
				if size == 1 && !w.emit {
					i++
					total++
					continue
				}
			}
			if size > cachedBytes {
				total += w.longPiece(s[i : i+size])
				i += size
				continue
			}
			high := uint64(size) << lengthShift
			if size > 8 {
				high |= load(s[i+8:]) & lowBytes[(size-8)&15]
			}
			x &= lowBytes[size&15]
			n := w.short.find(x, high)
			switch {
			case w.emit:
				n = w.encodeShort(s[i : i+size])
			case n == 0:
				n = w.miss(s[i:i+size], x, high)
			}
			total += n
			i += size
			continue
		}
	general:
		end = e.next(s, i)
		if end == bad {
			s, i = mend(s[i:]), 0
			continue
		}
		total += w.piece(s[i:end])
		i = end
	}
	return total
}

// wordEnd is the length of the ASCII word at s[i], of which eight bytes are known
// to belong to it; 0 if it nears the end of the text. wasSmall is whether the
// eighth is a small letter.
func wordEnd(s string, i int, wasSmall, camel uint64) int {
	for size := 8; len(s)-i-size >= margin; size += 8 {
		x := load(s[i+size:])
		low := x &^ highs
		folded := low | 0x20*ones
		alpha := (folded + 0x1F*ones) &^ (folded + 0x05*ones) &^ x & highs
		small := low << 2 & alpha
		stop := (alpha ^ highs) | (alpha^small)&(small<<8|wasSmall<<7)&camel
		if stop != 0 {
			return size + bits.TrailingZeros64(stop)>>3
		}
		wasSmall = small >> 63
	}
	return 0
}

// digits is how many bytes of digits can be counted at once, three a token: all of
// them if they end within the eight, else six; 0 if they end at a byte that may
// be another number.
func digits(low, x uint64) int {
	digit := (low + 0x50*ones) &^ (low + 0x46*ones) &^ x & highs
	if digit == highs {
		return 6
	}
	size := bits.TrailingZeros64(digit^highs) >> 3
	if x>>(8*uint(size))&0x80 != 0 {
		return 0
	}
	return size
}

// gap is the length of the piece of symbols or white space that s begins with, of
// whose first eight bytes x the first is no letter or digit and the second no
// letter; 0 if that can not be told from x.
func (e *Encoding) gap(s string, x, low, alpha uint64) int {
	isBlank := ((low^0x20*ones)+0x7F*ones)&highs ^ highs
	space := (isBlank | (low+0x77*ones)&^(low+0x72*ones)) &^ x & highs
	first := uint64(0)
	if byte(x) == ' ' {
		first = 0x80
	}
	// Symbols are what is no letter, digit or white space.
	digit := (low + 0x50*ones) &^ (low + 0x46*ones) & highs
	symbol := (alpha|digit|space|x)&highs ^ highs
	size := bits.TrailingZeros64((symbol|first)^highs) >> 3
	if size > 1 || first == 0 && size > 0 {
		if size == 8 || x>>(8*uint(size))&0x80 != 0 {
			return 0
		}
		c := byte(x >> (8 * uint(size)))
		for c == '\n' || c == '\r' || c == '/' && e.o200k {
			size++
			if size == margin-1 {
				return 0
			}
			c = s[size]
		}
		return size
	}
	size = bits.TrailingZeros64(space^highs) >> 3
	if size == 8 || x>>(8*uint(size))&0x80 != 0 {
		return 0
	}
	newline := ((low^0x0A*ones)+0x7F*ones)&((low^0x0D*ones)+0x7F*ones)&highs ^ highs
	newline &= lowBytes[size]
	switch {
	case newline != 0:
		return (bits.Len64(newline) + 7) >> 3
	case size > 1:
		return size - 1
	}
	return size
}

// encode is the tokens of s.
func (w *worker) encode(s string) []int {
	w.out = make([]int, 0, len(s)/4+8)
	w.emit = true
	w.count(s, math.MaxInt)
	w.emit = false
	return w.out
}

// encodeShort writes the tokens of a piece of up to 15 bytes, and gives their
// number.
func (w *worker) encodeShort(s string) int {
	c := &w.short
	if c.ids == nil {
		c.ids = make([]uint64, len(c.entries))
	}
	low, high := pieceKey(s)
	n, at := c.find(low, high), pieceHash(low, high)>>c.shift
	if n > 0 && c.ids[at] != 0 {
		ids := c.ids[at]
		for range n {
			w.out = append(w.out, int(ids&idMask))
			ids >>= idBits
		}
		return n
	}
	from := len(w.out)
	w.bpe(s)
	tokens := w.out[from:]
	if n == 0 {
		c.put(low, high, len(tokens))
		at = pieceHash(low, high) >> c.shift // it may have grown
	}
	if len(tokens) <= cachedTokens {
		ids := uint64(1) << 63
		for i, id := range tokens {
			ids |= uint64(id) << (idBits * i)
		}
		c.ids[at] = ids
	}
	return len(tokens)
}
