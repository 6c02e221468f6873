// Size budgets: what a visitor downloads may not grow unseen.
//
//   node scripts/size-budget.mjs [root]
//
// Prints a table of every shipped file and fails if one is over its budget or
// missing. Sizes are those of gzip level 9, which any static host reaches.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

// 3 MB: 2.999 MB on 2026-12-01. The Go runtime with fmt and encoding/json is 0.86
// MB; the 18 formats beside those of the two systems added 0.9 MB, most of what
// is the engine's; before them it was 1.87 MB. Repairs, wrappers, sessions and the
// languages of summaries came to 0.15 MB.
//
// The parser of YAML is fetched when there is a file of configuration to read;
// smol-toml's nine files are 11 KB more, and the reader of both 8.
//
// The planes of o200k_base are fetched by the page when they are needed: 731 KB.
// The module of the token benchmark is Go, fmt, encoding/json and the counting of
// tokens with o200k_base linked in, what an edge worker pays for exact counts:
// 1.5 MB.
export const budgets = [
  { file: 'web/static/playground.wasm', gz: 3_000_000 },
  { file: 'web/static/o200k_base.planes', gz: 750_000 },
  { file: 'web/static/parsers/js-yaml.mjs', gz: 24_000 },
  { file: 'build/bench/tokens.wasm', gz: 1_600_000 },
];

/** One row per budget: {file, raw, gz, limit, problem}; sizes in bytes, problem is null or a sentence. */
export function measure(root, list = budgets) {
  return list.map(({ file, gz: limit }) => {
    let bytes;
    try {
      bytes = readFileSync(join(root, file));
    } catch (err) {
      return { file, raw: null, gz: null, limit, problem: `${file}: cannot be read (${err.code}); build it first` };
    }
    const gz = gzipSync(bytes, { level: 9 }).length;
    const problem = gz <= limit ? null : `${file}: ${gz} bytes in gzip, ${gz - limit} over the budget of ${limit}`;
    return { file, raw: bytes.length, gz, limit, problem };
  });
}

/** The rows as aligned text, one line each under a heading. */
export function table(rows) {
  const number = (n) => (n === null ? '-' : n.toLocaleString('en-US'));
  const cells = [
    ['file', 'bytes', 'gzip', 'budget', 'used'],
    ...rows.map((r) => [
      r.file,
      number(r.raw),
      number(r.gz),
      number(r.limit),
      r.gz === null ? '-' : `${((100 * r.gz) / r.limit).toFixed(1)} %`,
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '))
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = measure(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  console.log(table(rows));
  for (const { problem } of rows) {
    if (problem !== null) {
      console.error(`size: ${problem}`);
      process.exitCode = 1;
    }
  }
}
