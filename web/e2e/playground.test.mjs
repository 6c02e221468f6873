import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { axe, launch, startServer, staticDir } from '../../scripts/e2e/harness.mjs';
import { body, close, compact, id, loop, member, open, paste, raw, runs } from './page.mjs';

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

const sample = (name) => readFileSync(join(staticDir, 'samples', name), 'utf8');

/** A transcript of more than 300 items: a real one where there is a corpus. */
function long() {
  const shared = process.env.TAMP_SHARED;
  if (!shared) return JSON.stringify(loop(400), null, 1);
  return readFileSync(join(shared, 'corpus/mini_swe_agent/astroid-1333-1.17M.traj.json'), 'utf8');
}

test('a long transcript compacts to the bytes of the API, under both systems', { timeout: 120_000 }, async (t) => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const text = long();
  await ask(() => paste(page, text));
  assert.equal(await page.inputValue(id('source')), text, 'the paste arrived as it was');

  for (const system of ['lait', 'codex']) {
    await t.test(system, async () => {
      if (!(await page.isChecked(id(`system-${system}`)))) await ask(() => page.check(id(`system-${system}`)));
      const settings = await page.textContent(id('settings'));
      assert.match(settings, new RegExp(`"policy":\\{"${system}":.*"force":true`));
      const answer = await compact(server.url, body(text.trim(), settings));
      assert.equal(JSON.parse(answer).compacted, true);
      const want = member(answer, 'transcript');
      assert.ok(want.length < text.length / 2, `${want.length} of ${text.length} bytes are left`);
      assert.ok((await raw(page)) === want, 'the page and the API give other bytes');

      const { items, inserted, tokens_before, tokens_after } = JSON.parse(answer).receipt;
      assert.ok(items.length > 300);
      assert.equal(await page.locator(`${id('before')} ${id('row')}`).count(), items.length);
      const places = new Set([...items.map((i) => i.to), ...inserted.map((i) => i.to)].filter((to) => to !== null));
      assert.equal(await page.locator(`${id('after')} ${id('row')}`).count(), places.size);
      assert.equal(await page.textContent(id('tokens-before')), tokens_before.toLocaleString('en-US'));
      assert.equal(await page.textContent(id('tokens-after')), tokens_after.toLocaleString('en-US'));
      assert.equal(await page.inputValue(id('summary')), JSON.parse(answer).summary, 'the box starts with the digest');

      // Own words are spliced in at once, and are the API's result too.
      const own = 'Everything so far, in my "own" words. 要約です。';
      await ask(() => page.fill(id('summary'), own));
      const spliced = await raw(page);
      assert.ok(spliced.includes(JSON.stringify(own).slice(1, -1)), 'the own summary is in the result');
      assert.ok(spliced === member(await compact(server.url, body(text.trim(), settings, own)), 'transcript'));
      await ask(() => page.click(id('summary-reset')));
      assert.ok((await raw(page)) === want, 'the digest is back');
    });
  }
  assert.deepEqual(await axe(page), []);
  await close(view);
});

test('JSON Lines go in and come out as text', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const text = `${loop(40)
    .map((item) => JSON.stringify(item))
    .join('\n')}\n`;
  await ask(() => paste(page, text));
  assert.match(await page.textContent(id('detected')), /openai-chat · jsonl/);
  const answer = await compact(server.url, body(JSON.stringify(text), await page.textContent(id('settings'))));
  const got = await raw(page);
  assert.equal(got, JSON.parse(answer).transcript);
  assert.ok(got.split('\n').length < 20 && got.length < text.length);

  const [file] = await Promise.all([page.waitForEvent('download'), page.click(id('download'))]);
  assert.equal(file.suggestedFilename(), 'transcript.compacted.jsonl');
  assert.equal(readFileSync(await file.path(), 'utf8'), got);
  await close(view);
});

test('a file is read, dropped or chosen, and keeps its bytes', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  // CRLF line ends: a text box would hold them as LF.
  const crlf = loop(60)
    .map((item) => JSON.stringify(item))
    .join('\r\n');
  await ask(() => page.setInputFiles(id('file'), { name: 'night.shift.jsonl', mimeType: '', buffer: Buffer.from(crlf) }));
  const answer = await compact(server.url, body(JSON.stringify(crlf), await page.textContent(id('settings'))));
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(id('download'))]);
  assert.equal(file.suggestedFilename(), 'night.shift.compacted.jsonl');
  assert.equal(readFileSync(await file.path(), 'utf8'), JSON.parse(answer).transcript);

  const rollout = sample('codex-session.jsonl');
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'rollout.jsonl'));
    return transfer;
  }, rollout);
  await page.dispatchEvent(id('drop'), 'dragover', { dataTransfer: data });
  assert.match(await page.getAttribute(id('drop'), 'class'), /over/);
  await ask(() => page.dispatchEvent(id('drop'), 'drop', { dataTransfer: data }));
  assert.equal(await page.inputValue(id('source')), rollout);
  assert.match(await page.textContent(id('detected')), /^codex-rollout/);

  // A rollout gets lines behind its own; with the box it is a copy without those.
  assert.ok(!(await page.isChecked(id('field-rewrite'))));
  for (const copy of [false, true]) {
    if (copy) await ask(() => page.check(id('field-rewrite')));
    assert.equal(/"rewrite":true/.test(await page.textContent(id('settings'))), copy);
    const written = await raw(page);
    assert.equal(written.startsWith(rollout), !copy);
    assert.equal(
      written,
      JSON.parse(await compact(server.url, body(JSON.stringify(rollout), await page.textContent(id('settings'))))).transcript,
    );
  }
  await close(view);
});

