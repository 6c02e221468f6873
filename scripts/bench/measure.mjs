// Timing on a machine that others use too: every figure is the best of several
// rounds, the rounds of all who are compared are interleaved, and only ratios
// of figures from one run say anything.

/** Milliseconds of one call. */
export function time(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/**
 * Times every runner on every text, hot and cold, and keeps the best.
 *
 * A runner is {name, count(text), forget() | null}. Hot is a text whose pieces
 * the library has in its cache: the pass before it was over the same corpus.
 * Cold is with the cache emptied, the code compiled and warm: what a text that
 * is new costs. Where there is no cache the one is the other. A runner that
 * needs more than `slow` ms for a text is not asked as often.
 *
 * Returns Map runner -> Map text -> {hot, cold, tokens} in ms.
 */
export function race(runners, texts, { rounds = 7, slow = 100 } = {}) {
  const best = new Map(runners.map((runner) => [runner.name, new Map()]));
  for (const runner of runners) {
    for (const { name, text } of texts) {
      best.get(runner.name).set(name, { hot: Infinity, cold: Infinity, tokens: runner.count(text) });
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const runner of runners) {
      for (const { name, text } of texts) {
        const figure = best.get(runner.name).get(name);
        if (round > 2 && Math.min(figure.hot, figure.cold) > slow) continue;
        if (runner.forget) {
          runner.forget();
          figure.cold = Math.min(figure.cold, time(() => runner.count(text)));
        }
        figure.hot = Math.min(figure.hot, time(() => runner.count(text)));
        if (!runner.forget) figure.cold = figure.hot;
      }
    }
  }
  return best;
}

/** The sum over all texts, {hot, cold}, of a runner's figures. */
export function total(figures) {
  const sum = { hot: 0, cold: 0 };
  for (const { hot, cold } of figures.values()) {
    sum.hot += hot;
    sum.cold += cold;
  }
  return sum;
}
