// Loads the modules that `make bench-wasm` builds, and calls the token engine
// in them. See wasm/main.go for what the module exports.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Where `make bench-wasm` puts its files. */
export const built = fileURLToPath(new URL('../../build/bench', import.meta.url));

/**
 * The bytes of a built module: "tokens", "bare" (the same without an encoding),
 * "empty" (Go alone), or "js" (the engine for JavaScript, as it is shipped).
 */
export const wasm = (name) => readFileSync(join(built, `${name}.wasm`));

/**
 * Starts a Go module and waits until its main stands still. watch, if given,
 * sees the imports before they are linked and may wrap them, and Go's own glue.
 */
export async function start(bytes, watch) {
  if (!globalThis.Go) require(join(built, 'wasm_exec.cjs'));
  const go = new globalThis.Go();
  watch?.(go.importObject.gojs, go);
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  const ended = go.run(instance).then(() => Promise.reject(new Error('the Go program has ended')));
  ended.catch(() => {}); // told to whoever calls it then: the instance is dead
  return instance;
}

const encoder = new TextEncoder();
const most = 3; // bytes of UTF-8 for one UTF-16 unit

/** The engine as the peers have it: {name, count, countAll, estimate, forget}. */
export class Engine {
  name = 'tamp';

  /** The engine in a fresh instance; no table is built yet. */
  static async open(watch) {
    return new Engine(await start(wasm('tokens'), watch));
  }

  constructor(instance) {
    this.calls = instance.exports;
    this.room = 0;
    this.at = 0;
  }

  /** The bytes of the module's memory, which only grow. */
  get memory() {
    return this.calls.mem.buffer.byteLength;
  }

  /** Room in the module for n bytes, as a view that is good for this call. */
  reserve(n) {
    if (n > this.room) {
      this.at = this.calls.reserve(n) >>> 0;
      this.room = n;
    }
    return new Uint8Array(this.calls.mem.buffer, this.at, this.room);
  }

  put(text) {
    return encoder.encodeInto(text, this.reserve(most * text.length)).written;
  }

  /** The tokens of a text. */
  count(text) {
    return this.calls.count(this.put(text));
  }

  /** The tokens by the estimate. */
  estimate(text) {
    return this.calls.estimate(this.put(text));
  }

  /** The tokens of each text: one call into the module, however many there are. */
  countAll(texts) {
    const head = 4 * texts.length;
    const view = this.reserve(head + most * texts.reduce((sum, text) => sum + text.length, 0));
    const lengths = new DataView(view.buffer, view.byteOffset, head);
    let end = head;
    texts.forEach((text, i) => {
      const { written } = encoder.encodeInto(text, view.subarray(end));
      lengths.setUint32(4 * i, written, true);
      end += written;
    });
    this.calls.countAll(end - head, texts.length);
    // The module's memory may have grown: the view of before is gone then.
    const counts = new DataView(this.calls.mem.buffer, this.at, head);
    return texts.map((_, i) => counts.getUint32(4 * i, true));
  }

  /** The next count meets empty caches. */
  forget() {
    this.calls.forget();
  }
}
