package tokens

// Counter is base as it counts for the model: its factor applies unless base is
// exact, its pictures cost by its rule, its tools by its provider's. ratio is
// what the conversation's reported usage says beyond that, in thousandths (see
// Ratio.Milli); 0 is unknown, and an exact base needs none. Bytes4 is Codex's
// measure whatever the model, and comes back as it is. m may be nil.
//
// The counter is as safe for concurrent use as base.
func (m *Model) Counter(base Counter, ratio int) Counter {
	if base.Name() == bytes4Name || m == nil && (ratio <= 0 || base.ErrorP95() == 0) {
		return base
	}
	c := modelCounter{base: base, milli: one, errorP95: base.ErrorP95()}
	if m != nil {
		c.model = *m
	}
	if base.ErrorP95() == 0 {
		return c
	}
	if c.model.Factor > 0 {
		// In bounds whatever a caller names as his model's factor.
		c.milli = int(min(max(c.model.Factor, 0.1), 10)*one + 0.5)
	}
	switch {
	case ratio > 0:
		// The usage knows the vocabulary: what stays is the estimate's own error.
		c.milli = max(1, (c.milli*ratio+one/2)/one)
	case c.model.ErrorP95 > 0:
		c.errorP95 = c.model.ErrorP95
	}
	return c
}

// one is a factor of 1 in thousandths.
const one = 1000

// modelCounter counts texts by base times milli/1000.
type modelCounter struct {
	base     Counter
	milli    int
	errorP95 float64
	model    Model
}

func (c modelCounter) Name() string      { return c.base.Name() }
func (c modelCounter) ErrorP95() float64 { return c.errorP95 }

func (c modelCounter) Count(s string) int {
	n := c.base.Count(s)
	if n <= 0 || c.milli == one {
		return n
	}
	return max(1, (n*c.milli+one/2)/one)
}

// Factor is what c's texts are multiplied by: 1 for a counter that is exact, or
// belongs to no model.
func Factor(c Counter) float64 {
	if m, ok := c.(modelCounter); ok {
		return float64(m.milli) / one
	}
	return 1
}

// modelOf is the model that c counts for; nil: none that is known.
func modelOf(c Counter) *Model {
	if m, ok := c.(modelCounter); ok {
		return &m.model
	}
	return nil
}
