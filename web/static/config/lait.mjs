// A lait.config.yml: default.compaction, and the models that it names.

import { Refused, attempt, below, integer, meant, miss, near, root, series, words, wrong } from './value.mjs';
import { follow, get, members, valueOf } from './yaml.mjs';

const laitKeys = ['trigger_rounds', 'trigger_tokens', 'keep_last_n', 'model'];

export const isLait = (doc) => members(doc, doc.top).some(({ key }) => key.value === 'models' || near(key.value, ['default']) !== '');

const aModel = 'the alias or the id of a model, not blank';

// strangers refuses what was probably meant to be one of ours.
function strangers(doc, node, path, ...ours) {
  for (const { key } of members(doc, node)) {
    const to = meant(key.value, ours);
    if (to) throw miss(path, key.value, key.line, to);
  }
}

export function readLait(doc) {
  strangers(doc, doc.top, root, 'default', 'models');
  const def = get(doc, doc.top, 'default');
  if (!def) throw new Refused(root, 0, 'holds no default.compaction, which is where lait says when to compact');
  const at = below(root, 'default');
  const v = valueOf(def, at);
  if (v.kind !== 'a table of names') throw wrong(v, 'a table of names with compaction in it');
  strangers(doc, def.value, at, 'compaction', 'model');
  const config = { policy: null, models: aliases(doc), model: '' };
  const model = get(doc, def.value, 'model');
  if (model) {
    const named = valueOf(model, below(at, 'model'));
    if (named.kind !== 'null') {
      config.model = words(named, aModel);
      known(doc, config.model, config.models);
    }
  }
  const block = get(doc, def.value, 'compaction');
  if (!block) {
    throw new Refused(at, def.key.line, 'holds no compaction, so that lait would never compact: add it, or write compaction: null to have it off');
  }
  config.policy = compaction(doc, block, below(at, 'compaction'), config.models);
  return config;
}

// compaction reads the block. As with lait every name in it must be a known one.
function compaction(doc, block, at, models) {
  const v = valueOf(block, at);
  if (v.kind === 'null') return { preset: 'lait', triggers: [] };
  if (v.kind !== 'a table of names') throw wrong(v, 'a table of names, or null for off');
  const values = {};
  for (const m of members(doc, block.value)) {
    const name = m.key.value;
    const to = meant(name, laitKeys);
    if (to) throw miss(at, name, m.key.line, to);
    if (!laitKeys.includes(name)) throw new Refused(below(at, name), m.key.line, `unknown field, the fields are ${series(laitKeys)}`);
    values[name] = valueOf(m, below(at, name));
  }
  const policy = {};
  for (const name of laitKeys) {
    const given = values[name];
    if (!given || (given.kind === 'null' && name !== 'keep_last_n')) continue;
    if (name === 'model') {
      policy.model = words(given, aModel);
      known(doc, policy.model, models);
    } else {
      policy[name] = integer(given, name === 'keep_last_n' ? 0 : 1);
    }
  }
  if (!('trigger_rounds' in policy) && !('trigger_tokens' in policy)) {
    throw new Refused(at, block.key.line, 'needs trigger_rounds or trigger_tokens, or both');
  }
  return { lait: policy };
}

// aliases takes all of models that can be read. One that can not be is an error
// where it is used, as with lait.
function aliases(doc) {
  const all = Object.create(null);
  const models = get(doc, doc.top, 'models');
  if (!models) return all;
  const at = below(root, 'models');
  const v = valueOf(models, at);
  if (v.kind !== 'a table of names' && v.kind !== 'null') throw wrong(v, 'a table of aliases');
  for (const m of members(doc, models.value)) {
    const { value } = attempt(() => modelID(doc, m, below(at, m.key.value)));
    if (value !== undefined) all[m.key.value] = { model: value };
  }
  return all;
}

// known refuses an alias that is there and can not be read. A name that is no
// alias is the id of a model.
function known(doc, name, models) {
  if (name in models) return;
  const m = get(doc, get(doc, doc.top, 'models')?.value, name);
  if (m) modelID(doc, m, below(below(root, 'models'), name));
}

// modelID is the id of an alias's first definition; the others are for when its
// provider does not answer.
function modelID(doc, m, at) {
  const v = valueOf(m, at);
  if (v.kind !== 'a list') throw wrong(v, 'a list of definitions with a model_id');
  if (m.value.items.length === 0) throw new Refused(at, v.line, 'is empty, must be a list of definitions with a model_id');
  const first = { key: m.key, value: follow(m.value.items[0]) };
  at = `${at}[0]`;
  const table = valueOf(first, at);
  if (table.kind !== 'a table of names') throw wrong(table, 'a table of names with a model_id');
  const id = get(doc, first.value, 'model_id');
  if (!id) {
    strangers(doc, first.value, at, 'model_id');
    throw new Refused(below(at, 'model_id'), m.key.line, 'is missing');
  }
  return words(valueOf(id, below(at, 'model_id')), 'the id of a model, not blank');
}
