import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { budgets, measure, table } from './size-budget.mjs';

const script = fileURLToPath(new URL('./size-budget.mjs', import.meta.url));

function rootWith(t, files) {
  const root = mkdtempSync(join(tmpdir(), 'tamp-size-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), bytes);
  }
  return root;
}

test('a file within its budget passes, one byte more does not', (t) => {
  // Random bytes do not shrink: gzip adds its 18 bytes of frame and 5 for each stored block.
  const root = rootWith(t, { 'a.bin': randomBytes(1000) });
  const [{ gz }] = measure(root, [{ file: 'a.bin', gz: 0 }]);
  assert.ok(gz > 1000 && gz < 1100, `${gz} bytes`);
  assert.equal(measure(root, [{ file: 'a.bin', gz }])[0].problem, null);
  assert.equal(
    measure(root, [{ file: 'a.bin', gz: gz - 1 }])[0].problem,
    `a.bin: ${gz} bytes in gzip, 1 over the budget of ${gz - 1}`,
  );
});

test('gzip is what counts, not the bytes on disk', (t) => {
  const root = rootWith(t, { 'zeros.bin': Buffer.alloc(100_000) });
  const [row] = measure(root, [{ file: 'zeros.bin', gz: 1000 }]);
  assert.equal(row.raw, 100_000);
  assert.equal(row.problem, null);
});

test('a missing file is a problem and says how to get it', (t) => {
  const [row] = measure(rootWith(t, {}), [{ file: 'gone.wasm', gz: 1 }]);
  assert.equal(row.problem, 'gone.wasm: cannot be read (ENOENT); build it first');
});

test('the table has a line for each file, with its share of the budget', () => {
  const text = table([{ file: 'a', raw: 2000, gz: 500, limit: 1000, problem: null }]);
  assert.deepEqual(
    text.split('\n').map((line) => line.split(/ {2,}/)),
    [
      ['file', 'bytes', 'gzip', 'budget', 'used'],
      ['a', '2,000', '500', '1,000', '50.0 %'],
    ],
  );
});

test('the command exits with 1 over budget and when a file is missing, else 0', (t) => {
  const run = (root) => spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  const [{ file, gz }] = budgets;

  const over = run(rootWith(t, { [file]: randomBytes(gz + 1) }));
  assert.equal(over.status, 1);
  assert.match(over.stderr, /over the budget of/);

  const missing = run(rootWith(t, {}));
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /build it first/);

  const within = run(rootWith(t, Object.fromEntries(budgets.map((row) => [row.file, randomBytes(1000)]))));
  assert.equal(within.status, 0, within.stderr);
  assert.match(within.stdout, /playground\.wasm/);
});
