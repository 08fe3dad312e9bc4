const PACES = { normal: 450, fast: 150, none: 0 };

/** A match that is being played: shows the states that its source has, and sends the person's answers there. */
class PlayPage {
  constructor(setup, source) {
    Object.assign(this, { setup, source });
    this.state = null;
    this.choice = new ActionChoice([]);
    this.hinted = null;
    this.turn = document.getElementById("turn");
    this.table = new PlayTable(document.getElementById("table"), setup.seat, setup.pack, (place) => this.togglePlace(place));
    document.getElementById("show-rules").addEventListener("click", () => document.getElementById("rules").showModal());
    document.getElementById("show-log").addEventListener("click", () => this.showSide(!document.body.classList.contains("with-log")));
    document.querySelectorAll("[data-cards]").forEach((word) => word.replaceChildren(...withCards(word.textContent, setup.pack)));
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("pointerdown", () => this.skip && this.skip());
    this.choosePace();
    this.follow(0);
  }

  // --- talking to the source ---

  /** Get states until the match waits for the person and nothing more is to come. */
  async follow(after) {
    const { answer, problem } = await this.source.state(after);
    if (answer) await this.take(answer, after > 0);
    else this.showProblem(problem, () => this.follow(after));
  }

  /** Send a message for the state on the screen; return what comes back, null after an error. */
  async send(kind, action = "") {
    const { answer, problem } = await this.source.answer({ kind, step: this.state.step, action });
    if (!answer) this.showProblem(problem, () => this.follow(0));
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
    const isNews = !this.state || this.state.step !== state.step;
    this.state = state;
    if (isNews && moveFocus && state.phase !== "thinking" && state.table) await this.showSteps(state);
    if (this.state !== state) return;
    this.show(moveFocus);
    if (state.phase === "thinking" || state.rival_plays) await this.follow(state.phase === "thinking" ? state.step - 1 : state.step);
  }

  // --- the screen ---

