package trial

// atoms are what goes wrong in tokenizers: contractions in every case, the long s,
// title case, marks, exotic white space, byte order marks, NUL and DEL, names of
// special tokens, names that JavaScript's objects have of their own, joiners, bad
// bytes.
var atoms = []string{
	"'s", "'S", "'t", "'T", "'re", "'RE", "'rE", "'Re", "'ve", "'Ve", "'m", "'M", "'ll", "'LL", "'lL", "'d", "'D",
	"'ſ", "'ſt", "ſ", "'r", "'v", "'l", "'", "''", "’s", "'K", "K", "İ", "ı", "ß", "ẞ",
	"ǅ", "ǈ", "ǲ", "ᾈ", "ῼ", "ʰ", "ˈ", "ª", "º", "々", "ー", "ᵃ", "ⁿ", "Ⅷ", "ⅷ", "Ⓐ", "ⓐ",
	"\u0301", "\u0308", "e\u0301", "E\u0301", "\u20dd", "\u0903", "\ufe0f", "\u200d", "\u200c", "\u200b", "\u2060", "\u00ad",
	" ", "  ", "   ", "    ", "        ", "\t", "\t\t", "\n", "\n\n", "\r", "\r\n", "\r\n\r\n", "\n \n", " \n", "\n ", "\v", "\f",
	"\u0085", "\u00a0", "\u1680", "\u180e", "\u2000", "\u2003", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff",
	"\x00", "\x01", "\x1c", "\x1f", "\x7f", "\u0080", "\u009f",
	"<|endoftext|>", "<|endofprompt|>", "<|im_start|>", "<|start|>assistant<|message|>", "<|fim_prefix|>",
	"isPrototypeOf", "hasOwnProperty", "toLocaleString", "constructor", "__proto__", " valueOf",
	"a", "b", "z", "A", "B", "Z", "aB", "Ab", "AB", "ABc", "ABC", "abC", "the", " the", " The", "THE", "camelCase", "HTTPServer", "iOS",
	"0", "1", "12", "123", "1234", "999999", "３", "٣", "१२३४", "½", "²", "〇", "一",
	"!", "!!", "...", "/", "//", "/\n", "\n/", "!/\n/\r", "=", "====", "-", "----", "#", "_", "__", "(", ")", "();", "{}", "\"", "\":", "`", "```", "\\", "\\n", "&&", "|", "~",
	"é", "É", "ñ", "ü", "ø", "ł", "Ł", "œ", "æ", "ư", "ơ", "ệ", "ộ", "α", "Ω", "ς", "я", "Я", "ё", "ж", "и\u0306",
	"あ", "ア", "の", "です", "漢", "字", "日本", "日本語", "中文", "的", "龍", "㐀", "한", "국어", "。", "、", "「", "」", "・", "！", "（", "Ａ", "ａ",
	"ก", "ไทย", "ไม่", "नमस्ते", "क्ष", "العربية", "لا", "שלום", "ა", "Ა", "Հ", "Ꭰ", "ꭰ", "ᏸ", "𐐀", "𐐨", "𝐀", "𝒶", "𝟙",
	"😀", "👍🏽", "👩‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇯🇵", "❤️", "1️⃣", "🧪", "🫠", "𠀀", "𰀀", "𲎰",
	"\u1c89", "\u1c8a", "\ua7cb", "\ua7da", "\U00010d50", "\U00010d70", "\U0001e5d0", "\U000105c0", "\U0002ebf0",
	"\xff", "\xc0\x80", "\xe3\x81", "\xe3", "\x81", "\xed\xa0\x80", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xc3", "\xf8\x88\x80\x80\x80", "\ufffd",
}

// words are of many languages and of programs.
var words = []string{
	"the", "of", "and", "context", "window", "compaction", "summarised", "tokenization", "don't", "we'll", "they've", "I'M", "it's", "rock'n'roll",
	"func", "return", "nil", "err != nil", "self.assertEqual(", "console.log(`${x}`)", "public static void", "#include <stdio.h>", "SELECT * FROM t", "x := []int{1, 2}",
	"2024-05-17T09:31:07.123Z", "127.0.0.1:8080", "0x7ffdeadbeef", "3.14159", "1,234,567", "550e8400-e29b-41d4-a716-446655440000", "https://example.com/a/b?c=d&e=f#g",
	"Überraschung", "Donaudampfschifffahrt", "l'été", "aujourd'hui", "Mañana", "coração", "Příliš", "żółć", "Türkçe", "İstanbul", "tiếng Việt", "không",
	"привет", "достопримечательность", "Москва", "Київ", "Ελληνικά", "καλημέρα", "עברית", "مرحبا", "فارسی", "हिन्दी", "தமிழ்", "ภาษาไทย", "ქართული",
	"日本語", "東京都", "それは", "カタカナ", "ありがとうございます", "会話の履歴を圧縮する", "中华人民共和国", "人工智能", "机器学习", "繁體中文", "한국어", "안녕하세요", "대화 기록",
	"\"key\": \"value\",", "{\"id\":17,\"ok\":true}", "<div class=\"a\">", "</p>", "- [x]", "| a | b |", "**bold**", "====", "------", "......", "\t\t\t", "README.md",
}

// gaps stand between words.
var gaps = []string{" ", " ", " ", " ", "\n", "\n\n", "\t", ", ", ". ", "", "  ", "\n    ", "\r\n", "; ", "/", "_", "。", "、", "\u3000"}

// scripts are ranges of code points, end excluded.
var scripts = [][2]rune{
	{'a', 'z' + 1},
	{'A', 'Z' + 1},
	{'0', '9' + 1},
	{'!', '0'},
	{0, 0x80},
	{0x80, 0x100},
	{0x100, 0x250},
	{0x250, 0x300},
	{0x300, 0x370},
	{0x370, 0x400},
	{0x400, 0x530},
	{0x430, 0x450},
	{0x530, 0x590},
	{0x590, 0x600},
	{0x600, 0x700},
	{0x900, 0x980},
	{0xB80, 0xC00},
	{0xE00, 0xE80},
	{0x10A0, 0x1100},
	{0x1C80, 0x1C90},
	{0x1E00, 0x1F00},
	{0x1F00, 0x2000},
	{0x2000, 0x2070},
	{0x2070, 0x2C00},
	{0x2C00, 0x3000},
	{0x3000, 0x3040},
	{0x3040, 0x30A0},
	{0x30A0, 0x3100},
	{0x3100, 0x3400},
	{0x3400, 0x4E00},
	{0x4E00, 0xA000},
	{0x4E00, 0x5000},
	{0xA640, 0xA800},
	{0xAC00, 0xD7A4},
	{0xF900, 0xFB00},
	{0xFE00, 0xFE70},
	{0xFF00, 0x10000},
	{0x10000, 0x11000},
	{0x1D400, 0x1D800},
	{0x1F300, 0x1F650},
	{0x1F900, 0x1FA00},
	{0x1F1E6, 0x1F200},
	{0x20000, 0x2A6E0},
	{0xE0100, 0xE01F0},
}
