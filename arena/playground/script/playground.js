"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const START_S = 180;
const REQUEST_S = 60;
const TABLE_S = 300; // bots that search may think long, and no others are there
const STOP_MS = 1000;
const MAX_BYTES = 200_000_000;
const RECORDS = /\.(jsonl(\.zst)?|zip)$/;
const WASM = "pyodide.asm.wasm";
const get = (id) => document.getElementById(id);

// --- Python, in workers ---

/** A worker, which answers one request at a time; one that takes too long ends it, and the next starts another. */
class Engine {
  constructor() {
    this.worker = this.pending = this.code = null;
    this.requests = 0;
    this.queue = Promise.resolve();
  }

  /** Send a request after those before it, and return the answer; raise an error with what the page says. */
  ask(request, bytes = null, seconds = REQUEST_S) {
    const answer = this.queue.then(async () => {
      if (request.code !== undefined) this.setCode(request.code);
      if (!this.worker) await this.start();
      const { answer: text } = await this.exchange({ request, bytes }, seconds);
      const fields = JSON.parse(text);
      if (fields.error) throw Object.assign(new Error(fields.error), fields);
      return fields;
    });
    this.queue = answer.catch(() => {});
    return answer;
  }

  /** End the worker if other code ran in it, which may have changed anything there. */
  setCode(code) {
    if (this.worker && this.code !== null && this.code !== code) this.end();
    this.code = code;
  }

  async start() {
    loading = loading || loadParts();
    const started = await loading;
    showStatus("Python starts \u2026");
    const worker = this.worker = new Worker(URL.createObjectURL(new Blob([DATA.worker], { type: "text/javascript" })));
    worker.onerror = (event) => { if (worker === this.worker) this.end(event.message || "The worker failed."); };
    worker.onmessage = ({ data }) => { if (worker === this.worker) this.receive(data); };
    await this.exchange(started, START_S).catch((error) => {
      this.end();
      throw error;
    });
    document.body.dataset.ready = Math.round(performance.now());
    showStatus("");
  }

  exchange(message, seconds) {
    return new Promise((resolve, reject) => {
      const number = this.requests += 1;
      const words = `This took longer than ${seconds} seconds, and was stopped. Is there a loop that never ends?`;
      this.pending = { number, resolve, reject, timer: setTimeout(() => this.end(words), seconds * 1000) };
      this.worker.postMessage({ number, ...message });
    });
  }

  /** Take the answer to the request; a bot can write here too, so that anything else ends the worker. */
  receive(data) {
    const { pending } = this;
    const isAnswer = pending && data && data.number === pending.number && typeof (data.problem || data.answer) === "string";
    if (!isAnswer) {
      this.end("The bot wrote to the page; its worker was ended.");
      return;
    }
    clearTimeout(pending.timer);
    this.pending = null;
    if (data.problem) pending.reject(new Error(data.problem));
    else pending.resolve(data);
  }

  /** End the worker; words say why to whoever waits for an answer, or else on the page. */
  end(words = "") {
    const { pending, worker } = this;
    this.worker = this.pending = null;
    if (worker) worker.terminate();
    if (!pending) return void (words && showProblem(new Error(words)));
    clearTimeout(pending.timer);
    pending.reject(new Error(words));
  }

  /** End a request that is still being answered after a moment. */
  stop() {
    const { pending } = this;
    setTimeout(() => { if (pending && this.pending === pending) this.end("Stopped."); }, STOP_MS);
  }
}

let loading = null;

