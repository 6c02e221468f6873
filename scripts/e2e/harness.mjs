// What every browser test stands on: a server of this tree, a real Chromium with
// an empty profile, and the helpers to look at a page. A test file in web/e2e/
// imports it by its relative path; the npm packages are resolved from here, where
// they are installed, so a test file names none of them itself.
//
//   import { startServer, launch, axe } from '../../scripts/e2e/harness.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);

/** The directory of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The directory of the page's files, built by `make web`. */
export const staticDir = join(root, 'web', 'static');

// Everything temporary of this process is in one directory, gone at its end.
let scratchDir = null;
function scratch(name) {
  if (scratchDir === null) {
    scratchDir = mkdtempSync(join(tmpdir(), 'tamp-e2e-'));
    // A browser that was closed may still write its last file: hence the retries.
    process.on('exit', () => rmSync(scratchDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  }
  return join(scratchDir, name);
}

// Processes that a failed test left behind must not outlive it.
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

let workerPath = null;
/** Builds ./worker once per process and returns the program's path. */
export function buildWorker() {
  if (workerPath === null) {
    const path = scratch('worker');
    execFileSync('go', ['build', '-o', path, './worker'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    workerPath = path;
  }
  return workerPath;
}

/**
 * Starts the worker on a free port of 127.0.0.1.
 *
 * web: directory served as the page, null for the API alone. env: added to the
 * environment. Returns {url, stop(), output()}: url without a slash at its end,
 * stop() waits until the process is gone, output() is all it printed so far.
 * Rejects with that output if it ends, or is not listening after 20 s.
 */
export async function startServer({ web = staticDir, env = {} } = {}) {
  const args = web === null ? [] : ['-web', web];
  const child = spawn(buildWorker(), args, {
    cwd: root,
    env: { ...process.env, HOST: '127.0.0.1', ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const gone = new Promise((resolve) => child.once('close', resolve));
  gone.then(() => running.delete(child));

  let printed = '';
  const url = await new Promise((resolve, reject) => {
    const fail = (why) => {
      child.kill('SIGKILL');
      reject(new Error(`worker ${why}; it printed:\n${printed}`));
    };
    const timer = setTimeout(() => fail('was not listening after 20 s'), 20_000);
    const settle = (then, value) => {
      clearTimeout(timer);
      then(value);
    };
    let line = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      line += text;
      const match = /^listening on (http:\/\/\S+?)\/?\r?\n/m.exec(line);
      if (match) settle(resolve, match[1]);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (printed += text));
    child.once('error', (err) => settle(fail, `did not start: ${err.message}`));
    child.once('close', (code, signal) => settle(fail, `ended with ${signal ?? `code ${code}`}`));
  });

  return {
    url,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(timer);
    },
  };
}

let profiles = 0;
/**
 * Launches Chromium, headless, with a profile of its own that is empty.
 *
 * options are playwright's for a persistent context (viewport, locale, ...).
 * Returns playwright's BrowserContext; close() ends the browser. The program is
 * the one that scripts/chromium.sh finds.
 */
export async function launch(options = {}) {
  const executablePath = execFileSync(join(root, 'scripts', 'chromium.sh'), ['--find'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  profiles += 1;
  return chromium.launchPersistentContext(scratch(`profile-${profiles}`), {
    executablePath,
    headless: true,
    ...options,
    args: [
      '--no-sandbox', // CI runs as root, where Chromium's sandbox refuses to start
      '--disable-gpu',
      '--disable-quic',
      // No call home: a test's only server is the one that it started.
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(options.args ?? []),
    ],
  });
}

/**
 * Collects what a page must not do: exceptions, console errors, failed requests
 * and answers of 400 and above. Returns the growing list of sentences.
 */
export function watch(page) {
  const problems = [];
  page.on('pageerror', (err) => problems.push(`exception: ${err.message}`));
  page.on('console', (msg) => {
    if (msg.type() === 'error') problems.push(`console: ${msg.text()}`);
  });
  page.on('requestfailed', (req) => problems.push(`request failed: ${req.url()} ${req.failure()?.errorText ?? ''}`));
  page.on('response', (res) => {
    if (res.status() >= 400) problems.push(`answer ${res.status()}: ${res.url()}`);
  });
  return problems;
}

/**
 * Runs axe-core in the page and returns its violations, each as one sentence
 * with the rule, its impact and the elements. options are those of axe.run.
 * It is evaluated, not added as a script element: the page's CSP stays as it is.
 */
export async function axe(page, options = {}) {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate((opts) => globalThis.axe.run(document, opts), options);
  return violations.map(
    (v) => `${v.id} (${v.impact}): ${v.help}; ${v.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}
