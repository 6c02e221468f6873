package core

import (
	"fmt"
	"strconv"
	"strings"
)

// instant is a time of RFC 3339, reckoned without a clock or a table of zones.
type instant struct {
	seconds  int    // since 1970
	fraction string // the digits behind the point, at most 9
}

// readInstant is the time that s says; false where it is none, or before 1970 or
// behind 2261, which is where nanoseconds end in 64 bits.
func readInstant(s string) (instant, bool) {
	if !rfc3339(s) {
		return instant{}, false
	}
	n := func(from, to int) int {
		v, _ := strconv.Atoi(s[from:to]) // digits, as rfc3339 saw
		return v
	}
	year, month, day := n(0, 4), n(5, 7), n(8, 10)
	hour, minute, second := n(11, 13), n(14, 16), n(17, 19)
	zone, fraction, offset := s[19:], "", 0
	if digits, ok := strings.CutPrefix(zone, "."); ok {
		zone = strings.TrimLeft(digits, "0123456789")
		fraction = digits[:len(digits)-len(zone)]
	}
	if zone != "Z" {
		h, m := n(len(s)-5, len(s)-3), n(len(s)-2, len(s))
		if h > 23 || m > 59 {
			return instant{}, false
		}
		offset = 3600*h + 60*m
		if zone[0] == '-' {
			offset = -offset
		}
	}
	switch {
	case year < 1970 || year > 2261 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month):
		return instant{}, false
	case hour > 23 || minute > 59 || second > 60: // 60 is a leap second
		return instant{}, false
	}
	at := instant{seconds: ((daysSince1970(year, month, day)*24+hour)*60+minute)*60 + second - offset, fraction: fraction[:min(9, len(fraction))]}
	return at, at.seconds >= 0
}

// daysSince1970 is the number of days to a date of the Gregorian calendar. Years
// are taken to begin in March, so that the leap day is their last; 400 of them
// have 146,097 days, and 719,468 lie before 1970.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
}

func daysOf(year, month int) int {
	if month == 12 {
		return 31
	}
	return daysSince1970(year, month+1, 1) - daysSince1970(year, month, 1)
}

// nanos is the time in nanoseconds since 1970.
func (t instant) nanos() int {
	n, _ := strconv.Atoi((t.fraction + "000000000")[:9]) // digits
	return t.seconds*1_000_000_000 + n
}

// utc is the time as RFC 3339 writes it for the zone Z, with the digits behind the
// point that it came with.
func (t instant) utc() string {
	days, rest := t.seconds/86400, t.seconds%86400
	// The day count from the March that begins an era of 400 years, then the year,
	// the month and the day within it.
	days += 719468
	era, ofEra := days/146097, days%146097
	year := (ofEra - ofEra/1460 + ofEra/36524 - ofEra/146096) / 365
	ofYear := ofEra - (365*year + year/4 - year/100)
	march := (5*ofYear + 2) / 153
	day, month := ofYear-(153*march+2)/5+1, march+3
	year += 400 * era
	if month > 12 {
		year, month = year+1, month-12
	}
	out := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, rest/3600, rest/60%60, rest%60)
	if t.fraction != "" {
		out += "." + t.fraction
	}
	return out + "Z"
}
