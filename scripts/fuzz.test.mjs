import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./fuzz.sh', import.meta.url));

// Runs the script on a module of its own: {file: text}.
function fuzz(t, files, env = {}) {
  const root = mkdtempSync(join(tmpdir(), 'tamp-fuzz-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries({ 'go.mod': 'module example.test/m\n\ngo 1.26\n', ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { mode: 0o755 });
  }
  const result = spawnSync(script, [root], {
    encoding: 'utf8',
    env: { ...process.env, FUZZTIME: '10x', ...env },
  });
  return { ...result, root };
}

const target = (name, body) => `package a

import "testing"

func ${name}(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) { ${body} })
}
`;

test('every target of every package is run, and one failure is told by name', (t) => {
  const got = fuzz(t, {
    'a/a.go': 'package a\n',
    'a/one_test.go': target('FuzzOne', '_ = n'),
    'a/two_test.go': target('FuzzTwo', 'if n == 1 { t.Fatal("found it") }'),
    'b/c/c.go': 'package a\n',
    'b/c/three_test.go': target('FuzzThree', '_ = n'),
    'd/d.go': 'package d\n',
  });
  assert.equal(got.status, 1);
  for (const name of ['a FuzzOne', 'a FuzzTwo', 'b/c FuzzThree']) {
    assert.ok(got.stdout.includes(`== example.test/m/${name}, 10x`), got.stdout);
  }
  assert.match(got.stdout, /found it/);
  assert.match(got.stdout, /fuzz: 3 targets, 1 failed/);
  assert.match(got.stderr, /fuzz: failed: example\.test\/m\/a FuzzTwo\n/);
  assert.ok(!got.stdout.includes('once more'), 'a finding is not run again');
});

test('all targets pass', (t) => {
  const got = fuzz(t, { 'a/a.go': 'package a\n', 'a/one_test.go': target('FuzzOne', '_ = n') });
  assert.equal(got.status, 0, got.stdout + got.stderr);
  assert.match(got.stdout, /fuzz: 1 targets, 0 failed/);
});

test('no target at all is an error', (t) => {
  const got = fuzz(t, { 'a/a.go': 'package a\n' });
  assert.equal(got.status, 1);
  assert.match(got.stderr, /no func Fuzz/);
});

test('a test file that does not compile is an error, not an empty list', (t) => {
  const got = fuzz(t, { 'a/a.go': 'package a\n', 'a/one_test.go': target('FuzzOne', 'undefined()') });
  assert.notEqual(got.status, 0);
});

// The race of go.dev/issue/75804 cannot be had on demand: a go that ends as it
// does stands in for the real one.
const standIn = (fuzzBody) => `#!/bin/sh
case "$1 $2" in
"list -f") echo "example.test/m/a $PWD/a" ;;
"test -list") echo FuzzOne ;;
*) echo run >> runs; ${fuzzBody} ;;
esac
`;
const bare = "echo '--- FAIL: FuzzOne (20.01s)'; echo '    context deadline exceeded'; echo FAIL";

function withGo(t, fuzzBody) {
  const bin = mkdtempSync(join(tmpdir(), 'tamp-go-'));
  t.after(() => rmSync(bin, { recursive: true }));
  writeFileSync(join(bin, 'go'), standIn(fuzzBody), { mode: 0o755 });
  const got = fuzz(
    t,
    { 'a/one_test.go': target('FuzzOne', '_ = n') },
    { PATH: `${bin}:${process.env.PATH}` },
  );
  const runs = join(got.root, 'runs');
  return { ...got, runs: existsSync(runs) ? readFileSync(runs, 'utf8').split('\n').length - 1 : 0 };
}

test('a run that only the clock ended is run once more', (t) => {
  const got = withGo(t, `if [ "$(grep -c run runs)" = 1 ]; then ${bare}; exit 1; fi`);
  assert.equal(got.runs, 2);
  assert.equal(got.status, 0, got.stdout + got.stderr);
});

test('but only once more', (t) => {
  const got = withGo(t, `${bare}; exit 1`);
  assert.equal(got.runs, 2);
  assert.equal(got.status, 1);
});

test('a deadline beside a finding is a finding', (t) => {
  for (const finding of ['Failing input written to testdata/fuzz/FuzzOne/1', 'panic: x', '    a_test.go:7: context deadline exceeded']) {
    const got = withGo(t, `${bare}; echo '${finding}'; exit 1`);
    assert.equal(got.runs, 1, finding);
    assert.equal(got.status, 1, finding);
  }
});
