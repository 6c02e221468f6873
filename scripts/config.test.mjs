// The page reads the configuration of other systems as the server does: the
// goldens are those of worker/config.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as yaml from 'js-yaml/browser';
import * as toml from 'smol-toml';
import { Refused, read } from '../web/static/config.mjs';

const folder = fileURLToPath(new URL('../worker/config/testdata', import.meta.url));

/** The files of a txtar archive, [{name, data}]. */
function files(archive) {
  const list = [];
  for (const line of archive.split(/(?<=\n)/)) {
    const head = /^-- (.+) --\n$/.exec(line);
    if (head) list.push({ name: head[1], data: '' });
    else if (list.length > 0) list.at(-1).data += line;
  }
  return list;
}

let goldens = 0;
for (const name of readdirSync(folder)) {
  const list = files(readFileSync(join(folder, name), 'utf8'));
  for (let i = 0; i + 1 < list.length; i += 2) {
    goldens++;
    test(`${name}, ${list[i].name}`, () => check(list[i].data, JSON.parse(list[i + 1].data)));
  }
}

test('there are goldens', () => assert.ok(goldens >= 50, `${goldens}`));

function check(text, want) {
  for (const given of want.syntax ? [text] : [text, `\ufeff${text}`]) {
    if (want.path === undefined) {
      const got = JSON.parse(JSON.stringify(read(given, { yaml, toml })));
      assert.deepEqual(got, want);
      continue;
    }
    assert.throws(
      () => read(given, { yaml, toml }),
      (err) => {
        assert.ok(err instanceof Refused, String(err));
        assert.equal(err.path, want.path);
        if (want.syntax) assert.match(err.message, new RegExp(`^cannot be read as ${want.syntax}: [^\n]+ \\(line \\d+\\)$`));
        else assert.equal(err.message, want.line ? `${want.message} (line ${want.line})` : want.message);
        return true;
      },
    );
  }
}

// No text makes it fail in any other way.
test('hostile texts', () => {
  let bomb = 'a0: &a0 {x: 1, y: 2}\n';
  for (let i = 1; i < 40; i++) bomb += `a${i}: &a${i}\n  <<: [${`*a${i - 1}, `.repeat(200)}*a${i - 1}]\n  k${i}: 1\n`;
  let chain = 'a0: &a0 {k0: 1}\n';
  for (let i = 1; i < 500; i++) chain += `a${i}: &a${i} {<<: *a${i - 1}, k${i}: 1}\n`;
  assert.throws(() => read(`${chain}default: {<<: *a499, compaction: {trigger_rounds: 1}}\n`, { yaml, toml }), {
    message: 'merges (<<) more than 10000 names',
  });
  for (const text of [
    `model = '${'x'.repeat(300_000)}'`,
    `default: ${'['.repeat(100_000)}`,
    `model = ${'['.repeat(200_000)}`,
    `model = ${'{a='.repeat(50_000)}`,
    `${bomb}default:\n  <<: *a39\n  compaction: {trigger_rounds: 1}\n`,
    'default:\n  compaction: \0',
    '__proto__ = 1\n',
    '__proto__: {default: {compaction: {trigger_rounds: 1}}}\n',
    'models: {__proto__: []}\ndefault: {compaction: {trigger_rounds: 1, model: __proto__}}\n',
  ]) {
    assert.throws(() => read(text, { yaml, toml }), Refused, text.slice(0, 40));
  }
});
