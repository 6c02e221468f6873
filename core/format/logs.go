package format

import "github.com/tamp-dev/tamp/core/transcript"

// What logs have in common: they are written by adding lines at their end.

// newLine is the ending of new lines: that of the first line, else "\n".
func newLine(src []byte, lines []line) []byte {
	if ending := lineEnding(src, lines[0].end); len(ending) > 0 {
		return ending
	}
	return []byte{'\n'}
}

// extended is the source with bytes behind its last line. They end with a line
// ending whatever the source ends with: a tool that goes on with the log writes
// its own next line right behind them. A last line without one, cut off by a
// crash, gets it.
func (l *list) extended(src, ending, more []byte) []byte {
	out := make([]byte, 0, len(src)+len(ending)+len(more))
	out = append(out, src[:l.to]...)
	if n := len(out); n > 0 && out[n-1] != '\n' {
		out = append(out, ending...)
	}
	return append(append(out, l.wrap(src, more)...), src[l.to:]...)
}

// summaryText is the text of the summary among the entries: that of the message
// that is new and answers no call, "" where there is none.
func summaryText(entries []transcript.Entry) string {
	for _, e := range entries {
		if e.From < 0 && !e.New.Has(transcript.Result) {
			return e.New.Text()
		}
	}
	return ""
}
