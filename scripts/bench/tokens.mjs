// The token benchmark in Node: `make bench-tokens` runs it.
//
// Prints how many times faster the engine's wasm is than each npm tokenizer,
// class by class; how bad the worst inputs are; how long a start takes; how far
// the estimates are off. Fails where a floor is missed. The floors hold on a
// noisy machine; the targets are what a quiet one should show.
import { corpus } from './corpus.mjs';
import { Engine } from './engine.mjs';
import { bytes4, errors, pieces } from './estimates.mjs';
import { starts } from './init.mjs';
import { race, time, total } from './measure.mjs';
import { paths, pathSize } from './paths.mjs';
import { peers } from './peers.mjs';
import { percent, ratio, table, times } from './table.mjs';

const missed = [];

/** Prints what was measured against its floor and target, and keeps a miss. */
function gate(what, value, { atLeast, atMost, target }) {
  const ok = atLeast === undefined ? value <= atMost : value >= atLeast;
  const floor = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  const reached = target === undefined ? '' : `; target ${target} ${value >= target ? 'reached' : 'NOT reached'}`;
  console.log(`${ok ? 'ok  ' : 'MISS'} ${what}: ${value.toFixed(2)} (${floor}${reached})`);
  if (!ok) missed.push(`${what} is ${value.toFixed(2)}, must be ${floor}`);
}

/** The counts of a runner must be those of tiktoken, or its speed says nothing. */
function compare(figures, reference) {
  for (const [name, { tokens }] of figures) {
    const want = reference.get(name).tokens;
    if (tokens !== want) missed.push(`${name}: ${tokens} tokens, tiktoken has ${want}`);
  }
}

function speed(engine, others) {
  const texts = corpus();
  const best = race([engine, ...others], texts);
  const own = best.get(engine.name);
  compare(own, best.get('tiktoken'));
  const bytes = new Map(texts.map(({ name, text }) => [name, Buffer.byteLength(text)]));
  const columns = others.flatMap((peer) =>
    (peer.forget ? ['hot', 'cold'] : ['hot']).map((state) => ({ head: `${peer.name} ${peer.version}${peer.forget ? ` ${state}` : ''}`, peer: peer.name, state })));
  const fastest = (name, state) => Math.min(...others.map((peer) => best.get(peer.name).get(name)[state]));
  const rate = (name, ms) => ratio(bytes.get(name) / ms / 1000);
  const rows = texts.map(({ name }) => {
    const { hot, cold } = own.get(name);
    return [name, rate(name, hot), rate(name, cold),
      ...columns.map(({ peer, state }) => times(best.get(peer).get(name)[state], own.get(name)[state])),
      times(fastest(name, 'hot'), hot), times(fastest(name, 'cold'), cold)];
  });
  const sums = new Map([...best].map(([name, figures]) => [name, total(figures)]));
  const sum = sums.get(engine.name);
  const over = (peer, state) => sums.get(peer)[state] / sum[state];
  const overBest = (state) => Math.min(...others.map((peer) => over(peer.name, state)));
  const size = [...bytes.values()].reduce((a, b) => a + b, 0);
  rows.push(['all', ratio(size / sum.hot / 1000), ratio(size / sum.cold / 1000),
    ...columns.map(({ peer, state }) => `${ratio(over(peer, state))}x`), `${ratio(overBest('hot'))}x`, `${ratio(overBest('cold'))}x`]);
  // The same if every class had the same size: the sizes are a choice.
  const alike = (figures, state) => texts.reduce((sum, { name }) => sum + figures.get(name)[state] / bytes.get(name), 0);
  const overAlike = (peer, state) => alike(best.get(peer), state) / alike(own, state);
  const bestAlike = (state) => Math.min(...others.map((peer) => overAlike(peer.name, state)));
  rows.push(['all, classes alike', ratio(texts.length / alike(own, 'hot') / 1000), ratio(texts.length / alike(own, 'cold') / 1000),
    ...columns.map(({ peer, state }) => `${ratio(overAlike(peer, state))}x`), `${ratio(bestAlike('hot'))}x`, `${ratio(bestAlike('cold'))}x`]);
  console.log('\nHow many times faster than each npm package, o200k_base, count only (hot: pieces cached; cold: caches emptied)\n');
  console.log(table(['class', 'MB/s hot', 'MB/s cold', ...columns.map(({ head }) => head), 'best hot', 'best cold'], rows));
  console.log();
  gate('times the best peer, hot', overBest('hot'), { atLeast: 3, target: 3.5 });
  gate('times the best peer, cold', overBest('cold'), { atLeast: 7, target: 8 });
  gate('times npm tiktoken', over('tiktoken', 'hot'), { atLeast: 12, target: 14 });
  for (const state of ['hot', 'cold']) {
    const [worst, name] = texts.map(({ name }) => [fastest(name, state) / own.get(name)[state], name]).sort(([a], [b]) => a - b)[0];
    gate(`times the best peer of its class, ${state}, on the worst class (${name})`, worst, { atLeast: 1 });
  }
  return texts;
}

