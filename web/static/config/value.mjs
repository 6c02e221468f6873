// What the readers of both languages share: refusals, near misses, values.

export const root = 'policy';

// maxInteger is the largest integer that JSON carries everywhere.
const maxInteger = 9_007_199_254_740_991n;

/** What is wrong with a text, and where: the path of a key behind "policy". */
export class Refused extends Error {
  constructor(path, line, message) {
    super(line > 0 ? `${message} (line ${line})` : message);
    this.path = path;
  }
}

export function attempt(act) {
  try {
    return { value: act() };
  } catch (error) {
    return { error };
  }
}

// near is the one of names that was probably meant, as the engine finds it: the
// least edit distance after case, underscores and hyphens are put aside.
export function near(name, names) {
  if (new TextEncoder().encode(name).length > 40) return '';
  const fold = (s) => s.toLowerCase().replaceAll(/[_-]/g, '');
  const from = fold(name);
  let best = Infinity;
  let found = '';
  for (const label of names) {
    const word = fold(label);
    const d = distance(from, word);
    if (d < best && (d <= 1 || 3 * d <= Math.max(from.length, word.length))) [best, found] = [d, label];
  }
  return found;
}

// distance counts insertions, deletions, substitutions and swaps of neighbours.
function distance(a, b) {
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

export const meant = (name, ours) => (ours.includes(name) ? '' : near(name, ours));
export const miss = (path, name, line, to) => new Refused(below(path, name), line, `unknown field, did you mean ${to}?`);
export const below = (path, name) => (/^[A-Za-z0-9_-]{1,40}$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(clip(name))}]`);
export const series = (words) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
export function clip(s) {
  const letters = [...s];
  return letters.length > 40 ? `${letters.slice(0, 40).join('')}...` : s;
}

// A value is {kind, text, number, path, line}, in either language.
export function wrong(v, want) {
  return new Refused(v.path, v.line, `is ${v.kind === 'an integer' ? v.number : v.kind}, must be ${want}`);
}

export function integer(v, low) {
  if (v.kind !== 'an integer' || v.number < low) throw wrong(v, `an integer of at least ${low}`);
  if (v.number > maxInteger) throw wrong(v, `an integer of at most ${maxInteger}`);
  return Number(v.number);
}

// words is a string that is not blank.
export function words(v, want) {
  if (v.kind !== 'a string') throw wrong(v, want);
  if (v.text.trim() === '') throw new Refused(v.path, v.line, `is blank, must be ${want}`);
  return v.text;
}
