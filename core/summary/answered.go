package summary

import (
	"strconv"
	"strings"
)

// answeredMark opens the line, so that it is known again and taken out with the
// prefix: after any number of compactions there is one.
const answeredMark = "[answered]"

const (
	answeredShown = 4  // messages, the newest, whatever they cost
	answeredRunes = 40 // of each
)

// Answered is the line that says of user messages, oldest first, that they stand
// in the conversation and were dealt with; "" for none. Behind the newest four,
// older ones are named as long as fits takes them, newest first, and the rest is
// counted.
func Answered(texts []string, fits func(quote string) bool) string {
	var quotes []string
	for _, text := range texts {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			quotes = append(quotes, "\""+short(text)+"\"")
		}
	}
	if len(quotes) == 0 {
		return ""
	}
	n := max(0, len(quotes)-answeredShown)
	for n > 0 && fits(quotes[n-1]) {
		n--
	}
	older := ""
	if n > 0 {
		quotes, older = quotes[n:], strconv.Itoa(n)+" older ones, "
	}
	return answeredMark + " Replied to already, not to be done again from the start: " + older + strings.Join(quotes, ", ")
}

func short(text string) string {
	n := 0
	for i := range text {
		if n == answeredRunes {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// withoutAnswered is a text behind a prefix without that line.
func withoutAnswered(text string) string {
	if !strings.HasPrefix(text, answeredMark) {
		return text
	}
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}
