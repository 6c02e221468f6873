// A policy from a file of another system's: the page reads the text with parsers
// that it loads when there is one, and sends what would be posted to the server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { axe, launch, startServer } from '../../scripts/e2e/harness.mjs';
import { body, close, compact, id, loop, member, open, raw } from './page.mjs';

const transcript = JSON.stringify(loop(40));
const lait = `# beside the project
models:
  cheap:
    - provider: {base_url: "https://models.example/v1"}
      model_id: vendor/small
default:
  compaction:
    trigger_rounds: 1
    keep_last_n: 3
    model: cheap
`;
const codex = 'model = "gpt-5"\nmodel_auto_compact_token_limit = 200\napproval_policy = "never"\n';

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

/** The page with a transcript and the file's control, and which parsers it asked for. */
async function filed(options) {
  const parsers = [];
  const view = await open(context, server.url, {
    before: async (page) => {
      page.on('request', (request) => /\/parsers\//.test(request.url()) && parsers.push(new URL(request.url()).pathname));
      await options?.(page);
    },
  });
  await view.ask(() => view.page.fill(id('source'), transcript));
  assert.deepEqual(parsers, [], 'nobody gave a text yet');
  await view.ask(() => view.page.check(id('system-file')));
  return { view, parsers };
}

test('a lait.config.yml and a config.toml do here what they do on the server', async () => {
  const { view, parsers } = await filed();
  const { page, ask } = view;
  for (const [text, counter] of [[lait, 'estimate'], [codex, 'bytes4']]) {
    await ask(() => page.fill(id('field-file.text'), text));
    assert.equal(await page.isVisible('[data-error="file.text"]'), false);
    const settings = await page.textContent(id('settings'));
    assert.equal(JSON.parse(settings).policy, text);
    const answer = await compact(server.url, body(transcript, settings));
    assert.equal(JSON.parse(answer).counter.name, counter);
    assert.equal(JSON.parse(answer).compacted, true);
    assert.equal(await raw(page), member(answer, 'transcript'));
  }
  assert.equal(parsers.filter((path) => path.endsWith('js-yaml.mjs')).length, 1);
  assert.ok(parsers.some((path) => path.includes('/toml/')));
  await close(view);
});

test('what is wrong stands at the file, in the words of the server', async () => {
  const { view } = await filed();
  const { page, ask } = view;
  await ask(() => page.fill(id('field-file.text'), 'default:\n  compaction:\n    trigger_round: 6\n'));
  const said = 'policy.default.compaction.trigger_round: unknown field, did you mean trigger_rounds? (line 3)';
  assert.equal(await page.textContent('[data-error="file.text"]'), said);
  const answer = await fetch(`${server.url}/v1/compact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body(transcript, await page.textContent(id('settings'))),
  });
  assert.equal(answer.status, 400);
  assert.equal((await answer.json()).error.message, said);
  assert.deepEqual(await axe(page), []);
  // JSON is one more way to write a policy.
  await ask(() => page.fill(id('field-file.text'), '{"lait": {"trigger_rounds": 1, "keep_last_n": 2}}'));
  assert.equal(await page.isVisible('[data-error="file.text"]'), false);
  await close(view);
});

test('a host without the parsers asks for JSON', async () => {
  const { view } = await filed((page) => page.route('**/parsers/**', (route) => route.fulfill({ status: 404, body: '' })));
  const { page, ask } = view;
  await ask(() => page.fill(id('field-file.text'), lait));
  assert.match(await page.textContent('[data-error="file.text"]'), /the two parsers .* give the policy as JSON/);
  await ask(() => page.fill(id('field-file.text'), '{"lait": {"trigger_rounds": 1}}'));
  assert.equal(await page.isVisible('[data-error="file.text"]'), false);
  // The browser itself reports the missing files; nothing else is wrong.
  assert.deepEqual(view.problems.filter((problem) => !/404|parsers/.test(problem)), []);
  await page.close();
});
