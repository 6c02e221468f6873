// Texts that make tokenizers slow: one long piece, or many that no cache knows.
import { fill, random } from './random.mjs';

/** Bytes of each, the size of a large tool result. */
export const pathSize = 100_000;

const repeat = (unit) => unit.repeat(Math.ceil(pathSize / Buffer.byteLength(unit)));
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** The texts as [{name, text}]; each is of about pathSize bytes. */
export function paths() {
  const made = (name, make) => fill(pathSize, make.bind(null, random(name)));
  return Object.entries({
    'one letter': repeat('a'),
    'one capital': repeat('A'),
    'blanks': repeat(' '),
    'one digit': repeat('7'),
    'newlines': repeat('\n'),
    '=': repeat('='),
    'random letters': made('letters', (r) => r.of(letters)),
    'random capitals and letters': made('capitals', (r) => r.of(letters + letters.toUpperCase())),
    'ab': repeat('ab'),
    'CRLF': repeat('\r\n'),
    'tabs': repeat('\t'),
    'blanks and a letter': repeat(`${' '.repeat(1000)}x`),
    'mixed white space': made('space', (r) => r.of(' \t\n\r\u00a0\u2003\u3000\v')),
    'one kana': repeat('あ'),
    'random kana': made('kana', (r) => String.fromCodePoint(0x3041 + r.below(86))),
    'random Han': made('han', (r) => String.fromCodePoint(0x4e00 + r.below(0x51d6))),
    'random Hangul': made('hangul', (r) => String.fromCodePoint(0xac00 + r.below(11172))),
    'Thai': made('thai', (r) => String.fromCodePoint(0xe01 + r.below(58))),
    'ZWJ emoji': repeat('👨‍👩‍👧‍👦'),
    'random astral': made('astral', (r) => String.fromCodePoint(0x20000 + r.below(0xa6d6))),
    'combining marks': repeat('e\u0301\u0302\u0303'),
    'marks alone': repeat('\u0301'),
    'punctuation': made('punct', (r) => r.of('!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~\\')),
    'quotes': repeat('\'"'),
    'contractions': repeat("'ll've're"),
    'base64 without line': Buffer.from(random('base64').bytes(pathSize * 0.75)).toString('base64'),
    'NUL': repeat('\0'),
    'private use': made('private', (r) => String.fromCodePoint(0xe000 + r.below(6400))),
    'U+FFFD': repeat('\ufffd'),
  }).map(([name, text]) => ({ name, text }));
}
