// Encodes the texts that `trials write` wrote with npm tiktoken (Rust), and
// writes a hash of the tokens of each:
//
//	node scripts/oracle/tiktoken.mjs DIR
//
// The hash is that of package trial.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

// From the one list of npm packages, scripts/package.json; TIKTOKEN_FROM names
// another directory whose node_modules has it.
const require = createRequire(process.env.TIKTOKEN_FROM ? path.resolve(process.env.TIKTOKEN_FROM) + "/" : import.meta.url);
const { get_encoding } = require("tiktoken");

const dir = process.argv[2];
const sets = fs.readdirSync(dir).filter((name) => name.endsWith(".texts"));
if (sets.length === 0) throw new Error(`${dir} holds no texts: trials write makes them`);

for (const encoding of ["o200k_base", "cl100k_base"]) {
  const tokenizer = get_encoding(encoding);
  for (const set of sets) {
    const texts = fs.readFileSync(path.join(dir, set));
    const out = [];
    for (let at = 0; at < texts.length; ) {
      const size = texts.readUInt32LE(at);
      // latin1 would lose, and a TextDecoder would eat a byte order mark.
      const text = texts.toString("utf8", at + 4, at + 4 + size);
      at += 4 + size;
      const tokens = tokenizer.encode_ordinary(text);
      let a = 0x811c9dc5, b = 0x9e3779b9;
      const add = (n) => {
        a = Math.imul(a ^ n, 0x01000193);
        b = Math.imul(b ^ n, 0x85ebca6b);
        b ^= b >>> 15;
      };
      for (const token of tokens) add(token);
      add(tokens.length);
      out.push(a >>> 0, b >>> 0);
    }
    const hashes = Buffer.alloc(4 * out.length);
    out.forEach((half, i) => hashes.writeUInt32BE(half, 4 * i));
    fs.writeFileSync(path.join(dir, set.replace(/texts$/, `${encoding}.hashes`)), hashes);
    console.log(`tiktoken ${encoding} ${set}: ${out.length / 2} texts`);
  }
  tokenizer.free();
}
