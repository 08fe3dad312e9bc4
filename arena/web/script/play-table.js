/** The table as one seat sees it: seats in turn order round it, and cards that can be chosen. */
class PlayTable {
  constructor(element, seat, pack, onPlace) {
    Object.assign(this, { element, seat, pack, onPlace });
  }

  /** Draw a table; `places` are those that can be chosen. */
  show(table, places) {
    this.table = table;
    const [own, ...others] = table.seats.map((one) => this.seatPanel(one, places));
    const aside = others.length < 2 ? 0 : others.length < 6 ? 1 : 2;
    const right = others.length - aside;
    this.element.classList.toggle("crowded", others.length > 5);
    this.element.replaceChildren(
      make("div", { class: "others" },
        make("div", { class: "side left" }, ...others.slice(0, aside)),
        make("div", { class: "side across" }, ...others.slice(aside, right)),
        make("div", { class: "side right" }, ...others.slice(right))),
      make("div", { class: "middle-cards" }, ...this.middle(places)),
      own);
  }

  /** Mark the chosen places, and those that go with them. */
  mark(choice) {
    const { chosen, following } = choice;
    for (const button of this.element.querySelectorAll("button[data-place]")) {
      const { place } = button.dataset;
      button.setAttribute("aria-pressed", chosen.includes(place));
      button.classList.toggle("aside", chosen.length > 0 && !chosen.includes(place) && !following.has(place));
    }
  }

  seatPanel(one, places) {
    const isOwn = one.seat === this.seat;
    const classes = ["seat", `seat-${one.seat % 8}`, isOwn ? "own" : "other"];
    if (this.table.asked === one.seat) classes.push("asked");
    if (!one.is_dealt_in) classes.push("away");
    const place = `seat:${one.seat}`;
    const name = make("bdi", { class: "who" }, one.name);
    const head = places.has(place)
      ? this.placeButton(place, `choose ${one.name}`, "place-seat", name)
      : name;
    const cards = one.cards.map((card, slot) => [card, isOwn ? handPlace(one.cards, slot, places) : `card:${one.seat}:${slot}`,
      isOwn ? `your card ${slot + 1}` : `card ${slot + 1} of ${one.name}`]);
    return make("section", { class: classes.join(" "), "aria-label": isOwn ? "You" : one.name },
      make("header", {}, head, make("span", { class: "has" }, one.is_dealt_in ? one.held : `${one.held}, not in this deal`)),
      one.cards.length ? this.cards(cards, places, isOwn ? "your hand" : `hand of ${one.name}`) : null,
      ...this.table.piles.filter((pile) => pile.seat === one.seat).map((pile) => this.pile(pile, places)),
      one.remarks ? make("p", { class: "worth" }, ...withCards(one.remarks, this.pack)) : null);
  }

  middle(places) {
    const found = this.table.piles.filter((pile) => pile.seat === null).map((pile) => this.pile(pile, places));
    if (this.table.stock !== null) {
      const left = `${this.table.stock} left`;
      const back = this.table.stock || places.has("stock") ? [["??", "stock", `stock, ${left}`]] : [];
      found.push(make("div", { class: "pile" }, make("span", { class: "pile-name" }, `stock, ${left}`), this.cards(back, places, "stock")));
    }
    if (this.table.pool !== null) found.push(make("p", { class: "pool" }, `The pool holds ${plural(this.table.pool, "chips")}`));
    return found;
  }

  /** Draw a pile; one that is chosen as a whole is chosen by its top card. */
  pile(pile, places) {
    const whole = `pile:${pile.name}`;
    const top = pile.cards.length - 1;
    const cards = pile.cards.map((card, slot) => {
      const place = slot === top && places.has(whole) && pile.seat === null ? whole : pile.places[slot];
      return [card, place, pile.name];
    });
    return make("div", { class: "pile" }, make("span", { class: "pile-name" }, pile.name), this.cards(cards, places, pile.name));
  }

  cards(cards, places, label) {
    const items = cards.map(([card, place, where]) => make("li", {}, places.has(place)
      ? this.placeButton(place, `${cardName(card)}, ${where}`, "place-card", hideFromReader(drawCard(card)))
      : drawCard(card)));
    const list = make("ul", { class: "cards", "aria-label": label }, ...items);
    list.style.setProperty("--cards", Math.max(cards.length, 1));
    return list;
  }

  placeButton(place, label, className, content) {
    const button = make("button", { type: "button", class: className, "aria-label": label, "aria-pressed": "false",
      onclick: () => this.onPlace(place) }, content);
    button.dataset.place = place;
    return button;
  }
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
