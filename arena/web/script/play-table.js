const MOVE_MS = 280;
const MAX_DISCS = 7;

/** The table as one seat sees it: the others in turn order above, what lies between, and the own hand below. */
class PlayTable {
  constructor(element, seat, pack, onPlace) {
    Object.assign(this, { element, seat, pack, onPlace });
  }

  /** Draw a table; `places` are those that can be chosen, `acts` the latest words on each seat, `between` what lies in the middle. */
  show(table, places, acts, between = null) {
    const before = this.cardPlaces();
    this.table = table;
    const [own, ...others] = table.seats.map((one) => this.panel(one, places, acts));
    this.element.className = `felt play-felt${others.length > 4 ? " crowded" : ""}${between ? " over" : ""}`;
    this.element.replaceChildren(make("div", { class: "others" }, ...others),
      between || make("div", { class: "middle-cards" }, ...this.middle(places)), own);
    this.move(before);
  }

  /** Mark the chosen places, those that go with them, and those of a hint. */
  mark(choice, hinted = []) {
    const { chosen, following } = choice;
    for (const button of this.element.querySelectorAll("button[data-place]")) {
      const { place } = button.dataset;
      button.setAttribute("aria-pressed", chosen.includes(place));
      button.classList.toggle("rest", chosen.length > 0 && !chosen.includes(place) && !following.has(place));
      button.classList.toggle("clue", hinted.includes(place));
    }
  }

  panel(one, places, acts) {
    const isOwn = one.seat === this.seat;
    const act = acts.get(one.seat);
    const classes = [isOwn ? "own" : "other"];
    if (this.table.asked === one.seat) classes.push("asked");
    if (act && act.isNew) classes.push("acted");
    if (!one.is_dealt_in) classes.push("away");
    const cards = one.cards.map((card, slot) => [card, isOwn ? handPlace(one.cards, slot, places) : `card:${one.seat}:${slot}`,
      isOwn ? `your card ${slot + 1}` : `card ${slot + 1} of ${one.name}`]);
    const worth = one.worth ? make("span", { class: "worth" }, ...withCards(one.worth, this.pack)) : null;
    return seatPanel(one.seat, isOwn ? "You" : one.name, classes, [...this.head(one, places), isOwn ? worth : null],
      one.cards.length ? this.cards(cards, places, isOwn ? "your hand" : `hand of ${one.name}`) : null,
      ...this.table.piles.filter((front) => front.seat === one.seat && !this.isInMiddle(front)).map((front) => this.pile(front, places)),
      isOwn ? null : make("p", { class: "did" }, ...(act ? withCards(act.words, this.pack) : [one.is_dealt_in ? "" : awayWords(one)])));
  }

  head(one, places) {
    const place = `seat:${one.seat}`;
    const name = make("bdi", { class: "who" }, one.name);
    const tags = [this.table.dealer === one.seat ? tag("dealer") : null, ...one.tags.map((words) => tag(words, /knock|call/.test(words) ? "knock" : ""))];
    const change = Object.entries(one.changes).map(([unit, number]) => tag(`${number > 0 ? "+" : ""}${plural(number, unit)}`, unit === "points" ? "" : number > 0 ? "best" : "worst"));
    return [places.has(place) ? this.placeButton(place, `choose ${one.name}`, "place-seat", name) : name, ...tags, ...change, holding(one)].filter(Boolean);
  }

  middle(places) {
    const found = this.table.piles.filter((one) => this.isInMiddle(one)).map((one) => this.pile(one, places));
    if (this.table.stock !== null) {
      const left = `${this.table.stock} left`;
      const back = this.table.stock || places.has("stock") ? [["??", "stock", `stock, ${left}`]] : [];
      found.push(pile(`stock, ${left}`, this.cards(back, places, "stock")));
    }
    if (this.table.pool !== null) found.push(make("p", { class: "pool" }, `The pool holds ${plural(this.table.pool, "chips")}`));
    return found;
  }

