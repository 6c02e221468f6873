package format

import (
	"strconv"
	"strings"
)

// epoch is a time of RFC 3339 as seconds since 1970, with the digits behind the
// point that it came with ("1747341706.624"); false for what is none. Core has no
// clock and no table of time zones; an offset is all that there is to reckon with.
func epoch(stamp string) (seconds string, ok bool) {
	const form = "0000-00-00T00:00:00"
	if len(stamp) <= len(form) {
		return "", false
	}
	for i := range len(form) {
		if digit := stamp[i] >= '0' && stamp[i] <= '9'; digit != (form[i] == '0') || !digit && lower(stamp[i]) != lower(form[i]) {
			return "", false
		}
	}
	n := func(from, to int) int {
		v, _ := strconv.Atoi(stamp[from:to]) // digits, as was seen
		return v
	}
	rest, fraction := stamp[len(form):], ""
	if rest[0] == '.' {
		end := 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		if end == 1 {
			return "", false
		}
		fraction, rest = rest[:end], rest[end:]
	}
	offset, ok := zone(rest)
	month, day := n(5, 7), n(8, 10)
	if !ok || month < 1 || month > 12 || day < 1 || day > 31 || n(11, 13) > 23 || n(14, 16) > 59 || n(17, 19) > 60 {
		return "", false
	}
	total := ((days(n(0, 4), month, day)*24+n(11, 13))*60+n(14, 16)-offset)*60 + n(17, 19)
	if total < 0 {
		return "", false // before 1970: no session is
	}
	return strconv.Itoa(total) + fraction, true
}

// zone is an offset in minutes: Z, +09:00.
func zone(s string) (minutes int, ok bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != len("+00:00") || s[3] != ':' || !strings.ContainsRune("+-", rune(s[0])) {
		return 0, false
	}
	h, errH := strconv.ParseUint(s[1:3], 10, 8)
	m, errM := strconv.ParseUint(s[4:], 10, 8)
	if errH != nil || errM != nil || h > 23 || m > 59 {
		return 0, false
	}
	minutes = int(60*h + m)
	if s[0] == '-' {
		minutes = -minutes
	}
	return minutes, true
}

// days is the number of days from the first of 1970 to a date of the Gregorian
// calendar. Years are taken to begin in March, so that the leap day is their last;
// 400 of them have 146,097 days, and 719,468 days lie between their beginning and
// 1970.
func days(year, month, day int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	ofYear := (153*(month-3)+2)/5 + day - 1
	return 365*year + year/4 - year/100 + year/400 + ofYear - 719468
}
