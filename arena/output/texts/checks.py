"""Report cards of bots and of games, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from arena.output.texts.run import find_hints
from arena.output.words.text import strip_unprintable
from arena.play.bot import Limits
from arena.play.bot_processes.process_pool import MODULE_DECISION_MS
from arena.play.conformance import Findings, Issue, OneGameFindings
from arena.play.faults import FAULT_KINDS
from arena.play.game_conformance import GameFindings, GameIssue, StageResult
from arena.play.isolation import LEVELS

# --- bots ---

HASH_CHARS = 12
LABEL_CHARS = 18
KIND_TEXT = {
    "illegal": "it answered with an action that is not legal",
    "invalid": "its answer was not an action",
    "timeout": "it took too long",
    "crash": "it raised an exception or ended",
    "oversize": "it wrote too much",
    "no-start": "it did not start",
    "keeps-state": "it played the same match differently after another: it keeps something between matches, "
    "in its class, a module or a default argument; keep it in self",
    "not-repeated": "it played differently when the same match was repeated: use no randomness but info.rng",
    "peeking": "it answered differently with other hidden cards: it sees more than its view",
}
WAITING_NOTE = (
    "These times include waiting for a CPU, which is not charged, and what the bank of a match allows."
)
OUTPUT_HINT = "Hint: nobody sees this output in a tournament, and too much of it is a fault: remove it."
MAX_PRINTED_LINES = 10
MAX_ISSUES_PER_KIND = 3


def card_text(
    name: str,
    origin: str,
    content: str,
    findings: Findings,
    limits: Limits,
    beside: Collection[str] = (),
) -> str:
    """Return the report card: what was played, the time and memory it took, and all issues.

    `beside` are the names of the files and folders beside a bot in a single file.
    """
    is_module = origin == "module"
    if is_module:
        limits = msgspec.structs.replace(limits, decision_ms=MODULE_DECISION_MS)
    rows = {
        "source": f"{origin}, content {content[:HASH_CHARS]}",
        "runs in": findings.level,
        "start-up time": f"{findings.start_seconds * 1000:,.0f} ms (allowed {limits.start_ms:,})",
        "games": _games(findings),
        "decisions": f"{findings.decisions:,}",
        "decision time": _decision_time(findings, limits),
        "first decision": _first_decision(findings, limits),
        **({"fuel": _fuel(limits)} if is_module else {}),
        "memory": _memory(findings, limits),
        "played again": _repeated(findings),
        "hidden cards": _asked_again(findings),
        "faults": _faults(findings),
    }
    lines = [strip_unprintable(name), *(f"  {label:<{LABEL_CHARS}}{text}" for label, text in rows.items())]
    ending = "Fix these issues before a tournament." if findings.issues else "Ready for a tournament."
    notes = ["", WAITING_NOTE] if _has_waited(findings, limits) else []
    issues = _issue_lines(findings.issues, beside)
    return "\n".join([*lines, *notes, *issues, *_printed_lines(findings), "", ending])


def public_card(card: str) -> str:
    """Return a report card without tracebacks and output, which are the author's and the organiser's."""
    shown = (line for line in card.splitlines() if not line.startswith(("    ", "  and ")))
    return "\n".join(
        line for line in shown if not line.endswith(":")
    )  # without the headings of what is left out


def card_fields(name: str, origin: str, content: str, findings: Findings) -> dict[str, Any]:
    """Return the report card as JSON; times in milliseconds."""
    return {
        "bot": name,
        "origin": origin,
        "content": content,
        "isolation": findings.level,
        "ok": not findings.issues,
        "start_ms": _ms(findings.start_seconds),
        "median_ms": _ms(findings.quantile(0.5)),
        "p99_ms": _ms(findings.quantile(0.99)),
        "longest_ms": _ms(findings.quantile(1)),
        "first_ms": _ms(findings.first_seconds),
        "memory_mb": findings.memory_mb,
        "decisions": findings.decisions,
        "asked_again": findings.asked_again,
        "games": [
            {"variant": game.variant, "players": game.players, "matches": game.matches,
             "decisions": game.decisions, "ok": not game.issues}
            for game in findings.games
        ],
        "left_out": findings.left_out,
        "flaws": findings.issues,
        "printed": findings.printed,
    }  # fmt: skip


def game_line(game: OneGameFindings) -> str:
    """Return the result of one game as a line."""
    result = ", ".join(sorted({issue.kind for issue in game.issues})) or "ok"
    sizes = ", ".join(map(str, game.players))
    return f"{game.variant}, {sizes} players: {game.decisions} decisions, {result}"


def result_line(findings: Findings) -> str:
    """Return the result of a whole check as a line."""
    if not findings.issues:
        return f"ready for a tournament, {findings.decisions:,} decisions"
    kinds = [issue.kind for issue in findings.issues]
    return ", ".join(f"{kind} ×{kinds.count(kind)}" for kind in dict.fromkeys(kinds))


def debug_text(issue: Issue) -> str:
    """Return what is about to be debugged, and the debugger's most useful commands."""
    what = f"decision {issue.decision}" if issue.decision else "what failed"
    return (
        f"\nDebugging {what} of match {issue.match + 1} at {issue.variant}, {issue.players} players, seat "
        f"{issue.seat} ({issue.kind}).\nThe bot now runs in this process, with your rights. In pdb: n next "
        "line, s step into, p NAME print,\nc continue, q quit; Ctrl-C stops an endless loop."
    )


