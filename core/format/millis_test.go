package format

import "testing"

// The numbers are those of date(1) for the same moments.
func TestMillis(t *testing.T) {
	for s, want := range map[string]int64{
		"1970-01-01T00:00:00Z": 0, "1970-01-01T00:00:01.5Z": 1500, "1970-01-01T00:00:00.123456Z": 123, "2000-02-29T12:00:00Z": 951825600000,
		"2026-07-01T10:20:30.250Z": 1782901230250, "2026-07-01T12:20:30.250+02:00": 1782901230250, "2026-07-01T04:50:30-05:30": 1782901230000,
	} {
		if got, ok := millis(s); !ok || got != want {
			t.Errorf("%s: %d %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "2026", "2026-07-01", "2026-07-01T10:20:30", "2026-13-01T10:20:30Z", "2026-07-01 x"} {
		if got, ok := millis(s); ok {
			t.Errorf("%q is %d", s, got)
		}
	}
}
