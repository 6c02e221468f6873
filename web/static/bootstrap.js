// Loads the engine, and speaks for the page while there is none: a Go program
// that has died cannot draw its own error. Everything else is in Go.
'use strict';

(() => {
  const root = document.documentElement;
  const $ = (id) => document.getElementById(id);

  // The page's language, as web/internal/browser reads it: the address, else
  // that of the browser.
  const asked = /[?#&]lang=(en|ja)/.exec(location.search + location.hash);
  root.lang = asked ? asked[1] : /^ja\b/i.test(navigator.language) ? 'ja' : 'en';

  // What a text of another system's configuration says, as JSON. Its reader and
  // the parsers are loaded when there is such a text.
  globalThis.tampConfig = (text) => import('./config.mjs').then((config) => config.answer(text));

  // A file that is dropped while there is no engine must not replace the page.
  for (const type of ['dragover', 'drop']) {
    document.addEventListener(type, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
  }

  const say = (key, ...args) =>
    document
      .querySelector(`[data-say="${key}"]`)
      .dataset[root.lang === 'ja' ? 'ja' : 'en'].replace(/\{(\d)\}/g, (_, i) => args[i]);
  const megabytes = (n) => `${(n / 1e6).toFixed(1)} MB`;

  // show draws the panel: what is going on, and where that is an error its
  // cause and the way out of it.
  function show(line, cause, button, act) {
    $('boot').hidden = false;
    $('boot').classList.toggle('alarm', Boolean(button));
    if ($('boot-line').textContent !== line) $('boot-line').textContent = line;
    $('boot-cause').hidden = !cause;
    $('boot-cause').textContent = cause ?? '';
    const again = $('boot-again');
    again.hidden = !button;
    again.textContent = button ?? '';
    again.onclick = act ?? null;
  }

  // The module is kept: a restart needs no second download.
  let module = null;

  async function load() {
    if (typeof WebAssembly === 'undefined') throw new Error('WebAssembly is not available in this browser');
    if (typeof Go === 'undefined') throw new Error('wasm_exec.js is missing: run make web');
    const answer = await fetch('playground.wasm');
    if (!answer.ok) throw new Error(`playground.wasm: HTTP ${answer.status}`);
    const length = Number(answer.headers.get('content-length'));
    // Behind a content coding the length is that of the coded bytes, and the
    // bytes that arrive here are not: only a plain answer has a known total.
    const total = answer.headers.get('content-encoding') ? 0 : length;
    let got = 0;
    let told = 0;
    const counted = answer.body.pipeThrough(
      new TransformStream({
        transform(chunk, out) {
          got += chunk.byteLength;
          if (got - told > 200_000 || got === total) {
            told = got;
            show(total ? say('boot.loading', megabytes(got), megabytes(total)) : say('boot.some', megabytes(got)));
          }
          out.enqueue(chunk);
        },
      }),
    );
    const headers = { 'content-type': answer.headers.get('content-type') ?? '' };
    const streams = typeof WebAssembly.compileStreaming === 'function';
    if (streams && /^application\/wasm\b/.test(headers['content-type'])) {
      return WebAssembly.compileStreaming(new Response(counted, { headers }));
    }
    // Under another type than its own no browser compiles wasm while it streams.
    return WebAssembly.compile(await new Response(counted).arrayBuffer());
  }

  async function start() {
    show(say('boot.start'));
    try {
      module ??= await load();
      const go = new Go();
      run(go, await WebAssembly.instantiate(module, go.importObject));
    } catch (err) {
      show(say('boot.failed'), String(err?.message ?? err), say('boot.retry'), start);
    }
  }

  function run(go, instance) {
    delete root.dataset.stopped;
    const ended = new AbortController();
    const { signal } = ended;
    const stopped = () => {
      if (signal.aborted) return;
      ended.abort();
      delete root.dataset.ready;
      detach();
      // The code alone: what a panic says may hold parts of the transcript.
      const code = root.dataset.stopped ?? 'engine_exit';
      show(say('boot.stopped'), `${say('boot.kept')} ${code}`, say('boot.restart'), start);
    };
    // A trap (no memory left, no stack left) is thrown out of whatever event
    // was being handled, and the program never returns from run.
    addEventListener('error', (event) => event.error instanceof WebAssembly.RuntimeError && stopped(), { signal });
    addEventListener('tamp-stopped', stopped, { signal });
    addEventListener('tamp-ready', () => ($('boot').hidden = true), { signal });
    go.run(instance).then(stopped, stopped);
  }

  // A dead program's listeners are still on the page and would each throw: a
  // clone has none. What was typed and chosen is carried over.
  function detach() {
    const old = $('app');
    const fresh = old.cloneNode(true);
    const controls = 'input:not([type=file]), textarea, select';
    const filled = [...old.querySelectorAll(controls)];
    fresh.querySelectorAll(controls).forEach((control, i) => {
      if (control.type === 'radio' || control.type === 'checkbox') control.checked = filled[i].checked;
      else control.value = filled[i].value;
    });
    old.replaceWith(fresh);
  }

  start();
})();