/** Return the parts by name, and Python compiled, for any worker; then forbid the page and its workers any request. */
async function loadParts() {
  const parts = {};
  const total = Object.values(DATA.parts).reduce((sum, part) => sum + part.size, 0);
  let done = 0;
  const add = (bytes) => {
    done += bytes;
    showStatus(`Loading: ${(done / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`, done / total);
  };
  await Promise.all(Object.entries(DATA.parts).map(async ([name, { path, size }]) => {
    const chunks = [];
    if (path) {
      const response = await fetch(path, { cache: "force-cache" });
      if (!response.ok) throw new Error(`${path} cannot be loaded: ${response.status}`);
      for (let reader = response.body.getReader(), read; !(read = await reader.read()).done; add(read.value.length)) chunks.push(read.value);
    } else {
      const stored = get(`part-${name}`);
      chunks.push(Uint8Array.from(atob(stored.textContent), (char) => char.charCodeAt(0)));
      stored.remove();
      add(size);
    }
    parts[name] = await throughStream(new Blob(chunks), new DecompressionStream("gzip"));
  }));
  document.head.append(make("meta", { "http-equiv": "Content-Security-Policy", content: "connect-src 'none'" }));
  const { [WASM]: bytes, ...rest } = parts;
  return { parts: rest, wasm: await WebAssembly.compile(bytes) };
}

function showStatus(text, share = null) {
  get("status").hidden = !text;
  get("status-text").textContent = text;
  get("progress").hidden = share === null;
  if (share !== null) get("progress").value = share;
}

function showProblem(error) {
  showStatus("");
  get("problem").textContent = error.message;
}

/** Tables, pages of matches and records: no bot of the page runs in this worker. */
const engine = new Engine();

/** The bot of the page: its code can change whatever is in this worker, and its answers. */
const botEngine = new Engine();

// --- frames: the table and the viewer, without the rights of this page ---

const frames = { table: null, viewer: null };

