"""The report card of a game's check, as text and for programs."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from arena.play.game_conformance import GameFindings, GameIssue
from arena.report.text_format import strip_unprintable

LABEL_CHARS: Final = 18
MAX_ACTIONS_SHOWN: Final = 60
"""Actions of the shortest match that are printed, the last ones."""
KIND_TEXT: Final = {
    "raises": (
        "the game raises an exception",
        "Play the match in a debugger: the lines below do it.",
    ),
    "action-raises": (
        "a legal action raises an exception",
        "Ask the seat only for actions that can be done, or mend the phase that does this one.",
    ),
    "nobody-to-act": (
        "the match is not over, and nobody can act",
        "Each phase ends by asking a seat, with at least one legal action, or by ending the deal.",
    ),
    "endless": (
        "a match does not end",
        "Give the deal a last round, or the match a last deal; or mend the loop that never ends.",
    ),
    "global-random": (
        "the game uses the global random generator",
        "Draw all cards from the stock: its order follows from the match's seed. `random.choice` and the "
        "like differ each time.",
    ),
    "clock": (
        "the game reads a clock",
        "Rules depend on the seed and the actions alone: remove `time` and `datetime` from them.",
    ),
    "keeps-state": (
        "the game keeps something from one match to the next",
        "Keep what changes in the deal, set in `begin_play`: not in a class, a module or a default argument.",
    ),
    "hash-order": (
        "the order of a set of texts decides what happens",
        "Sort the set, or use a list or a dict: the order of a set differs from process to process.",
    ),
    "not-repeated": (
        "the same match goes otherwise when it is played again",
        "Draw all cards from the stock; use nothing that differs each time: no `uuid`, `secrets` or `id()`.",
    ),
    "turn": (
        "the wrong seat can act",
        "`view.legal` is the legal actions for the seat to act, and empty for all others.",
    ),
    "cards": (
        "a card is in two places",
        "Where a card moves, remove it from where it was.",
    ),
    "known": (
        "`view.known` is wrong",
        "`known` lists by seat the cards of others that this seat knows them to hold now.",
    ),
    "leak": (
        "a seat sees what it may not know",
        "If it may not: `record_partial` shows an event's cards to some seats only, and `view` leaves "
        "out what follows from hidden cards. If it may: list the card in `view.known`, or show it.",
    ),
    "same-text": (
        "two legal actions have one text",
        "Give each action a template of its own; of equal cards offer the first only.",
    ),
    "not-parsed": (
        "the text of an action does not parse back to it",
        "`rules.parse_action` returns the action that `view.text` writes so.",
    ),
    "copy-differs": (
        "a copy of a match is another match",
        "A deal's attributes are copied one by one: keep everything that changes in them.",
    ),
    "shared-copy": (
        "a copy shares something with the match",
        "Lists and dicts of a deal are copied, not what is in them: use tuples inside, or replace the whole.",
    ),
    "outcome": (
        "placings or payoffs do not follow from the settlement",
        "`placings` and `payoffs` follow from the holdings, and `deal_payoffs` from what a deal changed.",
    ),
    "zero-sum": (
        "payoffs do not add up",
        "Pay to somebody what another pays, or set `is_zero_sum` of the settlement to False.",
    ),
    "record": (
        "the record of a match does not replay",
        "The record has the cards, the actions and the result of each deal; all else must follow from them.",
    ),
    "sample": (
        "`view.sample` draws a match that is not possible",
        "The world must show the seat the same view and go on by the rules.",
    ),
    "not-uniform": (
        "`view.sample` draws some worlds too often",
        "All pairs of a shuffle and of others' hidden choices that the view allows are equally likely.",
    ),
}  # fmt: skip


def game_card_text(found: GameFindings) -> str:
    """Return the report card of a game: what was tried, and all issues."""
    counts = found.counts
    sizes = ", ".join(map(str, found.players))
    repeated = f"{counts.replays:,} matches"
    if counts.fresh_matches:
        repeated += f", {counts.fresh_matches} of them in a new process with other clocks and another order"
    rows = {
        "version": str(found.version),
        "matches": f"{counts.matches:,} with {sizes} players, {counts.deals:,} deals, "
        f"{counts.decisions:,} decisions",
        "speed": f"{found.decisions_per_second:,.0f} random decisions a second",
        "played again": repeated,
        "legal actions": f"{counts.actions:,} tried on copies, with their texts",
        "copies": f"{counts.copies:,} played on",
        "hidden cards": f"{counts.redeals:,} views compared after other cards were dealt",
        "samples": f"{counts.worlds:,} played on; {counts.uniformity_tests} positions with few cards counted",
        "records": f"{counts.records:,} replayed",
        "seen by others": "; ".join(found.seen_by_others) or "nothing",
    }
    lines = [found.game, *(f"  {label:<{LABEL_CHARS}}{text}" for label, text in rows.items())]
    lines += [f"  Not tried: {note}." for note in found.notes]
    for issue in found.issues:
        lines += ["", *_issue_lines(found.game, issue)]
    ending = (
        "Mend these issues before the game is played for results." if found.issues else "Ready to be played."
    )
    return "\n".join([*lines, "", ending])


def game_card_fields(found: GameFindings) -> dict[str, Any]:
    """Return the report card of a game for programs."""
    fields: dict[str, Any] = msgspec.to_builtins(found)
    return {"game": fields.pop("game"), "ok": not found.issues, **fields}


def _issue_lines(game: str, issue: GameIssue) -> list[str]:
    title, advice = KIND_TEXT[issue.kind]
    times = "1 match shows it" if issue.matches == 1 else f"{issue.matches:,} matches show it"
    shown = issue.actions[-MAX_ACTIONS_SHOWN:]
    more = f"… after {len(issue.actions) - len(shown):,} others: " if len(shown) < len(issue.actions) else ""
    lines = [f"{issue.kind}: {title} ({times})"]
    lines += [f"    {strip_unprintable(line)}" for line in issue.detail.strip().splitlines()]
    pack = f", with the cards {issue.pack} alone" if issue.pack else ""
    lines.append(f"  Shortest match: {issue.players} players, seed {issue.seed!r}{pack}")
    lines.append(f"    {more}{', '.join(shown) or 'before its first action'}")
    return [*lines, f"  {advice}"]
