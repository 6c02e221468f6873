// Machine text made at random, in the shapes that tools print and models write.

const nouns = 'account archive batch branch buffer cache channel client cluster column commit config cursor device digest driver entry event field filter folder frame gateway group handler header image index issue item job key lease ledger limit line link list lock log message metric module network node object order owner page parser patch payload peer plan pool port prefix process profile query queue range record region release replica report request result role route rule runner sample schema scope secret segment server session shard signal slot snapshot source stage state storage stream summary table target task team tenant thread ticket timer token topic trace tree trigger update user value vector version volume watcher window worker zone'.split(' ');
const verbs = 'add apply build check clean close collect compact compare copy count create decode delete drain drop encode expand fetch find flush fold format handle insert keep list load lock measure merge move notify open parse pick plan prune push read rebuild refresh reject release remove rename render repair replace report reset resolve retry rotate run save scan search send split start stop store strip sync test trim update validate verify wait walk write'.split(' ');
const adjectives = 'active blank broken cached closed cold current dirty early empty fresh hidden idle invalid large last late local locked missing new old open partial pending private public raw ready remote shared short slow stale strict total unique unknown valid'.split(' ');
const people = ['amara', 'bjorn', 'chen.wei', 'd.kowalski', 'elif', 'f_moreau', 'giulia', 'haruto', 'ines', 'jamal'];
const fullNames = ['Amara Obi', 'Björn Åkesson', '陈伟', 'Danuta Kowalska', 'Elif Yılmaz', 'François Moreau', 'Giulia Conti', '田中 陽翔', 'Inês Araújo', 'Jamal Reed'];

// One word in three is from a longer list, r.rare: real text has a long tail.
const noun = (r) => (r.once(3) ? r.of(r.rare) : r.of(nouns));
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const pad = (n, width = 2) => String(n).padStart(width, '0');
const stamp = (r) => `2026-${pad(1 + r.below(12))}-${pad(1 + r.below(28))}T${pad(r.below(24))}:${pad(r.below(60))}:${pad(r.below(60))}.${pad(r.below(1000), 3)}Z`;
const address = (r) => `10.${r.below(256)}.${r.below(256)}.${r.below(256)}`;
const uuid = (r) => [8, 4, 4, 4, 12].map((n) => r.hex(n)).join('-');
const file = (r) => `${r.of(['src', 'internal', 'lib', 'cmd', 'test'])}/${noun(r)}/${r.of(adjectives)}_${noun(r)}.${r.of(['go', 'ts', 'py', 'rs', 'json', 'yaml'])}`;
const phrase = (r) => `${r.of(verbs)} the ${r.of(adjectives)} ${noun(r)} ${r.of(['before', 'after', 'without', 'for', 'from', 'until'])} ${r.of(['every', 'the next', 'a', 'the first', 'any'])} ${noun(r)}`;
export const english = (r) => `${capital(phrase(r))}${r.of(['.', '.', ', or it stays as it was.', ` (see ${file(r)}).`, `; there were ${r.below(500)} of them.`])}`;