function openFrame(name, html, place = "") {
  const theme = document.documentElement.dataset.theme || "";
  const page = new Blob([html.replace("<html lang=\"en\"", `<html lang="en" data-theme="${theme}"`)], { type: "text/html" });
  const title = name === "table" ? "The table" : "The match in the viewer";
  frames[name] = make("iframe", { src: `${URL.createObjectURL(page)}${place ? `#${place}` : ""}`, title, sandbox: "allow-scripts" });
  get(`${name}-frame`).replaceChildren(frames[name]);
  get(`${name}-stage`).showModal();
  frames[name].focus();
}

for (const name of Object.keys(frames)) {
  get(`${name}-stage`).addEventListener("close", () => {
    get(`${name}-frame`).replaceChildren();
    frames[name] = null;
  });
}

addEventListener("message", async ({ source, data: { kind, request } }) => {
  if (!frames.table || source !== frames.table.contentWindow) return;
  const reply = (message) => source.postMessage(message, "*");
  if (kind === "leave") get("table-stage").close();
  else if (kind === "ask" && ["state", "answer"].includes(request.kind)) {
    await engine.ask(request, null, TABLE_S).then((answer) => reply({ answer }), (error) => reply({ problem: error.message }));
  } else if (kind === "replay") openFrame("viewer", (await engine.ask({ kind })).page);
  else if (kind === "records") save("match.jsonl", (await engine.ask({ kind })).text);
});
get("close-viewer").addEventListener("click", () => get("viewer-stage").close());
get("table-stage").addEventListener("cancel", (event) => event.preventDefault());

// --- play ---

document.querySelector("#view-play form").addEventListener("submit", async (event) => {
  event.preventDefault();
  get("problem").textContent = "";
  const fields = [...new FormData(event.target)];
  await engine.ask({ kind: "sit-down", fields }).then(({ page }) => openFrame("table", page), showProblem);
});

// --- the bot ---

const code = get("code");
let isLinked = false;

/** Number the lines; `wrong` is the number of one that is marked. */
function numberLines(wrong = 0) {
  const lines = code.value.split("\n").map((_, place) => make("span", { class: place + 1 === wrong ? "wrong" : null }, `${place + 1}\n`));
  get("lines").replaceChildren(...lines);
  get("lines").scrollTop = code.scrollTop;
}

/** Tab indents by four places and Enter keeps the indentation; Escape and then Tab leaves the field. */
function editKey(event) {
  if (event.key === "Escape") code.dataset.leaves = "yes";
  else if (event.key === "Tab" && !event.shiftKey && !code.dataset.leaves) {
    event.preventDefault();
    document.execCommand("insertText", false, "    ");
  } else if (event.key === "Enter") {
    const line = code.value.slice(0, code.selectionStart).split("\n").pop();
    event.preventDefault();
    document.execCommand("insertText", false, `\n${/^ */.exec(line)[0]}${/:\s*$/.test(line) ? "    " : ""}`);
  }
  if (event.key !== "Escape") delete code.dataset.leaves;
}

function keepBot() {
  numberLines();
  if (isLinked) return; // the reader's own bot stays
  try { localStorage.setItem("bot", JSON.stringify(readBot())); } catch { /* a browser that keeps nothing */ }
}

function readBot() {
  return { name: get("bot-name").value || "bot", code: code.value, game: get("bot-game").value };
}

function showBot({ name, code: text, game }) {
  get("bot-name").value = name;
  if (game in DATA.rungs) get("bot-game").value = game;
  listOpponents();
  code.value = text;
  numberLines();
}

/** Show what a check found, or why a bot cannot play, with the line where it is. */
function showFindings(good, words, details = []) {
  const text = [words, ...details].join("\n");
  const line = [...text.matchAll(/\.py"?(?:, line |:)(\d+)/g)].map((match) => Number(match[1])).pop() || 0;
  numberLines(line);
  if (line) code.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(code).lineHeight));
  get("findings").replaceChildren(make("p", {}, make("b", { class: `chip ${good ? "good" : "bad"}` }, good ? "\u2713" : "\u2715"), ` ${words}`),
    ...details.map((detail) => make("pre", { tabindex: "0" }, detail)));
}

function showPrinted(fields) {
  get("printed").hidden = !fields.printed;
  get("printed-text").textContent = fields.printed || "";
}

/** Offer to stop while the bot plays, and nothing else that would run it. */
function setBusy(isBusy) {
  if (isBusy) get("problem").textContent = "";
  for (const id of ["check", "start"]) get(id).disabled = isBusy;
  for (const id of ["stop-check", "stop"]) get(id).disabled = !isBusy;
}

async function check() {
  setBusy(true);
  get("findings").textContent = "Checking \u2026";
  try {
    const found = await botEngine.ask({ kind: "check", ...readBot() });
    showPrinted(found);
    const details = found.issues.map(([kind, detail, deal]) => `${kind}, deal ${deal}\n${detail}`);
    showFindings(!details.length, `${found.summary}: ${details.length ? "something is wrong" : "nothing is wrong"}.`, details);
  } catch (error) {
    showPrinted(error);
    showFindings(false, error.message);
  }
  setBusy(false);
}

// --- how strong it is ---

let isComparing = false;
let compared = null;

function listOpponents() {
  const names = DATA.rungs[get("bot-game").value];
  get("against").replaceChildren(...names.map((name, place) => make("label", {},
    make("input", { type: "checkbox", value: name, checked: place && place < 4 }), ` ${name}`)));
}

async function compare() {
  const against = [...get("against").querySelectorAll(":checked")].map((box) => box.value);
  if (isComparing || !against.length) return;
  isComparing = true;
  setBusy(true);
  get("findings").replaceChildren();
  get("losses").hidden = true;
  get("outcome").textContent = "Playing \u2026";
  const blocks = Math.max(1, Number(get("blocks").value) || 1);
  const bot = readBot();
  const request = { kind: "compare", ...bot, against, blocks, seed: get("seed").value };
  try {
    for (let next = request; isComparing; next = { kind: "more" }) {
      compared = await botEngine.ask(next);
      showCompared(blocks, bot);
      if (compared.done) break;
    }
    const faults = compared.duels.filter((duel) => duel.faults).map((duel) => `${duel.faults} faults against ${duel.bot}; the first: ${duel.reason}`);
    if (faults.length) showFindings(false, "It failed: the arena played its safest action.", faults);
    if (!compared.done) get("outcome").textContent += " Stopped early: the \u00b1 holds for a number of blocks fixed in advance.";
  } catch (error) {
    get("outcome").textContent = "";
    showFindings(false, error.message);
  }
  isComparing = false;
  setBusy(false);
}

/** Show the results so far of a bot. */
function showCompared(blocks, bot) {
  const sign = (elo, beyond) => (elo === null ? beyond : signed(Math.round(elo)));
  const rows = compared.duels.map((duel) => make("tr", {}, make("th", { scope: "row" }, duel.bot, ...(duel.faults ? [" ", make("span", { class: "chip bad" }, `faults: ${duel.faults}`)] : [])),
    make("td", {}, duel.score === null ? "" : `${duel.score.toFixed(1)}${duel.error === null ? "" : ` \u00b1 ${duel.error.toFixed(1)}`}`),
    make("td", { class: "interval" }, duel.error === null ? sign(duel.elo, "") : `${sign(duel.elo, "")} (${sign(duel.low, "\u2212\u221e")} to ${sign(duel.high, "+\u221e")})`),
    make("td", {}, make("span", { class: `chip ${!duel.resolved ? "" : duel.score > 50 ? "good" : "bad"}` },
      !duel.resolved ? "not shown" : duel.score > 50 ? "stronger" : "weaker"))));
  get("results").hidden = false;
  get("outcome").textContent = `${compared.duels.at(-1).blocks} of ${blocks} blocks, seed ${compared.seed}.`;
  get("results").querySelector("tbody").replaceChildren(...rows);
  const { seed } = compared;
  const losses = compared.duels.flatMap((duel) => duel.losses.map(([payoff, block, rotation, seats]) => (
    { payoff, seats, bot: duel.bot, request: { kind: "watch", ...bot, against: duel.against, seed, block, rotation } })))
    .sort((one, other) => one.payoff - other.payoff);
  get("losses").hidden = !losses.length || (isComparing && !compared.done);
  get("losses").querySelector("ol").replaceChildren(...losses.map(({ payoff, seats, bot: opponent, request }) => make("li", {}, make("button", { type: "button", class: "quiet",
    onclick: () => watch(request) }, `${signed(Math.round(payoff * 10) / 10)} against ${opponent}, block ${request.block + 1}, ${seats.length > 1 ? "seats" : "seat"} ${seats.join(", ")}`))));
}

/** Have a match played again beside its bot, and its record checked and shown where no bot runs. */
async function watch(request) {
  try {
    const { record, deal } = await botEngine.ask(request);
    const { page } = await engine.ask({ kind: "show", record });
    openFrame("viewer", page, `match=1&deal=${Number(deal)}`);
  } catch (error) {
    showProblem(error);
  }
}

function stop() {
  isComparing = false;
  botEngine.stop();
}

// --- save ---

function save(name, text) {
  make("a", { href: URL.createObjectURL(new Blob([text])), download: name }).click();
}

async function share() {
  const { name, code: text, game } = readBot();
  history.replaceState(null, "", `#${await packBot(name, text, game)}`);
  const isCopied = await Promise.resolve(navigator.clipboard && navigator.clipboard.writeText(location.href)).then(() => Boolean(navigator.clipboard), () => false);
  get("saved").textContent = `The address of this page has the bot now${isCopied ? "; it is copied" : ""}. It is sent to nobody.`;
}

async function openFile(event) {
  const [file] = event.target.files;
  if (file) showBot({ name: file.name.replace(/\.py$/, ""), code: await file.text() });
  keepBot();
}

/** On a league's server there is a button to hand in: its page takes the bot from the fragment. */
function offerHandIn() {
  const link = [...get("server-buttons").querySelectorAll("a")].find((one) => one.textContent === "Hand in");
  if (!link) return;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    location.href = `${link.getAttribute("href")}#${await packBot(readBot().name, code.value)}`;
  });
  get("save-buttons").append(link);
}

