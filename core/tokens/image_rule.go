package tokens

import "math"

// ImageRule says how a provider counts a picture. Rule is one of
//
//	tiles    Base, and Tile for each square of 512 pixels, after the picture was
//	         fitted into 2,048 by 2,048 and its shorter side brought down to 768
//	patches  one for each square of 32 pixels, at most Most, after the longer side
//	         was brought down to Side; times Multiplier
//	visual   one for each square of Patch pixels, at most Most, after the longer
//	         side was brought down to Side
//	gemini   Base for a picture of at most Side by Side, else Base for each square
//	         of Tile pixels
//	fixed    Base, whatever its size
//
// and 0 in any number that its rule does not need. Sides are in pixels, all else
// in tokens.
type ImageRule struct {
	Rule       string  `json:"rule"`
	Base       int     `json:"base,omitempty"`
	Tile       int     `json:"tile,omitempty"`
	Patch      int     `json:"patch,omitempty"`
	Side       int     `json:"side,omitempty"`
	Most       int     `json:"most,omitempty"`
	Multiplier float64 `json:"multiplier,omitempty"` // 0: 1

	// What patches are for detail "original", where the model knows it: other
	// limits, or none; and whether detail "auto" is that.
	OriginalMost      int    `json:"original_most,omitempty"`
	OriginalSide      int    `json:"original_side,omitempty"`
	OriginalUnlimited bool   `json:"original_unlimited,omitempty"`
	Auto              string `json:"auto,omitempty"` // "original", else it is "high"
}

const (
	tileSide  = 512
	tileLong  = 2048
	tileShort = 768
	patchSide = 32
	// lowSide is the picture that patch models are shown for detail "low".
	lowSide = 512
	// unknownSide is a side of a picture of unknown size, a link.
	unknownSide = 1024
	// pixelsMost is a limit for sides as a header may claim them: no product
	// below overflows.
	pixelsMost = 1 << 20
)

// defaultImage is gpt-4o's rule, for models of which none is known.
func defaultImage() ImageRule { return ImageRule{Rule: "tiles", Base: 85, Tile: 170} }

// Valid reports whether the rule is one of the above, with numbers that it can
// count by.
func (r ImageRule) Valid() bool {
	if min(r.Base, r.Tile, r.Patch, r.Side, r.Most, r.OriginalMost, r.OriginalSide) < 0 || r.Multiplier < 0 || r.Multiplier > 1000 ||
		max(r.Base, r.Tile, r.Patch, r.Side, r.Most, r.OriginalMost, r.OriginalSide) > pixelsMost {
		return false
	}
	switch r.Rule {
	case "tiles", "patches", "fixed":
		return true
	case "visual":
		return r.Patch > 0
	case "gemini":
		return r.Tile > 0
	}
	return false
}

// Tokens is the tokens of a picture of w by h pixels; a size of 0 is unknown
// and counts as 1,024 by 1,024. detail is "low", "high", "original", "auto" or
// "". Cost: constant.
func (r ImageRule) Tokens(w, h int64, detail string) int {
	if w <= 0 || h <= 0 {
		w, h = unknownSide, unknownSide
	}
	w, h = min(w, pixelsMost), min(h, pixelsMost)
	switch r.Rule {
	case "tiles":
		if detail == "low" {
			return r.Base
		}
		return r.Base + r.Tile*tiles(w, h)
	case "patches":
		n := r.patches(w, h, detail)
		if r.Multiplier > 0 {
			n = int(math.Ceil(float64(n) * r.Multiplier))
		}
		return n
	case "visual":
		w, h = within(w, h, int64(r.Side))
		n := over(w, int64(max(1, r.Patch))) * over(h, int64(max(1, r.Patch)))
		if r.Most > 0 {
			n = min(n, int64(r.Most))
		}
		return int(n)
	case "gemini":
		if max(w, h) <= int64(r.Side) {
			return r.Base
		}
		return r.Base * int(over(w, int64(max(1, r.Tile)))*over(h, int64(max(1, r.Tile))))
	}
	return r.Base
}

// tiles are those of a picture that is scaled by num/den, the smallest of 1,
// 2048/longer side and 768/shorter side.
func tiles(w, h int64) int {
	num, den := int64(1), int64(1)
	if long := max(w, h); long > tileLong {
		num, den = tileLong, long
	}
	if short := min(w, h); short*num > tileShort*den {
		num, den = tileShort, short
	}
	return int(over(w*num, tileSide*den) * over(h*num, tileSide*den))
}

// patches are those of 32 pixels, before the multiplier.
func (r ImageRule) patches(w, h int64, detail string) int {
	side, most := int64(r.Side), int64(r.Most)
	if detail == "" || detail == "auto" {
		detail = r.Auto
	}
	switch {
	case detail == "low":
		side, most = lowSide, 0
	case detail == "original" && r.OriginalUnlimited:
		side, most = 0, 0
	case detail == "original" && r.OriginalMost > 0:
		side, most = int64(r.OriginalSide), int64(r.OriginalMost)
	}
	w, h = within(w, h, side)
	n := over(w, patchSide) * over(h, patchSide)
	if most == 0 || n <= most {
		return int(n)
	}
	// Brought down to the budget, then so much more that one side is whole
	// patches. The products stand in conversions of their own: fused with the
	// operation around them they would differ from machine to machine.
	fw, fh := float64(w), float64(h)
	scale := math.Sqrt(float64(patchSide*patchSide*most) / float64(w*h))
	pw, ph := float64(fw*scale)/patchSide, float64(fh*scale)/patchSide
	scale *= min(math.Floor(pw)/pw, math.Floor(ph)/ph)
	w, h = int64(math.Round(float64(fw*scale))), int64(math.Round(float64(fh*scale)))
	if w <= 0 || h <= 0 { // a line: no whole patch is that thin
		return int(most)
	}
	return int(min(over(w, patchSide)*over(h, patchSide), most))
}

// within is the size scaled down so that no side is longer than side; 0 is no
// limit.
func within(w, h, side int64) (int64, int64) {
	long := max(w, h)
	if side <= 0 || long <= side {
		return w, h
	}
	return max(1, (w*side+long/2)/long), max(1, (h*side+long/2)/long)
}

// over is a/b, rounded up.
func over(a, b int64) int64 { return (a + b - 1) / b }
