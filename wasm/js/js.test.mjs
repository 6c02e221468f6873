// The engine as JavaScript gets it: built with GOOS=js, called with bytes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

test('the engine answers with the bytes of the kept messages', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tamp-js-'));
  try {
    const wasm = join(dir, 'tamp.wasm');
    const env = { ...process.env, GOOS: 'js', GOARCH: 'wasm' };
    execFileSync('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', wasm, '.'], { cwd: here, env, stdio: 'inherit' });
    const root = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
    await import(join(root, 'lib/wasm/wasm_exec.js')); // sets globalThis.Go
    const go = new globalThis.Go();
    const { instance } = await WebAssembly.instantiate(readFileSync(wasm), go.importObject);
    go.run(instance); // stays: its promise never settles

    const call = (op, body) => new TextDecoder().decode(globalThis.tampCall(op, new TextEncoder().encode(body)));
    const kept = '{ "role" : "user",  "content":"日本語 \\ud83d\\ude00" }';
    const long = 'word '.repeat(200);
    const answer = call('compact', `{"transcript":[{"role":"user","content":"${long}"},${kept}],"policy":{"lait":{"trigger_rounds":1,"keep_last_n":1}},"summary":"S"}`);
    const { ok, value } = JSON.parse(answer);
    assert.equal(ok, true);
    assert.equal(value.compacted, true);
    assert.equal(value.transcript.length, 2);
    assert.ok(answer.includes(kept), answer);

    const bad = JSON.parse(call('compact', '{"transcript":[],"policy":{"lait":{"trigger_round":1}}}'));
    assert.deepEqual([bad.ok, bad.error.code, bad.error.path], [false, 'invalid_policy', 'policy.lait.trigger_round']);
    assert.equal(JSON.parse(call('sing', '')).error.path, 'op');
    // Called wrongly it still answers.
    assert.equal(JSON.parse(new TextDecoder().decode(globalThis.tampCall())).ok, false);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