  /** Return whether a pile is nobody's, or is the card that the person has drawn and not put down. */
  isInMiddle(one) {
    return one.seat === null || (one.seat === this.seat && one.name === "drawn");
  }

  /** Draw a pile; one of which only the top can be taken lies as a pile, and is chosen by its top card. */
  pile(one, places) {
    const whole = `pile:${one.name}`;
    const top = one.cards.length - 1;
    const isStacked = one.seat === null && !one.places.some((place, slot) => place && slot !== top && places.has(place)) && /discard/.test(one.name);
    const cards = one.cards.map((card, slot) => [card, slot === top && one.seat === null && places.has(whole) ? whole : one.places[slot], one.name]);
    const row = this.cards(cards, places, one.name);
    row.classList.toggle("stacked", isStacked);
    return pile(one.name, row);
  }

  cards(cards, places, label) {
    const row = cardRow(cards.map(([card]) => card), label, [], (picture, slot) => {
      const [card, place, where] = cards[slot];
      return places.has(place) ? this.placeButton(place, `${cardName(card)}, ${where}`, "place-card", hideFromReader(picture)) : picture;
    });
    row.dataset.count = cards.length;
    return row;
  }

  placeButton(place, label, className, content) {
    const button = make("button", { type: "button", class: className, "aria-label": label, "aria-pressed": "false",
      onclick: () => this.onPlace(place) }, content);
    button.dataset.place = place;
    return button;
  }

  // --- motion: a card that was elsewhere comes from there ---

  cardPlaces() {
    const found = new Map();
    for (const face of this.element.querySelectorAll(".face")) found.set(face.dataset.card, [...(found.get(face.dataset.card) || []), face.getBoundingClientRect()]);
    return found;
  }

  move(before) {
    if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches || document.body.dataset.pace === "none") return;
    for (const face of this.element.querySelectorAll(".face:not([data-card='??'])")) {
      const now = face.getBoundingClientRect();
      const old = before.get(face.dataset.card);
      if (old && old.some((place) => near(place, now))) continue;
      const from = old ? old[0] : { left: now.left, top: now.top - 40, width: now.width };
      const shift = `translate(${from.left - now.left}px, ${from.top - now.top}px) scale(${from.width / now.width || 1})`;
      face.animate([{ transform: shift, transformOrigin: "0 0", opacity: old ? 1 : 0 }, { transform: "none", transformOrigin: "0 0" }],
        { duration: MOVE_MS, easing: "cubic-bezier(.2, .8, .2, 1)" });
    }
  }
}

function near(one, other) {
  return Math.abs(one.left - other.left) < 4 && Math.abs(one.top - other.top) < 4;
}

function awayWords(one) {
  return one.went_out === null ? "not in this deal" : `out in deal ${one.went_out + 1}`;
}

/** Return what a seat holds: tokens as discs, those lost in this deal crossed out, other things in words. */
function holding(one) {
  const words = Object.entries(one.held).map(([unit, number]) => plural(number, unit));
  const tokens = one.held.tokens;
  const lost = Math.max(-(one.changes.tokens || 0), 0);
  if (words.length !== 1 || tokens === undefined || tokens < 0 || tokens + lost > MAX_DISCS) {
    return make("span", { class: "has" }, `${Object.keys(one.changes).length ? "now " : ""}${words.join(", ")}`);
  }
  const discs = [...Array(tokens + lost).keys()].map((place) => make("i", { class: place < tokens ? null : "lost" }));
  return make("span", { class: "has discs", role: "img", "aria-label": words[0], title: words[0] }, ...discs);
}

/** Return the place of an own card: of equal cards the first stands for those that cannot be chosen themselves. */
function handPlace(cards, slot, places) {
  const own = `hand:${slot}`;
  const first = cards.indexOf(cards[slot]);
  return places.has(own) || cards[slot] === "??" ? own : `hand:${first}`;
}

/** Hide a picture from screen readers where its button has the same name. */
function hideFromReader(picture) {
  picture.setAttribute("aria-hidden", "true");
  picture.removeAttribute("role");
  picture.removeAttribute("aria-label");
  return picture;
}
