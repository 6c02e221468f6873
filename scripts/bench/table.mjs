// Tables as Markdown, so that they can be shown where they are printed.

/** Rows of cells under a head: the first column to the left, the others to the right. */
export function table(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => Math.max(3, ...all.map((row) => row[i].length)));
  const line = (row) => `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((n, i) => (i === 0 ? '-'.repeat(n) : `${'-'.repeat(n - 1)}:`)).join(' | ')} |`;
  const [first, ...rest] = all.map(line);
  return [first, rule, ...rest].join('\n');
}

/** "3.8x": how many times faster b is than a, of two times. */
export const times = (a, b) => `${ratio(a / b)}x`;

/** Two digits that mean something. */
export const ratio = (n) => (n < 10 ? n.toFixed(1) : n.toFixed(0));

/** A share as per cent with its sign where it may have one. */
export const percent = (n) => `${(100 * n).toFixed(1)} %`;
