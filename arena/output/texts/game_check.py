"""The report card of a game's check, as text and for programs."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec

from arena.output.texts.conformance import LABEL_CHARS
from arena.output.words.text_format import strip_unprintable
from arena.play.game_conformance import GameFindings, GameIssue, StageResult

MAX_ACTIONS_SHOWN: Final = 60
"""Actions of the shortest match that are printed, the last ones."""
GAME_KIND_TEXT: Final = {
    "raises": (
        "the game raises an exception",
        "Mend the line that raises. To stop there in a debugger, play the match again as below.",
    ),
    "action-raises": (
        "a legal action raises an exception",
        "Ask the seat only for actions that can be done, or mend the phase that does this one.",
    ),
    "nobody-to-act": (
        "the match is not over, and nobody can act",
        """\
Each phase ends by asking a seat, with at least one legal action, or by ending the deal:
    self.ask_seat(self.next_seat(seat), actions, MyDeal.turn)
    self.settle()""",
    ),
    "nobody-asked": (
        "a phase neither asks a seat nor ends the deal",
        """\
Without either the same seat would be asked the same again. Each phase ends by asking a seat, with at least
one legal action, or by ending the deal; look for a branch that returns early:
    self.ask_seat(self.next_seat(seat), actions, MyDeal.turn)
    self.settle()""",
    ),
    "endless": (
        "a match does not end",
        """\
Give the deal a last round and the match a last deal, or mend the loop that never ends:
    self.turns += 1                                  # = 0 in begin_play; in the phase of a turn
    if self.turns == 10 * len(self.opening.order):   # ten turns each
        self.settle()
    def is_over(self, holdings: Holdings, dealt: int) -> bool:   # of the settlement
        return dealt == 10""",
    ),
    "global-random": (
        "the game uses the global random generator",
        "Draw cards from the stock, whose order follows from the match's seed: `self.stock.draw()` instead "
        "of `random.choice` and the like.",
    ),
    "clock": (
        "the game reads a clock",
        "Rules depend on the seed and the actions alone: remove `time` and `datetime` from them.",
    ),
    "keeps-state": (
        "the game keeps something from one match to the next",
        "Keep what changes in the deal: `self.x = …` in `begin_play`, not in a class, a module or a default "
        "argument.",
    ),
    "hash-order": (
        "the order of a set of texts decides what happens",
        "Write `sorted(…)` around the set, or use a list or a dict: the order of a set differs from process "
        "to process.",
    ),
    "not-repeated": (
        "the same match goes otherwise when it is played again",
        "Draw all cards from the stock; use nothing that differs each time: no `uuid`, `secrets` or `id()`.",
    ),
    "turn": (
        "the wrong seat can act",
        "`view.legal` is the legal actions for the seat to act, and empty for all others: leave `legal` to "
        "`PlainDeal.view`.",
    ),
    "cards": (
        "a card is in two places",
        """\