  /** Show what the others did one act after another; a click ends that. */
  async showSteps(state) {
    const pause = PACES[document.body.dataset.pace];
    if (!pause || !state.table.steps.length) return;
    document.getElementById("all-actions").hidden = true;
    this.turn.replaceChildren(this.heading("The others play \u2026"));
    let isSkipped = false;
    for (const step of state.table.steps) {
      if (isSkipped || this.state !== state) break;
      this.table.show(step, new Set(), this.acts(state.table, step.events));
      this.showLog(state.table, step.events);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.skip = () => {
          isSkipped = true;
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.skip = null;
  }

  show(moveFocus) {
    const { state } = this;
    Object.assign(document.body.dataset, { phase: state.phase, step: state.step });
    if (state.phase === "thinking" && !state.table) return;
    this.choice = new ActionChoice(state.phase === "decision" ? state.decision.groups : []);
    this.hinted = null;
    if (state.table) {
      document.getElementById("where").textContent = `Match ${state.match} \u00b7 deal ${state.table.deal}`;
      const between = { "deal-over": () => this.dealResult(), "match-over": () => this.matchResult() }[state.phase];
      this.table.show(state.table, this.choice.places, this.acts(state.table, state.table.events.length), between ? between() : null);
      this.showLog(state.table);
    }
    const parts = { decision: () => this.decision(), "deal-over": () => this.dealOver(), "match-over": () => this.matchOver(),
      failed: () => this.failed(), thinking: () => [this.heading("The others play \u2026")] };
    this.turn.replaceChildren(...parts[state.phase]().filter(Boolean));
    this.showScore();
    this.update();
    if (moveFocus && state.phase !== "thinking") this.announce();
    if (state.phase === "decision" && this.isGuided) this.askHint();
  }

  /** Read out what has happened, and go to the heading of what is asked. */
  announce() {
    const { table } = this.state;
    const news = table ? table.events.slice(table.events_seen) : [];
    const said = news.map(([seat, words]) => (seat === null ? words : `${this.nameOf(seat)} ${words}`)).join("; ");
    const live = document.getElementById("live");
    if (live.textContent !== said) live.textContent = said;
    const heading = document.getElementById("prompt");
    if (heading && !document.querySelector("dialog[open]")) heading.focus({ preventScroll: true });
  }

  /** Return the latest words on each seat among the first `count` events of the deal. */
  acts(table, count) {
    return new Map(table.events.slice(0, count).map(([seat, words], place) => [seat, { words, isNew: place >= table.events_seen && place === count - 1 }]));
  }

  nameOf(seat) {
    return this.state.table.seats.find((one) => one.seat === seat).name;
  }

  /** Show the first `count` events of the deal, before those of the first deal what the game is about. */
  showLog(table, count = table.events.length) {
    const log = document.getElementById("log");
    const goal = table.deal === 1 ? make("li", {}, make("span", {}, this.setup.goal)) : "";
    log.replaceChildren(goal, ...table.events.slice(0, count).map(([seat, words], place) => make("li",
      { class: `${seat === null ? "" : `seat-${seat % 8}`}${place >= table.events_seen ? " new" : ""}` },
      make("span", {}, seat === null ? null : make("b", {}, this.nameOf(seat)), seat === null ? "" : " ", ...withCards(words, this.setup.pack)))));
    log.scrollTop = log.scrollHeight;
  }

  heading(text) {
    return make("h2", { id: "prompt", tabindex: "-1" }, ...withCards(text, this.setup.pack));
  }

  button(text, onclick, kind = "") {
    return make("button", { type: "button", class: kind || null, onclick }, ...withCards(text, this.setup.pack));
  }

  /** Return the buttons beside what is asked; the main one is always last, at the same place. */
  buttons(main, ...others) {
    const back = this.state.can_take_back ? this.button("Take back", () => this.answer("take-back"), "quiet") : null;
    return make("div", { class: "act-buttons" }, ...[back, ...others, main].filter(Boolean));
  }

  // --- a decision ---

  decision() {
    const { groups, prompt } = this.state.decision;
    this.plain = groups.filter((group) => group.is_plain).flatMap((group) => group.actions);
    this.says = make("div", { class: "says", role: "status" });
    this.hint = make("p", { class: "hint", role: "status" });
    this.main = this.button("", () => this.playMain(), "main-button");
    this.others = make("div", { class: "plain-actions" });
    this.showGuide();
    this.fillLists(groups);
    return [this.heading(prompt), make("div", { class: "what" }, this.says, this.hint),
      this.buttons(this.main, this.button("Hint", () => this.askHint(), "quiet"), this.others)];
  }

  get isGuided() {
    return this.setup.guide && this.state.match === 1 && this.state.table.deal === 1;
  }

  /** In a guided deal, say what the game is about and what the actions do. */
  showGuide() {
    const box = document.getElementById("guide");
    box.hidden = !this.isGuided;
    if (!this.isGuided) return;
    if (!this.wasGuided) this.showSide(true); // on a narrow screen it lies over the table at first
    this.wasGuided = true;
    const lessons = this.state.decision.lessons.map((lesson) => make("li", {}, lesson));
    box.replaceChildren(make("p", {}, this.setup.guide.filter(Boolean).join(" ")), make("ul", {}, ...lessons),
      this.button("To the table", () => this.showSide(false), "to-table"));
  }

  /** On a narrow screen, show what is beside the table in its place, or the table. */
  showSide(isShown) {
    document.body.classList.toggle("with-log", isShown);
    document.getElementById("show-log").textContent = isShown ? "Table" : "Log";
    const log = document.getElementById("log");
    log.scrollTop = log.scrollHeight;
  }

  /** List every legal action as a button; the lists are made when they are opened. */
  fillLists(groups) {
    const details = document.getElementById("all-actions");
    details.hidden = false;
    details.querySelector("summary").textContent = `All ${groups.flatMap((group) => group.actions).length} actions`;
    const list = details.querySelector("div");
    const fill = () => list.replaceChildren(...(details.open ? groups.flatMap((group) => [
      group.label ? make("h3", {}, group.label) : "",
      make("ul", {}, ...group.actions.map((action) => make("li", {}, this.button(`${action.text}${action.made ? `: ${action.made}` : ""}`, () => this.answer("act", action.text)))))]) : []));
    details.ontoggle = fill;
    fill();
  }

  togglePlace(place) {
    this.choice.toggle(place);
    this.hinted = null;
    this.hint.replaceChildren();
    this.update();
  }

  /** Return the action that the main button plays, or null while the choice is not complete. */
  get proposed() {
    if (this.choice.chosen.length) return this.choice.matching[0] || null;
    return this.choice.places.size ? null : this.plain[0] || null;
  }

  playMain() {
    if (this.proposed) this.answer("act", this.proposed.text);
  }

  /** Show what is chosen and the hand that it makes. */
  update() {
    if (this.state.phase !== "decision") return;
    this.table.mark(this.choice, this.hinted ? this.hinted.places : []);
    const action = this.proposed;
    const { chosen, matching } = this.choice;
    this.main.replaceChildren(...withCards(action ? action.label : chosen.length ? "Choose one more" : "Choose a card", this.setup.pack));
    this.main.setAttribute("aria-disabled", action ? "false" : "true");
    const also = [...matching.filter((one) => one !== action && one.places.length), ...this.plain.filter((one) => one !== action)];
    this.others.replaceChildren(...also.map((one) => {
      const button = this.button(one.label, () => this.answer("act", one.text), one.improves ? "improves" : "");
      if (this.hinted === one) button.classList.add("clue");
      if (one.note) button.title = one.note;
      button.dataset.action = one.text;
      return button;
    }));
    const missing = chosen.length ? this.missing() : `Choose a card with a gold ring${also.length ? ", or press a button" : ""}.`;
    this.says.replaceChildren(action ? this.proposal(action) : make("p", {}, this.hinted ? "" : missing));
  }

  /** Say what has to be chosen beside what is chosen. */
  missing() {
    const kinds = new Set([...this.choice.following].map((place) => place.split(":")[0]));
    const kind = kinds.size === 1 ? [...kinds][0] : "";
    const words = { hand: "one of your cards", card: "a card of another player", seat: "a player", table: "a card on the table" };
    return words[kind] ? `Now choose ${words[kind]} to go with it.` : "Choose what goes with it.";
  }

  proposal(action) {
    const { note } = action;
    if (!action.after || !chosenOnTable(action)) return make("p", {}, ...withCards(note ? `${note[0].toUpperCase()}${note.slice(1)}.` : "", this.setup.pack));
    const unknown = action.after.filter((card) => card === "??").length;
    const own = this.state.table.seats.find((one) => one.seat === this.setup.seat);
    return make("p", {}, action.after.length < own.cards.length ? "Leaves " : "Makes ", ...withCards(action.after.filter((card) => card !== "??").join(" "), this.setup.pack),
      unknown ? ` and ${plural(unknown, "cards")} you do not know` : "",
      action.made ? make("b", { class: action.improves ? "better" : null }, `, ${action.made}`) : "", ".");
  }

  async askHint() {
    const { step } = this.state;
    const answer = await this.send("hint");
    if (!answer || this.state.step !== step) return;
    if (answer.state) {
      await this.take(answer.state, true);
      return;
    }
    this.hinted = [...this.choice.actions].find((one) => one.text === answer.action) || null;
    if (this.hinted && this.hinted.places.length) this.choice.choose(this.hinted);
    else this.choice.clear();
    this.update();
    // What an action makes stands beside it already.
    const reason = this.hinted && this.hinted.after ? answer.reason.replace(/^it makes [^:]*(: )?/, "") : answer.reason;
    const words = lowered(this.hinted ? this.hinted.label : answer.action);
    this.hint.replaceChildren(...withCards(`Hint: ${words}${reason ? `; ${reason}` : ""}.`, this.setup.pack));
  }

  /** Enter plays, on a chosen card too; Escape clears the choice, 1 to 9 choose own cards, H hints, U takes back. */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("select, input, textarea, summary")) return;
    const isChosen = event.target.matches("#table [aria-pressed=true]") && this.proposed;
    if (event.key === "Enter" && (isChosen || !event.target.closest("button, a"))) {
      const main = this.turn.querySelector(".main-button");
      if (main) main.click();
      event.preventDefault();
      return;
    }
    if (this.state.phase !== "decision") return;
    const key = event.key.toLowerCase();
    if (key === "escape") this.choice.clear();
    else if (/^[1-9]$/.test(key) && this.choice.places.has(`hand:${Number(key) - 1}`)) this.togglePlace(`hand:${Number(key) - 1}`);
    else if (key === "h") this.askHint();
    else if (key === "u" && this.state.can_take_back) this.answer("take-back");
    else return;
    this.update();
  }