def _games(findings: Findings) -> str:
    bad = [game.variant for game in findings.games if game.issues]
    left_out = f"; {findings.left_out} more were not played" if findings.left_out else ""
    if not bad:
        return f"{len(findings.games)}, no issues{left_out}"
    shown = ", ".join(bad[:5]) + (", …" if len(bad) > 5 else "")
    return f"{len(findings.games)}, {len(bad)} with issues: {shown}{left_out}"


def _decision_time(findings: Findings, limits: Limits) -> str:
    median, most, longest = (_ms(findings.quantile(share)) for share in (0.5, 0.99, 1))
    if longest is None:
        return "no decisions"
    allowed = f"allowed {limits.decision_ms:,}"
    if longest > limits.decision_ms:
        allowed += f", beyond it {limits.bank_ms:,} in a match"
    return f"median {median} ms, 99 % within {most} ms, longest {longest} ms ({allowed})"


def _has_waited(findings: Findings, limits: Limits) -> bool:
    """Return whether a time beyond its limit was no fault."""
    times = (
        (findings.start_seconds, limits.start_ms),
        (findings.first_seconds or 0, limits.start_ms + limits.decision_ms),
        (findings.quantile(1) or 0, limits.decision_ms),
    )
    is_late = any(1000 * seconds > allowed_ms for seconds, allowed_ms in times)
    return is_late and not any(_count(findings, kind) for kind in ("timeout", "no-start"))


def _first_decision(findings: Findings, limits: Limits) -> str:
    if findings.first_seconds is None:
        return "no decisions"
    return f"{_ms(findings.first_seconds)} ms (allowed {limits.start_ms + limits.decision_ms:,})"


def _fuel(limits: Limits) -> str:
    return f"allowed {limits.fuel:,} for a decision, and {limits.match_fuel:,} for a match"


def _memory(findings: Findings, limits: Limits) -> str:
    if findings.memory_mb is None:
        shared = "" if LEVELS[findings.level].has_process else ": the bot shares the arena's process"
        return f"not measured{shared}"
    return f"{findings.memory_mb:,.0f} MB (allowed {limits.memory_mb:,})"


def _repeated(findings: Findings) -> str:
    if not findings.repeated:
        return "not tried"
    times = _count(findings, "not-repeated") + _count(findings, "keeps-state")
    if not times:
        return "every match went the same"
    return f"{times} {'match' if times == 1 else 'matches'} went differently"


def _asked_again(findings: Findings) -> str:
    if not findings.asked_again:
        return "not tried"
    changed = _count(findings, "peeking") or "no"
    return f"{findings.asked_again:,} decisions asked again with others, {changed} answers changed"


def _count(findings: Findings, kind: str) -> int:
    return sum(issue.kind == kind for issue in findings.issues)


def _faults(findings: Findings) -> str:
    kinds = [issue.kind for issue in findings.issues if issue.kind in FAULT_KINDS]
    return ", ".join(f"{kind} ×{kinds.count(kind)}" for kind in dict.fromkeys(kinds)) or "none"


def _issue_lines(issues: Sequence[Issue], beside: Collection[str]) -> list[str]:
    lines = []
    for kind, group in groupby(sorted(issues, key=lambda issue: issue.kind), key=lambda issue: issue.kind):
        of_kind = list(group)
        distinct = list({issue.detail: issue for issue in of_kind}.values())
        lines += ["", f"{kind} ×{len(of_kind)}: {KIND_TEXT.get(kind, 'it failed')}"]
        for issue in distinct[:MAX_ISSUES_PER_KIND]:
            lines.append(f"  {issue.variant}, {issue.players} players, seat {issue.seat}, deal {issue.deal}:")
            lines += [f"    {strip_unprintable(line)}" for line in issue.detail.strip().splitlines()]
            lines += [f"    Hint: {hint}" for hint in find_hints(issue.detail, beside)]
        if len(distinct) > MAX_ISSUES_PER_KIND:
            lines.append(f"  and {len(distinct) - MAX_ISSUES_PER_KIND} more with other details")
    return lines


def _printed_lines(findings: Findings) -> list[str]:
    lines = findings.printed.strip().splitlines()
    if not lines:
        return []
    which = (
        f"the last {MAX_PRINTED_LINES} lines of its output"
        if len(lines) > MAX_PRINTED_LINES
        else "its output"
    )
    return [
        "",
        f"{which}:",
        *(f"    {strip_unprintable(line)}" for line in lines[-MAX_PRINTED_LINES:]),
        f"    {OUTPUT_HINT}",
    ]


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 2)


# --- games ---

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
        "`Deal.view`.",
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
        repeated += f", {counts.fresh_matches} of them in a new process in reverse order"
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
    """Return the report card of a game as JSON."""
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
