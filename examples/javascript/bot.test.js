// Speaks to the bot as the arena does: `node --test`.

"use strict";

const assert = require("node:assert");
const { spawnSync } = require("node:child_process");
const path = require("node:path");
const test = require("node:test");

function answers(messages) {
  const input = messages.map((message) => JSON.stringify(message) + "\n").join("");
  const { stdout, status } = spawnSync("node", [path.join(__dirname, "bot.js")], { input, encoding: "utf-8" });
  assert.equal(status, 0);
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}

const HELLO = { t: "hello", v: 1, bot: "jackdaw", limits: {}, settings: {} };
const MATCH = { t: "match", m: 3, variant: "lives", options: {}, players: 2, seat: 0, rng: "x" };

function act(hand, legal) {
  return { t: "act", m: 3, view: { seat: 0, players: 2, hand, legal } };
}

test("it is ready, and answers every decision by its match", () => {
  const [ready, action] = answers([HELLO, MATCH, act("9S KD AS", ["9S>2H", "pass", "knock"]), { t: "bye" }]);
  assert.deepEqual([ready.t, ready.v], ["ready", 1]);
  assert.deepEqual(action, { t: "action", m: 3, action: "knock" });
});

test("it takes what makes the better hand", () => {
  const [, action] = answers([HELLO, MATCH, act("9S KD AS", ["9S>2H", "KD>9H", "KD>2S", "pass", "knock"])]);
  assert.equal(action.action, "KD>2S");
});

test("it does something legal where it cannot see its hand or does not know the game", () => {
  const [, one, other] = answers([HELLO, MATCH, act("?? ?? ??", ["#1>9D", "pass"]), act("a4 s2", ["draw", "buy"])]);
  assert.deepEqual([one.action, other.action], ["pass", "buy"]);
});
