"""A language model as a bot: it is shown in words what its seat knows, and names an action by its number."""

import hashlib
import json
import math
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from string import Template
from time import monotonic

from client import Client
from replies import Replies

from arena import Bot, Unavailable
from arena.output.tables.games import read_rule_page
from arena.output.words.cards import format_holdings
from arena.output.words.family_text import get_family_text
from arena.output.words.seat_names import SeatNames

MAX_PAST_DEALS = 20
MAX_QUOTED_CHARS = 80
TIME_SHARE = 0.9
"""Share of the arena's limit of time that calls may take: a time-out of the model is not the bot's fault."""


class Model(Bot):
    """Asks a model for each decision, many at once."""

    def __init__(self, info):
        super().__init__(info)
        self.table = open_table(json.dumps(info.settings, sort_keys=True), info.folder)
        self.decisions, self.past, self.events = 0, [], []

    def observe(self, event):
        self.events.append(event)

    def deal_over(self, result):
        hands = [f"{seat}: {hand}" for seat, hand in enumerate(result.get("hands", ())) if hand]
        changes = {unit: value for unit, value in result.items() if unit != "hands"}
        events, number = ", ".join(self.events), len(self.past) + 1
        text = f"{events}. Hands by seat: {'; '.join(hands)}. Changes: {json.dumps(changes)}"
        self.past.append(f"Deal {number}: {text}")
        self.events = []

    def act(self, view):
        return Model.act_many([self], [view])[0]

    @staticmethod
    def act_many(bots, views):
        """Return the answers of all; if one cannot be had, keep the others before the arena is told."""
        info, table = bots[0].info, bots[0].table
        if info.deadline:
            table.call_s = info.limits.decision_ms / 1000 * TIME_SHARE
        end = monotonic() + table.call_s * len(bots)
        asked = [table.pool.submit(bot.decide, view, end) for bot, view in zip(bots, views, strict=True)]
        errors = [error for future in asked if (error := future.exception())]
        if errors:
            lasting = [error for error in errors if getattr(error, "retry_after", 0) is None]
            raise (lasting or errors)[0]
        for bot, future in zip(bots, asked, strict=True):
            bot.note(future.result()[1])
        return [future.result()[0] for future in asked]

    def decide(self, view, end):
        """Return an action, or a text that says why there is none, and the model's reasoning."""
        table, messages = self.table, self.table.messages(view, self.past[-MAX_PAST_DEALS:])
        self.decisions += 1
        for number in range(table.retries + 1):
            key = digest([table.parameters, messages, self.info.key, self.decisions, number])
            reply = table.reply(key, messages, len(view.legal), end)
            if reply["wrong"]:
                messages = [*messages, _say("assistant", reply["text"]), _say("user", reply["wrong"])]
                continue
            action = view.legal[find_number(reply["text"]) - 1]
            thought = reply["reasoning"] or reply["text"].rstrip().rpartition("\n")[0]
            return action, " ".join(thought.split())
        quoted = " ".join(reply["text"][-MAX_QUOTED_CHARS:].split())
        return f"no answer in {number + 1} tries, the last: {quoted!r}; {reply['wrong']}", reply["reasoning"]


@cache
def open_table(settings, folder):
    """Return what all instances of a process share."""
    return Table(json.loads(settings), folder)


