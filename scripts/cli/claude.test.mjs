// The real Claude Code CLI goes on with a session of its own that tamp has
// compacted: what it sends next holds the summary and what was kept, in the order
// of the plan, and nothing of what was folded.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startServer } from '../e2e/harness.mjs';
import { ask, folder, installed, run, scripted, stream, version } from './cli.mjs';

const PACKAGE = '@anthropic-ai/claude-code';

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

test('the CLI is the pinned one', () => assert.equal(version(PACKAGE), '2.1.332'));

/** Writes an answer of the Messages API: {blocks, usage}. */
function reply(res, { blocks, usage = {} }, body, n) {
  const counts = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5, ...usage };
  const start = (b) => {
    if (b.type === 'text') return { ...b, text: '' };
    return b.type === 'thinking' ? { type: 'thinking', thinking: '', signature: '' } : { ...b, input: {} };
  };
  const deltas = (b) => {
    if (b.type === 'text') return [{ type: 'text_delta', text: b.text }];
    if (b.type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(b.input) }];
    return [{ type: 'thinking_delta', thinking: b.thinking }, { type: 'signature_delta', signature: b.signature }];
  };
  stream(res, [
    {
      type: 'message_start',
      message: { id: `msg_${n}`, type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage: counts },
    },
    ...blocks.flatMap((b, index) => [
      { type: 'content_block_start', index, content_block: start(b) },
      ...deltas(b).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: blocks.some((b) => b.type === 'tool_use') ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: counts.output_tokens },
    },
    { type: 'message_stop' },
  ]);
}

const text = (s) => ({ type: 'text', text: s });

/** An agent in a folder of its own. */
async function agent() {
  const dir = folder();
  const server = await scripted('/v1/messages', reply);
  const env = {
    HOME: dir.home,
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'test',
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000', // it compacts by itself above that
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const projects = join(dir.home, '.claude', 'projects');
  const session = () => {
    const files = readdirSync(projects, { recursive: true }).filter((f) => f.endsWith('.jsonl'));
    assert.equal(files.length, 1, `one session is expected: ${files}`);
    return join(projects, files[0]);
  };
  return {
    dir,
    server,
    read: () => readFileSync(session(), 'utf8'),
    write: (log) => writeFileSync(session(), log),
    go: (prompt, ...args) => run(installed(PACKAGE, 'cli-wrapper.cjs'), ['-p', ...args, prompt], { cwd: dir.work, env }),
  };
}

/**
 * Lets the CLI record a session of three turns. The second one has an answer
 * with a thought and two calls at once, whose results stand on two branches of
 * the session's tree; the last answer reports a context that is over the limit.
 * Each test begins with this file.
 */
async function recorded() {
  const made = await agent();
  const file = (name) => join(made.dir.work, name);
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(file(name), `${name} holds THE-CONTENT-OF-${name}\n${'It goes on and on. '.repeat(100)}\n`);
  const use = (id, name) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: file(name) } });
  made.server.say({ blocks: [text('FIRST-LOOK'), use('toolu_1', 'a.txt')] }, { blocks: [text('FIRST-ANSWER')] });
  await made.go('FIRST-QUESTION');
  made.server.say(
    { blocks: [{ type: 'thinking', thinking: 'SECOND-THOUGHT', signature: 'c2ln' }, text('SECOND-LOOK'), use('toolu_2', 'b.txt'), use('toolu_3', 'c.txt')] },
    { blocks: [text('SECOND-ANSWER')] },
  );
  await made.go('SECOND-QUESTION', '--continue');
  made.server.say({ blocks: [text('THIRD-ANSWER')], usage: { input_tokens: 20, cache_read_input_tokens: 190_000 } });
  await made.go('THIRD-QUESTION', '--continue');
  const asked = made.server.asked();
  assert.equal(asked.length, 5);
  return { ...made, recording: made.read(), sent: conversation(asked[4]) };
}

/**
 * The conversation of a request: "role: what" for each block. Left out is what
 * the CLI adds itself: reminders, mid-conversation system messages, and the stub
 * that it puts behind a conversation whose last word is the user's.
 */
function conversation(body) {
  const said = [];
  for (const { role, content } of body.messages) {
    if (role === 'system') continue;
    for (const b of typeof content === 'string' ? [text(content)] : content) {
      if (b.type === 'text' && (b.text.startsWith('<system-reminder>') || b.text === 'No response requested.')) continue;
      if (b.type === 'text') said.push(`${role}: ${b.text.trimEnd()}`);
      if (b.type === 'thinking') said.push(`${role}: thinking ${b.thinking} ${b.signature}`);
      if (b.type === 'tool_use') said.push(`${role}: ${b.id} ${b.input.file_path.split('/').pop()}`);
      if (b.type === 'tool_result') said.push(`${role}: result ${b.tool_use_id} ${/THE-CONTENT-OF-\S+/.exec(JSON.stringify(b.content))?.[0].slice(15, 20)}`);
    }
  }
  return said;
}

const SUMMARY = 'The summary that stands for what is gone.';

/** Compacts the session in place; gives the result, and the frame with the summary. */
async function compact(policy, more = {}) {
  const log = cli.read();
  const out = await ask(tamp, '/v1/compact', { transcript: log, force: true, summary: SUMMARY, policy, ...more });
  assert.equal(out.compacted, true);
  assert.equal(out.format.name, 'claude-code');
  cli.write(out.transcript);
  const line = out.transcript.split('\n').findLast((l) => l.includes('"isCompactSummary":true'));
  const frame = JSON.parse(line).message.content;
  assert.ok(frame.endsWith(SUMMARY), frame);
  return { log, frame, transcript: out.transcript };
}

