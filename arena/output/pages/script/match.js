/** A match: its metadata, and its deals once they are unpacked. */
class Match {
  constructor(metadata) {
    Object.assign(this, metadata);
    this.unpackedDeals = null;
    this.pack = this.family === "cox" ? "cox" : "french";
  }

  async open() {
    if (!this.unpackedDeals) {
      const bytes = Uint8Array.from(atob(this.packed), (char) => char.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      this.unpackedDeals = JSON.parse(await new Response(stream).text());
      this.unpackedDeals.forEach((deal) => { deal.states = buildStates(deal); });
    }
    return this;
  }

  deal(number) {
    return this.unpackedDeals[number];
  }

  /** Return the seats, the best placing first; in order where the match has no placings. */
  seatsByPlacing() {
    return this.bots.map((_, seat) => seat).sort((one, other) => this.placings[one] - this.placings[other] || one - other);
  }

  faultsIn(number) {
    return this.faults.filter(([, , deal]) => deal === number);
  }

  /** Return the turning points of a deal as [step, explanation]; faults are at step 0. */
  turningPointsIn(number) {
    const faults = this.faultsIn(number).map(([seat, kind]) => [0, `${this.bots[seat]}: ${kind} in this deal`]);
    return [...faults, ...this.deal(number).turning_points, ...this.differences(number)].sort(([one], [other]) => one - other);
  }

  /** Return the steps at which a compared bot would have chosen another action, or failed. */
  differences(number) {
    const found = [];
    this.deal(number).frames.forEach((frame, step) => {
      const others = Object.entries(frame.others || {});
      const differing = others.filter(([, [done]]) => done && done !== frame.lines[0][1]).map(([bot]) => bot);
      const failing = others.filter(([, [, fault]]) => fault).map(([bot]) => bot);
      const notes = [[differing, "would differ"], [failing, "would fail"]].filter(([bots]) => bots.length);
      if (notes.length) found.push([step, notes.map(([bots, what]) => `${bots.join(", ")} ${what}`).join("; ")]);
    });
    return found;
  }

  /** Return how often each compared bot agrees with the actions of the match. */
  agreement() {
    const counts = Object.fromEntries(this.others.map((bot) => [bot, { same: 0, asked: 0 }]));
    for (const deal of this.unpackedDeals) {
      for (const frame of deal.frames) {
        for (const [bot, [done]] of Object.entries(frame.others || {})) {
          counts[bot].asked += 1;
          counts[bot].same += done === frame.lines[0][1];
        }
      }
    }
    return counts;
  }
}

/** Return the full state at each step; frames contain only the changes. */
function buildStates(deal) {
  let state = { hands: {}, known: {}, ranks: {}, piles: [], best: [], held: {}, stock: null, asked: null };
  return deal.frames.map((frame) => {
    state = { ...state };
    for (const key of ["hands", "known", "ranks"]) {
      if (frame[key]) state[key] = { ...state[key], ...frame[key] };
    }
    for (const key of ["piles", "best", "held", "stock", "asked"]) {
      if (key in frame) state[key] = frame[key];
    }
    return state;
  });
}

/** Return the events of a step as a seat may know them; all of them if `seat` is null. */
function linesFor(frame, seat) {
  return (seat !== null && frame.by_seat && frame.by_seat[seat]) || frame.lines;
}

/** Return a hand as a seat knows it, `??` for hidden cards; all cards if `seat` is null or the hand is shown. */
function handFor(state, owner, seat, shown) {
  const cards = (state.hands[owner] || "").split(" ").filter(Boolean);
  return seat === null || shown ? cards : masked(cards, state.known[owner][seat]);
}

function pileFor([, , cards, masks], seat) {
  const list = cards.split(" ").filter(Boolean);
  return seat === null ? list : masked(list, masks[seat]);
}

function masked(cards, bits) {
  return cards.map((card, slot) => (Math.floor(bits / 2 ** slot) % 2 ? card : "??"));
}

/** Return the other seats that know a card of a hand. */
function seatsThatKnow(state, owner, slot) {
  return state.known[owner].flatMap((bits, seat) => (seat !== owner && Math.floor(bits / 2 ** slot) % 2 ? [seat] : []));
}

function plural(number, things) {
  const one = things.replace(/s$/, "");
  return `${String(number).replace("-", "\u2212")} ${Math.abs(number) === 1 ? one : things}`;
}
