// A bot for the arena. It reads messages and writes answers, JSON, one a line: docs/protocol.md has them all.

"use strict";

const RANKS = "23456789TJQKA";
const CONTENT = ["knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce"];

// What three cards are worth: three alike, a sequence, a flush, a pair, and else the cards themselves.
function worth(cards) {
  const ranks = cards.map((card) => RANKS.indexOf(card[0])).sort((a, b) => b - a);
  const points = (ranks[0] * 13 + ranks[1]) * 13 + ranks[2];
  const kinds = new Set(ranks).size;
  if (kinds === 1) return 40000 + points;
  if (kinds === 3 && ranks[0] - ranks[2] === 2) return 30000 + points;
  if (new Set(cards.map((card) => card[1])).size === 1) return 20000 + points;
  return (kinds === 2 ? 10000 : 0) + points;
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
