// What the tests of real command line agents stand on: an agent of a pinned npm
// version in a folder of its own, a server on 127.0.0.1 that answers it by a
// script, and tamp's own server to compact what the agent has written.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** The file of an installed npm package, e.g. ('@openai/codex', 'bin/codex.js'). */
export function installed(name, file) {
  return join(require.resolve(`${name}/package.json`), '..', file);
}

/** The version of an installed npm package. */
export function version(name) {
  return require(`${name}/package.json`).version;
}

/** A folder with home and work in it, gone behind clean(). */
export function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'tamp-cli-'));
  for (const name of ['home', 'work']) mkdirSync(join(dir, name));
  return {
    home: join(dir, 'home'),
    work: join(dir, 'work'),
    // An agent that just ended may still write its last file: hence the retries.
    clean: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/**
 * Runs an agent until it ends, 60 s at most, and gives what it printed. Its
 * environment is PATH and env alone: no key, no proxy, no settings of whoever
 * runs the tests. Any exit code but 0 is an error.
 */
export async function run(script, args, { cwd, env }) {
  // A group of its own: the npm packages are launchers, and the agent is a child
  // that would outlive them.
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (err) {
      if (err.code !== 'ESRCH') throw err; // it has ended in the meantime
    }
  };
  process.once('exit', kill);
  const timer = setTimeout(kill, 60_000);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  });
  clearTimeout(timer);
  process.removeListener('exit', kill);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${signal ?? `code ${code}`}:\n${printed}`);
  return printed;
}

/**
 * A server that gives the answers of a script, one for each POST to path, in
 * order. reply(res, answer, body, n) writes one. Each further request, and each
 * to another path, is answered with an error that no agent retries, and noted.
 *
 * Returns {url, say(...answers), asked(), stop()}: asked() gives the bodies of
 * the requests since it was called last, and fails where there was one too many
 * or an answer was left over.
 */
export async function scripted(path, reply) {
  let answers = [];
  let bodies = [];
  let stray = [];
  let n = 0;
  const server = createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const answer = req.method === 'POST' && req.url.split('?')[0] === path ? answers.shift() : undefined;
    if (answer === undefined) {
      stray.push(`${req.method} ${req.url}: ${Buffer.concat(chunks).toString().slice(-600)}`);
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end('{"type":"error","error":{"type":"invalid_request_error","message":"the script has no answer"}}');
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString());
    bodies.push(body);
    n += 1;
    reply(res, answer, body, n);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    say: (...more) => answers.push(...more),
    asked() {
      const [seen, left, more] = [bodies, answers, stray];
      [bodies, answers, stray] = [[], [], []]; // what follows begins anew, even behind a failure
      if (more.length > 0) throw new Error(`requests that the script does not have:\n${more.join('\n')}`);
      if (left.length > 0) throw new Error(`${left.length} answers of the script were not asked for`);
      return seen;
    },
    stop: () => server.close(),
  };
}

/** Opens a stream of server-sent events, each {type, ...}; ends it behind them. */
export function stream(res, events) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) res.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  res.end();
}

/** Asks tamp's server; anything but a 200 is an error. */
export async function ask(tamp, path, body) {
  const res = await fetch(tamp.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await res.text();
  if (res.status !== 200) throw new Error(`${path} answers ${res.status}: ${text}`);
  return JSON.parse(text);
}
