package core

import (
	"math/rand"
	"testing"
	"time"
)

// Go's own clock package is the oracle: the same seconds, the same text in UTC.
func TestInstant(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	last := time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	zones := []*time.Location{time.UTC, time.FixedZone("", 9*3600), time.FixedZone("", -(3*3600 + 1800))}
	for i := range 5000 {
		at := time.Unix(86400+r.Int63n(last-2*86400), int64(r.Intn(1e9))).In(zones[i%len(zones)])
		s := at.Format("2006-01-02T15:04:05.000000000Z07:00")
		got, ok := readInstant(s)
		if !ok || got.nanos() != int(at.UnixNano()) || got.utc() != at.UTC().Format("2006-01-02T15:04:05.000000000Z07:00") {
			t.Fatalf("%s: %+v %v, %d and %s", s, got, ok, got.nanos(), got.utc())
		}
	}
	for _, day := range []string{"2000-02-29", "2100-03-01", "1972-12-31", "2024-03-01"} { // around leap days and ends of years
		want, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := readInstant(day + "T00:00:00Z"); !ok || got.seconds != int(want.Unix()) || got.utc() != day+"T00:00:00Z" {
			t.Errorf("%s: %+v %v %s", day, got, ok, got.utc())
		}
	}
}

func TestNoInstant(t *testing.T) {
	for _, s := range []string{
		"", "2026-11-30", "2026-11-30T16:50:00", "2026-11-30 16:50:00Z", "2026-11-30T16:50:00.Z",
		"2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z", "2026-04-00T00:00:00Z",
		"2026-11-30T24:00:00Z", "2026-11-30T23:60:00Z", "2026-11-30T23:59:61Z", "2026-11-30T23:59:00+24:00", "2026-11-30T23:59:00+09:60",
		"1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "2262-01-01T00:00:00Z",
	} {
		if got, ok := readInstant(s); ok {
			t.Errorf("%q is %+v", s, got)
		}
	}
	// Nanoseconds are what a span holds: digits behind them are left out.
	if got, ok := readInstant("1970-01-01T00:00:01.1234567899Z"); !ok || got.nanos() != 1_123_456_789 || got.utc() != "1970-01-01T00:00:01.123456789Z" {
		t.Errorf("%+v %v", got, ok)
	}
}
