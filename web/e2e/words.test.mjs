// What the page says, and how: sentences that are true, in the language that
// was asked for, and texts of a transcript that disturb nothing around them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { axe, launch, startServer } from '../../scripts/e2e/harness.mjs';
import { close, id, loop, open, paste } from './page.mjs';

let server;
let context;

before(async () => {
  server = await startServer();
  context = await launch({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
});
after(async () => {
  await context?.close();
  await server?.stop();
});

test('a name that turns the direction of writing turns nothing but itself', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  // The second one ends an isolation before it turns what follows.
  const evil = ['safe\u202eeman', 'safe\u2069\u202eeman'];
  const calls = evil.map((name, i) => ({ id: `c${i}`, type: 'function', function: { name, arguments: '{"abc": 1}' } }));
  await ask(() =>
    paste(
      page,
      JSON.stringify([
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: null, tool_calls: calls },
        ...calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: 'done' })),
        { role: 'tool', tool_call_id: `x${evil[1]}`, content: 'an orphan' },
        { role: `odd${evil[1]}`, content: 'an odd one' },
        ...loop(20).slice(2),
      ]),
    ),
  );
  /** The words of an element in the order in which they are seen. */
  const order = (selector, text) =>
    page.locator(selector).evaluateAll(
      (all, want) =>
        all.map((e) => {
          const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
          for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const at = node.data.indexOf(want);
            if (at < 0) continue;
            const x = (i) => {
              const range = document.createRange();
              range.setStart(node, at + i);
              range.setEnd(node, at + i + 1);
              return range.getBoundingClientRect().left;
            };
            return x(0) < x(want.length - 1);
          }
          return null;
        }),
      text,
    );
  const row = `${id('before')} ${id('row')}`;
  assert.deepEqual(await order(`${row}[data-index="1"] .part.call`, 'abc'), [true, true], 'the arguments read from left to right');
  const sides = await page.locator(`${row}[data-index="1"] .part.call`).evaluateAll((all) =>
    all.map((part) => [...part.children].map((e) => e.getClientRects()[0].left)),
  );
  for (const [label, said] of sides) assert.ok(label < said, `the arguments stand before their name: ${label}, ${said}`);
  assert.ok((await page.textContent(`${row}[data-index="1"]`)).includes(evil[1]), 'the names are shown as they are');
  const told = await page.locator(id('defect')).count();
  assert.ok(told >= 2, `${told} defects`);
  for (const code of ['results_called', 'known_roles']) {
    assert.deepEqual(await order(`${id('defect')}:has-text("${code}")`, code), [true], code);
  }
  assert.deepEqual(await order(`${id('detected')}`, 'openai-chat'), [true]);
  // The name of a file, in what is said about it.
  for (const name of evil) {
    await page.setInputFiles(id('file'), { name: `${name}.png`, mimeType: '', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47]) });
    await page.waitForFunction(([sel, n]) => document.querySelector(sel).textContent.includes(n), [id('input-note'), name]);
    assert.deepEqual(await order(id('input-note'), 'is not UTF-8'), [true], escape(name));
    assert.deepEqual(await order(id('status'), 'is not UTF-8'), [true], escape(name));
  }
  await close(view);
});

test('the skip link leaves the language alone', async () => {
  const view = await open(context, server.url);
  const { page } = view;
  await page.click(id('lang-ja'));
  await page.waitForSelector('html[lang=ja]', { state: 'attached' });
  await page.focus('.skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => location.hash), '#source');
  await page.reload();
  await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
  assert.equal(await page.getAttribute('html', 'lang'), 'ja');
  await page.click(id('lang-en'));
  await page.waitForSelector('html[lang=en]', { state: 'attached' });
  assert.equal(await page.evaluate(() => location.search + location.hash), '?lang=en#source');
  // An address as it was given out before.
  await page.goto('about:blank');
  await page.goto(`${server.url}/#lang=ja`);
  await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
  assert.equal(await page.getAttribute('html', 'lang'), 'ja');
  await close(view);
});

test('sentences name what they are about, and are true', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.click(id('start-tools')));

  // Own words where nothing was compacted.
  await ask(() => page.fill(id('summary'), 'mine'));
  assert.equal(await page.textContent(id('summary-by')), 'Your own words. They are in the result.');
  await ask(() => page.fill(id('field-lait.keep_last_n'), '500'));
  assert.equal(await page.textContent(id('summary-by')), 'Your own words. They are not in the result: nothing was compacted.');
  await ask(() => page.click(id('summary-reset')));

  // Two bad fields, both named, each at its place.
  await ask(() => page.fill(id('field-lait.trigger_rounds'), '6.0'));
  assert.match(await page.textContent(id('status')), /^Refused: policy\.lait\.trigger_rounds: is 6\.0, must be/);
  await ask(() => page.fill(id('field-lait.keep_last_n'), '-1'));
  const status = await page.textContent(id('status'));
  assert.match(status, /policy\.lait\.trigger_rounds: is 6\.0.*policy\.lait\.keep_last_n: is -1/);
  for (const key of ['lait.trigger_rounds', 'lait.keep_last_n']) {
    assert.ok((await page.textContent(`[data-error="${key}"]`)).startsWith(`policy.${key}: `));
  }
  assert.equal(await page.textContent(id('general-error')), '', 'all is said at the fields');
  await ask(() => page.fill(id('field-lait.trigger_rounds'), '6'));
  await ask(() => page.fill(id('field-lait.keep_last_n'), ''));
  assert.equal(await page.getAttribute(id('field-lait.keep_last_n'), 'placeholder'), 'default 4');
  await ask(() => page.check(id('system-balanced')));
  assert.equal(await page.getAttribute(id('field-balanced.fraction'), 'placeholder'), 'default 0.8');
  await close(view);
});