/** Goes on with the session, and gives what the CLI sent. */
async function goOn(name) {
  cli.server.say({ blocks: [text(`${name}-ANSWER`)] });
  const printed = await cli.go(`${name}-QUESTION`, '--continue').catch((err) => err.message);
  // One request: the usage from before does not make the CLI compact once more.
  const asked = cli.server.asked();
  assert.equal(asked.length, 1);
  assert.match(printed, new RegExp(`${name}-ANSWER`));
  return { said: conversation(asked[0]), raw: JSON.stringify(asked[0].messages) };
}

// keep_last_n 7: the second turn whole and the third one. The cut falls between
// messages of the API, however many lines and branches they have in the file.
const LAIT = { lait: { trigger_rounds: 1, keep_last_n: 7 } };
const KEPT = ['SECOND-QUESTION', 'thinking SECOND-THOUGHT c2ln', 'SECOND-LOOK', 'toolu_2 b.txt', 'toolu_3 c.txt', 'result toolu_2 b.txt', 'result toolu_3 c.txt', 'SECOND-ANSWER', 'THIRD-QUESTION'];

/** What the CLI sent of that before, when it went on with the session as it was:
 * results stand in the order in which the files were read. */
function tail() {
  const said = cli.sent.slice(-KEPT.length);
  assert.deepEqual(said.map((s) => s.replace(/^\w+: /, '')).sort(), [...KEPT].sort());
  return [...said, 'assistant: THIRD-ANSWER'];
}

for (const rewrite of [false, true]) {
  test(`a session with ${rewrite ? 'nothing but the compacted history' : 'lines behind it'} is continued`, async () => {
    cli.write(cli.recording);
    const { log, frame, transcript } = await compact(LAIT, { rewrite });
    assert.equal(transcript.startsWith(log), !rewrite);
    assert.equal(transcript.includes('FIRST-QUESTION'), !rewrite);

    const fourth = await goOn('FOURTH');
    assert.deepEqual(fourth.said, [`user: ${frame}`, ...tail(), 'user: FOURTH-QUESTION']);
    assert.ok(!fourth.raw.includes('FIRST-'));

    // What the CLI wrote behind that is read as what it sent; compacted once more,
    // it holds one summary, and goes on.
    const { items } = await ask(tamp, '/v1/count', { transcript: cli.read() });
    assert.equal(items.length, 1 + 7 + 2);
    const again = await compact({ lait: { trigger_rounds: 1, keep_last_n: 2 } }, { rewrite });
    assert.deepEqual((await goOn('FIFTH')).said, [
      `user: ${again.frame}`,
      'user: FOURTH-QUESTION',
      'assistant: FOURTH-ANSWER',
      'user: FIFTH-QUESTION',
    ]);
  });
}

test('a summary that stands behind the messages that were kept is in its place', async () => {
  cli.write(cli.recording);
  const { frame } = await compact({ codex: { model_context_window: 200_000 } });
  assert.deepEqual((await goOn('FOURTH')).said, [
    'user: FIRST-QUESTION',
    'user: SECOND-QUESTION',
    'user: THIRD-QUESTION',
    `user: ${frame}`,
    'user: FOURTH-QUESTION',
  ]);
});

test('cleared results: no summary, and what is left of them is what the CLI sends', async () => {
  cli.write(cli.recording);
  const policy = { preset: 'prune', tools: { keep_last: 1, protect_tokens: 0, min_gain: 0 } };
  const { compacted, transcript } = await ask(tamp, '/v1/compact', { transcript: cli.recording, force: true, policy });
  assert.ok(compacted && transcript.startsWith(cli.recording));
  cli.write(transcript);
  const results = cli.sent.filter((s) => s.startsWith('user: result'));
  const left = (s) => (results.indexOf(s) < 0 || s === results.at(-1) ? s : s.replace(/ \S+$/, ' undefined'));
  assert.equal(results.length, 3);
  assert.deepEqual((await goOn('FOURTH')).said, [...cli.sent.map(left), 'assistant: THIRD-ANSWER', 'user: FOURTH-QUESTION']);
});

test('without tamp the CLI sends all of it, and compacts: its own compaction is read as it goes on with it', async () => {
  cli.write(cli.recording);
  cli.server.say({ blocks: [text('<summary>A-SUMMARY-OF-ITS-OWN</summary>')] }, { blocks: [text('FOURTH-ANSWER')] });
  await cli.go('FOURTH-QUESTION', '--continue');
  const asked = cli.server.asked();
  assert.equal(asked.length, 2);
  const all = JSON.stringify(asked[0].messages);
  for (const part of ['FIRST-QUESTION', 'FIRST-ANSWER', ...KEPT.map((s) => s.split(' ').pop())]) assert.ok(all.includes(part), part);

  // It keeps the newest messages where they stand, above its boundary.
  const [summary, ...kept] = conversation(asked[1]);
  assert.match(summary, /A-SUMMARY-OF-ITS-OWN/);
  assert.ok(kept.length > 1 && kept.at(-1) === 'user: FOURTH-QUESTION', kept);
  const { items } = await ask(tamp, '/v1/count', { transcript: cli.read() });
  assert.equal(items.length, 1 + kept.length + 1);
  const { plan } = await ask(tamp, '/v1/plan', { transcript: cli.read(), force: true, policy: { lait: { trigger_rounds: 1, keep_last_n: 1 } } });
  assert.deepEqual(conversation(plan.request.body).slice(0, -1), [summary, ...kept, 'assistant: FOURTH-ANSWER']); // behind it stands the prompt
});