  // --- the end of a deal and of the match ---

  /** Return a panel with the rows of seats: their place, name, hand and a tag of the change. */
  resultPanel(title, rows, ...more) {
    return make("div", { class: "result", tabindex: "0", role: "region", "aria-label": title }, make("p", { class: "result-title" }, title),
      make("ol", {}, ...rows.map(({ seat, place, words, change, kind }) => make("li", { class: [seat === this.setup.seat ? "you" : "", place === "1" ? "first" : ""].join(" ").trim() || null },
        make("span", { class: "place" }, place), make("bdi", {}, this.nameOf(seat)),
        make("span", { class: "hand" }, ...withCards(words, this.setup.pack)), change ? make("span", { class: `chip ${kind}` }, withMinus(change)) : ""))), ...more);
  }

  rows() {
    return this.state.result.rows.map((row) => {
      const { changes } = this.state.table.seats.find((one) => one.seat === row.seat);
      const total = Object.values(changes).reduce((sum, number) => sum + number, 0);
      return { seat: row.seat, place: row.place === null ? "" : String(row.place), words: [row.hand, row.worth].filter(Boolean).join("  "), change: row.outcome,
        kind: /^loses|is out/.test(row.outcome) || total < 0 ? "bad" : total > 0 && /^wins/.test(row.outcome) ? "good" : "same" };
    });
  }

  dealResult() {
    const own = this.state.result.rows.find((row) => row.seat === this.setup.seat);
    const others = this.state.result.rows.filter((row) => row.outcome).map((row) => `${this.nameOf(row.seat)} ${withMinus(row.outcome)}.`).join(" ");
    const title = own && own.outcome ? `You ${second(withMinus(own.outcome))}.` : others.length < 60 && others ? others : own ? "You lose nothing." : `Deal ${this.state.table.deal}`;
    return this.resultPanel(own && own.is_best ? `You have the best hand. ${title}` : title, this.rows());
  }

