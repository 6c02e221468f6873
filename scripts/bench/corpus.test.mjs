// The corpus of the benchmark is what it says, or the ratios say nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { corpus, sizes } from './corpus.mjs';
import { bytes4, errors, pieces } from './estimates.mjs';
import { paths, pathSize } from './paths.mjs';
import { clip, random } from './random.mjs';

const texts = new Map(corpus().map(({ name, text }) => [name, text]));

test('sixteen classes of 100 to 300 KB, the same each time', () => {
  assert.equal(texts.size, 16);
  assert.deepEqual([...texts.keys()], Object.keys(sizes));
  assert.ok(Math.min(...Object.values(sizes)) >= 100_000 && Math.max(...Object.values(sizes)) <= 300_000);
  for (const [name, text] of texts) {
    const bytes = Buffer.byteLength(text);
    // Clipping between characters takes at most three bytes off.
    assert.ok(bytes > sizes[name] - 4 && bytes <= sizes[name], `${name}: ${bytes} bytes`);
    assert.ok(text.isWellFormed(), name);
  }
  assert.deepEqual(new Map(corpus().map(({ name, text }) => [name, text])), texts);
});

test('each class is written in what it is named after', () => {
  const share = (name, pattern) => (texts.get(name).match(pattern) ?? []).length / [...texts.get(name)].length;
  for (const [name, pattern, least] of [
    ['japanese', /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/gu, 0.7],
    ['chinese', /\p{sc=Han}/gu, 0.7],
    ['korean', /\p{sc=Hang}/gu, 0.6],
    ['russian', /\p{sc=Cyrl}/gu, 0.6],
    ['emoji', /\p{Emoji}|\p{Emoji_Component}/gu, 0.4],
    ['base64', /[A-Za-z0-9+/=]/g, 0.95],
    ['logs', /\d/g, 0.2],
    ['prose', /[a-z ]/g, 0.85],
  ]) {
    assert.ok(share(name, pattern) >= least, `${name}: ${share(name, pattern).toFixed(2)} of its characters, want at least ${least}`);
  }
  for (const name of ['javascript', 'python', 'logs', 'base64']) {
    assert.ok(!/[^\0-\xff]/.test(texts.get(name)), `${name} is Latin-1 alone, which V8 treats better`);
  }
  for (const line of texts.get('json').split('\n{"status"').slice(1, 20)) {
    assert.doesNotThrow(() => JSON.parse(`{"status"${line.split('\n')[0]}`));
  }
});

test('the worst inputs have the size that is told', () => {
  for (const { name, text } of paths()) {
    const bytes = Buffer.byteLength(text);
    assert.ok(bytes >= pathSize && bytes < pathSize + 1100, `${name}: ${bytes} bytes`);
  }
});

test('random numbers come from the name alone', () => {
  const [a, b, c] = ['x', 'x', 'y'].map((name) => random(name).bytes(32));
  assert.deepEqual(a, b);
  assert.notDeepEqual(a, c);
  assert.equal(new Set(a).size > 16, true);
  const r = random('below');
  const seen = new Set(Array.from({ length: 400 }, () => r.below(5)));
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4]);
});

test('a cut stands between two characters', () => {
  assert.equal(clip('aあ', 3), 'a');
  assert.equal(clip('aあ', 4), 'aあ');
  assert.equal(clip('😀😀', 7), '😀');
  const text = 'あ'.repeat(2000); // 6,000 bytes: 682 characters are 2,046
  assert.deepEqual(pieces(text).map((piece) => piece.length), [682, 682]);
});

test('errors of a guess', () => {
  // 10 % over, 20 % under, exact: mean 10 %, worst of three is the p95.
  const e = errors([110, 80, 100], [100, 100, 100]);
  for (const [key, want] of Object.entries({ mean: 0.1, p95: 0.2, under: -0.2, over: 0.1, bias: -10 / 300 })) {
    assert.ok(Math.abs(e[key] - want) < 1e-12, `${key}: ${e[key]}, want ${want}`);
  }
  assert.equal(bytes4('日本'), 2);
});