test('a result that grew is not said to have saved anything', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.selectOption(id('sample'), 'plain-chat.json'));
  const label = () => page.textContent('#saved-label');
  const colour = () => page.$eval(id('saved'), (e) => getComputedStyle(e).color);
  assert.equal(await label(), 'Saved');
  const success = await colour();
  await ask(() => page.fill(id('summary'), 'far more words than there were '.repeat(600)));
  assert.equal(await label(), 'Grown by');
  assert.match(await page.textContent(id('saved')), /^\d+(\.\d)? %$/);
  assert.notEqual(await colour(), success);
  assert.match(await page.textContent(id('status')), /^[\d,]+ to [\d,]+ tokens, grown by \d/);
  assert.deepEqual(await axe(page), []);
  await page.click(id('lang-ja'));
  await page.waitForSelector('html[lang=ja]', { state: 'attached' });
  assert.equal(await label(), '増加');
  await close(view);
});

test('the instruction stands before the request', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.selectOption(id('sample'), 'codex-session.jsonl'));
  await ask(() => page.check(id('system-codex')));
  const prompt = 'Write <b>all</b> of it down.\nIn two lines.';
  await ask(() => page.fill(id('field-codex.compact_prompt'), prompt));
  await page.click(`${id('request')} summary`);
  assert.equal(await page.textContent(id('request-prompt')), prompt);
  assert.ok(await page.isVisible(id('request-prompt')));
  const [first, then] = await page.evaluate(() => ['#request-prompt', '#request-body'].map((s) => document.querySelector(s).getBoundingClientRect().top));
  assert.ok(first < then);
  assert.deepEqual(await axe(page), []);
  await close(view);
});

test('on the Japanese page codes are said in Japanese, and the engine’s words are marked', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await page.click(id('lang-ja'));
  await page.waitForSelector('html[lang=ja]', { state: 'attached' });
  await ask(() => paste(page, JSON.stringify([...loop(10), { role: 'tool', tool_call_id: 'nobody', content: 'x' }])));
  const defect = page.locator(id('defect')).first();
  assert.match(await defect.textContent(), /呼び出しのない結果です/);
  assert.match(await defect.locator('[lang=en]').textContent(), /result without/);
  assert.match(await page.locator(`${id('detected')} [lang=en]`).first().textContent(), /has tool_calls/);

  await ask(() => paste(page, '[1,'));
  assert.match(await page.textContent(id('input-error')), /JSON として読めません/);
  assert.match(await page.locator(`${id('input-error')} [lang=en]`).textContent(), /^transcript: line 1, column 4/);
  assert.match(await page.textContent(id('status')), /^エラー: transcript: line 1/);
  assert.equal(await page.locator(`${id('status')} [lang=en]`).count(), 1);
  assert.deepEqual(await axe(page), []);
  await close(view);
});

test('two ellipses do not meet', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  // Cut at 300 characters, right behind the text's own ellipsis.
  const text = `${'a'.repeat(299)}…${' more words'.repeat(60)}`;
  await ask(() => paste(page, JSON.stringify([{ role: 'user', content: text }, ...loop(20).slice(2)])));
  const said = await page.locator(`${id('before')} ${id('row')} .part`).first().textContent();
  assert.equal(said, `${'a'.repeat(299)}…`);
  await close(view);
});
