// The AI SDK and LangChain themselves read what tamp writes: conversations that
// these libraries made are compacted, and must load again, go through to a model,
// and hold the kept messages unchanged.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { load } from '@langchain/core/load';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, coerceMessageLikeToMessage, mapStoredMessagesToChatMessages } from '@langchain/core/messages';
import { convertToModelMessages, generateText, modelMessageSchema, validateUIMessages } from 'ai-sdk';

import { startServer } from './e2e/harness.mjs';

let tamp;
before(async () => {
  tamp = await startServer({ web: null });
});
after(() => tamp?.stop());

const page = 'A line of the page that was fetched. '.repeat(40);

/** A UIMessage chat of n turns, each with two calls in its answer; the last one waits for an approval. */
function chat(n) {
  const messages = [{ id: 'system', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }];
  for (let i = 0; i < n; i++) {
    messages.push({ id: `user${i}`, role: 'user', metadata: { turn: i }, parts: [{ type: 'text', text: `Fetch page ${i}.` }] });
    messages.push({
      id: `assistant${i}`,
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Both at once.', state: 'done' },
        { type: 'tool-fetch', toolCallId: `a${i}`, state: 'output-available', input: { page: i, pad: page }, output: { text: page } },
        { type: 'dynamic-tool', toolName: 'look', toolCallId: `b${i}`, state: 'output-error', input: {}, errorText: 'not found' },
        { type: 'step-start' },
        { type: 'text', text: `Page ${i} is there.`, state: 'done' },
      ],
    });
  }
  messages.at(-1).parts.push({ type: 'step-start' }, { type: 'tool-remove', toolCallId: 'open', state: 'approval-requested', input: { page: 0 }, approval: { id: 'approval' } });
  return messages;
}

/** The same in messages of LangChain. */
function messagesOf(n) {
  const messages = [new SystemMessage('Be brief.')];
  for (let i = 0; i < n; i++) {
    const calls = [{ id: `a${i}`, name: 'fetch', args: { page: i, pad: page }, type: 'tool_call' }, { id: `b${i}`, name: 'look', args: {}, type: 'tool_call' }];
    messages.push(
      new HumanMessage(`Fetch page ${i}.`),
      new AIMessage({ content: [{ type: 'text', text: 'Both at once.' }, { type: 'tool_use', id: `a${i}`, name: 'fetch', input: calls[0].args }], tool_calls: calls }),
      new ToolMessage({ content: page, tool_call_id: `a${i}`, name: 'fetch' }),
      new ToolMessage({ content: 'not found', tool_call_id: `b${i}`, name: 'look', status: 'error' }),
      new AIMessage(`Page ${i} is there.`),
    );
  }
  return messages;
}

const policies = {
  lait: { lait: { trigger_rounds: 1, keep_last_n: 3 } },
  codex: { preset: 'codex' },
  balanced: { preset: 'balanced', keep: { last_messages: 3, last_tokens: 0 } },
  prune: { preset: 'prune', tools: { keep_last: 1, protect_tokens: 0, min_gain: 1, inputs: true, reasoning: 'drop' } },
};

/** Compacts a transcript; what came of it has to be smaller, and to be in the format. */
async function compact(transcript, format, policy) {
  const res = await fetch(`${tamp.url}/v1/compact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ transcript, policy, force: true }),
  });
  const body = await res.json();
  assert.equal(res.status, 200, JSON.stringify(body));
  assert.equal(body.format.name, format);
  assert.equal(body.compacted, true, body.reason);
  assert.ok(body.receipt.tokens_after < body.receipt.tokens_before / 2, `${body.receipt.tokens_before} to ${body.receipt.tokens_after} tokens`);
  for (const item of body.receipt.items) {
    if (item.fate === 'kept') assert.deepEqual(body.transcript[item.to], transcript[item.index]);
  }
  return body.transcript;
}

/** What a model is sent: the SDK refuses calls without results on the way. */
async function sent(messages) {
  let prompt;
  const model = {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    async doGenerate(options) {
      prompt = options.prompt;
      const tokens = { total: 1 };
      return { content: [{ type: 'text', text: 'ok' }], finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens: tokens, outputTokens: tokens }, warnings: [] };
    },
  };
  await generateText({ model, messages });
  return prompt;
}

/** Roles of messages, and how many calls and results are in them. */
const count = (messages, type) => messages.flatMap((m) => (Array.isArray(m.content) ? m.content : [])).filter((p) => p.type === type).length;

for (const [name, policy] of Object.entries(policies)) {
  test(`AI SDK, UIMessages, ${name}`, async () => {
    const out = await validateUIMessages({ messages: await compact(chat(6), 'ai-sdk-ui', policy) });
    assert.equal(new Set(out.map((m) => m.id)).size, out.length, 'ids are unique');
    assert.ok(out.some((m) => m.parts.some((p) => p.state === 'approval-requested')), 'the open call stays');
    const messages = await convertToModelMessages(out);
    for (const m of messages) modelMessageSchema.parse(m);
    // Answered, the whole of it goes to a model.
    const last = out.findLast((m) => m.role === 'assistant').parts.at(-1);
    Object.assign(last, { state: 'output-denied', approval: { id: 'approval', approved: false } });
    const prompt = await sent(await convertToModelMessages(out));
    assert.equal(count(prompt, 'tool-call'), count(prompt, 'tool-result'));
  });

  test(`AI SDK, ModelMessages, ${name}`, async () => {
    const whole = await convertToModelMessages(chat(6).with(-1, { id: 'end', role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] }));
    const out = await compact(whole, 'ai-sdk-model', policy);
    for (const m of out) modelMessageSchema.parse(m);
    const prompt = await sent(out);
    assert.equal(count(prompt, 'tool-call'), count(prompt, 'tool-result'));
  });

  for (const [shape, write, read] of [
    ['dumps', (m) => JSON.parse(JSON.stringify(m)), (m) => load(JSON.stringify(m))],
    ['toDict', (m) => m.map((x) => x.toDict()), async (m) => mapStoredMessagesToChatMessages(m)],
    ['flat', (m) => m.map((x) => ({ type: x.getType(), ...x.toDict().data })), async (m) => m.map(coerceMessageLikeToMessage)],
  ]) {
    test(`LangChain, ${shape}, ${name}`, async () => {
      const out = await read(await compact(write(messagesOf(6)), 'langchain', policy));
      const calls = out.flatMap((m) => m.tool_calls ?? []);
      const results = out.filter((m) => m.getType() === 'tool').map((m) => m.tool_call_id);
      assert.deepEqual(calls.map((c) => c.id), results, 'each call has its result');
      for (const m of out) {
        assert.ok(['system', 'human', 'ai', 'tool'].includes(m.getType()), m.getType());
        for (const block of Array.isArray(m.content) ? m.content : []) {
          if (block.type === 'tool_use') assert.deepEqual(block.input, m.tool_calls.find((c) => c.id === block.id).args, 'a call is one in all its places');
        }
      }
    });
  }
}
