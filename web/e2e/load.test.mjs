// How the page behaves while the engine is not there: before, without, and
// after it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { axe, launch, startServer } from '../../scripts/e2e/harness.mjs';
import { close, id, loop, open, raw } from './page.mjs';

const wasm = '**/playground.wasm';
const ready = 'html[data-ready="true"]';

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

test('what is typed while the engine loads is read when it is there', async () => {
  let go;
  const held = new Promise((resolve) => (go = resolve));
  const view = await open(context, server.url, {
    ready: false,
    before: (page) =>
      page.route(wasm, async (route) => {
        await held;
        await route.continue();
      }),
  });
  const { page } = view;
  assert.equal(await page.textContent(id('boot-line')), 'Starting the engine');
  await page.fill(id('source'), JSON.stringify(loop(30)));
  await page.check(id('system-codex'));
  go();
  await page.waitForSelector(ready, { state: 'attached' });
  await page.waitForFunction(() => document.querySelector('main').dataset.settled === 'true');
  assert.ok(await page.isVisible(id('outcome')));
  assert.match(await page.textContent(id('settings')), /"codex"/);
  assert.ok(await page.isHidden(id('boot')));
  await close(view);
});

for (const [name, fulfill, cause] of [
  ['missing', { status: 404, body: '' }, /playground\.wasm: HTTP 404/],
  ['broken', { contentType: 'application/wasm', body: '<!doctype html>' }, /magic|compile/i],
]) {
  test(`an engine that is ${name} is told, and retried`, async () => {
    const { page } = await open(context, server.url, { ready: false, before: (page) => page.route(wasm, (route) => route.fulfill(fulfill)) });
    await page.waitForSelector(id('boot-again'));
    assert.equal(await page.textContent(id('boot-line')), 'The engine could not be loaded');
    assert.match(await page.textContent(id('boot-cause')), cause);
    assert.deepEqual(await axe(page), []);
    await page.unroute(wasm);
    await page.click(id('boot-again'));
    await page.waitForSelector(ready, { state: 'attached' });
    await page.close();
  });
}

test('a server that does not know wasm will do', async () => {
  const view = await open(context, server.url, {
    before: (page) =>
      page.route(wasm, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-type': 'text/plain' } });
      }),
  });
  assert.ok(await view.page.isHidden(id('boot')));
  await close(view);
});

test('a browser without WebAssembly is told so', async () => {
  const { page } = await open(context, server.url, {
    ready: false,
    before: (page) =>
      page.addInitScript(() => {
        delete globalThis.WebAssembly;
      }),
  });
  await page.waitForSelector(id('boot-again'));
  assert.match(await page.textContent(id('boot-cause')), /WebAssembly is not available/);
  await page.close();
});

test('a browser without JavaScript is told so', async () => {
  const plain = await launch({ javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(`${server.url}/`);
  assert.match(await page.textContent('noscript'), /needs JavaScript/);
  assert.ok(await page.isVisible('noscript'));
  await plain.close();
});

test('a crash keeps the input, tells its code alone, and restarts', async () => {
  const { page, problems } = await open(context, server.url);
  const secret = 'SECRET-CANARY';
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  await page.evaluate(() => {
    const { createElement } = Document.prototype;
    Document.prototype.createElement = () => {
      Document.prototype.createElement = createElement;
      throw new Error('poisoned');
    };
  });
  await page.check(id('system-codex'));
  const text = JSON.stringify([...loop(30), { role: 'user', content: secret }]);
  await page.fill(id('source'), text);
  await page.waitForSelector(id('boot-again'));
  assert.equal(await page.textContent(id('boot-line')), 'The engine stopped');
  assert.equal(await page.textContent(id('boot-cause')), 'Your input is still here. Code: engine_panic');
  assert.equal(await page.inputValue(id('source')), text);
  assert.ok(!(await page.textContent(id('boot'))).includes(secret) && !said.join().includes(secret));

  await page.click(id('boot-again'));
  await page.waitForSelector(ready, { state: 'attached' });
  await page.waitForFunction(() => document.querySelector('main').dataset.settled === 'true');
  assert.equal(await page.inputValue(id('source')), text);
  assert.ok(await page.isChecked(id('system-codex')));
  assert.ok((await raw(page)).includes(secret));
  // The dead program's listeners are gone: nothing throws on an event.
  await page.fill(id('field-round'), '3');
  await page.click(id('lang-ja'));
  await page.waitForSelector('html[lang=ja]', { state: 'attached' });
  assert.deepEqual(problems, []);
  await page.close();
});
