/** A match that can be stepped through: its head, and its deals once they are unpacked. */
class Match {
  constructor(head) {
    Object.assign(this, head);
    this.told = null;
    this.pack = this.family === "cox" ? "cox" : "french";
  }

  async open() {
    if (!this.told) {
      const bytes = Uint8Array.from(atob(this.packed), (sign) => sign.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      this.told = JSON.parse(await new Response(stream).text());
      this.told.forEach((deal) => { deal.states = states(deal); });
    }
    return this;
  }

  deal(number) {
    return this.told[number];
  }

  faultsIn(number) {
    return this.faults.filter(([, , deal]) => deal === number);
  }

  /** The steps of a deal at which something turned, each with why; a fault stands at the beginning. */
  turnsIn(number) {
    const faults = this.faultsIn(number).map(([seat, kind]) => [0, `${this.bots[seat]}: ${kind} in this deal`]);
    return [...faults, ...this.deal(number).turns, ...this.differences(number)].sort(([one], [other]) => one - other);
  }

  /** The steps at which a bot that was asked would have done something else. */
  differences(number) {
    const found = [];
    this.deal(number).frames.forEach((frame, step) => {
      const others = Object.entries(frame.others || {}).filter(([, done]) => done !== frame.lines[0][1]);
      if (others.length) found.push([step, `${others.map(([bot]) => bot).join(", ")} would differ`]);
    });
    return found;
  }

  /** Who each of the others would have agreed with, and how often, over the whole match. */
  agreement() {
    const counts = Object.fromEntries(this.others.map((bot) => [bot, { same: 0, asked: 0 }]));
    for (const deal of this.told) {
      for (const frame of deal.frames) {
        for (const [bot, done] of Object.entries(frame.others || {})) {
          counts[bot].asked += 1;
          counts[bot].same += done === frame.lines[0][1];
        }
      }
    }
    return counts;
  }
}

/** How everything stood at each step: each frame says only what is new. */
function states(deal) {
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

/** What was said of a step, as a seat heard it; to `null` everything. */
function linesFor(frame, seat) {
  return (seat !== null && frame.told && frame.told[seat]) || frame.lines;
}

/** The cards of a hand as a seat knows them, `??` for those it does not; to `null`, and once shown, all are known. */
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

/** Which other seats know a card in a hand. */
function knowers(state, owner, slot) {
  return state.known[owner].flatMap((bits, seat) => (seat !== owner && Math.floor(bits / 2 ** slot) % 2 ? [seat] : []));
}

function plural(number, things) {
  const one = things.replace(/s$/, "");
  return `${String(number).replace("-", "\u2212")} ${Math.abs(number) === 1 ? one : things}`;
}