class Table:
    """The model, its prompt and the kept replies."""

    def __init__(self, settings, folder):
        self.retries, self.call_s = settings.get("retries", 2), 60.0
        self.pool = ThreadPoolExecutor(min(settings.get("concurrency", 16), 48))  # of 64 open files
        self._settings, self._client = settings, None
        template = Path(__file__).with_name(settings.get("prompt", "prompt.md")).read_text(encoding="utf-8")
        self._rules, _, self._question = map(Template, template.partition("\n---\n"))
        self.parameters = {"model": settings.get("model", ""), **settings.get("extra", {})}
        self.parameters["temperature"] = settings.get("temperature", 0)
        self.prompt = digest(template)
        self._replies = Replies(folder)

    def messages(self, view, past):
        """Return the rules, and what the seat knows."""
        history = "\n".join(["The deals before:", *past, ""]) if past else ""
        actions = "\n".join(f"{number}. {view.text(action)}" for number, action in enumerate(view.legal, 1))
        question = self._question.substitute(history=history, table=describe(view), actions=actions)
        system = self._rules.substitute(rules=read_rule_page(view.opening.rules).strip())
        return [_say("system", system), _say("user", question)]

    def reply(self, key, messages, actions, end):
        """Return the kept reply of a call, or make it and keep the reply."""
        if reply := self._replies.claim(key, self._refuse):
            return reply
        deadline = min(end, monotonic() + self.call_s)
        reply = self._client.ask({**self.parameters, "messages": messages}, deadline)
        wrong = find_mistake(reply, actions)
        about = {"key": key, "prompt": self.prompt, "parameters": self.parameters, "wrong": wrong}
        return self._replies.keep({**about, **reply})

    def _refuse(self, replies):
        """Raise Unavailable if no call may be made; variables can raise the budget of a run that paused."""
        if self._settings.get("replay_only"):
            raise Unavailable(None, "replay_only: the reply to a decision was not kept")
        for name, spent in (("max_calls", replies.calls), ("max_cost", replies.cost)):
            budget = os.environ.get(f"MODEL_{name.upper()}") or self._settings.get(name, "inf")
            if spent >= read_budget(name, budget):
                raise Unavailable(None, f"the budget is spent: {name} = {budget}")
        self._client = self._client or Client(self._settings)


def read_budget(name, budget):
    """Return a budget as a number; raise Unavailable if it is none."""
    try:
        most = float(budget)
    except (TypeError, ValueError):
        most = math.nan
    if math.isnan(most):
        raise Unavailable(None, f"{name}, or MODEL_{name.upper()}, is not a number: {budget!r}")
    return most


def describe(view):
    """Return what a seat knows, in the words of a transcript."""
    text, rules = get_family_text(view.opening.rules), view.opening.rules
    names = [f"player {seat}" for seat in range(view.players)]
    names[view.seat] = "you"
    names = SeatNames(tuple(names), view.seat)
    lines = [f"Deal {view.deal + 1}. You sit at seat {view.seat} of {view.players}. {text.how_to_win(rules)}"]
    for seat in range(view.players):
        known = text.hand_text(view, seat) or " ".join(map(str, view.known[seat] if view.known else ()))
        cards = " ".join(map(str, view.hand)) if seat == view.seat else known and f"known cards {known}"
        parts = [format_holdings(view.holdings, seat), cards, text.seat_remarks(view, seat)]
        lines.append(f"seat {seat}, {names[seat]}: {'; '.join(filter(None, parts))}")
    lines += [" ".join(filter(None, row)) for row in text.table_rows(view)]
    if view.past:
        lines.append("In this deal so far:")
    for event in view.past:
        seat, words = text.describe(event, names)
        lines.append(words if seat is None else f"{names[seat]} {words}")
    kinds = dict.fromkeys(action.kind for action in view.legal)
    lessons = [text.action_lessons[kind] for kind in kinds if kind in text.action_lessons]
    return "\n".join([*lines, text.prompt(view, names), *lessons])


def _say(role, content):
    return {"role": role, "content": content}


def find_number(text):
    """Return the number in an answer, which is JSON or a bare number: the whole of it, or its last line."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip() not in ("", "```", "```json")]
    for part in (" ".join(lines), lines[-1] if lines else ""):
        try:
            answer = json.loads(part)
        except (ValueError, RecursionError):
            continue
        number = answer.get("action") if isinstance(answer, dict) else answer
        if isinstance(number, int) and not isinstance(number, bool):
            return number
    return None


def find_mistake(reply, actions):
    """Return what is wrong with an answer; empty if it names a legal action."""
    if reply["finish"] == "too-long":
        return "Your answer was too long."
    number = find_number(reply["text"])
    if number is None and reply["finish"] == "length":
        return "Your answer was cut off before its last line."
    if number is None:
        return 'The last line of your answer is not {"action": N}.'
    return "" if 1 <= number <= actions else f"There is no such action: the numbers go from 1 to {actions}."


def digest(value):
    """Return the SHA-256 of a value, as JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
