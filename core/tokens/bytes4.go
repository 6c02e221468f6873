package tokens

// Bytes4 is Codex's counter: a token for every four bytes begun. It is within
// 6 % on English, Japanese, Chinese and Korean prose and far too low on machine
// text (26 % on JSON, 44 % on logs, 63 % on base64), which is what its p95 says.
// It is there because Codex's thresholds and budgets are in this measure; items
// are measured with it as Codex does (see Item). Cost: constant.
func Bytes4() Counter { return bytes4{} }

const (
	bytes4Name = "bytes4"
	bytes4P95  = 0.63
	// bytesPerToken is the ratio of every figure of this counter.
	bytesPerToken = 4
)

type bytes4 struct{}

func (bytes4) Name() string       { return bytes4Name }
func (bytes4) ErrorP95() float64  { return bytes4P95 }
func (bytes4) Count(s string) int { return quarter(len(s)) }

// quarter is n bytes in tokens, rounded up; negative n is none.
func quarter(n int) int {
	if n <= 0 {
		return 0
	}
	return (n-1)/bytesPerToken + 1
}

// ByName is the counter of that name; "" is the estimate.
func ByName(name string) (Counter, bool) {
	switch name {
	case "", estimateName:
		return Estimate(), true
	case bytes4Name:
		return Bytes4(), true
	}
	return nil, false
}
