// How the page fits windows of all widths, in both languages.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { axe, launch, startServer } from '../../scripts/e2e/harness.mjs';
import { close, id, open } from './page.mjs';

let server;
let context;

before(async () => {
  server = await startServer();
  context = await launch({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
});
after(async () => {
  await context?.close();
  await server?.stop();
});

/** What is wrong with the page as it stands, as sentences. */
function faults() {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) wrong.push(`the page is ${root.scrollWidth} px wide`);
  const name = (e) => e.dataset.testid || e.id || `${e.tagName.toLowerCase()} ${e.className} ${e.textContent.slice(0, 30)}`;
  const table = document.querySelector('[data-testid=triggers]');
  const frame = table.closest('.scroll').getBoundingClientRect();
  for (const cell of table.querySelectorAll('td')) {
    const box = cell.getBoundingClientRect();
    if (box.width < 1 || box.left < frame.left - 1 || box.right > frame.right + 1) wrong.push(`trigger cell ${cell.textContent} at ${box.left} to ${box.right} of ${frame.right}`);
    const column = getComputedStyle(cell, '::before').content;
    const headed = table.querySelector('th').getBoundingClientRect().height > 4;
    if (!headed && cell.dataset.column && column !== `"${cell.dataset.column}"`) wrong.push(`trigger cell ${cell.textContent} has no column name`);
  }
  // One word a line: a hint that is narrow though it has several words.
  for (const unit of document.querySelectorAll('.unit')) {
    const box = unit.getBoundingClientRect();
    if (box.width === 0 || !unit.textContent) continue;
    const lines = Math.round(box.height / parseFloat(getComputedStyle(unit).lineHeight));
    if (lines > 3) wrong.push(`hint ${unit.textContent} has ${lines} lines`);
  }
  // Texts of controls that are cut.
  const pen = document.createElement('canvas').getContext('2d');
  for (const list of document.querySelectorAll('select')) {
    const style = getComputedStyle(list);
    pen.font = style.font;
    const have = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16; // its arrow
    for (const { textContent } of list.clientWidth > 0 ? list.options : []) {
      const need = pen.measureText(textContent).width;
      if (need > have + 1) wrong.push(`${name(list)} shows ${have} of ${need} px of ${textContent}`);
    }
  }
  for (const button of document.querySelectorAll('button, .button')) {
    if (button.scrollWidth > button.clientWidth + 1 && button.clientWidth > 0) wrong.push(`${name(button)} is cut`);
  }
  return wrong;
}

const widths = [320, 480, 720, 870, 1000, 1280, 1600, 3840];

for (const lang of ['en', 'ja']) {
  for (const system of ['lait', 'codex', 'balanced', 'file']) {
    test(`every part is seen at all widths: ${system}, ${lang}`, async () => {
      const view = await open(context, server.url);
      const { page, ask } = view;
      if (lang === 'ja') {
        await page.click(id('lang-ja'));
        await page.waitForSelector('html[lang=ja]', { state: 'attached' });
      }
      await ask(() => page.selectOption(id('sample'), 'responses-reasoning.json'));
      if (system !== 'lait') await ask(() => page.check(id(`system-${system}`)));
      // The longest names of formats: as chosen, they stand in the closed list.
      await ask(() => page.selectOption(id('field-format'), 'openai-responses'));
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await page.evaluate(faults), [], `${width} px`);
        if (process.env.TAMP_SHOTS) {
          mkdirSync(process.env.TAMP_SHOTS, { recursive: true });
          await page.screenshot({ path: join(process.env.TAMP_SHOTS, `${system}-${lang}-${width}.png`), fullPage: true });
        }
      }
      await page.setViewportSize({ width: 320, height: 900 });
      assert.deepEqual(await axe(page), []);
      await close(view);
    });
  }
}