Where a card moves, remove it from where it was:
    card = self.give_up(seat, slot)    # removes it from the hand and returns it""",
    ),
    "known": (
        "`view.known` is wrong",
        "`known` lists by seat the cards of others that this seat knows them to hold now. Remove a card from "
        "it when it leaves the hand, and all cards of a hand that gives up one of them unseen.",
    ),
    "not-known": (
        "a card that others have seen goes into a hand, and `view.known` does not list it",
        """\
If they may not see it, show it to its holder alone:
    self.record_partial(seat, action, cards, (HIDDEN,), (seat,))
If they may, give the view this field, which lists such cards as long as they are in that hand:
    known: tuple[Hand, ...]
A seat that is out of the match, with no lives left, still gets views: it has `known` like the others.""",
    ),
    "unnamed-card": (
        "an event of the table does not name a card that it shows",
        """\
The template has `%s` for each card, and cards that lie face up from the start are announced by one event:
    TABLE: Final = action("table", template="table %s %s %s")
    self.announce(None, TABLE, self.table_dealt)    # in begin_play, before the first decision""",
    ),
    "leak": (
        "a seat sees what it may not know",
        """\
An event: show its cards to some seats only.
    self.record_partial(seat, action, cards, (HIDDEN,), (seat,))   # `seat` alone sees the cards
An event that names a slot of the hand: record an action without `give`.
    action("throw", template="throw %s")
A field of the view: leave out what follows from cards or choices this seat cannot see; show others' cards
as HIDDEN.
The legal actions: offer them in an order that does not depend on hidden cards.""",
    ),
    "not-hidden": (
        "a choice is recorded for one seat, and shown to all",
        """\
`record_partial` hides cards. Record a choice that others may not know by `record_hidden`, with an action that
they see instead, and open it when all have chosen:
    self.record_hidden(seat, action, cover=SEALED)   # SEALED: Final = action("bid", template="bid ??")
    self.open_choices()""",
    ),
    "same-text": (
        "two legal actions have one text",
        """\
Give each action a template of its own; of equal cards offer the first only:
    action("raise", template="raise 2")""",
    ),
    "not-parsed": (
        "the text of an action does not parse back to it",
        "`rules.parse_action` returns the action that `view.text` writes so; without it texts are compared.",
    ),
    "copy-differs": (
        "a copy of a match is another match",
        "A deal's attributes are copied one by one: keep everything that changes in them.",
    ),
    "shared-copy": (
        "a copy shares something with the match",
        """\
Lists and dicts of a deal are copied, not what is in them: use tuples inside, and replace them.
    self.piles = [()] * self.opening.players   # not [[] for …]
    self.piles[seat] += (card,)                # not .append(card)""",
    ),
    "after": (
        "`view.after` is not the hand that an action leaves",
        """\
Bots without a search choose by it. Write it in the view, or leave it out:
    def after(self, action: Action) -> Hand:
        return tuple([card for slot, card in enumerate(self.hand) if slot not in action.give])""",
    ),
    "outcome": (
        "placings or payoffs do not follow from the settlement",
        "`placings` and `payoffs` follow from the holdings, and `deal_payoffs` from what a deal changed: "
        "leave them to the settlement you derive from, or change both alike.",
    ),
    "zero-sum": (
        "payoffs do not add up",
        "Pay to somebody what another pays, or set `is_zero_sum` of the settlement to False.",
    ),
    "record": (
        "the record of a match does not replay",
        """\
`record`, `record_partial` or `draw_hidden` the action that the seat has chosen: once, before what follows
from it, with the text that was chosen. All else that happens is announced as the table's:
    self.announce(None, SHOWN, cards)                                # all see the cards
    self.announce_partial(GIVEN, cards, (HIDDEN,), (seat, other))    # these seats see them
    self.deal_hidden(seat, DEALT)                                    # from the stock to a seat""",
    ),
    "sample": (
        "`view.sample` draws a match that is not possible",
        "The world must show the seat the same view and go on by the rules. Leave out `determinization`, or "
        "mend it.",
    ),
    "not-uniform": (
        "`view.sample` draws some worlds too often",
        "All pairs of a shuffle and of others' hidden choices that the view allows are equally likely.",
    ),
}  # fmt: skip


