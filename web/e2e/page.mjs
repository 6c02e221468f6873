// What the tests of the playground share: the page as a person uses it, and
// the HTTP API of the same server beside it.
import assert from 'node:assert/strict';

import { watch } from '../../scripts/e2e/harness.mjs';

/** A selector for a data-testid of web/README.md. */
export const id = (name) => `[data-testid="${name}"]`;

/**
 * Opens the playground in a new page and waits until the engine is there.
 * Returns {page, problems, ask}: problems grows with all that must not happen,
 * ask(act) does something and waits until the page has settled on a new answer.
 */
export async function open(context, url, { before, ready = true } = {}) {
  const page = await context.newPage();
  const problems = watch(page);
  page.on('request', (req) => {
    if (!req.url().startsWith(`${url}/`) && !/^(blob|data):/.test(req.url())) problems.push(`foreign request: ${req.url()}`);
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.addInitScript(() => {
    globalThis.violations = [];
    addEventListener('securitypolicyviolation', (e) => globalThis.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  await before?.(page);
  await page.goto(`${url}/`);
  if (ready) await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
  return { page, problems, ask: (act) => ask(page, act) };
}

/** How often the page has asked the engine. */
export const runs = (page) => page.locator('main').evaluate((main) => Number(main.dataset.runs));

async function ask(page, act) {
  const before = await runs(page);
  await act();
  await page.waitForFunction(
    (n) => {
      const { settled, runs } = document.querySelector('main').dataset;
      return settled === 'true' && Number(runs) > n;
    },
    before,
  );
}

/** Ends a test: nothing forbidden has happened, the page's policy included. */
export async function close({ page, problems }) {
  problems.push(...(await page.evaluate(() => globalThis.violations)));
  await page.close();
  assert.deepEqual(problems, []);
}

/** Pastes a text as a person does, over whatever stands there. */
export async function paste(page, text) {
  await page.evaluate((t) => navigator.clipboard.writeText(t), text);
  await page.focus(id('source'));
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+V');
}

/** The raw result as the page shows it. */
export async function raw(page) {
  const box = page.locator(id('raw'));
  if (!(await box.evaluate((details) => details.open))) await box.locator('summary').click();
  await page.waitForFunction((sel) => document.querySelector(sel).value !== '', id('raw-text'));
  return page.inputValue(id('raw-text'));
}

/** The answer of POST /v1/compact as text, for a body as text. */
export async function compact(url, body) {
  const answer = await fetch(`${url}/v1/compact`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await answer.text();
  assert.equal(answer.status, 200, text.slice(0, 500));
  return text;
}

/**
 * The body that the page's own settings make of a transcript. settings is what
 * the page says it sends; transcript is JSON already.
 */
export function body(transcript, settings, summary) {
  const own = summary === undefined ? '' : `,"summary":${JSON.stringify(summary)}`;
  return `{"transcript":${transcript},${settings.slice(1, -1)}${own}}`;
}

/**
 * The bytes of one member of a JSON object, as they stand in its text:
 * JSON.parse and JSON.stringify would make others of them.
 */
export function member(text, name) {
  let at = 0;
  const blank = () => {
    while (/\s/.test(text[at])) at++;
  };
  const string = () => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return text.slice(start, ++at);
  };
  const value = () => {
    const start = at;
    let depth = 0;
    do {
      if (text[at] === '"') string();
      else if ('[{'.includes(text[at])) [depth, at] = [depth + 1, at + 1];
      else if (']}'.includes(text[at])) [depth, at] = [depth - 1, at + 1];
      else at++;
    } while (depth > 0 || !',}'.includes(text[at]));
    return text.slice(start, at);
  };
  blank();
  assert.equal(text[at++], '{');
  for (;;) {
    blank();
    const key = JSON.parse(string());
    blank();
    assert.equal(text[at++], ':');
    blank();
    const found = value();
    if (key === name) return found.trimEnd();
    assert.equal(text[at++], ',', `no member ${name}`);
  }
}

/** A tool loop of n items, made up: the fallback where there is no corpus. */
export function loop(n) {
  const items = [
    { role: 'system', content: 'You tend a lighthouse. Use the tools, one at a time.' },
    { role: 'user', content: 'Check every lamp of the coast and note the dim ones.' },
  ];
  for (let i = 1; items.length < n; i++) {
    const call = { id: `call_${i}`, type: 'function', function: { name: 'lamp', arguments: `{"number": ${i}}` } };
    items.push({ role: 'assistant', content: i % 9 ? null : `Lamp ${i} next.`, tool_calls: [call] });
    items.push({ role: 'tool', tool_call_id: call.id, content: `lamp ${i}: ${'burning steadily, oil at the mark; '.repeat(1 + (i % 40))}` });
  }
  return items.slice(0, n);
}
