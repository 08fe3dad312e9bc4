"""A match of random play as text: what changes in each seat's view at each decision."""

from random import Random
from typing import Any

import msgspec

from arena.games import Deal, Rules, View
from arena.games.cards import Card
from tests.games.support.random_play import CHAINS, random_action, view_to_act

LINES = 120  # shown in full
LEGAL = 12  # actions that are listed
SHARED = ("dealer", "order", "known")  # properties shown beside the fields
OTHERWISE = (*CHAINS, "seat", "legal")  # fields shown in another way

Facts = dict[str, str]


def describe_match(rules: Rules, players: int, seed: str) -> str:
    """Return a seeded match as text: its first decisions in full, then how it ended."""
    match, rng = rules.match(players, seed), Random(seed)
    lines = [f"{rules}: {players} players, seed {seed!r}"]
    seen: list[Facts] = []
    decisions, over = 0, -1
    while not match.is_over:
        if over < len(match.finished_deals):
            lines += [_ended(deal) for deal in match.finished_deals[max(over, 0) :]]
            lines += ["", f"deal {match.deal.opening.number}"]
            seen, over = [{}] * players, len(match.finished_deals)
        now = [_facts(match.view(seat)) for seat in range(players)]
        view = view_to_act(match)
        chosen = random_action(view, rng)
        if len(lines) < LINES:
            lines += [*_changes(seen, now), _choice(view), f"{view.seat}: {view.text(chosen)}"]
        match.apply(chosen)
        seen, decisions = now, decisions + 1
    lines = [*lines[:LINES], "…", "", f"{decisions} decisions in {len(match.finished_deals)} deals"]
    return "\n".join([*lines, f"placings {plain(match.placings)}", f"payoffs {plain(match.payoffs)}", ""])


def _ended(deal: Deal) -> str:
    assert deal.changes is not None
    result = "  ".join(f"{key} {plain(value)}" for key, value in deal.changes.result().items())
    return f"over: hands {plain(deal.hands)}  {result}"


def _choice(view: View) -> str:
    texts = [view.text(action) for action in view.legal]
    shown = texts if len(texts) <= LEGAL else [*texts[: LEGAL - 3], "…", *texts[-2:]]
    return f"  {view.seat} may: {'  '.join(shown)} ({len(texts)})"


def _facts(view: View) -> Facts:
    fields = [name for name in view.__struct_fields__ if name not in (*OTHERWISE, *SHARED)]
    told = {name: plain(getattr(view, name)) for name in (*SHARED, *fields)}
    return told | {"heard": "  ".join(view.events) or "-"}


def _changes(seen: list[Facts], now: list[Facts]) -> list[str]:
    """Return what has changed for all seats alike, and then what has for each."""
    changed = [
        {name: _news(old.get(name, ""), text) for name, text in facts.items() if old.get(name) != text}
        for old, facts in zip(seen, now, strict=True)
    ]
    alike = {name: text for name, text in changed[0].items() if all(c.get(name) == text for c in changed)}
    lines = ["  all: " + " | ".join(f"{name} {text}" for name, text in alike.items())] if alike else []
    for seat, facts in enumerate(changed):
        own = [f"{name} {text}" for name, text in facts.items() if name not in alike]
        if own:
            lines.append(f"  {seat}: {' | '.join(own)}")
    return lines


def _news(old: str, text: str) -> str:
    """Return what was appended to a text, or all of it if it does not begin as it was."""
    return f"… {text.removeprefix(old).strip()}" if old and text.startswith(f"{old}  ") else text


def plain(value: Any) -> str:
    """Return a value as short text: cards, seats and counts with spaces between."""
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, msgspec.Struct):
        return ", ".join(f"{k} {plain(v)}" for k, v in msgspec.structs.asdict(value).items() if v is not None)
    if isinstance(value, tuple | list):
        nested = any(isinstance(inner, tuple | list) for inner in value)
        return " ".join(f"[{plain(inner)}]" if nested else plain(inner) for inner in value) or "-"
    return "-" if value is None else str(value)
