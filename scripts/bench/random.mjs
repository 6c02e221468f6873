// Random numbers that are the same on every machine and in every run.

/** A generator of uint32 from a name (mulberry32 over an FNV-1a hash of it). */
export function random(name) {
  let state = 0x811c9dc5;
  for (const char of name) state = Math.imul(state ^ char.codePointAt(0), 0x01000193) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  /** An integer below n. */
  next.below = (n) => next() % n;
  /** One of a list, an array or a string of BMP characters. */
  next.of = (list) => list[next() % list.length];
  /** true once in n times. */
  next.once = (n) => next() % n === 0;
  /** n hexadecimal digits. */
  next.hex = (n) => Array.from({ length: n }, () => '0123456789abcdef'[next() & 15]).join('');
  /** n random bytes. */
  next.bytes = (n) => Uint8Array.from({ length: n }, () => next() & 255);
  return next;
}

/** make(i) again and again until the text has size bytes of UTF-8. */
export function fill(size, make) {
  const parts = [];
  for (let bytes = 0, i = 0; bytes < size; i++) {
    const part = make(i);
    parts.push(part);
    bytes += Buffer.byteLength(part);
  }
  return parts.join('');
}

/** text cut to at most size bytes of UTF-8, between two characters. */
export function clip(text, size) {
  const bytes = Buffer.from(text);
  if (bytes.length <= size) return text;
  let end = size;
  while ((bytes[end] & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}