/** A class or a few functions of Python. */
export function python(r) {
  const thing = noun(r);
  const name = capital(r.of(adjectives)) + capital(thing);
  const lines = [`class ${name}(${r.of(['object', 'Base', 'Protocol', `${capital(noun(r))}Mixin`])}):`, `    """${english(r)}`, '', `    ${english(r)}`, '    """', ''];
  for (let i = 2 + r.below(4); i > 0; i--) {
    const [verb, arg, other] = [r.of(verbs), noun(r), noun(r)];
    lines.push(`    def ${verb}_${other}(self, ${arg}: ${r.of(['str', 'int', 'dict[str, Any]', `list[${name}]`, 'bytes | None'])}, *, ${r.of(adjectives)}=${r.of(['None', 'True', '0', '""', String(r.below(4096))])}) -> ${r.of(['None', 'bool', 'str', 'int', `Iterator[${name}]`])}:`);
    lines.push(`        # ${english(r)}`);
    lines.push(`        if not ${arg}:`, `            raise ${r.of(['ValueError', 'KeyError', 'RuntimeError'])}(f"cannot ${verb} {${arg}!r} of ${other}: {len(self._${thing}s)} left")`);
    lines.push(`        for index, ${other} in enumerate(self._${thing}s[${r.below(9)}:]):`);
    lines.push(`            ${other}.${r.of(adjectives)}_${thing} = ${r.of(verbs)}_${noun(r)}(${arg}, index + ${r.below(100)})${r.of(['', '', `  # ${r.of(adjectives)}`])}`);
    lines.push(`        return ${r.of([`self._${thing}s.get("${noun(r)}_${noun(r)}", 0.${r.below(1000)})`, `[x for x in ${arg} if x.${r.of(adjectives)} is not None]`, `sorted(${arg}, key=lambda x: (x.${noun(r)}, -x.${noun(r)}))`])}`, '');
  }
  return `${lines.join('\n')}\n\n`;
}

/** The result of a tool as JSON: indented or on one line. */
export function json(r) {
  const row = () => ({
    id: r.once(2) ? uuid(r) : r.below(1e8),
    name: `${r.of(adjectives)}-${noun(r)}-${r.below(900)}`,
    created_at: stamp(r),
    [`${r.of(adjectives)}_${noun(r)}`]: r.of([true, false, null, r.below(1e6), r.below(1e6) / 1000]),
    owner: { login: r.of(people), name: r.of(fullNames), team: noun(r), roles: [r.of(verbs), r.of(verbs)] },
    path: `/${file(r)}`,
    ratio: r.below(1e6) / 1e6,
    message: english(r),
    sha: r.hex(40),
  });
  const value = { status: r.of(['ok', 'partial', 'error']), request_id: uuid(r), next: r.once(2) ? null : `https://api.example.com/v2/${noun(r)}s?cursor=${r.hex(24)}&limit=50`, items: Array.from({ length: 1 + r.below(6) }, row) };
  return `${JSON.stringify(value, null, r.of([0, 0, 2]))}\n`;
}

/** A line of a log, in one of four houses' styles. */
export function log(r) {
  const level = r.of(['INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR']);
  return r.of([
    () => `${stamp(r)} ${level.padEnd(5)} [${noun(r)}-${r.below(64)}] c.e.${noun(r)}.${capital(noun(r))}${capital(noun(r))} - ${phrase(r)} took ${r.below(9000)} ms (trace_id=${r.hex(16)})\n`,
    () => `${address(r)} - ${r.of(['-', ...people])} [${pad(1 + r.below(28))}/Nov/2026:${pad(r.below(24))}:${pad(r.below(60))}:${pad(r.below(60))} +0000] "${r.of(['GET', 'POST', 'PUT'])} /api/v1/${noun(r)}s/${r.below(1e6)}?${noun(r)}=${noun(r)} HTTP/1.1" ${r.of([200, 200, 204, 304, 404, 500])} ${r.below(1e5)} "-" "${r.of(['curl/8.5.0', 'Go-http-client/2.0', 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101'])}"\n`,
    () => `time=${stamp(r)} level=${level} msg="${phrase(r)}" ${noun(r)}=${r.below(1e6)} addr=${address(r)}:${1024 + r.below(60000)} elapsed=${r.below(9e5) / 1000}ms err=${r.once(3) ? `"${noun(r)} ${r.of(adjectives)}"` : 'nil'}\n`,
    () => `Nov ${String(1 + r.below(30)).padStart(2)} ${pad(r.below(24))}:${pad(r.below(60))}:${pad(r.below(60))} node-${r.below(40)} ${noun(r)}d[${r.below(32768)}]: [${r.below(1e5)}.${pad(r.below(1e6), 6)}] ${phrase(r)}: 0x${r.hex(12)} ${r.of(['ok', 'retry', 'EAGAIN', 'done'])}\n`,
  ])();
}

/** base64: a file's worth of lines, or one long line. */
export function base64(r, i) {
  const text = Buffer.from(r.bytes(3000 + r.below(3000))).toString('base64');
  return i % 2 ? `data:image/png;base64,${text}\n` : `${text.replace(/.{76}/g, '$&\n')}\n\n`;
}

/** A stretch of a web page. */
export function html(r) {
  const cls = () => `${noun(r)}-${r.of(adjectives)} ${r.of(['p-4', 'mt-2', 'col-md-6', 'text-sm', 'flex'])}`;
  const link = () => `<a href="/${noun(r)}s/${r.below(1e5)}?ref=${noun(r)}" class="${cls()}" rel="noopener">${r.of(adjectives)} ${noun(r)}</a>`;
  const rows = Array.from({ length: 1 + r.below(5) }, () => `      <tr><td>${noun(r)}</td><td class="num">${r.below(1e6)}</td><td>${link()}</td></tr>`);
  return [
    `  <section id="${noun(r)}-${r.below(1000)}" class="${cls()}" data-${noun(r)}="${r.below(1000)}">`,
    `    <h2>${capital(r.of(adjectives))} ${noun(r)}s &amp; ${noun(r)}s</h2>`,
    `    <p>${english(r)} ${english(r)} <em>${noun(r)}</em>: ${link()}.</p>`,
    '    <table>', ...rows, '    </table>',
    `    <button type="button" onclick="${r.of(verbs)}(${r.below(100)})" aria-label="${phrase(r)}">${capital(r.of(verbs))}</button>`,
    '  </section>', '',
  ].join('\n');
}

const faces = [...'😀😂🥰😎🤔😭🙏👍🎉🔥🚀✨💡🐛🧪📦🔧📝⚠✅❌🌸🍜🗾🎌🐧🦀🐹☕🌍🏔🧵🎯🕒'];
const joined = ['👨‍👩‍👧‍👦', '👩🏽‍💻', '🧑🏻‍🚀', '🏳️‍🌈', '❤️‍🔥', '🇯🇵', '🇫🇷', '🇧🇷', '👍🏿', '🤦🏼‍♀️', '1️⃣', '⚙️', '🕵️‍♂️'];

/** A chat message with emoji: known ones, joined ones, and any of the large block. */
export function emoji(r) {
  const one = () => r.of([() => r.of(faces), () => r.of(joined), () => String.fromCodePoint(0x1f300 + r.below(0x250)), () => String.fromCodePoint(0x1f900 + r.below(0xff))])();
  const run = Array.from({ length: 1 + r.below(6) }, one).join('');
  return r.once(2) ? `${run} ` : `${run} ${r.of(verbs)} ${noun(r)}${r.of(['!', ' ', '?\n', ' :) '])}`;
}

// Blocks that Unicode 9 had assigned already, without their holes.
const blocks = [[0x21, 0x7e], [0xa1, 0x17f], [0x1cd, 0x24f], [0x370, 0x377], [0x3a3, 0x3ff], [0x400, 0x52f], [0x561, 0x586], [0x5d0, 0x5ea], [0x620, 0x64a], [0x905, 0x939], [0x985, 0x98c], [0xe01, 0xe3a], [0x10d0, 0x10fa], [0x1200, 0x1246], [0x13a0, 0x13f4], [0x16a0, 0x16f0], [0x1e00, 0x1eff], [0x2010, 0x2027], [0x2190, 0x23f0], [0x2500, 0x27bf], [0x2e80, 0x2e99], [0x3041, 0x3096], [0x30a1, 0x30fa], [0x3105, 0x312d], [0x3400, 0x4db5], [0x4e00, 0x9fd5], [0xa000, 0xa48c], [0xac00, 0xd7a3], [0xff01, 0xff9f], [0x10000, 0x1000b], [0x12000, 0x12399], [0x1d400, 0x1d454], [0x1f300, 0x1f5ff], [0x20000, 0x2a6d6]];

/** Random assigned code points of many scripts, with a blank now and then. */
export function soup(r) {
  const [from, to] = r.of(blocks);
  return String.fromCodePoint(from + r.below(to - from + 1)) + (r.once(12) ? r.of([' ', '\n', '\u00a0', '\u3000']) : '');
}
