// The four npm tokenizers that the engine is measured against, each in the way
// that is its fastest for a count of ordinary text with o200k_base.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The peers as [{name, version, count, forget}]: count(text) is the tokens of a
 * text, forget() empties the library's cache of pieces, and is null where it
 * has none, so that hot and cold are the same.
 */
export async function peers() {
  const [rust, jsLite, jsRanks, gpt, { Tokenizer }, aiRanks] = await Promise.all([
    import('tiktoken'),
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/o200k_base'),
    import('gpt-tokenizer/encoding/o200k_base'),
    import('ai-tokenizer'),
    import('ai-tokenizer/encoding/o200k_base'),
  ]);
  const tiktoken = rust.get_encoding('o200k_base');
  const js = new jsLite.Tiktoken(jsRanks.default);
  const ai = new Tokenizer(aiRanks);
  const asText = { disallowedSpecial: new Set() }; // the text of a special token is text
  const { devDependencies: versions } = require('../package.json');
  return [
    { name: 'tiktoken', count: (text) => tiktoken.encode_ordinary(text).length, forget: null },
    { name: 'js-tiktoken', count: (text) => js.encode(text, [], []).length, forget: null },
    { name: 'gpt-tokenizer', count: (text) => gpt.countTokens(text, asText), forget: () => gpt.clearMergeCache() },
    // The cache has no name of its own in the API; its constructor's argument is its size.
    { name: 'ai-tokenizer', count: (text) => ai.encodeOrdinary(text).length, forget: () => ai.mergeCache.clear() },
  ].map((peer) => ({ ...peer, version: versions[peer.name] }));
}
