// The tables of the exact counter: a file beside the program, fetched when a
// model that has them is counted for, and not before.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { axe, launch, startServer } from '../../scripts/e2e/harness.mjs';
import { body, close, compact, id, loop, member, open, raw } from './page.mjs';

const file = '/o200k_base.planes';
const tables = `**${file}`;
const transcript = JSON.stringify(loop(30));

let server;
let context;

before(async () => {
  server = await startServer();
  context = await launch({ locale: 'en-US' });
});
after(async () => {
  await context?.close();
  await server?.stop();
});

/** The page, and the paths of the tables that it has asked for. */
async function counted(options) {
  const asked = [];
  const view = await open(context, server.url, {
    before: async (page) => {
      page.on('request', (request) => new URL(request.url()).pathname === file && asked.push(request.url()));
      await options?.(page);
    },
  });
  return { view, asked };
}

test('a model with a public vocabulary is estimated first, then counted, with one download', async () => {
  let go;
  const held = new Promise((resolve) => (go = resolve));
  const { view, asked } = await counted((page) =>
    page.route(tables, async (route) => {
      await held;
      await route.continue();
    }));
  const { page } = view;
  await view.ask(() => page.fill(id('source'), transcript));
  assert.match(await page.textContent(id('counter')), /^Counted by estimate; /);
  assert.deepEqual(asked, [], 'no model is named, so nothing is to be fetched');

  await page.fill(id('field-model'), 'gpt-4o');
  await page.waitForFunction((sel) => /tables are loading/.test(document.querySelector(sel).textContent), id('counter'));
  assert.match(await page.textContent(id('counter')), /^Counted by estimate; /);
  assert.ok(await page.isVisible(id('outcome')), 'the estimate is there while the tables load');
  await view.ask(async () => go());
  assert.match(await page.textContent(id('counter')), /^Counted by o200k_base, exact/);
  assert.equal(asked.length, 1);

  // The server counts with the same tables: its answer has the same bytes.
  const answer = await compact(server.url, body(transcript, await page.textContent(id('settings'))));
  assert.equal(JSON.parse(answer).counter.name, 'o200k_base');
  assert.equal(await raw(page), member(answer, 'transcript'));
  const number = async (name) => Number((await page.textContent(id(name))).replaceAll(',', ''));
  const { receipt } = JSON.parse(answer);
  assert.deepEqual([await number('tokens-before'), await number('tokens-after')], [receipt.tokens_before, receipt.tokens_after]);

  await view.ask(() => page.fill(id('field-round'), '7'));
  assert.equal(asked.length, 1);
  await close(view);
});

test('a host that leaves the tables out leaves the estimate, and the page says so', async () => {
  const { view, asked } = await counted((page) => page.route(tables, (route) => route.fulfill({ status: 404, body: '' })));
  const { page } = view;
  await page.fill(id('field-model'), 'gpt-4o');
  await view.ask(() => page.fill(id('source'), transcript));
  assert.match(await page.textContent(id('counter')), /^Counted by estimate; .*exact tables could not be loaded/);
  assert.deepEqual(await axe(page), []);
  await view.ask(() => page.fill(id('field-round'), '7'));
  assert.equal(asked.length, 1);
  await page.click(id('lang-ja'));
  await page.waitForFunction((sel) => /推定のまま/.test(document.querySelector(sel).textContent), id('counter'));
  // The browser itself reports the missing file; nothing else is wrong.
  assert.deepEqual(view.problems.filter((problem) => !/404|o200k_base\.planes/.test(problem)), []);
  await page.close();
});

test('tables that are damaged are refused, and the estimate stays', async () => {
  const { view } = await counted((page) =>
    page.route(tables, async (route) => {
      const answer = await route.fetch();
      const bytes = await answer.body();
      bytes[bytes.length >> 1] ^= 1;
      await route.fulfill({ status: 200, body: bytes });
    }));
  const { page } = view;
  await page.fill(id('field-model'), 'gpt-4o');
  await view.ask(() => page.fill(id('source'), transcript));
  assert.match(await page.textContent(id('counter')), /^Counted by estimate; .*exact tables could not be loaded/);
  await close(view);
});
