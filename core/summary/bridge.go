package summary

import "github.com/tamp-dev/tamp/core/transcript"

// The texts of a bridge: a message that stands only so that two of one role do
// not touch. Like the prefixes they are known again by later compactions.
const (
	bridgeEnglish  = "[tamp] Messages in between were compacted."
	bridgeJapanese = "[tamp] この間のメッセージは圧縮されました。"
)

// Bridge is the text of a bridge, in the language of the summary. Cost: with
// "auto" that of the user's texts.
func Bridge(language string, t *transcript.Transcript) string {
	if choose(language, t, &record{}).first == firstJapanese {
		return bridgeJapanese
	}
	return bridgeEnglish
}

// bridges reports whether an item is a bridge and nothing else.
func bridges(it *transcript.Item) bool {
	return len(it.Parts) == 1 && it.Parts[0].Kind == transcript.Text &&
		(it.Parts[0].Text == bridgeEnglish || it.Parts[0].Text == bridgeJapanese)
}
