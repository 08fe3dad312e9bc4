const MAX_NEWS = 4;

/** A match that is being played: shows the state the server has, and sends the person's answers. */
class PlayPage {
  constructor(setup) {
    this.setup = setup;
    this.state = null;
    this.choice = new ActionChoice([]);
    this.turn = document.getElementById("turn");
    this.table = new PlayTable(document.getElementById("table"), setup.seat, setup.pack, (place) => this.togglePlace(place));
    document.getElementById("show-rules").addEventListener("click", () => document.getElementById("rules").showModal());
    document.querySelectorAll("[data-cards]").forEach((word) => word.replaceChildren(...withCards(word.textContent, setup.pack)));
    this.follow(0);
  }

  // --- talking to the server ---

  /** Get states until the match waits for the person and nothing more is to come. */
  async follow(after) {
    const response = await fetch(`${this.setup.table}/state?after=${after}`).catch(() => null);
    if (!response || !response.ok) {
      this.showProblem(await problemOf(response), () => this.follow(after));
      return;
    }
    await this.take(await response.json(), after > 0);
  }

  /** Send a message for the state on the screen; return what comes back, null after an error. */
  async send(kind, action = "") {
    const body = JSON.stringify({ kind, step: this.state.step, action });
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${this.setup.table}/answer`, { method: "POST", headers, body }).catch(() => null);
    const answer = response && (response.ok || response.status === 409) ? await response.json() : null;
    if (!answer) this.showProblem(await problemOf(response), () => this.follow(0));
    return answer;
  }

  /** Send an answer, one at a time; the state that comes back is shown, also if the answer came too late. */
  async answer(kind, action = "") {
    if (this.isSending) return;
    this.isSending = true;
    document.body.classList.add("sending");
    const answer = await this.send(kind, action);
    this.isSending = false;
    document.body.classList.remove("sending");
    if (answer) await this.take(answer.state || answer, true);
  }

  async take(state, moveFocus) {
    if (this.state && state.step < this.state.step) return;
    this.state = state;
    this.show(moveFocus);
    if (state.phase === "thinking" || state.rival_plays) await this.follow(state.phase === "thinking" ? state.step - 1 : state.step);
  }

  // --- the screen ---

  show(moveFocus) {
    const { state } = this;
    Object.assign(document.body.dataset, { phase: state.phase, step: state.step });
    if (state.phase === "thinking" && !state.table) return;
    this.choice = new ActionChoice(state.phase === "decision" ? state.decision.groups : []);
    if (state.table) {
      document.getElementById("where").textContent = `match ${state.match}, deal ${state.table.deal}`;
      this.table.show(state.table, this.choice.places);
      this.showLog(state.table);
    }
    const parts = { decision: () => this.decision(), "deal-over": () => this.dealOver(), "match-over": () => this.matchOver(),
      failed: () => this.failed(), thinking: () => this.thinking() };
    this.turn.replaceChildren(...parts[state.phase]().filter(Boolean));
    this.showScore();
    this.update();
    if (moveFocus && state.phase !== "thinking") this.announce();
    if (state.phase === "decision" && this.isGuided) this.askHint();
  }

  /** Read out what has happened, and go to the heading of what is asked. */
  announce() {
    const said = this.news().map((event) => this.sentence(event)).join("; ");
    const live = document.getElementById("live");
    if (live.textContent !== said) live.textContent = said;
    const heading = document.getElementById("prompt");
    if (heading && !document.querySelector("dialog[open]")) heading.focus({ preventScroll: true });
  }

  news() {
    const { table } = this.state;
    return table ? table.events.slice(table.events_seen) : [];
  }

  sentence([seat, words]) {
    return seat === null ? words : `${this.nameOf(seat)} ${words}`;
  }

  nameOf(seat) {
    return this.state.table.seats.find((one) => one.seat === seat).name;
  }

  event([seat, words]) {
    const name = seat === null ? [] : [make("b", { class: `name-${seat % 8}` }, this.nameOf(seat)), " "];
    return [...name, ...withCards(words, this.setup.pack)];
  }

  showLog(table) {
    const log = document.getElementById("log");
    log.replaceChildren(...table.events.map((event, place) => make("li", { class: place >= table.events_seen ? "new" : null }, ...this.event(event))));
    log.scrollTop = log.scrollHeight;
  }

  heading(text) {
    return make("h2", { id: "prompt", tabindex: "-1" }, ...withCards(text, this.setup.pack));
  }

  /** Show the last things that others did; the log has all. */
  newsLine() {
    const events = this.news().filter(([seat]) => seat !== this.setup.seat).slice(-MAX_NEWS);
    if (!events.length) return null;
    const parts = events.flatMap((event, place) => [place ? " \u00b7 " : "", ...this.event(event)]);
    return make("p", { class: "news" }, ...parts);
  }

  tools(...more) {
    const back = this.state.can_take_back
      ? make("button", { type: "button", onclick: () => this.answer("take-back") }, "Take back") : null;
    return make("div", { class: "turn-tools" }, ...more.filter(Boolean), back);
  }

  thinking() {
    return [this.heading("The others play \u2026")];
  }

  // --- a decision ---

  decision() {
    const { groups, prompt } = this.state.decision;
    const plain = groups.filter((group) => group.is_plain).flatMap((group) => group.actions);
    const hint = make("button", { type: "button", onclick: () => this.askHint() }, "Hint");
    this.preview = make("div", { class: "preview", role: "status" });
    this.hint = make("p", { class: "hint", role: "status" });
    return [
      this.heading(prompt),
      this.guide(),
      this.newsLine(),
      make("div", { class: "choosing" }, this.preview, this.tools(hint)),
      plain.length ? make("div", { class: "plain-actions" }, ...plain.map((action) => this.actionButton(action))) : null,
      this.hint,
      this.allActions(groups),
    ];
  }

  get isGuided() {
    return this.setup.guide && this.state.match === 1 && this.state.table.deal === 1;
  }

  /** In a guided deal, say what the game is about and what the actions do. */
  guide() {
    if (!this.isGuided) return null;
    const { lessons } = this.state.decision;
    const about = this.wasGuided ? [] : [make("p", {}, this.setup.guide.filter(Boolean).join(" "))];
    this.wasGuided = true;
    return make("div", { class: "guide" }, ...about, make("ul", {}, ...lessons.map((lesson) => make("li", {}, lesson))));
  }

  actionButton(action, label = action.text) {
    const made = [...(action.note ? [action.note] : []), ...(action.note || !action.made ? [] : [action.made])];
    return make("button", { type: "button", class: action.improves ? "improves" : null, onclick: () => this.answer("act", action.text) },
      make("span", { class: "action-name" }, ...withCards(label, this.setup.pack)),
      ...made.map((text) => make("span", { class: "action-note" }, ...withCards(text, this.setup.pack))));
  }

  /** List every legal action as a button; the lists are made when they are opened. */
  allActions(groups) {
    const all = groups.flatMap((group) => group.actions);
    const list = make("div", { class: "action-lists" });
    const fill = () => {
      if (list.children.length) return;
      for (const group of groups) {
        const buttons = group.actions.map((action) => make("li", {}, this.actionButton(action)));
        if (group.label) list.append(make("h3", {}, group.label));
        list.append(make("ul", {}, ...buttons));
      }
    };
    return make("details", { class: "all-actions", ontoggle: fill }, make("summary", {}, `All ${all.length} actions`), list);
  }

  togglePlace(place) {
    this.choice.toggle(place);
    this.update();
  }

  /** Show what is chosen and the hand that it makes. */
  update() {
    this.table.mark(this.choice);
    if (this.state.phase !== "decision") return;
    const found = this.choice.matching;
    if (!this.choice.chosen.length) {
      const isChosenOnCards = this.choice.places.size > 0;
      this.preview.replaceChildren(make("p", { class: "note" }, isChosenOnCards ? "Choose on the table, or press a button." : "Press a button."));
      return;
    }
    if (!found.length) {
      this.preview.replaceChildren(make("p", { class: "note" }, "Choose what goes with it."));
      return;
    }
    this.preview.replaceChildren(...found.map((action) => this.proposal(action)));
  }

  proposal(action) {
    const play = make("button", { type: "button", class: "main-button", onclick: () => this.answer("act", action.text) },
      "Play ", ...withCards(action.text, this.setup.pack));
    if (!action.after) return make("div", { class: "proposal" }, play);
    const made = action.made ? `: ${action.made}` : "";
    return make("div", { class: "proposal" }, play, make("span", {}, "makes ",
      ...withCards(action.after.filter((card) => card !== "??").join(" "), this.setup.pack),
      ...(action.after.includes("??") ? [" and ", plural(action.after.filter((card) => card === "??").length, "cards"), " you do not know"] : []),
      make("b", { class: action.improves ? "better" : null }, made)));
  }

  async askHint() {
    const { step } = this.state;
    const answer = await this.send("hint");
    if (!answer || this.state.step !== step) return;
    if (answer.state) {
      await this.take(answer.state, true);
      return;
    }
    const reason = answer.reason ? `: ${answer.reason}` : "";
    this.hint.replaceChildren(...withCards(`${answer.bot} would play ${answer.action}${reason}.`, this.setup.pack));
    const action = this.choice.actions.find((one) => one.text === answer.action);
    if (action && action.places.length) {
      this.choice.choose(action);
      this.update();
    }
  }

  // --- the end of a deal and of the match ---

  results() {
    const { result } = this.state;
    const rows = result.rows.map((row) => make("tr", { class: row.seat === this.setup.seat ? "own-row" : null },
      make("th", { scope: "row" }, this.nameOf(row.seat)),
      make("td", {}, ...withCards(row.hand, this.setup.pack)),
      make("td", {}, row.worth),
      make("td", {}, row.outcome)));
    const head = make("tr", {}, ...["player", "hand", "worth", "result"].map((name) => make("th", { scope: "col" }, name)));
    return make("div", { class: "results", tabindex: "0", role: "region", "aria-label": "Hands at the end of the deal" },
      make("table", {}, make("caption", {}, "Hands at the end of the deal"), make("thead", {}, head), make("tbody", {}, ...rows)));
  }

  dealOver() {
    const next = make("button", { type: "button", class: "main-button", onclick: () => this.answer("proceed") }, "Next deal");
    const pool = this.state.result.pool ? make("p", { class: "note" }, `The pool holds ${plural(this.state.result.pool, "chips")}.`) : null;
    return [this.heading(`Deal ${this.state.table.deal} is over.`), this.newsLine(), this.tools(next), this.results(), pool];
  }

  matchOver() {
    const { end, rival_plays: rivalPlays } = this.state;
    const again = make("button", { type: "button", class: "main-button", onclick: () => this.answer("next-match") }, "Play on with new cards");
    const links = [["replay", "Replay"], ["review", "Review"], ["records.jsonl", "Records"]].map(([path, text]) => make("a", { href: `${this.setup.table}/${path}` }, text));
    const places = end.rows.map(([placing, name, payoff]) => make("li", {}, `${ordinalOf(placing)} ${name} (${payoff})`));
    return [
      this.heading(`The match is over. ${end.summary}`),
      make("ol", { class: "places" }, ...places),
      rivalPlays ? make("p", { class: "note", role: "status" }, `${this.setup.rival} is playing the same cards \u2026`) : null,
      ...this.state.score.words.map((words) => make("p", { class: "compared", role: "status" }, words)),
      end.faults.length ? make("p", { class: "note" }, `Faults: ${end.faults.join(", ")}`) : null,
      this.tools(again, ...links),
      this.results(),
    ];
  }

  failed() {
    return [this.heading("The match cannot go on."), make("p", { class: "problem" }, this.state.problem)];
  }

  showScore() {
    const { results, words } = this.state.score;
    document.getElementById("score-box").hidden = !results.length;
    const cell = (result) => (result && result.placing ? `${ordinalOf(result.placing)} (${signed(result.payoff)})` : "");
    const rows = results.map((one, place) => make("tr", {}, make("th", { scope: "row" }, `${place + 1}`), make("td", {}, cell(one.own)), make("td", {}, cell(one.rival)),
      make("td", {}, one.hints || "")));
    const names = ["match", "you", ...(this.setup.rival ? [this.setup.rival] : [""]), "hints"];
    const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
    document.getElementById("score").replaceChildren(make("table", {}, make("caption", {}, "Place and payoff of each match"),
      make("thead", {}, head), make("tbody", {}, ...rows)), ...words.slice(1).map((text) => make("p", { class: "note" }, text)));
  }

  showProblem(text, retry) {
    this.turn.replaceChildren(make("p", { class: "problem", role: "alert" }, text),
      make("button", { type: "button", onclick: retry }, "Try again"));
  }
}

/** Return in words why a request failed. */
async function problemOf(response) {
  if (!response) return "The server does not answer.";
  const answer = await response.json().catch(() => ({}));
  return answer.error || `The server answered with ${response.status}.`;
}

function ordinalOf(place) {
  return `${place}${place % 100 > 10 && place % 100 < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[place % 10] || "th"}`;
}

function signed(number) {
  return number > 0 ? `+${number}` : String(number).replace("-", "\u2212");
}

const page = new PlayPage(JSON.parse(document.getElementById("setup").textContent));
