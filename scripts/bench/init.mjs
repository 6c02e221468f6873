// What it takes to be ready, each time in a process of its own: V8 keeps the
// code of a module that it has seen.
//
//   node scripts/bench/init.mjs tokens|empty     prints milliseconds
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { Engine, start, wasm } from './engine.mjs';

const self = fileURLToPath(import.meta.url);

/** The best of some starts of each module, interleaved, as {tokens, empty} in ms. */
export function starts(rounds = 11) {
  const best = { tokens: Infinity, empty: Infinity };
  for (let i = 0; i < rounds; i++) {
    for (const name of Object.keys(best)) {
      best[name] = Math.min(best[name], Number(execFileSync(process.execPath, [self, name], { encoding: 'utf8' })));
    }
  }
  return best;
}

if (process.argv[1] === self) {
  const name = process.argv[2];
  const bytes = wasm(name);
  const from = performance.now();
  const instance = await start(bytes);
  if (name === 'tokens' && new Engine(instance).count('Hello, world!') !== 4) throw new Error('init: the count is wrong');
  console.log(performance.now() - from);
  process.exit(0);
}