function worst(engine, english) {
  const texts = [{ name: 'English', text: english.slice(0, pathSize) }, ...paths()];
  const best = race([engine], texts).get(engine.name);
  const { cold } = best.get('English');
  const rows = texts.map(({ name }) => [name, (best.get(name).cold).toFixed(2), ratio(best.get(name).cold / cold), String(best.get(name).tokens)]);
  console.log('\n100 KB of anything, against 100 KB of English, caches empty\n');
  console.log(table(['text', 'ms', 'times English', 'tokens'], rows));
  console.log();
  const slowest = paths().map(({ name }) => [best.get(name).cold / cold, name]).sort(([a], [b]) => b - a)[0];
  gate(`100 KB of the slowest (${slowest[1]}), times English`, slowest[0], { atMost: 12 });
}

function ready() {
  const best = starts();
  console.log(`\nReady to count from the bytes of the module on: ${best.tokens.toFixed(0)} ms, a Go module that is empty ${best.empty.toFixed(0)} ms\n`);
  gate('init, times an empty Go module', best.tokens / best.empty, { atMost: 3 });
}

function estimates(engine, texts) {
  const rows = [];
  const all = { guesses: [], quarters: [], exact: [] };
  const row = (name, { guesses, quarters, exact }) => {
    const [e, q] = [errors(guesses, exact), errors(quarters, exact)];
    rows.push([name, exact.length, ...[e.mean, e.p95, e.under, e.over, e.bias, q.mean, q.p95, q.under].map(percent)]);
  };
  for (const { name, text } of texts) {
    const cut = pieces(text);
    const one = { exact: engine.countAll(cut), guesses: cut.map((piece) => engine.estimate(piece)), quarters: cut.map(bytes4) };
    row(name, one);
    for (const key of Object.keys(all)) all[key].push(...one[key]);
  }
  row('all', all);
  console.log('\nThe estimate against o200k_base, pieces of 2 KB that its weights were not fitted to\n');
  console.log(table(['class', 'pieces', 'mean', 'p95', 'worst under', 'worst over', 'bias', 'bytes/4 mean', 'bytes/4 p95', 'bytes/4 under'], rows));
}

/** How a batch of short messages pays: one call into the module, or one for each. */
function batch(engine, others, texts) {
  const messages = Array.from({ length: 1000 }, (_, i) => texts[i % texts.length].text.slice(37 * i % 90_000).slice(0, 40 + (i * 7) % 400).toWellFormed());
  const best = (run) => Math.min(...Array.from({ length: 15 }, () => time(run)));
  const rows = [['tamp, one call', best(() => engine.countAll(messages))], ['tamp, a call each', best(() => messages.forEach((m) => engine.count(m)))],
    ...others.map((peer) => [peer.name, best(() => messages.forEach((m) => peer.count(m)))])];
  console.log('\n1,000 messages of 40 to 440 characters, pieces cached\n');
  console.log(table(['', 'ms', 'times the one call'], rows.map(([name, ms]) => [name, ms.toFixed(2), ratio(ms / rows[0][1])])));
}

console.log(`Node ${process.version}, ${new Date().toISOString().slice(0, 10)}. Best of interleaved rounds; only the ratios mean something.`);
const others = await peers();
const engine = await Engine.open();
const texts = speed(engine, others);
batch(engine, others, texts);
worst(engine, texts.find(({ name }) => name === 'prose').text);
ready();
estimates(engine, texts);
if (missed.length > 0) {
  console.error(`\nbench-tokens: ${missed.join('\n              ')}`);
  process.exit(1);
}
process.exit(0); // the Go program would stay
