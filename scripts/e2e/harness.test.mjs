import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';

import { axe, launch, startServer, watch } from './harness.mjs';

const csp = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

async function serve(t, pages) {
  const server = http.createServer((req, res) => {
    const body = pages[req.url];
    res.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': csp });
    res.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    // Chromium opens connections ahead and leaves them idle: close() alone waits a minute for each.
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

async function browser(t) {
  const context = await launch();
  t.after(() => context.close());
  return context;
}

const head = '<!doctype html><html lang="en"><head><title>t</title><link rel="icon" href="data:,"></head>';

test('a browser with an empty profile opens a page, and axe sees what is wrong with it under a strict CSP', async (t) => {
  const url = await serve(t, {
    '/good': `${head}<body><main><h1>日本語 🙂</h1></main></body></html>`,
    '/bad': `${head}<body><main><h1>x</h1><button></button></main></body></html>`,
  });
  const page = (await browser(t)).pages()[0];
  const problems = watch(page);

  await page.goto(`${url}/good`);
  assert.equal(await page.textContent('h1'), '日本語 🙂');
  assert.deepEqual(await axe(page), []);
  assert.equal(await page.evaluate(() => document.cookie + localStorage.length), '0');

  await page.goto(`${url}/bad`);
  const found = await axe(page);
  assert.equal(found.length, 1, found.join('\n'));
  assert.match(found[0], /^button-name \(critical\): .*; button$/);
  assert.deepEqual(problems.filter((p) => !p.includes('data:')), []);
});

test('watch tells exceptions, console errors and failed answers', async (t) => {
  const url = await serve(t, { '/': `${head}<body>x</body></html>` });
  const page = (await browser(t)).pages()[0];
  const problems = watch(page);
  await page.goto(url);
  await page.evaluate(() => {
    console.error('told');
    setTimeout(() => {
      throw new Error('thrown');
    });
  });
  await page.evaluate(() => fetch('/gone'));
  await page.waitForTimeout(50);
  const all = problems.join('\n');
  assert.match(all, /^console: told$/m);
  assert.match(all, /^exception: thrown$/m);
  assert.match(all, /^answer 404: http.*\/gone$/m);
});

test('two launches share nothing', async (t) => {
  const url = await serve(t, { '/': `${head}<body>x</body></html>` });
  const one = (await browser(t)).pages()[0];
  await one.goto(url);
  await one.evaluate(() => localStorage.setItem('a', '1'));
  const two = (await browser(t)).pages()[0];
  await two.goto(url);
  assert.equal(await two.evaluate(() => localStorage.getItem('a')), null);
});

test('the worker answers on a free port until it is stopped', async (t) => {
  const one = await startServer({ web: null });
  t.after(one.stop);
  const two = await startServer({ web: null });
  t.after(two.stop);
  assert.notEqual(one.url, two.url);
  for (const { url } of [one, two]) {
    assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9][0-9]*$/);
    assert.equal((await fetch(`${url}/health`)).status, 200);
  }
  await one.stop();
  await assert.rejects(fetch(`${one.url}/health`));
  assert.equal((await fetch(`${two.url}/health`)).status, 200);
  assert.match(two.output(), /^listening on /m);
});

test('a worker that cannot start is told with its own words', async () => {
  await assert.rejects(startServer({ web: '/no/such/folder' }), /worker ended with code 1; it printed:\n[^]*\/no\/such\/folder/);
});
