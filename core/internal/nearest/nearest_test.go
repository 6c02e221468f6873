package nearest

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"round", "rounds", 1},   // insertion
		{"roundss", "rounds", 1}, // deletion
		{"rouuds", "rounds", 1},  // substitution
		{"ronuds", "rounds", 1},  // swap
		{"kitten", "sitting", 3}, // the textbook pair
		{"ca", "abc", 3},         // restricted: 2 would need an edit inside the swapped pair
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
