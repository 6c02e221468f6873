// The corpus of the token benchmark: 16 classes of text, 100 to 300 KB each, the same
// bytes on every machine with the same versions of Node, of Go's modules and of
// npm's packages. Nothing of it is committed. Real text is read from packages that the
// build installs anyway; the rest is made at random from words of our own.
//
// V8 keeps a text of Latin-1 alone in one byte a character, and its regular
// expressions are two to three times faster on it: javascript, python, logs and
// base64 are such, as tool output mostly is; the others have a few characters beyond.
//
//   node scripts/bench/corpus.mjs FOLDER     writes one file per class
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { sentences } from './languages.mjs';
import * as made from './made.mjs';
import { clip, fill, random } from './random.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bytes of each class, more of what transcripts mostly hold: prose, code and what
 * tools print. Even the slowest peer's pass over one is short of two seconds.
 */
export const sizes = {
  prose: 300_000, markdown: 250_000, go: 300_000, javascript: 300_000, python: 300_000, html: 200_000,
  json: 300_000, logs: 300_000, base64: 200_000, japanese: 200_000, chinese: 200_000, korean: 200_000,
  russian: 200_000, emoji: 100_000, soup: 100_000, mixed: 300_000,
};

/** The folder of an npm package of scripts/package.json. */
const npm = (name) => join(root, 'scripts/node_modules', name);

/** The folder of golang.org/x/tools at the version of go.mod (BSD license). */
const goTools = () => execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', 'golang.org/x/tools'], { cwd: root, encoding: 'utf8' }).trim();

/** The texts of all files below a folder whose name ends so, in the order of their paths. */
function files(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending) && !/(^|\/)testdata\//.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Every string of a JSON value, in order. */
function* strings(value) {
  if (typeof value === 'string') yield value;
  else if (value && typeof value === 'object') for (const part of Object.values(value)) yield* strings(part);
}

/** The sentences of axe-core's translation (MPL 2.0), then made ones: half and half at most. */
function language(name, ...locales) {
  const r = random(name);
  const real = locales.flatMap((locale) => [...strings(JSON.parse(readFileSync(join(npm('axe-core'), 'locales', `${locale}.json`), 'utf8')))]);
  const half = clip(`${real.join('\n')}\n`, sizes[name] / 2);
  return half + fill(sizes[name] - Buffer.byteLength(half), sentences(name, r));
}

/** The prose of Go's doc comments: blocks of three lines and more, without the slashes. */
function prose(sources) {
  const blocks = sources.flatMap((text) => text.match(/(?:^\/\/.*\n)+/gm) ?? []);
  return blocks
    .filter((block) => block.split('\n').length > 3 && !/copyright/i.test(block))
    .map((block) => block.replace(/^\/\/ ?/gm, ''))
    .join('\n');
}

// prose comes first: its words are the rare ones of what is made.
const makers = {
  prose: () => prose(files(goTools(), '.go')),
  markdown: () => [...files(goTools(), '.md'), ...['gpt-tokenizer', 'ai-tokenizer', 'tiktoken', 'axe-core', 'playwright-core'].flatMap((name) => files(npm(name), '.md'))].join('\n'),
  go: () => files(join(goTools(), 'go'), '.go').join('\n'),
  javascript: () => clip(readFileSync(join(npm('axe-core'), 'axe.js'), 'utf8'), sizes.javascript / 2) + readFileSync(join(npm('playwright-core'), 'lib/coreBundle.js'), 'utf8'),
  python: (r) => fill(sizes.python, () => made.python(r)),
  html: (r) => readFileSync(join(root, 'web/static/index.html'), 'utf8') + fill(sizes.html, () => made.html(r)),
  json: (r) => fill(sizes.json, () => made.json(r)),
  logs: (r) => fill(sizes.logs, () => made.log(r)),
  base64: (r) => fill(sizes.base64, (i) => made.base64(r, i)),
  japanese: () => language('japanese', 'ja'),
  chinese: () => language('chinese', 'zh_CN', 'zh_TW'),
  korean: () => language('korean', 'ko'),
  russian: () => language('russian', 'ru'),
  emoji: (r) => fill(sizes.emoji, () => made.emoji(r)),
  soup: (r) => fill(sizes.soup, () => made.soup(r)),
};

/** All classes as [{name, text}], the last one mixed from those that people and tools write. */
export function corpus() {
  let rare = [];
  const classes = Object.entries(makers).map(([name, make]) => {
    const text = clip(make(Object.assign(random(name), { rare })), sizes[name]);
    if (name === 'prose') rare = [...new Set(text.toLowerCase().match(/\b[a-z]{3,14}\b/g))];
    return { name, text };
  });
  const r = random('mixed');
  // 200 to 2,000 characters of one class, then of another: a transcript with tools.
  const written = classes.filter(({ name }) => name !== 'soup');
  const mixed = fill(sizes.mixed, () => {
    const { text } = r.of(written);
    const from = r.below(text.length - 2000);
    return text.slice(from, from + 200 + r.below(1800)).toWellFormed();
  });
  return [...classes, { name: 'mixed', text: clip(mixed, sizes.mixed) }];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (!folder) throw new Error('corpus: the folder to write to is missing');
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of corpus()) writeFileSync(join(folder, `${name}.txt`), text);
}