def game_card_text(findings: GameFindings) -> str:
    """Return the report card of a game: what was tried, and all issues."""
    counts = findings.counts
    sizes = ", ".join(map(str, findings.players))
    repeated = f"{counts.replays:,} matches"
    if counts.fresh_matches:
        repeated += f", {counts.fresh_matches} of them in a new process with other clocks and another order"
    rows = {
        "version": str(findings.version),
        "matches": f"{counts.matches:,} with {sizes} players, {counts.deals:,} deals, "
        f"{counts.decisions:,} decisions",
        "speed": f"{findings.decisions_per_second:,.0f} random decisions a second",
        "played again": repeated,
        "legal actions": f"{counts.actions:,} tried on copies, with their texts",
        "copies": f"{counts.copies:,} played on",
        "hidden cards": f"{counts.redeals:,} views compared after other cards or choices",
        "samples": f"{counts.worlds:,} played on; {counts.uniformity_tests} positions with few cards counted",
        "records": f"{counts.records:,} replayed",
        "seen by others": "; ".join(findings.seen_by_others) or "nothing",
    }
    lines = [findings.game, *(f"  {label:<{LABEL_CHARS}}{text}" for label, text in rows.items())]
    if findings.unreached:
        lines.append(f"  {'not reached':<{LABEL_CHARS}}by any match: {'; '.join(findings.unreached)}")
    lines += [f"  Not tried: {note}." for note in [*findings.notes, *_list_unfinished(findings)]]
    for issue in findings.issues:
        lines += ["", *_game_issue_lines(findings.game, issue)]
    return "\n".join([*lines, "", _ending(findings)])


def stage_line(stage: StageResult) -> str:
    """Return the line that is printed when a property has been examined."""
    done = f"{stage.done:,}" if stage.done == stage.total else f"{stage.done:,} of {stage.total:,}"
    outcome = ", ".join(stage.issues) or ("ok" if stage.done else "not examined")
    return f"{stage.name:<{LABEL_CHARS}}{done:>14}{stage.seconds:>8.1f} s   {outcome}"


def _list_unfinished(findings: GameFindings) -> list[str]:
    """Return the properties that were not examined in all matches, as the time was over."""
    if not findings.is_out_of_time:
        return []
    done, total = Counter[str](), Counter[str]()
    for stage in findings.stages:
        done[stage.name] += stage.done
        total[stage.name] += stage.total
    total[findings.stages[0].name] = (
        findings.counts.matches + findings.matches_left
    )  # all that were to be played
    return [
        f"{name}: {total[name] - done[name]:,} of {total[name]:,} {_unit(name)}, as the time was over"
        for name in total
        if done[name] < total[name]
    ]


def _unit(stage: str) -> str:
    return "positions" if stage == "uniform samples" else "matches"


def _ending(findings: GameFindings) -> str:
    """Return what follows from the findings."""
    played = findings.counts.matches
    if findings.issues:
        return "Mend these issues before the game is played for results, and check again." + (
            f" The other {findings.matches_left:,} matches are played when the first {played} show no issue."
            if findings.matches_left
            else ""
        )
    if findings.is_out_of_time:
        return (
            "Ready to be played. --minutes 5 examines more, and --matches "
            f"{played + findings.matches_left} all of it, however long it takes."
        )
    return "Ready to be played."


def game_card_fields(findings: GameFindings) -> dict[str, Any]:
    """Return the report card of a game for programs."""
    fields: dict[str, Any] = msgspec.to_builtins(findings)
    return {"game": fields.pop("game"), "ok": not findings.issues, **fields}


def _game_issue_lines(game: str, issue: GameIssue) -> list[str]:
    title, advice = GAME_KIND_TEXT[issue.kind]
    times = "1 match shows it" if issue.matches == 1 else f"{issue.matches:,} matches show it"
    shown = issue.actions[-MAX_ACTIONS_SHOWN:]
    more = f"… after {len(issue.actions) - len(shown):,} others: " if len(shown) < len(issue.actions) else ""
    lines = [f"{issue.kind}: {title} ({times})"]
    lines += [f"    {strip_unprintable(line)}" for line in issue.detail.strip().splitlines()]
    pack = f", with the cards {issue.pack} alone" if issue.pack else ""
    lines.append(f"  Shortest match: {issue.players} players, seed {issue.seed!r}{pack}")
    lines.append(f"    {more}{', '.join(shown) or 'before its first action'}")
    return [*lines, *[f"  {line}" for line in advice.splitlines()]]
