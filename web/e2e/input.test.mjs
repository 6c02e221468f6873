// How a transcript comes into the page, is replaced, brought back, and pointed
// at.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { axe, launch, startServer, staticDir } from '../../scripts/e2e/harness.mjs';
import { close, id, loop, open, paste } from './page.mjs';

let server;
let context;

before(async () => {
  server = await startServer();
  context = await launch({
    viewport: { width: 1280, height: 700 },
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
});
after(async () => {
  await context?.close();
  await server?.stop();
});

const sample = (name) => readFileSync(join(staticDir, 'samples', name), 'utf8');
const settled = (page) => page.waitForFunction(() => document.querySelector('main').dataset.settled === 'true');

/** 400 messages, one a line; the one in line 200 has no comma between its members. */
function lines(pad) {
  const list = Array.from({ length: 400 }, (_, i) => `{"role":"user","content":"line ${i + 1}${pad}"}`);
  list[199] = list[199].replace(',', ' ');
  return `[${list.join(',\n')}]`;
}

// A line that wraps takes as much room as its text needs: then the place is not
// to be had from its line's number alone.
for (const [name, pad] of [['short lines', ''], ['lines that wrap', ' and so on'.repeat(40)]]) {
  test(`Go to the place brings it into view, with ${name}`, async () => {
    const view = await open(context, server.url);
    const { page, ask } = view;
    const text = lines(pad);
    await ask(() => paste(page, text));
    for (const from of [0, 1e6]) {
      await page.$eval(id('source'), (box, top) => (box.scrollTop = top), from);
      await page.click(id('goto'));
      const got = await page.$eval(id('source'), async (box) => {
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        // Where the place is, found by the browser: a block of the same width and
        // sheet with the text in it, and a mark at the place.
        const twin = document.createElement('div');
        const style = getComputedStyle(box);
        for (const p of ['font', 'letterSpacing', 'whiteSpace', 'overflowWrap', 'wordBreak', 'lineHeight', 'paddingLeft', 'paddingRight', 'paddingTop']) twin.style[p] = style[p];
        Object.assign(twin.style, { position: 'absolute', top: '0', boxSizing: 'border-box', width: `${box.clientWidth}px` });
        const mark = document.createElement('b');
        twin.append(box.value.slice(0, box.selectionStart), mark);
        document.body.append(twin);
        const y = mark.getBoundingClientRect().top - twin.getBoundingClientRect().top;
        twin.remove();
        const { top } = box.getBoundingClientRect();
        return {
          selected: [box.selectionStart, box.selectionEnd],
          focused: document.activeElement === box,
          y,
          scrollTop: box.scrollTop,
          height: box.clientHeight,
          onScreen: top + y - box.scrollTop,
          window: innerHeight,
          boxes: document.querySelectorAll('textarea[aria-hidden]').length,
        };
      });
      const at = text.split('\n').slice(0, 199).join('\n').length + 1 + '{"role":"user" '.length;
      assert.deepEqual(got.selected, [at, at + 1]);
      assert.ok(got.focused);
      assert.ok(got.y > 3000, `the place is ${got.y} px down, the test proves nothing`);
      const { y, scrollTop, height } = got;
      assert.ok(scrollTop < y && y + 18 < scrollTop + height, `place at ${y}, seen ${scrollTop} to ${scrollTop + height}`);
      assert.ok(got.onScreen > 0 && got.onScreen + 18 < got.window, `place at ${got.onScreen} of a window of ${got.window}`);
      assert.equal(got.boxes, 0, 'what was measured with is gone');
    }
    await close(view);
  });
}

test('of two samples the newest wish counts, however late the older one comes', async () => {
  for (const [name, then, want] of [
    ['another sample', (page, ask) => ask(() => page.selectOption(id('sample'), 'plain-chat.json')), sample('plain-chat.json')],
    ['a paste', (page, ask) => ask(() => paste(page, '[{"role":"user","content":"mine"}]')), '[{"role":"user","content":"mine"}]'],
    ['Clear', (page) => page.click(id('clear')), ''],
  ]) {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    const view = await open(context, server.url, {
      before: (page) =>
        page.route('**/samples/japanese.json', async (route) => {
          await held;
          await route.continue();
        }),
    });
    const { page, ask } = view;
    await page.selectOption(id('sample'), 'japanese.json');
    await then(page, ask);
    await settled(page);
    assert.equal(await page.inputValue(id('source')), want, name);
    const arrived = page.waitForEvent('requestfinished', (req) => req.url().endsWith('/japanese.json'));
    release();
    await arrived;
    // The page has had the answer once it has drawn twice since.
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 200)));
    assert.equal(await page.inputValue(id('source')), want, `${name}, after the late sample`);
    assert.equal(await page.inputValue(id('sample')), name === 'another sample' ? 'plain-chat.json' : '', name);
    await close(view);
  }
});

test('typed text that a sample or Clear replaces comes back', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const mine = JSON.stringify([...loop(12), { role: 'user', content: '私の 👍 \u202e text' }], null, 3);
  await ask(() => paste(page, mine));
  assert.ok(await page.isHidden(id('undo')));
  await ask(() => page.selectOption(id('sample'), 'japanese.json'));
  assert.equal(await page.inputValue(id('sample')), 'japanese.json', 'the list names the sample');
  assert.match(await page.textContent(id('undo-what')), /^Replaced: your text, /);
  assert.deepEqual(await axe(page), []);
  await ask(() => page.click(id('undo')));
  assert.equal(await page.inputValue(id('source')), mine);
  assert.equal(await page.inputValue(id('sample')), '');
  assert.ok(await page.isHidden(id('undo')));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'source', 'Undo is gone, the focus is not');

  await page.click(id('clear'));
  await page.waitForSelector(id('undo'));
  assert.match(await page.textContent(id('undo-what')), /^Cleared: /);
  assert.equal(await page.inputValue(id('source')), '');
  await ask(() => page.click(id('undo')));
  assert.equal(await page.inputValue(id('source')), mine);
  await close(view);
});

