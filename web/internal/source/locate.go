package source

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Locate finds the value at a path below src: ".messages[7].role" in a JSON
// value, ":12.payload" in the 12th line of JSON Lines.
// A member that is not there gives the value that should hold it, so that an
// error about a missing field still has a place; false is a path of which no
// step leads anywhere. Cost is linear in src for each step of the path.
func Locate(src []byte, path string) (Place, bool) {
	if !strings.HasPrefix(path, ":") && !One(src) {
		return Place{}, false
	}
	start := skipSpace(src, 0)
	at, found := value{src[start:], start}, false
	for path != "" {
		rest, step, ok := descend(src, at, path)
		if !ok {
			break
		}
		path, at, found = rest, step, true
	}
	return Place{at.start, at.start + len(at.raw)}, found
}

// descend takes one step of the path from the value at.
func descend(src []byte, at value, path string) (rest string, step value, ok bool) {
	switch path[0] {
	case ':':
		end := 1
		for end < len(path) && '0' <= path[end] && path[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(path[1:end])
		step, ok = line(src, n)
		return path[end:], step, ok && err == nil
	case '.':
		path = path[1:]
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		step, ok = field(src, at.start, path[:end])
		return path[end:], step, ok
	case '[':
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return "", value{}, false
		}
		if name, err := strconv.Unquote(path[1:end]); err == nil {
			step, ok = field(src, at.start, name)
			return path[end+1:], step, ok
		}
		n, err := strconv.Atoi(path[1:end])
		list := elements(src, at.start)
		if err != nil || n < 0 || n >= len(list) {
			return "", value{}, false
		}
		return path[end+1:], list[n], true
	}
	return "", value{}, false
}

// line is the line with that number, from 1, without the blanks around it.
func line(src []byte, number int) (value, bool) {
	start := 0
	for ; number > 1; number-- {
		i := bytes.IndexByte(src[start:], '\n')
		if i < 0 {
			return value{}, false
		}
		start += i + 1
	}
	end := len(src)
	if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
		end = start + i
	}
	start = skipSpace(src[:end], start)
	raw := bytes.TrimRight(src[start:end], " \t\r")
	return value{raw, start}, len(raw) > 0
}

// At is the character at line and column, both from 1, columns in characters
// without a byte order mark, which the engine does not count either.
// Behind the end of a line it is the last character before it: an empty
// selection would show nothing.
func At(src string, line, column int) (Place, bool) {
	start := 0
	if strings.HasPrefix(src, "\ufeff") {
		start = len("\ufeff")
	}
	for ; line > 1; line-- {
		i := strings.IndexByte(src[start:], '\n')
		if i < 0 {
			return Place{}, false
		}
		start += i + 1
	}
	end := len(src)
	if i := strings.IndexByte(src[start:], '\n'); i >= 0 {
		end = start + i
	}
	place := Place{start, start}
	for i, r := range src[start:end] {
		place = Place{start + i, min(start+i+utf8.RuneLen(r), end)}
		if column--; column == 0 {
			break
		}
	}
	if place.Start == place.End && start > 0 {
		_, w := utf8.DecodeLastRuneInString(src[:start])
		place.Start -= w
	}
	return place, true
}

// Units is the offset in UTF-16 units, as a text box counts, of a byte offset:
// a text box holds every line end as one unit and drops a byte order mark.
func Units(src string, offset int) int {
	n := 0
	text := src[:min(offset, len(src))]
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		text = rest
	}
	for i, r := range text {
		switch {
		case r == '\n' && i > 0 && text[i-1] == '\r':
		case r > 0xffff:
			n += 2
		default:
			n++
		}
	}
	return n
}
