package format

import "strconv"

// millis is an RFC 3339 time in milliseconds since 1970, as harnesses in
// JavaScript write it. False for what has not that form; a day or an hour too
// many rolls over. The calendar is counted by hand: core may not import time.
func millis(s string) (int64, bool) {
	const date = len("2006-01-02T15:04:05")
	if len(s) <= date {
		return 0, false
	}
	year, ok1 := digits(s[0:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:10])
	hour, ok4 := digits(s[11:13])
	minute, ok5 := digits(s[14:16])
	second, ok6 := digits(s[17:19])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || month < 1 || month > 12 {
		return 0, false
	}
	fraction, zone := int64(0), s[date:]
	if zone[0] == '.' {
		end := 1
		for end < len(zone) && zone[end] >= '0' && zone[end] <= '9' {
			end++
		}
		fraction, _ = digits((zone[1:end] + "000")[:3])
		zone = zone[end:]
	}
	shift := int64(0) // of the zone, in minutes
	if len(zone) == len("+00:00") {
		h, okH := digits(zone[1:3])
		m, okM := digits(zone[4:6])
		if !okH || !okM {
			return 0, false
		}
		if shift = 60*h + m; zone[0] == '-' {
			shift = -shift
		}
	}
	at := ((daysBefore(year, month)+day-1)*24+hour)*60 + minute - shift
	return (at*60+second)*1000 + fraction, true
}

// digits is a number of nothing but digits.
func digits(s string) (int64, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return int64(n), err == nil
}

// daysBefore counts the days from 1970 to the first of a month. Years are taken
// to begin in March, so that a leap day is the last of its year.
func daysBefore(year, month int64) int64 {
	if month < 3 {
		year, month = year-1, month+12
	}
	days := year*365 + year/4 - year/100 + year/400
	return days + (153*(month-3)+2)/5 - daysToEpoch
}

// daysToEpoch are the days from the first of March of the year 0 to 1970.
const daysToEpoch = 719468