test('triggers say what they measured, in words', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.selectOption(id('sample'), 'parallel-calls.json'));
  await ask(() => page.uncheck(id('field-force')));
  const rule = (measure) => page.locator(`${id('rule')}[data-measure="${measure}"]`).textContent();

  await ask(() => page.fill(id('field-round'), '5'));
  assert.match(await rule('rounds'), /5every 6–not reached/);
  assert.match(await rule('tokens'), /unknown60,000\?unknown/);
  assert.match(await page.textContent(id('verdict')), /No trigger fired/);
  assert.equal(await raw(page), sample('parallel-calls.json').trim(), 'nothing fired, nothing changed');

  await ask(() => page.fill(id('field-round'), '6'));
  assert.match(await rule('rounds'), /6every 6✓fired/);
  assert.match(await page.textContent(id('trigger-verdict')), /^Fired: rounds · round 6/);
  assert.ok(await page.isHidden(id('verdict')));

  await ask(() => page.fill(id('field-round'), '5'));
  await ask(() => page.fill(id('field-prompt_tokens'), '59999'));
  assert.match(await rule('tokens'), /59,99960,000–not reached/);
  await ask(() => page.fill(id('field-prompt_tokens'), '60000'));
  assert.match(await rule('tokens'), /60,00060,000✓fired/);
  await close(view);
});

test('every item shows its fate, its reason and where it went', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.selectOption(id('sample'), 'earlier-summary.json'));
  const { receipt } = JSON.parse(await compact(server.url, body(sample('earlier-summary.json'), await page.textContent(id('settings')))));
  const rows = page.locator(`${id('before')} ${id('row')}`);
  for (const item of receipt.items) {
    const row = rows.nth(item.index);
    assert.equal(await row.getAttribute('data-fate'), item.fate);
    assert.match(await row.locator('.badge').textContent(), new RegExp(`${item.fate}$`));
    assert.equal(await row.locator('.role').textContent(), item.role);
    // The reason is a sentence, not its code.
    assert.match(await row.locator('.why').textContent(), /^[A-Z].* .*\.$/);
    assert.equal(await row.getByRole('button', { name: `to ${item.to}`, exact: true }).count(), item.to === null ? 0 : 1);
  }
  const summary = page.locator(`${id('after')} ${id('row')}[data-fate=summary]`);
  assert.equal(await summary.count(), 1);
  assert.equal(await summary.getAttribute('data-index'), String(receipt.inserted[0].to));

  // A long text is folded, and unfolds where it stands.
  const folded = await summary.textContent();
  await summary.locator(id('more')).click();
  await page.waitForFunction(([sel, n]) => document.querySelector(sel).textContent.length > n, [`${id('after')} [data-fate=summary]`, folded.length]);
  const last = receipt.items.at(-1);
  await rows.nth(last.index).getByRole('button', { name: `to ${last.to}` }).click();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.index), String(last.to));
  await close(view);
});

