// Reads a policy out of another system's own configuration: a whole
// lait.config.yml, or a Codex config.toml. It is worker/config, for the page: the
// files in worker/config/testdata hold both to the same answers. The page loads it
// when somebody gives it such a text, and the two parsers with it.

import { codexKeys, isCodex, parseTOML, readCodex } from './config/codex.mjs';
import { isLait, readLait } from './config/lait.mjs';
import { Refused, attempt, root, series } from './config/value.mjs';
import { maxCopied, parseYAML } from './config/yaml.mjs';

export { Refused };

// maxText bounds a text, in bytes.
const maxText = 262_144;
const forms = '{"lait": {..}} or {"codex": {..}}';

/** The parsers, which the build has put beside this file. */
export async function parsers() {
  const [yaml, toml] = await Promise.all([import('./parsers/js-yaml.mjs'), import('./parsers/toml/index.js')]);
  return { yaml, toml };
}

/** What a text says, or what is wrong with it, as JSON for the page. */
export async function answer(text) {
  const loaded = await parsers();
  try {
    return JSON.stringify(read(text, loaded));
  } catch (err) {
    // Anything else is that the stack has no more room for it.
    const { path, message } = err instanceof Refused ? err : new Refused(root, 0, 'is nested too deep');
    return JSON.stringify({ error: { path, message } });
  }
}

/** {policy, models, model} of a text; throws Refused. */
export function read(text, { yaml, toml }) {
  text = text.replace(/^\ufeff/, '');
  const size = new TextEncoder().encode(text).length;
  if (size > maxText) throw new Refused(root, 0, `is a text of ${size} bytes, the limit is ${maxText}`);
  const y = attempt(() => parseYAML(text, yaml));
  const t = attempt(() => parseTOML(text, toml));
  const lait = y.value && isLait(y.value);
  const codex = t.value && isCodex(t.value);
  if (lait && codex) {
    throw new Refused(root, 0, `can be read as a lait.config.yml and as a Codex config.toml: send the one that is meant as an object, ${forms}`);
  }
  if (lait) {
    const { value, error } = attempt(() => readLait(y.value));
    // Then what was read is not all that is there.
    if (y.value.copied > maxCopied) throw new Refused(root, 0, `merges (<<) more than ${maxCopied} names`);
    if (error) throw error;
    return value;
  }
  if (codex) return readCodex(t.value, text);
  if (attempt(() => JSON.parse(text)).error === undefined) {
    throw new Refused(root, 0, `is JSON in a string: send the object itself, ${forms}`);
  }
  const { error } = looksLikeTOML(text) ? t : y;
  if (error) throw error;
  throw new Refused(
    root,
    0,
    `is a text with nothing about compaction: neither default.compaction, as in a lait.config.yml, nor one of ${series(codexKeys)}, as in a Codex config.toml`,
  );
}

// looksLikeTOML judges a text that could not be read by its first line that says
// something: a table, or a name with an equals sign.
function looksLikeTOML(text) {
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line[0] === '#') continue;
    const equals = line.indexOf('=');
    const colon = line.indexOf(':');
    return line[0] === '[' || (equals > 0 && (colon < 0 || equals < colon));
  }
  return false;
}
