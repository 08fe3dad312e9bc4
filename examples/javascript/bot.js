// A bot for the arena. It reads messages and writes answers, JSON, one a line: docs/protocol.md has them all.

"use strict";

const RANKS = "23456789TJQKA";
const CONTENT = ["knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce"];

// What three cards are worth: three alike, a sequence of one suit, a flush, a pair, and else their pips.
function worth(cards) {
  const [high, middle, low] = cards.map((card) => RANKS.indexOf(card[0])).sort((a, b) => b - a);
  const inOrder = (high * 13 + middle) * 13 + low;
  if (high === low) return 40000 + inOrder;
  const isFlush = cards.every((card) => card[1] === cards[0][1]);
  if (isFlush && high === middle + 1 && middle === low + 1) return 30000 + inOrder;
  if (isFlush) return 20000 + inOrder;
  if (high === middle || middle === low) return 10000 + middle * 100 + high + low;
  return pips(high) + pips(middle) + pips(low);
}

// An ace counts 11, a court card 10.
function pips(rank) {
  return rank === 12 ? 11 : Math.min(rank + 2, 10);
}

// The hand after "4D,5H>9D,JS"; null for an action that is written in another way.
function after(action, hand) {
  const match = /^([2-9TJQKA][SHDC](?:,[2-9TJQKA][SHDC])*)>([2-9TJQKA][SHDC](?:,[2-9TJQKA][SHDC])*)$/.exec(action);
  if (!match) return null;
  const given = match[1].split(",");
  const taken = match[2].split(",");
  return hand.map((card) => (given.includes(card) ? taken[given.indexOf(card)] : card));
}

function choose(view) {
  const hand = view.hand.split(" ");
  if (hand.length === 3 && !hand.includes("??")) {
    let best = null;
    let most = worth(hand);
    for (const action of view.legal) {
      const made = after(action, hand);
      if (made && worth(made) > most) [best, most] = [action, worth(made)];
    }
    if (best) return best;
  }
  const content = view.legal.filter((action) => CONTENT.includes(action));
  return (content.length ? content : view.legal).at(-1);
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const lines = require("node:readline").createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.t === "hello") say({ t: "ready", v: 1, events: false });
  if (message.t === "act") say({ t: "action", m: message.m, action: choose(message.view) });
});
lines.on("close", () => process.exit(0));