test('the summary request is the API’s, byte for byte', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.selectOption(id('sample'), 'anthropic-thinking.json'));
  const answer = await fetch(`${server.url}/v1/plan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body(sample('anthropic-thinking.json'), await page.textContent(id('settings'))),
  });
  const want = member(member(member(await answer.text(), 'plan'), 'request'), 'body');
  await page.click(`${id('request')} summary`);
  assert.deepEqual(JSON.parse(await unfolded(page)), JSON.parse(want));
  await page.click(id('copy-request'));
  await page.waitForFunction(() => document.querySelector('[data-testid=status]').textContent === 'Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), want);
  await close(view);
});

/** The whole text of the request, unfolded as often as it takes. */
async function unfolded(page) {
  const more = page.locator(`${id('request')} [data-act=more]`);
  while ((await more.count()) > 0) {
    const shown = (await page.textContent(id('request-body'))).length;
    await more.click();
    await page.waitForFunction(([sel, n]) => document.querySelector(sel).textContent.length > n, [id('request-body'), shown]);
  }
  return page.textContent(id('request-body'));
}

test('bad input is named at its place, and nothing is lost', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.selectOption(id('sample'), 'japanese.json'));
  const good = await raw(page);

  // A field of the policy.
  await ask(() => page.fill(id('field-lait.keep_last_n'), '-1'));
  const field = page.locator(id('field-lait.keep_last_n'));
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.match(await page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).textContent(), /-1/);
  assert.ok(await page.isVisible(id('stale')));
  assert.equal(await raw(page), good, 'the last good result stays');
  await ask(() => page.fill(id('field-lait.keep_last_n'), '4'));
  assert.equal(await field.getAttribute('aria-invalid'), null);
  assert.ok(await page.isHidden(id('stale')));

  // A policy that no single field is to blame for.
  await ask(() => page.fill(id('field-lait.trigger_rounds'), ''));
  await ask(() => page.fill(id('field-lait.trigger_tokens'), ''));
  assert.match(await page.textContent(id('general-error')), /policy\.lait: needs trigger_rounds or trigger_tokens/);
  await ask(() => page.fill(id('field-lait.trigger_rounds'), '6'));

  // A summary that says nothing.
  await ask(() => page.fill(id('summary'), ' '));
  assert.match(await page.textContent(id('summary-error')), /\w/);
  assert.ok(await page.isVisible(id('stale')));
  assert.deepEqual(await axe(page), []);
  await ask(() => page.click(id('summary-reset')));
  assert.equal(await raw(page), good);

  // Broken JSON: line, column, caret, and the way there.
  const broken = '[{"role":"user","content":"日本 👍"},\n {"role":"assistant" "content":"b"}]';
  await ask(() => paste(page, broken));
  const told = await page.textContent(id('input-error'));
  assert.match(told, /line 2, column 22/);
  assert.match(told, /\n *\^/);
  assert.ok(await page.isHidden(id('outcome')), 'another transcript has no old result');
  await page.click(id('goto'));
  const marked = await page.$eval(id('source'), (box) => [box.selectionStart, box.value.slice(box.selectionStart, box.selectionEnd)]);
  assert.deepEqual(marked, [broken.indexOf('"content":"b"'), '"']);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'source');
  assert.deepEqual(await axe(page), []);
  await close(view);
});

test('hostile text is text', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  const evil = '<img src=x onerror=alert(1)></script><script>alert(2)</script> \u202eabc';
  await ask(() =>
    paste(
      page,
      JSON.stringify([
        { role: 'user', content: evil },
        { role: `tool${evil}`, content: evil },
        { role: 'assistant', content: evil, tool_calls: [{ id: evil, type: 'function', function: { name: evil, arguments: evil } }] },
        { role: 'tool', tool_call_id: evil, content: evil },
        ...loop(30).slice(2),
      ]),
    ),
  );
  assert.equal(await page.locator('#app img, #app script').count(), 0);
  assert.ok((await page.locator(`${id('before')} ${id('row')}`).first().textContent()).includes(evil));
  await close(view);
});

test('fast typing is evaluated when it pauses', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.selectOption(id('sample'), 'plain-chat.json'));
  const before = await runs(page);
  await page.focus(id('field-codex.summary_prefix').replace('codex.summary_prefix', 'lait.model'));
  await ask(() => page.keyboard.type('twenty-keystrokes-ok'));
  await page.waitForFunction((sel) => document.querySelector(sel).textContent.includes('twenty-keystrokes-ok'), id('settings'));
  assert.ok((await runs(page)) - before <= 3, `${(await runs(page)) - before} evaluations for 20 keystrokes`);
  await close(view);
});

test('the result is copied, by hand where the clipboard is closed', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await ask(() => page.click(id('start-tools')));
  const want = await raw(page);
  await page.click(id('copy-result'));
  await page.waitForFunction(() => document.querySelector('[data-testid=status]').textContent === 'Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), want);

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
  });
  await page.click(id('copy-result'));
  await page.waitForSelector(id('hand'));
  const selected = await page.$eval(id('hand-text'), (box) => box.value.slice(box.selectionStart, box.selectionEnd));
  assert.equal(selected, want);
  assert.deepEqual(await axe(page), []);
  await page.click(id('hand-close'));
  assert.ok(await page.isHidden(id('hand')));
  await close(view);
});

test('both languages and both themes, without a violation', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await axe(page), [], `empty, ${colorScheme}`);
  }
  await page.click(id('lang-ja'));
  await page.waitForSelector('html[lang=ja]', { state: 'attached' });
  await ask(() => page.click(id('start-japanese')));
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await axe(page), [], `loaded, ${colorScheme}`);
  }
  assert.match(await page.locator(`${id('before')} .why`).first().textContent(), /[ぁ-ん]/, 'reasons are Japanese, too');
  // What is left of English are names, codes and the engine's own words.
  const english = await page.$$eval('[data-text]', (all) => all.filter((e) => /^[\x20-\x7e]+$/.test(e.textContent)).map((e) => e.dataset.text));
  assert.deepEqual([...new Set(english)].sort(), ['policy.balanced', 'policy.codex', 'policy.lait']);
  await page.reload();
  await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
  assert.equal(await page.getAttribute('html', 'lang'), 'ja', 'the address keeps the language');
  await close(view);
});

test('the page fits a narrow window', async () => {
  const view = await open(context, server.url);
  const { page, ask } = view;
  await page.setViewportSize({ width: 320, height: 800 });
  await ask(() => page.selectOption(id('sample'), 'responses-reasoning.json'));
  await ask(() => page.check(id('system-codex')));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  assert.deepEqual(await axe(page), []);
  await close(view);
});