// --- verify ---

async function verify(chosen) {
  const files = chosen.filter((file) => RECORDS.test(file.name));
  const others = chosen.length - files.length;
  if (others) get("verdicts").prepend(make("li", {}, others === 1 ? "1 other file was not read" : `${others} other files were not read`));
  for (const file of files) {
    const verdict = make("li", {}, `${file.name} \u2026`);
    get("verdicts").prepend(verdict);
    try {
      if (file.size > MAX_BYTES) throw new Error(`${file.name} is larger than ${MAX_BYTES / 1e6} MB: use \`arena replay verify\`.`);
      let found = await engine.ask({ kind: "verify", name: file.name }, await file.arrayBuffer());
      for (; !found.done; found = await engine.ask({ kind: "more" })) verdict.textContent = `${file.name}: ${found.matches} matches so far`;
      verdict.replaceChildren(make("b", { class: "chip good" }, "\u2713"), ` ${found.summary}`);
    } catch (error) {
      verdict.replaceChildren(make("b", { class: "chip bad" }, "\u2715"), ` ${error.message}`);
    }
  }
}

/** Return the files that were dropped, and those in a folder that was. */
async function droppedFiles(items) {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const inside = (entry) => new Promise((resolve) => { entry.createReader().readEntries(resolve, () => resolve([])); });
  const found = await Promise.all(entries.map(async (entry) => (entry.isFile ? [entry] : (await inside(entry)).filter((one) => one.isFile))));
  return Promise.all(found.flat().map((entry) => new Promise((resolve, reject) => { entry.file(resolve, reject); })));
}

