// The real Codex CLI resumes a rollout of its own that tamp has compacted: what it
// sends next is its instructions, tamp's history item for item, and behind that
// only what it adds itself.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startServer } from '../e2e/harness.mjs';
import { ask, folder, installed, run, scripted, stream, version } from './cli.mjs';

const PACKAGE = '@openai/codex';

let tamp;
let cli;
before(async () => {
  tamp = await startServer({ web: null });
  cli = await recorded();
});
after(async () => {
  cli?.server.stop();
  cli?.dir.clean();
  await tamp?.stop();
});

test('the CLI is the pinned one', () => assert.equal(version(PACKAGE), '0.171.0'));

/** Writes an answer of the Responses API: {items, tokens}. */
function reply(res, { items, tokens = 100 }, _body, n) {
  const response = { id: `resp_${n}`, object: 'response', status: 'in_progress', output: [] };
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 10,
  };
  const events = [
    { type: 'response.created', response },
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed', output: items, usage } },
  ];
  stream(res, events.map((event, sequence_number) => ({ ...event, sequence_number })));
}

const message = (id, text) => ({ type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] });
const call = (id, cmd) => ({ type: 'function_call', id: `fc_${id}`, name: 'exec_command', call_id: id, arguments: JSON.stringify({ cmd }) });

/** Records a rollout of two turns; the last answer reports a context over the limit. */
async function recorded() {
  const dir = folder();
  const server = await scripted('/v1/responses', reply);
  writeFileSync(
    join(dir.home, 'config.toml'),
    `model = "scripted-model"
model_provider = "scripted"
model_context_window = 200000
model_auto_compact_token_limit = 100000

[model_providers.scripted]
name = "scripted"
base_url = "${server.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`,
  );
  const env = { HOME: dir.home, CODEX_HOME: dir.home, SCRIPTED_KEY: 'test' };
  const go = (...args) => run(installed(PACKAGE, 'bin/codex.js'), ['exec', ...args], { cwd: dir.work, env });
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  server.say(
    {
      items: [
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'FIRST-THOUGHT' }], encrypted_content: 'Rmlyc3Q=' },
        message('msg_1', 'FIRST-LOOK'),
        call('call_1', 'echo one'),
        call('call_2', 'echo two'),
      ],
    },
    { items: [message('msg_2', 'FIRST-ANSWER')] },
  );
  await go(...flags, 'FIRST-QUESTION');
  server.say(
    {
      items: [
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'U2Vjb25k' },
        call('call_3', 'echo three'),
      ],
    },
    { items: [message('msg_3', 'SECOND-ANSWER')], tokens: 150_000 },
  );
  await go('resume', ...flags, '--last', 'SECOND-QUESTION');
  assert.equal(server.asked().length, 4);
  const sessions = join(dir.home, 'sessions');
  const rollout = () => {
    const files = readdirSync(sessions, { recursive: true }).filter((f) => f.endsWith('.jsonl'));
    assert.equal(files.length, 1, `one rollout is expected: ${files}`);
    return join(sessions, files[0]);
  };
  return {
    dir,
    server,
    recording: readFileSync(rollout(), 'utf8'),
    read: () => readFileSync(rollout(), 'utf8'),
    write: (log) => writeFileSync(rollout(), log),
    resume: (prompt) => go('resume', ...flags, '--last', prompt),
  };
}

/** An item as both sides mean it: ids and metadata aside. */
function bare(item) {
  const { id: _id, internal_chat_message_metadata_passthrough: _meta, ...rest } = item;
  return rest;
}

const isContext = (item) => item.role === 'developer' || /^<environment_context>/.test(item.content?.[0]?.text ?? '');

/** The history of a rollout that tamp wrote: that of its last compacted line, or
 * in a copy all of its items. */
function history(log, copy) {
  const lines = log.trimEnd().split('\n').map((l) => JSON.parse(l));
  if (copy) return lines.filter((l) => l.type === 'response_item').map((l) => l.payload);
  return lines.findLast((l) => l.type === 'compacted').payload.replacement_history;
}

