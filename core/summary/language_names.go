package summary

import "strings"

// named is the language of a policy's tag (BCP 47) or its English name, as people
// write it: "ja", "pt-BR", "German". What is neither accepts every answer.
func named(tag string) Language {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if s := scriptNamed(primary); s != latin {
		return Language{of: s, known: true}
	}
	in := tongueNamed(primary)
	return Language{of: latin, known: in != 0, in: in}
}

// scriptNamed is the script of a language, latin for any other.
func scriptNamed(name string) script {
	switch name {
	case "ja", "japanese":
		return kana
	case "zh", "chinese", "mandarin", "cantonese", "yue":
		return han
	case "ko", "korean":
		return hangul
	case "ru", "uk", "bg", "be", "sr", "mk", "russian", "ukrainian", "bulgarian", "belarusian", "macedonian":
		return cyrillic
	case "ar", "fa", "ur", "arabic", "persian", "farsi", "urdu":
		return arabic
	case "he", "hebrew":
		return hebrew
	case "el", "greek":
		return greek
	case "th", "thai":
		return thai
	case "hi", "mr", "ne", "hindi", "marathi", "nepali":
		return devanagari
	}
	return latin
}

// tongueNamed is a language of the Latin script, 0 for what is none that is known.
func tongueNamed(name string) tongue {
	switch name {
	case "en", "english":
		return inEnglish
	case "fr", "french", "francais":
		return inFrench
	case "de", "german", "deutsch":
		return inGerman
	case "es", "spanish", "espanol", "castilian":
		return inSpanish
	case "it", "italian", "italiano":
		return inItalian
	case "pt", "portuguese":
		return inPortuguese
	case "nl", "dutch", "nederlands", "flemish":
		return inDutch
	case "da", "no", "nb", "nn", "sv", "danish", "norwegian", "swedish":
		return inNordic
	case "pl", "polish", "polski":
		return inPolish
	case "tr", "turkish":
		return inTurkish
	case "fi", "cs", "sk", "hu", "ro", "hr", "sl", "et", "lv", "lt", "vi", "id", "ms", "ca", "eu", "gl", "is", "af", "sw",
		"finnish", "czech", "slovak", "hungarian", "romanian", "croatian", "slovenian", "estonian", "latvian", "lithuanian",
		"vietnamese", "indonesian", "malay", "catalan", "basque", "galician", "icelandic", "afrikaans", "swahili":
		return inElsewhere
	}
	return 0
}
