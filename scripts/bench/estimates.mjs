// How far the estimates are off, by class of text. The corpus was not used to
// fit the weights: those were fitted before it was made, to other texts.

/** Bytes of a piece: about that of a tool result. */
export const pieceSize = 2048;

/** A text cut into pieces of about pieceSize bytes, between characters. */
export function pieces(text) {
  const bytes = Buffer.from(text);
  const list = [];
  for (let from = 0; from + pieceSize <= bytes.length; ) {
    let to = from + pieceSize;
    while ((bytes[to] & 0xc0) === 0x80) to--;
    list.push(bytes.subarray(from, to).toString());
    from = to;
  }
  return list;
}

/** The errors of guesses against exact counts: {mean, p95, under, over, bias}, as shares. */
export function errors(guesses, exact) {
  const off = guesses.map((guess, i) => guess / exact[i] - 1);
  const size = off.map(Math.abs).sort((a, b) => a - b);
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  return {
    mean: sum(size) / size.length,
    p95: size[Math.ceil(0.95 * size.length) - 1],
    under: Math.min(0, ...off),
    over: Math.max(0, ...off),
    bias: sum(guesses) / sum(exact) - 1,
  };
}

/** Codex's counter. */
export const bytes4 = (text) => Math.ceil(Buffer.byteLength(text) / 4);
