const PACE_MS = 1100;
const ICONS = {
  first: "M5 4v16M19 4L9 12l10 8z", back: "M18 4L7 12l11 8z", play: "M7 4l12 8-12 8z",
  pause: "M8 4v16M16 4v16", next: "M5 4l10 8-10 8zM19 4v16", last: "M4 4l8 8-8 8zM12 4l8 8-8 8z",
  turnBack: "M7 8l-4 4 4 4zM16 6l5 6-5 6-5-6z", turnNext: "M8 6l5 6-5 6-5-6zM17 8l4 4-4 4z",
};

function icon(name) {
  return draw("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, draw("path", { d: ICONS[name] }));
}

function iconButton(name, label, onclick) {
  return make("button", { type: "button", "aria-label": label, title: label, onclick }, icon(name));
}

/** Steps through matches; the URL fragment has the match, deal, step and point of view. */
class Viewer {
  constructor(element, matches) {
    this.element = element;
    this.matches = matches.map((head) => new Match(head));
    this.place = { match: this.matches[0].number, deal: 1, step: 0, seat: null };
    this.timer = null;
    this.hasMoved = false;
    this.missingNote = make("p", { class: "note", role: "status" });
    element.hidden = false;
    const alone = this.element.dataset.heading === "h2";
    this.isFramed = alone && window.parent !== window;
    document.documentElement.classList.toggle("framed", this.isFramed);
    (alone ? document : element).addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow(true));
    window.addEventListener("resize", () => this.cardTable && this.cardTable.resetHeight());
    this.follow(false);
  }

  get match() {
    return this.matches.find((one) => one.number === this.place.match);
  }

  get deal() {
    return this.match.deal(this.place.deal - 1);
  }

  get last() {
    return this.deal.frames.length - 1;
  }

  /** Go to the place in the URL fragment, as far as it exists. */
  async follow(move) {
    let asked = new URLSearchParams(location.hash.slice(1));
    const named = asked.has("match") || asked.has("deal");
    if (!named && move) return;
    this.hasMoved = named;
    const number = (name, least) => Math.max(Number.parseInt(asked.get(name), 10) || least, least);
    const wanted = number("match", 1);
    const isMissing = asked.has("match") && !this.matches.some((one) => one.number === wanted);
    if (isMissing) asked = new URLSearchParams();
    else if (asked.has("match")) this.place.match = wanted;
    const match = await this.match.open().catch(() => null);
    if (!match) {
      this.element.replaceChildren(make("p", {}, "This browser cannot unpack the replays; use a current version."));
      return;
    }
    this.place.deal = Math.min(number("deal", 1), match.deals);
    this.place.step = Math.min(number("step", 0), this.last);
    const seat = Number.parseInt(asked.get("seat"), 10);
    this.place.seat = seat >= 0 && seat < match.players ? seat : null;
    this.missingNote.textContent = isMissing ? `Match ${wanted.toLocaleString("en")} is not on this page; arena replay show --html makes a page of any match.` : "";
    if (this.built === match) {
      const inLinks = this.dealLinks.contains(document.activeElement);
      if (move && document.activeElement.matches("main a") && !this.element.contains(document.activeElement)) this.element.scrollIntoView();
      this.showDeal();
      if (inLinks) this.dealLinks.querySelector("[aria-current]").focus();
      return;
    }
    this.build();
    if (named) {
      this.element.scrollIntoView();
      this.title.focus({ preventScroll: true });
    }
  }

  /** Create the elements for a match; `showStep` fills in what changes. */
  build() {
    const { match } = this;
    this.pause();
    this.built = match;
    this.cardTable = new CardTable(match);
    this.title = make(this.element.dataset.heading, { tabindex: "-1", class: "match-title" }, `Match ${match.number.toLocaleString("en")}: ${match.game}`);
    this.result = make("p", { class: "summary" }, ...match.seatsByPlacing().flatMap((seat, place) => [
      place ? " \u00b7 " : "", match.placings.length ? `${ordinal(match.placings[seat])} ` : "", make("bdi", {}, match.bots[seat])]));
    this.dealLinks = make("ol", { class: "deals", "aria-label": "Deals" });
    this.now = make("p", { class: "now", "aria-live": "polite" });
    this.slider = make("input", { type: "range", min: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.lead = make("div", { class: "lead-strip" });
    this.eventList = make("ol", { class: "events", "aria-label": "Events", tabindex: "0" });
    this.others = make("div", { class: "others", hidden: !match.others.length });
    const board = make("div", { class: "board" }, this.controls(), this.cardTable.element, this.slider, this.now, this.lead);
    this.element.replaceChildren(this.title, this.missingNote, this.result, this.dealLinks,
      make("div", { class: match.players > MAX_SIDE_BY_SIDE_PLAYERS ? "stage stacked" : "stage" }, board, make("div", { class: "aside" }, this.others, this.eventList)));
    if (this.isFramed && location.protocol !== "blob:") this.element.append(this.pageLink());
    this.element.append(make("p", { class: "note keys" }, "Keys: \u2190 \u2192 step, \u2191 \u2193 turning points, "
      + "Home End, space plays, [ ] deals, v point of view. A dot under a card: another seat knows it."));
    this.showDeal();
  }

  /** Create the link from a frame to the page itself; it opens where the frame is. */
  pageLink() {
    const follow = (event) => event.target.setAttribute("href", location.href);
    return make("p", { class: "note" }, make("a", { href: location.href, target: "_blank", rel: "noopener", onclick: follow }, "Open the replay in a page of its own"));
  }

  controls() {
    this.playButton = iconButton("play", "Play", () => this.toggle());
    const views = [make("option", { value: "" }, "everybody"),
      ...this.match.bots.map((bot, seat) => make("option", { value: seat }, `seat ${seat}: ${bot}`))];
    this.viewSelect = make("select", { id: "view-of", onchange: () => this.see(this.viewSelect.value === "" ? null : Number(this.viewSelect.value)) }, ...views);
    const four = make("input", { type: "checkbox", id: "four", onchange: () => this.element.classList.toggle("four", four.checked) });
    four.checked = this.element.classList.contains("four");
    return make("div", { class: "controls" },
      make("div", { class: "buttons" },
        iconButton("first", "First step", () => this.go(0)),
        iconButton("back", "Previous step", () => this.go(this.place.step - 1)),
        this.playButton,
        iconButton("next", "Next step", () => this.go(this.place.step + 1)),
        iconButton("last", "Last step", () => this.go(this.last)),
        iconButton("turnBack", "Previous turning point", () => this.turn(-1)),
        iconButton("turnNext", "Next turning point", () => this.turn(1))),
      choice("Seen by", this.viewSelect), choice("Four colours", four));
  }

  showDeal() {
    const { match } = this;
    const links = Array.from({ length: match.deals }, (_, place) => {
      const wrong = match.faultsIn(place).length;
      const link = make("a", { href: `#match=${match.number}&deal=${place + 1}` }, `${place + 1}`);
      if (wrong) link.append(make("span", { class: "wrong", role: "img", "aria-label": "with a fault" }, "!"));
      if (place + 1 === this.place.deal) link.setAttribute("aria-current", "true");
      return make("li", {}, link);
    });
    this.dealLinks.replaceChildren(make("li", { class: "deals-name" }, "Deal"), ...links);
    this.slider.max = this.last;
    this.curve = chanceCurve(match, this.deal);
    this.lead.replaceChildren(...leadStrip(match, this.deal), ...(this.curve ? [this.curve.element] : []));
    this.showStep();
  }

  showStep() {
    const { match, deal, place } = this;
    const frame = deal.frames[place.step];
    this.cardTable.show(deal, place.step, place.seat);
    this.cardTable.keepHeight();
    this.slider.value = place.step;
    this.slider.setAttribute("aria-valuetext", `${place.step} of ${this.last}`);
    this.viewSelect.value = place.seat === null ? "" : place.seat;
    const before = make("span", { class: "count" }, `${place.step} / ${this.last}`);
    this.now.replaceChildren(before, " ", ...this.words(frame, place.step), ...this.note(place.step));
    this.lead.classList.toggle("unseen", place.seat !== null);
    if (this.curve) this.curve.show(place.step);
    this.compare(frame, match);
    this.showEvents();
    this.updateUrl();
  }

  /** Write the place to the URL fragment, but not before the user has moved: other fragments stay valid. */
  updateUrl() {
    const { match, deal, step, seat } = this.place;
    const where = new URLSearchParams({ match, deal, step });
    if (seat !== null) where.set("seat", seat);
    if (this.hasMoved) history.replaceState(null, "", `#${where}`);
    this.hasMoved = true;
  }

  words(frame, step) {
    const lines = linesFor(frame, this.place.seat);
    if (!step && !lines.length) return [make("bdi", {}, this.match.bots[this.deal.dealer]), " deals."];
    if (!lines.length) return ["Nothing this seat can see."];
    return lines.flatMap(([seat, , said], place) => [place ? "; " : "",
      ...(seat === null ? [] : [make("b", { class: `name-${seat % 8}` }, this.match.bots[seat]), " "]), ...withCards(said, this.match.pack)]);
  }

  /** Return the note of the bot on its action; from a seat only its own are seen. */
  note(step) {
    const text = (this.deal.notes || {})[step];
    const isSeen = this.place.seat === null || this.deal.frames[step].seat === this.place.seat;
    return text && isSeen ? [make("q", { class: "bot-note" }, text)] : [];
  }

  /** List the events of the deal as buttons that lead to their steps. */
  showEvents() {
    const turns = new Map(this.turningPoints());
    const items = this.deal.frames.map((frame, step) => {
      const button = make("button", { type: "button", onclick: () => this.go(step), tabindex: "-1" }, ...this.words(frame, step));
      button.append(...this.note(step));
      if (turns.get(step)) button.append(make("span", { class: "turn" }, turns.get(step)));
      const current = step === this.place.step ? "step" : null;
      return make("li", { class: turns.has(step) ? "turning" : null, "aria-current": current }, button);
    });
    this.eventList.replaceChildren(...items);
    const current = items[this.place.step];
    this.eventList.scrollTop = current.offsetTop - this.eventList.clientHeight / 2;
  }

  /** Return the turning points of the deal; a seat sees only those without an explanation. */
  turningPoints() {
    return this.match.turningPointsIn(this.place.deal - 1).filter(([, why]) => this.place.seat === null || !why);
  }

  /** Show the choices of the compared bots; a seat sees them for its own decisions only. */
  compare(frame, match) {
    if (!match.others.length) return;
    const secret = this.place.seat !== null && frame.seat !== undefined && frame.seat !== this.place.seat;
    const counts = match.agreement();
    const rows = match.others.map((bot) => {
      const { same, asked } = counts[bot];
      const answer = secret ? undefined : (frame.others || {})[bot];
      const [done, fault] = answer || ["", ""];
      const differs = answer !== undefined && done !== frame.lines[0][1];
      const text = secret ? "hidden from this seat" : answer ? done || (fault ? "" : "asked no more") : "not asked";
      const notes = [differs && done ? " differs" : "", fault ? ` ${fault}` : ""].filter(Boolean);
      return make("tr", { class: differs || fault ? "differs" : null }, make("th", { scope: "row" }, bot),
        make("td", {}, ...withCards(text, match.pack), ...notes.map((note) => make("em", {}, note))),
        make("td", {}, asked ? `${Math.round(100 * same / asked)}%` : ""));
    });
    const head = make("tr", {}, ...["bot", "choice", "agreement"].map((text) => make("th", { scope: "col" }, text)));
    this.others.replaceChildren(make("table", {}, make("caption", {}, "Choices of other bots"),
      make("thead", {}, head), make("tbody", {}, ...rows)),
    make("p", { class: "note" }, "Agreement: share of all decisions of the match in which the bot would choose the same action."));
  }

  go(step) {
    const { match, place } = this;
    if (step > this.last && place.deal < match.deals) this.goDeal(place.deal + 1, 0);
    else if (step < 0 && place.deal > 1) this.goDeal(place.deal - 1, Infinity);
    else {
      place.step = Math.min(Math.max(step, 0), this.last);
      this.showStep();
    }
  }

  goDeal(deal, step) {
    this.place.deal = Math.min(Math.max(deal, 1), this.match.deals);
    this.place.step = Math.min(step, this.last);
    this.showDeal();
  }

  /** Go to the next or previous turning point, also across deals. */
  turn(way) {
    const steps = this.turningPoints().map(([step]) => step);
    const found = way > 0 ? steps.find((step) => step > this.place.step)
      : steps.filter((step) => step < this.place.step).pop();
    if (found !== undefined) this.go(found);
    else this.go(way > 0 ? (this.place.step < this.last ? this.last : this.last + 1) : (this.place.step ? 0 : -1));
  }

  see(seat) {
    this.place.seat = seat;
    this.showStep();
  }

  seeNext() {
    const seat = this.place.seat === null ? 0 : this.place.seat + 1;
    this.see(seat < this.match.players ? seat : null);
  }

  toggle() {
    if (this.timer) this.pause();
    else {
      this.timer = setInterval(() => {
        if (this.place.step === this.last && this.place.deal === this.match.deals) this.pause();
        else this.go(this.place.step + 1);
      }, PACE_MS);
      this.now.setAttribute("aria-live", "off");
      this.playButton.replaceChildren(icon("pause"));
      this.playButton.setAttribute("aria-label", "Pause");
    }
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (!this.playButton) return;
    this.now.setAttribute("aria-live", "polite");
    this.playButton.replaceChildren(icon("play"));
    this.playButton.setAttribute("aria-label", "Play");
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inField = ["SELECT", "INPUT"].includes(event.target.tagName);
    if (inField && event.target.type !== "range") return;
    if (event.key === " " && ["BUTTON", "A"].includes(event.target.tagName)) return;
    const { step, deal } = this.place;
    const keys = {
      ArrowLeft: () => this.go(step - 1), ArrowRight: () => this.go(step + 1),
      ArrowUp: () => this.turn(-1), ArrowDown: () => this.turn(1),
      Home: () => this.go(0), End: () => this.go(this.last),
      "[": () => this.goDeal(deal - 1, 0), "]": () => this.goDeal(deal + 1, 0),
      " ": () => this.toggle(), v: () => this.seeNext(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

function ordinal(place) {
  return `${place}${{ 1: "st", 2: "nd", 3: "rd" }[place] || "th"}`;
}

/** Draw who has the best hand at each step, with a legend. */
function leadStrip(match, deal) {
  const wide = deal.frames.length;
  const parts = [];
  deal.states.forEach((state, step) => {
    const tall = 10 / Math.max(state.best.length, 1);
    state.best.forEach((seat, place) => parts.push(
      draw("rect", { x: step, y: place * tall, width: 1.02, height: tall, class: `lead-${seat % 8}` })));
  });
  if (!parts.length) return [];
  const leaders = [...new Set(deal.states.flatMap((state) => state.best))];
  const seats = match.bots.map((_, seat) => seat); // the same legend for every deal, so that nothing below it moves
  const label = `Whose hand was best: ${leaders.map((seat) => match.bots[seat]).join(", then ")}`;
  const strip = draw("svg", { viewBox: `0 0 ${wide} 10`, preserveAspectRatio: "none", role: "img", "aria-label": label }, ...parts);
  const legend = seats.map((seat) => make("li", {}, make("span", { class: `dot lead-${seat % 8}` }), match.bots[seat]));
  return [strip, make("ul", { class: "legend" }, make("li", {}, "Best hand:"), ...legend)];
}

const matches = document.getElementById("matches");
if (matches) new Viewer(document.getElementById("viewer"), JSON.parse(matches.textContent));
