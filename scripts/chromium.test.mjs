import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./chromium.sh', import.meta.url));

// Runs the script with a PATH that holds nothing but the given programs, each a
// line of shell: what it would do on a machine that has just these.
function run(t, programs, { args = [], env = {} } = {}) {
  const bin = mkdtempSync(join(tmpdir(), 'tamp-chromium-'));
  t.after(() => rmSync(bin, { recursive: true }));
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body.replaceAll('@BIN@', bin)}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const result = spawnSync('/bin/bash', [script, ...args], { encoding: 'utf8', env: { PATH: bin, ...env } });
  return { ...result, bin };
}

const root = { id: 'echo 0' };
const somebody = { id: 'echo 1000' };
const aptThatMustNotRun = { 'apt-get': 'echo called > @BIN@/apt-was-called' };
const command = 'apt-get update && apt-get install -y chromium fonts-noto-cjk fonts-noto-color-emoji';

test('CHROMIUM comes before PATH', (t) => {
  const got = run(t, { ...root, chromium: '' }, { env: { CHROMIUM: process.execPath } });
  assert.equal(got.status, 0, got.stderr);
  assert.equal(got.stdout, `${process.execPath}\n`);
});

test('a CHROMIUM that cannot be run is an error, whatever PATH has', (t) => {
  for (const CHROMIUM of ['/nowhere/chromium', '/', script.replace('chromium.sh', 'package.json')]) {
    const got = run(t, { ...root, ...aptThatMustNotRun, chromium: '' }, { env: { CHROMIUM } });
    assert.equal(got.status, 1, CHROMIUM);
    assert.equal(got.stdout, '');
    assert.ok(got.stderr.includes(`CHROMIUM=${CHROMIUM}`), got.stderr);
    assert.ok(!existsSync(join(got.bin, 'apt-was-called')));
  }
});

test('PATH is next, and nothing is installed', (t) => {
  const got = run(t, { ...root, ...aptThatMustNotRun, chromium: '' });
  assert.equal(got.status, 0, got.stderr);
  assert.equal(got.stdout, `${join(got.bin, 'chromium')}\n`);
  assert.ok(!existsSync(join(got.bin, 'apt-was-called')));
});

test('without one, and not as root, it stops and prints the command', (t) => {
  const got = run(t, { ...somebody, ...aptThatMustNotRun });
  assert.equal(got.status, 1);
  assert.equal(got.stdout, '');
  assert.ok(got.stderr.includes(command), got.stderr);
  assert.ok(!existsSync(join(got.bin, 'apt-was-called')));
});

test('--find installs nothing, even as root', (t) => {
  const got = run(t, { ...root, ...aptThatMustNotRun }, { args: ['--find'] });
  assert.equal(got.status, 1);
  assert.ok(got.stderr.includes(command), got.stderr);
  assert.ok(!existsSync(join(got.bin, 'apt-was-called')));
});

test('as root it installs chromium with its fonts, and stdout is the path alone', (t) => {
  const apt = `echo "$@"; echo "$@" >> @BIN@/calls
if [ "$1" = install ]; then echo '#!/bin/sh' > @BIN@/chromium; /bin/chmod +x @BIN@/chromium; fi`;
  const got = run(t, { ...root, 'apt-get': apt, calls: '' });
  assert.equal(got.status, 0, got.stderr);
  assert.equal(got.stdout, `${join(got.bin, 'chromium')}\n`);
  const update = got.stderr.indexOf('\nupdate\n');
  const install = got.stderr.indexOf('\ninstall -y chromium fonts-noto-cjk fonts-noto-color-emoji\n');
  assert.ok(update > 0 && install > update, got.stderr);
});

test('an installation that fails, or brings no chromium, is an error', (t) => {
  const failed = run(t, { ...root, 'apt-get': 'exit 100' });
  assert.equal(failed.status, 100);
  assert.equal(failed.stdout, '');
  const empty = run(t, { ...root, 'apt-get': 'exit 0' });
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /still no chromium/);
});
