// A YAML document as nodes with their lines, and what stands in it.

import { Refused, clip, root } from './value.mjs';

// maxCopied bounds the members that merges (<<) bring in: a text of that size can
// ask for billions.
export const maxCopied = 10_000;

// parseYAML is the one document of a text as nodes with their lines. Names that
// stand twice are refused, since nobody can tell which one counts.
export function parseYAML(text, yaml) {
  let events;
  try {
    events = yaml.parseEvents(text, { maxDepth: 500 });
  } catch (err) {
    throw new Refused(root, err.mark ? err.mark.line + 1 : 0, `cannot be read as YAML: ${err.reason ?? 'too deep'}`);
  }
  const top = compose(text, events, yaml);
  if (top) once(top);
  return { top, seen: new Map(), copied: 0 };
}

function compose(text, events, yaml) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineOf = (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const anchors = new Map();
  const open = [];
  let documents = 0;
  let top;
  const put = (node) => {
    const parent = open.at(-1);
    if (parent) parent.items.push(node);
    else top ??= node;
  };
  for (const e of events) {
    switch (e.type) {
      case yaml.EVENT_ID.DOCUMENT:
        if (++documents > 1) throw new Refused(root, 0, 'holds more than one YAML document');
        open.push(null);
        continue;
      case yaml.EVENT_ID.POP:
        open.pop();
        continue;
      case yaml.EVENT_ID.ALIAS: {
        const name = text.slice(e.anchorStart, e.anchorEnd);
        if (!anchors.has(name)) throw new Refused(root, lineOf(e.anchorStart), `cannot be read as YAML: unknown anchor '${clip(name)}' referenced`);
        put({ kind: 'alias', to: anchors.get(name) });
        continue;
      }
    }
    const scalar = e.type === yaml.EVENT_ID.SCALAR;
    const node = {
      kind: scalar ? 'scalar' : e.type === yaml.EVENT_ID.MAPPING ? 'map' : 'list',
      items: [],
      value: scalar ? yaml.getScalarValue(text, e) : '',
      plain: scalar && e.style === yaml.SCALAR_STYLE.PLAIN && e.tagStart < 0,
      tagged: e.tagStart >= 0,
      line: lineOf(scalar ? e.valueStart : e.start),
    };
    if (e.anchorStart >= 0) anchors.set(text.slice(e.anchorStart, e.anchorEnd), node);
    put(node);
    if (!scalar) open.push(node);
  }
  return top;
}

function once(node) {
  const seen = new Set();
  node.items?.forEach((child, i) => {
    if (node.kind === 'map' && i % 2 === 0 && child.kind === 'scalar') {
      if (seen.has(child.value)) throw new Refused(root, child.line, `cannot be read as YAML: ${JSON.stringify(clip(child.value))} stands twice`);
      seen.add(child.value);
    }
    once(child);
  });
}

export const follow = (node) => {
  while (node?.kind === 'alias') node = node.to;
  return node;
};

// members are those of a mapping, its own before those that it merges in (<<).
export function members(doc, node) {
  node = follow(node);
  if (node?.kind !== 'map') return [];
  const known = doc.seen.get(node);
  if (known) return known;
  doc.seen.set(node, []); // a mapping that merges itself adds nothing to itself
  const own = [];
  const merged = [];
  const has = new Set();
  const merge = (from) => {
    const more = members(doc, from);
    doc.copied += more.length;
    if (doc.copied <= maxCopied) merged.push(...more);
  };
  for (let i = 0; i + 1 < node.items.length; i += 2) {
    const key = node.items[i];
    const value = follow(node.items[i + 1]);
    if (key.kind !== 'scalar') continue;
    if (key.value === '<<' && key.plain) {
      if (value.kind === 'list') value.items.forEach(merge);
      else merge(value);
      continue;
    }
    own.push({ key, value });
    has.add(key.value);
  }
  for (const m of merged) {
    if (has.has(m.key.value)) continue;
    has.add(m.key.value);
    own.push(m);
  }
  doc.seen.set(node, own);
  return own;
}

export const get = (doc, node, name) => members(doc, node).find((m) => m.key.value === name);

// valueOf reads plain words as the core schema of YAML 1.2 has them.
export function valueOf({ key, value: node }, path) {
  const v = { path, line: key.line, kind: 'something else' };
  if (node.kind === 'map') v.kind = 'a table of names';
  else if (node.kind === 'list') v.kind = 'a list';
  else if (node.tagged) return v;
  else if (!node.plain) Object.assign(v, { kind: 'a string', text: node.value });
  else Object.assign(v, word(node.value));
  return v;
}

function word(s) {
  if (['', '~', 'null', 'Null', 'NULL'].includes(s)) return { kind: 'null' };
  if (['true', 'True', 'TRUE', 'false', 'False', 'FALSE'].includes(s)) return { kind: 'true or false', yes: /^t/i.test(s) };
  if (/^[-+]?(0|[1-9][0-9]*)$/.test(s)) {
    const number = BigInt(s.replace(/^\+/, ''));
    if (BigInt.asIntN(64, number) === number) return { kind: 'an integer', number };
    return { kind: `an integer of ${s.replace(/^[-+]/, '').length} digits` };
  }
  if (/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$|^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$|^0o[0-7]+$|^0x[0-9a-fA-F]+$/.test(s)) {
    return { kind: 'a number, but no plain integer' };
  }
  return { kind: 'a string', text: s };
}