// --- the page ---

function show(view) {
  for (const button of document.querySelectorAll("[data-view]")) {
    button.setAttribute("aria-pressed", String(button.dataset.view === view));
    get(`view-${button.dataset.view}`).hidden = button.dataset.view !== view;
  }
}

async function begin() {
  if (!globalThis.DecompressionStream || !globalThis.WebAssembly) return; // a sentence on the page says so
  document.querySelectorAll("[data-view]").forEach((button) => button.addEventListener("click", () => show(button.dataset.view)));
  code.addEventListener("input", keepBot);
  code.addEventListener("keydown", editKey);
  code.addEventListener("scroll", () => { get("lines").scrollTop = code.scrollTop; });
  get("bot-game").append(...Object.keys(DATA.rungs).map((name) => make("option", { selected: name === "lives" }, name)));
  get("bot-game").addEventListener("change", () => { listOpponents(); keepBot(); });
  const actions = { check, start: compare, stop, "stop-check": stop, share, save: () => save(`${readBot().name}.py`, code.value) };
  for (const [id, action] of Object.entries(actions)) get(id).addEventListener("click", action);
  get("open").addEventListener("change", openFile);
  for (const id of ["records", "folder"]) get(id).addEventListener("change", (event) => verify([...event.target.files]));
  get("drop").addEventListener("dragover", (event) => event.preventDefault());
  get("drop").addEventListener("drop", async (event) => {
    event.preventDefault();
    await verify(await droppedFiles(event.dataTransfer.items));
  });
  listOpponents();
  offerHandIn();
  get("old-browser").hidden = true;
  get("whole").hidden = false;
  const linked = await unpackBot(location.hash);
  isLinked = Boolean(linked);
  let kept = null;
  try { kept = JSON.parse(localStorage.getItem("bot")); } catch { /* none */ }
  if (linked || kept) showBot(linked || kept);
  numberLines();
  show(linked ? "write" : "play");
  if (linked) {
    get("saved").textContent = "This bot came with the link. It runs when you press a button. Its figures are computed by a worker "
      + "that its code runs in, and could be false. Changes to it are not kept here: save it as a file.";
  }
  requestAnimationFrame(() => setTimeout(() => { engine.queue = engine.start().catch(showProblem); }));
}

addEventListener("DOMContentLoaded", begin);
