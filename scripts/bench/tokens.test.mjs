// What the token engine takes in wasm, counted and weighed: no clock is read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { corpus } from './corpus.mjs';
import { Engine, start, wasm } from './engine.mjs';
import { peers } from './peers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The memory of the same module without an encoding. */
let bare;
/** The bytes of the planes: a part of the module's data, whoever counts. */
let planes;

before(async () => {
  bare = (await start(wasm('bare'))).exports.mem.buffer.byteLength;
  planes = readFileSync(new URL('../../core/tokens/ranks/o200k_base.planes', import.meta.url)).length;
});

/** Memory beside that of the module without an encoding, in bytes; it grows by pages of 64 KiB. */
const beside = (engine) => engine.memory - bare;
const page = 65_536;

test('an engine that counts nothing has built nothing', async () => {
  const engine = await Engine.open();
  // The planes are data of the module. Tables would be 5 MB and more.
  assert.ok(beside(engine) <= planes + page, `${beside(engine)} bytes beside ${bare} of the module without an encoding`);
  const before = engine.memory;
  engine.count('one');
  assert.ok(engine.memory > before, 'the first count builds the tables: the figure above proves nothing otherwise');
});

test('after init o200k_base takes at most 8 MB beside the same module without it', async () => {
  const engine = await Engine.open();
  assert.equal(engine.count('Hello, world!'), 4); // Hello | , | world | !
  console.log(`o200k_base after its first count: ${(beside(engine) / 1e6).toFixed(1)} MB beside ${(bare / 1e6).toFixed(1)} MB of the module without it`);
  assert.ok(beside(engine) <= 8e6, `${beside(engine)} bytes`);
});

test('1,000 messages cross the boundary once', async () => {
  let imports = 0;
  const engine = await Engine.open((gojs) => {
    for (const [name, call] of Object.entries(gojs)) {
      gojs[name] = (...args) => {
        imports++;
        return call(...args);
      };
    }
  });
  let exports = 0;
  const { calls } = engine;
  engine.calls = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      typeof call === 'function'
        ? (...args) => {
            exports++;
            return call(...args);
          }
        : call,
    ]),
  );
  const message = (i) => `Message ${i}: lamp ${i * 7} burns, ${'the oil stands at the mark '.repeat(i % 5)}(näheres später, 詳細は別紙)`;
  const messages = Array.from({ length: 1000 }, (_, i) => message(i));
  // The room in the module is kept: it is made once, for the largest batch.
  engine.countAll(messages);
  exports = 0;
  imports = 0;
  const counts = engine.countAll(messages);
  assert.equal(exports, 1);
  // What the module asks of its host (a timer of Go's scheduler, the clock)
  // does not depend on how many messages there are.
  assert.ok(imports <= 10, `${imports} calls from Go to JavaScript for 1,000 messages`);
  assert.deepEqual(counts, messages.map((text) => engine.count(text)));
  assert.equal(exports, 1001);
});

test('a transcript of 1,000 messages crosses the boundary of the engine for JavaScript once', async () => {
  let calls = 0;
  await start(wasm('js'), (_, go) => {
    // Every call into a Go function of syscall/js comes this way.
    const resume = go._resume;
    go._resume = () => {
      calls++;
      resume.call(go);
    };
  });
  const transcript = Array.from({ length: 1000 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `Lamp ${i} burns.` }));
  const body = new TextEncoder().encode(JSON.stringify({ transcript, format: 'openai-chat' }));
  calls = 0;
  const { ok, value, error } = JSON.parse(new TextDecoder().decode(globalThis.tampCall('count', body)));
  assert.equal(calls, 1);
  assert.deepEqual([ok, error], [true, undefined]);
  assert.equal(value.items.length, 1000);
  assert.equal(value.total, value.overhead + value.items.reduce((sum, { tokens }) => sum + tokens, 0));
});

test('a batch may be empty, and hold empty texts', async () => {
  const engine = await Engine.open();
  assert.deepEqual(engine.countAll([]), []);
  assert.deepEqual(engine.countAll(['', 'one', '']), [0, 1, 0]);
});

test('every class of the corpus counts as npm tiktoken counts it', async () => {
  const engine = await Engine.open();
  const tiktoken = (await peers()).find(({ name }) => name === 'tiktoken');
  for (const { name, text } of corpus()) {
    // 40 KB of each, a second in all; the benchmark does the whole texts.
    const part = text.slice(0, 40_000).toWellFormed();
    assert.equal(engine.count(part), tiktoken.count(part), name);
    engine.forget(); // and with empty caches
    assert.equal(engine.count(part), tiktoken.count(part), `${name}, cold`);
  }
});

test('a build that does not import the planes carries none', () => {
  for (const target of ['./web', './wasm/js']) {
    const listed = execFileSync('go', ['list', '-deps', target], { cwd: root, encoding: 'utf8', env: { ...process.env, GOOS: 'js', GOARCH: 'wasm' } });
    const packages = listed.trim().split('\n');
    assert.ok(packages.includes('github.com/tamp-dev/tamp/core/tokens'), `${target}: core/tokens is not among ${packages.length} packages`);
    assert.ok(!packages.includes('github.com/tamp-dev/tamp/core/tokens/ranks'), `${target} carries the planes`);
  }
});
