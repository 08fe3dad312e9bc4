const CARD_WORDS = {
  french: /(?<![\w$])([AKQJT2-9][SHDC]|R[12])(?!\w)/,
  cox: /(?<![\w$])([asp][1-5C]|[fgi$][1-4]|BK)(?!\w)/,
};

/** Write minus signs as such. */
function withMinus(text) {
  return text.replace(/(?<![\w-])-(?=\d)/g, "\u2212");
}

/** Split a text into nodes in which cards are colored and have suit symbols. */
function withCards(text, pack) {
  return text.split(CARD_WORDS[pack]).map((part, place) => {
    if (place % 2 === 0) return withMinus(part);
    const name = cardName(part);
    const said = isFrench(part) ? (part[0] === "T" ? "10" : part[0]) + SUIT_SIGNS[part[1]] : pack === "cox" ? part : name;
    return make("span", { class: `word suit-${face(part)[0]}`, "aria-label": name, title: name, role: "img" }, said);
  });
}

/** Create a row of cards; `marks` are tooltips of cards that other seats know, `wrap` puts a card into a button. */
function cardRow(cards, label, marks = [], wrap = (picture) => picture) {
  const items = cards.map((card, slot) => {
    const item = make("li", {}, wrap(drawCard(card), slot));
    if (marks[slot]) item.append(make("span", { class: "eye", title: marks[slot], "aria-label": marks[slot], role: "img" }));
    return item;
  });
  return make("ul", { class: `cards${cards.length > 5 ? " many" : cards.length > 3 ? " some" : ""}`, "aria-label": label }, ...items);
}

function pile(name, ...content) {
  return make("div", { class: "pile" }, make("span", { class: "pile-name" }, name), ...content);
}

function tag(text, kind = "") {
  return make("span", { class: `tag ${kind}` }, text);
}

/** Create the panel of a seat: who sits there with tags, then cards and lines. */
function seatPanel(seat, label, classes, head, ...content) {
  return make("section", { class: ["seat", `seat-${seat % 8}`, ...classes].join(" "), "aria-label": label }, make("header", {}, ...head), ...content);
}

const MAX_WIDE_PLAYERS = 6;
const MAX_SIDE_BY_SIDE_PLAYERS = 8;

/** The card table: seats, hands and piles as one seat or an observer sees them. */
class CardTable {
  constructor(match) {
    this.match = match;
    this.top = make("div", { class: "row" });
    this.middle = make("div", { class: "middle-cards" });
    this.bottom = make("div", { class: "row" });
    this.element = make("div", { class: match.players > MAX_WIDE_PLAYERS ? "felt compact" : "felt" }, this.top, this.middle, this.bottom);
  }

  /** Show a step as `seat` sees it; seats go clockwise from the bottom row. */
  show(deal, step, seat) {
    const state = deal.states[step];
    const over = step === deal.frames.length - 1;
    const first = seat === null ? 0 : seat;
    const round = this.match.bots.map((_, place) => (first + place) % this.match.players);
    const below = Math.floor(this.match.players / 2);
    const panels = round.map((one) => this.panel(deal, state, step, one, seat, over));
    this.bottom.replaceChildren(...panels.slice(0, below || 1).reverse());
    this.top.replaceChildren(...panels.slice(below || 1));
    this.middle.replaceChildren(...this.between(state, seat));
  }

  /** Keep the table as tall as it was, so that what is below it stays in its place while one steps. */
  keepHeight() {
    this.element.style.minHeight = `${this.element.offsetHeight}px`;
  }

  resetHeight() {
    this.element.style.minHeight = "";
  }

  between(state, seat) {
    const found = state.piles.filter(([, owner]) => owner === null).map((one) => pile(one[0], cardRow(pileFor(one, seat), one[0])));
    if (state.stock !== null) found.push(pile(`stock, ${state.stock} left`, cardRow(state.stock ? ["??"] : [], "stock")));
    if (state.held.pool !== undefined) {
      found.push(make("p", { class: "pool" }, `The pool holds ${plural(state.held.pool, "chips")}`));
    }
    return found;
  }

  panel(deal, state, step, one, seat, over) {
    const frame = deal.frames[step];
    const inside = deal.order.includes(one);
    const classes = [];
    if (frame.seat === one) classes.push("acted");
    if (!over && state.asked === one) classes.push("asked");
    if (!inside) classes.push("away");
    const cards = inside ? handFor(state, one, seat, frame.shown) : [];
    const open = !cards.includes("??");
    const leads = inside && state.best.includes(one) && (seat === null || over);
    const label = `Seat ${one}, ${this.match.bots[one]}`;
    return seatPanel(one, label, classes, this.head(deal, one, seat, leads),
      inside ? cardRow(cards, `hand of ${this.match.bots[one]}`, this.marks(state, one, seat, cards)) : null,
      ...this.inFront(state, one, seat),
      make("p", { class: "worth" }, inside ? (open && state.ranks[one]) || "\u00a0" : "not in this deal"),
      make("p", { class: "held" }, this.holding(deal, state, one, over)));
  }

  head(deal, one, seat, leads) {
    const tags = [];
    if (deal.dealer === one) tags.push(tag("dealer"));
    for (const [role, owner] of Object.entries(deal.roles)) {
      if (owner === one) tags.push(tag(role));
    }
    if (seat === one) tags.push(tag("your view"));
    tags.push(tag("best hand", leads ? "best" : "absent")); // its place is kept free
    return [make("bdi", { class: "who" }, this.match.bots[one]), ...tags];
  }

  marks(state, one, seat, cards) {
    if (seat !== null && seat !== one) return [];
    return cards.map((_, slot) => {
      const known = seatsThatKnow(state, one, slot);
      return known.length ? `known to ${known.map((other) => this.match.bots[other]).join(", ")}` : "";
    });
  }

  inFront(state, one, seat) {
    return state.piles.filter(([, owner]) => owner === one).map((front) => pile(front[0], cardRow(pileFor(front, seat), front[0])));
  }

  /** Return what a seat holds; at the end of a deal with what it won or lost. */
  holding(deal, state, one, over) {
    const parts = [];
    for (const things of Object.keys(state.held).filter((unit) => unit !== "pool")) {
      if (!over) {
        parts.push(plural(state.held[things][one], things));
        continue;
      }
      const change = (deal.changes[things] || [])[one] || 0;
      const signed = change > 0 ? `+${change}` : `\u2212${Math.abs(change)}`;
      parts.push(`${change ? `${signed} \u2192 ` : ""}${plural(deal.after[things][one], things)}`);
    }
    if (over && deal.out.includes(one)) parts.push("out");
    return over ? parts.join(", ") : `has ${parts.join(", ")}`;
  }
}