  dealOver() {
    this.closeLists();
    const pool = this.state.table.pool ? `The pool holds ${plural(this.state.table.pool, "chips")}.` : "";
    const isOut = this.state.table.seats.find((one) => one.seat === this.setup.seat).went_out !== null;
    return [this.heading(`Deal ${this.state.table.deal} is over.`), make("div", { class: "what" }, make("p", {}, isOut ? "You are out; the others play on." : pool)),
      this.buttons(this.button(isOut ? "See how it ends" : "Next deal", () => this.answer("proceed"), "main-button"))];
  }

  matchResult() {
    const { end, score } = this.state;
    const rows = end.rows.map((row) => {
      const { went_out: out, held } = this.state.table.seats.find((one) => one.seat === row.seat);
      const left = held.tokens > 0 ? `has ${plural(held.tokens, "tokens")} left` : "";
      return { seat: row.seat, place: String(row.placing), words: out === null ? left : `out in deal ${out + 1}`,
        change: this.setup.unit === "tokens" ? "" : `${row.payoff > 0 ? "+" : ""}${plural(row.payoff, this.setup.unit)}`, kind: row.placing === 1 ? "good" : row.payoff < 0 ? "bad" : "same" };
    });
    const { own, rival } = score.results.at(-1);
    const tile = (name, result) => make("div", {}, make("dt", {}, name), make("dd", {}, result && result.placing ? ordinalOf(result.placing) : "\u2026"),
      make("dd", {}, result && result.placing ? signed(result.payoff) : ""));
    const tiles = this.setup.rival ? make("dl", { class: "compare" }, tile("you", own), tile(`${this.setup.rival}, on the same cards`, rival)) : null;
    return this.resultPanel(`${ordinalOf(own.placing)} of ${end.rows.length}`, rows, tiles);
  }

  matchOver() {
    this.closeLists();
    const { end, rival_plays: rivalPlays, score } = this.state;
    const shown = this.rows().filter((row) => row.words && !row.words.includes("??"));
    const last = `Deal ${this.state.table.deal}: ${shown.map((row) => `${this.nameOf(row.seat)} ${row.words.replace("  ", ", ")}`).join("; ")}.`;
    const words = [rivalPlays ? `${this.setup.rival} is playing the same cards \u2026` : "", ...score.words, end.faults.length ? `Faults: ${end.faults.join(", ")}` : ""];
    return [this.heading(`The match is over. ${end.summary}`),
      make("div", { class: "what", role: "status", tabindex: "0" }, ...words.filter(Boolean).map((text) => make("p", { class: "compared" }, withMinus(text))),
        shown.length ? make("p", {}, ...withCards(last, this.setup.pack)) : ""),
      this.buttons(this.button("Another match", () => this.answer("next-match"), "main-button"), ...this.source.links())];
  }

  closeLists() {
    document.getElementById("all-actions").hidden = true;
    document.getElementById("guide").hidden = true;
  }

  failed() {
    this.closeLists();
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
      make("thead", {}, head), make("tbody", {}, ...rows)), ...words.slice(1).map((text) => make("p", { class: "note" }, withMinus(text))));
  }

  showProblem(text, retry) {
    this.turn.replaceChildren(make("p", { class: "problem", role: "alert" }, text), this.button("Try again", retry));
  }

  /** Add the choice of how fast the acts of others follow one another. */
  choosePace() {
    const keep = (pace) => { document.body.dataset.pace = pace; };
    keep(pageSetting("pace") in PACES ? pageSetting("pace") : "normal");
    const onchange = (event) => {
      keep(event.target.value);
      try { localStorage.setItem("pace", event.target.value); } catch { /* a browser that keeps nothing */ }
    };
    const select = make("select", { id: "pace", onchange }, ...Object.keys(PACES).map((pace) => make("option", { selected: pace === document.body.dataset.pace }, pace)));
    tools.append(choice("Motion", select));
  }
}

function pageSetting(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function chosenOnTable(action) {
  return action.places.length > 0 || Boolean(action.made);
}

/** Return words on others, as they are said to the person: `wins 3 chips` as `win 3 chips`. */
function second(words) {
  return words.replace(/^(wins|loses|scores)\b/, (verb) => verb.slice(0, -1)).replace(/; is out/, ", and are out").replace(/^is out/, "are out").replace(/has/, "have");
}

function lowered(text) {
  return text[0].toLowerCase() + text.slice(1);
}

function ordinalOf(place) {
  return `${place}${place % 100 > 10 && place % 100 < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[place % 10] || "th"}`;
}