/** Drops files, each [name, bytes], on an element. */
async function drop(page, selector, files) {
  const data = await page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer();
      for (const [name, bytes] of list) transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    files.map(([name, bytes]) => [name, [...Buffer.from(bytes)]]),
  );
  const prevented = await page.$eval(
    selector,
    (target, dataTransfer) =>
      ['dragover', 'drop'].map((type) => !target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))),
    data,
  );
  assert.deepEqual(prevented, [true, true], `${selector}: the browser would open the file itself`);
}

test('a file may be dropped anywhere, and one of several is read', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const text = JSON.stringify(loop(20));
  for (const [i, selector] of ['footer', 'header', id('field-round'), '#app'].entries()) {
    await ask(() => drop(page, selector, [[`${i}.json`, `${text}${' '.repeat(i)}`]]));
    assert.equal(await page.inputValue(id('source')), `${text}${' '.repeat(i)}`, selector);
  }
  assert.ok(await page.isHidden(id('input-note')));
  // Beside the page's content, the whole window is the page.
  const beside = await page.evaluate(() => document.elementFromPoint(2, innerHeight - 2).closest('#app')?.id);
  assert.equal(beside, 'app');

  await ask(() => drop(page, 'footer', [['one.json', text], ['two.json', '[]']]));
  assert.equal(await page.inputValue(id('source')), text);
  assert.equal(await page.textContent(id('input-note')), 'Only one.json, the first of 2 files, is read: one file is one transcript.');
  assert.deepEqual(await axe(page), []);

  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const [name, bytes] of [['picture.png', png], ['wide.json', wide]]) {
    await drop(page, id('drop'), [[name, bytes]]);
    await page.waitForFunction(([sel, n]) => document.querySelector(sel).textContent.startsWith(n), [id('input-note'), name]);
    assert.equal(await page.textContent(id('input-note')), `${name} is not UTF-8 text, so it was not read.`);
    assert.equal(await page.textContent(id('status')), `${name} is not UTF-8 text, so it was not read.`);
    assert.equal(await page.inputValue(id('source')), text, 'the transcript stays');
  }
  await close(view);
});

test('a file that is dropped before the engine is there does not replace the page', async () => {
  const view = await open(context, server.url, { ready: false, before: (page) => page.route('**/playground.wasm', () => {}) });
  const { page } = view;
  await page.waitForSelector(id('boot'));
  await drop(page, 'footer', [['a.json', '[]']]);
  await page.close();
});

test('an array behind a byte order mark is downloaded as JSON', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const marked = `\ufeff${JSON.stringify(loop(40))}`;
  await ask(() => page.setInputFiles(id('file'), { name: 'marked.json', mimeType: '', buffer: Buffer.from(marked) }));
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(id('download'))]);
  assert.equal(file.suggestedFilename(), 'marked.compacted.json');
  assert.ok(Array.isArray(JSON.parse(readFileSync(await file.path(), 'utf8').replace(/^\ufeff/, ''))));
  await close(view);
});

test('an error’s place is that of the pasted text', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const deep = `${'['.repeat(1100)}${']'.repeat(1100)}`;
  await ask(() => paste(page, deep));
  assert.match(await page.textContent(id('input-error')), /transcript: line 1, column 1002: nests deeper than 1000/);
  await page.click(id('goto'));
  assert.equal(await page.$eval(id('source'), (box) => box.selectionStart), 1001);
  await close(view);
});

test('keyboard focus stays on a control or goes to what took its place', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const focused = () => page.evaluate(() => [document.activeElement.id || document.activeElement.dataset.act, document.activeElement.dataset.arg ?? '']);
  const press = async (selector) => {
    await page.focus(selector);
    await page.keyboard.press('Enter');
  };
  await ask(() => press(id('start-tools')));
  assert.deepEqual(await focused(), ['source', '']);

  const row = `${id('after')} [data-fate=summary]`;
  await press(`${row} [data-act=more]`);
  await page.waitForSelector(`${row} [data-act=less]`);
  const [act, arg] = await focused();
  assert.ok(['more', 'less'].includes(act), act);
  assert.equal(arg, await page.getAttribute(`${row} [data-act=less]`, 'data-arg'));
  await press(`${row} [data-act=less]`);
  await page.waitForSelector(`${row} [data-act=less]`, { state: 'detached' });
  assert.deepEqual(await focused(), ['more', arg]);

  await page.click(`${id('request')} summary`);
  await press(`${id('request')} [data-act=more]`);
  await page.waitForFunction(() => document.querySelector('#request-body').textContent.length > 6000);
  assert.match((await focused())[0], /^(more|request-body)$/);

  await ask(() => page.fill(id('summary'), 'my own words'));
  await ask(() => press(id('summary-reset')));
  assert.deepEqual(await focused(), ['summary', '']);

  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))));
  await press(id('copy-result'));
  await page.waitForSelector(id('hand'));
  await press(id('hand-close'));
  await page.waitForSelector(id('hand'), { state: 'hidden' });
  assert.deepEqual(await focused(), ['copy', 'result']);
  await close(view);
});