/** Resumes, and checks that the request is instructions, history, additions. */
async function resume(name, items) {
  cli.server.say({ items: [message(`msg_${name}`, `${name}-ANSWER`)] });
  const printed = await cli.resume(`${name}-QUESTION`).catch((err) => err.message);
  // One request: the token count from before does not make it compact once more.
  const asked = cli.server.asked();
  assert.equal(asked.length, 1);
  assert.match(printed, new RegExp(`${name}-ANSWER`));
  const input = asked[0].input.map(bare);
  assert.equal(input[0].role, 'developer', 'its own instructions come first');
  assert.deepEqual(input.slice(1, 1 + items.length), items.map(bare));
  const own = input.slice(1 + items.length);
  assert.equal(own.at(-1).content[0].text, `${name}-QUESTION`);
  assert.deepEqual(own.slice(0, -1).filter((item) => !isContext(item)), [], 'it adds its context and the prompt');
  return JSON.stringify(asked[0].input);
}

const SUMMARY = 'The summary that stands for what is gone.';

async function compact(policy, rewrite) {
  const log = cli.read();
  const out = await ask(tamp, '/v1/compact', { transcript: log, force: true, summary: SUMMARY, policy, rewrite });
  assert.equal(out.compacted, true);
  assert.equal(out.format.name, 'codex-rollout');
  cli.write(out.transcript);
  return { log, transcript: out.transcript, items: history(out.transcript, rewrite) };
}

const policies = [
  // The second turn whole: a question, reasoning with its call, the output, an answer.
  { name: 'a tail', policy: { lait: { trigger_rounds: 1, keep_last_n: 5 } }, kept: ['message', 'reasoning', 'function_call', 'function_call_output', 'message'] },
  { name: "Codex's own choice", policy: { codex: { model_context_window: 200_000 } }, kept: null },
];

for (const { name, policy, kept } of policies) {
  for (const rewrite of [false, true]) {
    test(`${name}, ${rewrite ? 'a copy that holds the compacted history only' : 'lines behind the rollout'}: it is resumed`, async () => {
      cli.write(cli.recording);
      const { log, transcript, items } = await compact(policy, rewrite);
      assert.equal(transcript.startsWith(log), !rewrite);
      const says = (item) => item.content?.[0]?.text ?? '';
      assert.equal(items.filter((item) => says(item).endsWith(SUMMARY)).length, 1);
      if (kept) {
        // Leading developer messages are instructions to lait, and stay.
        const at = items.findIndex((item) => item.role !== 'developer');
        assert.ok(says(items[at]).endsWith(SUMMARY));
        assert.deepEqual(items.slice(at + 1).map((item) => item.type), kept);
      } else {
        assert.ok(says(items.at(-1)).endsWith(SUMMARY));
        for (const q of ['FIRST-QUESTION', 'SECOND-QUESTION']) assert.ok(items.some((item) => says(item) === q), q);
      }
      const sent = await resume('THIRD', items);
      for (const gone of ['FIRST-THOUGHT', 'Rmlyc3Q=', 'FIRST-LOOK', 'call_1', 'FIRST-ANSWER']) assert.ok(!sent.includes(gone), gone);

      // It wrote on, and that is compacted and resumed once more.
      const again = await compact({ lait: { trigger_rounds: 1, keep_last_n: 1 } }, rewrite);
      assert.deepEqual(again.items.map(says).filter((s) => s.endsWith(SUMMARY)).length, 1);
      assert.equal(says(again.items.at(-1)), 'THIRD-ANSWER');
      await resume('FOURTH', again.items);
    });
  }
}

test('a rollout that does not count windows: the token count alone says that there is room', async () => {
  const [head, ...lines] = cli.recording.split('\n');
  const meta = JSON.parse(head);
  assert.ok(meta.payload.context_window.window_id);
  delete meta.payload.context_window; // as in rollouts of older versions
  cli.write([JSON.stringify(meta), ...lines].join('\n'));
  const { transcript, items } = await compact(policies[0].policy, false);
  assert.ok(!transcript.includes('window_number'));
  await resume('THIRD', items);
});

test('without tamp it sends all of it, and compacts: the comparison can fail', async () => {
  cli.write(cli.recording);
  cli.server.say({ items: [message('msg_own', 'A-SUMMARY-OF-ITS-OWN')] }, { items: [message('msg_4', 'THIRD-ANSWER')] });
  await cli.resume('THIRD-QUESTION');
  const asked = cli.server.asked();
  assert.equal(asked.length, 2);
  const all = JSON.stringify(asked[0].input);
  for (const part of ['FIRST-QUESTION', 'Rmlyc3Q=', 'FIRST-LOOK', 'call_1', 'FIRST-ANSWER', 'SECOND-QUESTION', 'call_3', 'SECOND-ANSWER']) {
    assert.ok(all.includes(part), part);
  }
});
