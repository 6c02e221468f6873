// A Codex config.toml: its keys about compaction.

import { Refused, below, integer, meant, miss, near, root, words, wrong } from './value.mjs';

export const codexKeys = [
  'model_context_window',
  'model_auto_compact_token_limit',
  'model_auto_compact_token_limit_scope',
  'compact_prompt',
  'experimental_compact_prompt_file',
  'model',
];
// The flag that is read, and the one that it took the place of, which is no near
// miss of it.
const flagNames = ['remote_compaction_v2', 'remote_compaction'];

export function parseTOML(text, toml) {
  try {
    return toml.parse(text, { integersAsBigInt: true });
  } catch (err) {
    const reason = String(err.message).split('\n')[0].replace(/^Invalid TOML document: /, '');
    throw new Refused(root, err.line ?? 0, `cannot be read as TOML: ${reason}`);
  }
}

// A table is an object without a class of its own: dates have one.
const isTable = (v) => typeof v === 'object' && v !== null && !Array.isArray(v) && [Object.prototype, null].includes(Object.getPrototypeOf(v));
const own = (v, name) => (isTable(v) && Object.hasOwn(v, name) ? v[name] : undefined);

// tomlValue is what stands at a path of tables; undefined where nothing does.
function tomlValue(doc, text, ...path) {
  let at = doc;
  for (const name of path) {
    at = own(at, name);
    if (at === undefined) return undefined;
  }
  const v = { path: path.reduce(below, root), line: tomlLine(text, path.join('.')), kind: 'something else' };
  if (typeof at === 'string') Object.assign(v, { kind: 'a string', text: at });
  else if (typeof at === 'bigint') Object.assign(v, { kind: 'an integer', number: at });
  else if (typeof at === 'boolean') Object.assign(v, { kind: 'true or false', yes: at });
  else if (typeof at === 'number') v.kind = 'a number, but no plain integer';
  else if (Array.isArray(at)) v.kind = 'a list';
  else if (isTable(at)) v.kind = 'a table of names';
  return v;
}

// tomlLine is the line in which a key is set, by its dotted path; 0 where it is
// not found, as in inline tables. Neither parser tells it.
function tomlLine(text, path) {
  const dotted = (key) => key.replaceAll(/[ \t"']/g, '');
  let table = '';
  let open = '';
  for (const [i, raw] of text.split('\n').entries()) {
    if (open) {
      if (raw.includes(open)) open = '';
      continue;
    }
    const line = raw.trim();
    if (line[0] === '[') {
      table = `${dotted(line.slice(line[1] === '[' ? 2 : 1).split(']')[0])}.`;
      continue;
    }
    const equals = line.indexOf('=');
    if (equals >= 0 && line[0] !== '#' && table + dotted(line.slice(0, equals)) === path) return i + 1;
    let first = Infinity;
    for (const quotes of ['"""', "'''"]) {
      const at = line.indexOf(quotes);
      if (at >= 0 && at < first && line.split(quotes).length % 2 === 0) [first, open] = [at, quotes];
    }
  }
  return 0;
}

export function isCodex(doc) {
  const flags = own(doc, 'features');
  return (
    Object.keys(doc).some((name) => near(name, codexKeys) !== '') ||
    (isTable(flags) && Object.keys(flags).some((name) => near(name, flagNames) === flagNames[0]))
  );
}

export function readCodex(doc, text) {
  for (const name of Object.keys(doc).sort()) {
    const to = meant(name, codexKeys);
    if (to) throw miss(root, name, tomlLine(text, name), to);
  }
  const flags = own(doc, 'features');
  for (const name of isTable(flags) ? Object.keys(flags).sort() : []) {
    const to = meant(name, flagNames);
    if (to === flagNames[0]) throw miss(below(root, 'features'), name, tomlLine(text, `features.${name}`), to);
  }
  const file = tomlValue(doc, text, 'experimental_compact_prompt_file');
  if (file) throw new Refused(file.path, file.line, 'names a file, and none is read here: put its text into compact_prompt');
  const policy = {};
  for (const name of ['model_context_window', 'model_auto_compact_token_limit']) {
    const v = tomlValue(doc, text, name);
    if (v) policy[name] = integer(v, 1);
  }
  const scope = tomlValue(doc, text, 'model_auto_compact_token_limit_scope');
  if (scope) {
    if (!['total', 'body_after_prefix'].includes(scope.text)) throw wrong(scope, '"total" or "body_after_prefix"');
    policy.model_auto_compact_token_limit_scope = scope.text;
  }
  const flag = tomlValue(doc, text, 'features', flagNames[0]);
  if (flag) {
    if (flag.kind !== 'true or false') throw wrong(flag, 'true or false');
    policy.implementation = !compacts(doc) ? 'local' : flag.yes ? 'remote' : 'remote_v1';
  }
  const prompt = tomlValue(doc, text, 'compact_prompt');
  if (prompt) {
    if (prompt.kind !== 'a string') throw wrong(prompt, 'a string');
    policy.compact_prompt = prompt.text;
  }
  const model = tomlValue(doc, text, 'model');
  return { policy: { codex: policy }, model: model ? words(model, 'the id of a model, not blank') : '' };
}

// compacts reports whether Codex would ask the configured provider to compact:
// OpenAI itself, Azure, Bedrock.
function compacts(doc) {
  const id = own(doc, 'model_provider');
  if (typeof id !== 'string' || id === 'openai' || id === 'amazon-bedrock') return true;
  const provider = own(own(doc, 'model_providers'), id);
  const name = own(provider, 'name');
  const url = own(provider, 'base_url');
  if (name === 'OpenAI' || (typeof name === 'string' && name.toLowerCase() === 'azure')) return true;
  const parts = ['openai.azure.', 'cognitiveservices.azure.', 'aoai.azure.', 'azure-api.', 'azurefd.', 'windows.net/openai'];
  return typeof url === 'string' && parts.some((part) => url.includes(part));
}
