"""Texts about played matches: where leads come from, lessons, verification, chances, transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import Any, Final, NamedTuple

import click
import msgspec

from arena.columns.column import Column
from arena.columns.kinds import DECIMAL, LEAD, PERCENT, TEXT, Kind
from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import Sheet, format_sheet
from arena.errors import RecordError
from arena.games import Deal
from arena.games.action import Event, format_cards, merge_events
from arena.games.cards import HIDDEN, Card, Hand
from arena.league.proof import LeagueVerification
from arena.output.tables.listings import fault_words, seat_name
from arena.output.words.cards import color_cards, drop_showdown, format_holdings, showdown_rows
from arena.output.words.family_text import get_family_text
from arena.output.words.seat_names import SeatNames
from arena.output.words.terminal_layout import MARGIN, STRANGE, align_columns, align_rows
from arena.output.words.text import format_signed, printable_line, shorten_names, strip_unprintable
from arena.play.chances import Chances, find_costly_steps
from arena.play.players import Note
from arena.plugins.games import arena_command
from arena.tournament.record_search import FoundRecord
from arena.tournament.review.differences import (
    ChoiceLead,
    Difference,
    DifferentDeal,
    Lesson,
    PartLead,
    Situation,
    Swing,
)
from arena.tournament.review.seal import SealCheck
from arena.tournament.review.verification import SHARES, BlockSample, Problem, Verification

# --- lessons ---
# Situations in which other bots decided otherwise.

MAX_LESSON_COLUMNS: Final = 104
NOTE: Final = (
    "Only deals count in which both had seen the same until they decided differently, so all cards are the\n"
    "same. A deal is worth what the seat won, less what the others won on average, in tokens, chips or\n"
    "points. ± is by blocks and holds for all situations of a game together. Situations with fewer than 8\n"
    "deals or 6 blocks are left out."
)


def situation_text(situation: Situation) -> str:
    """Return when, and with what hand: `first decision, holding a pair`."""
    hand = f", holding {_with_article(situation.hand)}" if situation.hand else ""
    return f"{situation.phase}{hand}"


def others_action(situation: Situation) -> str:
    """Return the kind of the others' action: `another exchange` if both exchange."""
    own, other = situation.actions
    return f"another {other}" if own == other else other


def lesson_text(lesson: Lesson, bot: str, others: str) -> str:
    """Return a lesson as a sentence."""
    choice = f"{bot} plays {lesson.situation.actions[0]} and {others} {others_action(lesson.situation)}"
    value, error = lesson.lead.value or 0.0, lesson.lead.error or 0.0
    unsure = "" if lesson.is_clear else "; it may be chance"
    return (
        f"{situation_text(lesson.situation).capitalize()}: {choice}: {value:+z.2f} ± {error:.2f} a deal "
        f"({format_count(lesson.deals, 'deals')} in {format_count(lesson.lead.blocks, 'blocks')}{unsure})"
    )


def _lesson_lines(lessons: list[Lesson], bot: str, other: str, folder: Path) -> str:
    """Return the lessons of a run with the commands that show an example of each."""
    lines = []
    for lesson in lessons:
        deal = lesson.examples[0]
        lines += wrap(f"{lesson.game}. {lesson_text(lesson, bot, other)}", MAX_LESSON_COLUMNS)
        lines += [
            f"  {name}: {arena_command()} replay show {quote(str(folder))} --block {quote(deal.block)} "
            f"--rotation {rotation} --deal {deal.deal + 1}"
            for name, rotation in zip((bot, other), deal.rotations, strict=True)
        ]
    return "\n".join(lines)


def lesson_fields(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as JSON, without its examples, whose addresses name all bots of a table."""
    return {
        "game": lesson.game,
        "phase": lesson.situation.phase,
        "hand": lesson.situation.hand,
        "actions": lesson.situation.actions,
        "deals": lesson.deals,
        "lead": lesson.lead.value,
        "error": lesson.lead.error,
        "blocks": lesson.lead.blocks,
        "clear": lesson.is_clear,
    }


def _with_article(category: str) -> str:
    words = category.replace("-", " ")
    if words in ("nothing", "points", "sum", "three alike"):
        return words
    return f"a {words}"


# --- lead breakdown ---
# The lead of one bot over another by its sources.

ORDER: Final = ("game", "position", "opponent")
CHOICE_ORDER: Final = ("phase", "hand", "actions")
MAX_LESSONS: Final = 2
"""Situations listed unless all are asked for."""
MAX_EXAMPLES: Final = 3
"""Deals or matches listed unless all are asked for."""
POSITIONS_NOTE: Final = (
    "Positions count from the dealer's left neighbour in the first deal, 1; seats are numbered from 0, as\n"
    "in replays. The names in that of a block identify its cards: in a comparison of several bots others\n"
    "may sit there."
)

PARTS: Final[tuple[Column[PartLead], ...]] = (
    Column("", value=lambda row: row.part, kind=TEXT),
    Column("", value=lambda row: row.name, kind=STRANGE),
    Column("lead", value=lambda row: row.lead.value, kind=LEAD),
    Column("±", value=lambda row: row.lead.error, kind=PERCENT, missing=""),
    Column("blocks", value=lambda row: row.lead.blocks),
)
CHOICES: Final[tuple[Column[ChoiceLead], ...]] = (
    Column("", value=lambda row: row.part, kind=TEXT),
    Column("", value=lambda row: row.name, kind=TEXT),
    Column("deals"),
    Column("lead", value=lambda row: row.lead.value, kind=Kind("+z.2f")),
    Column("±", value=lambda row: row.lead.error, kind=DECIMAL, missing=""),
    Column("blocks", value=lambda row: row.lead.blocks),
)


def difference_text(
    difference: Difference, first: str, second: str, folder: Path, *, is_complete: bool = False
) -> str:
    """Return the conclusion and three examples with the commands that show them; or all tables and deals."""
    bots = first, second
    conclusion = describe_conclusion(difference, first, second)
    if is_complete:
        return "\n\n".join([conclusion, *_all_sections(difference, bots, folder)])
    lessons = _clear_lessons(difference, bots)
    more = "--all lists the leads by game, position, opponent, phase, hand and actions, and more deals."
    return "\n\n".join([conclusion, *_examples(difference, bots, folder), *lessons, more])


def describe_conclusion(difference: Difference, first: str, second: str) -> str:
    """Return who is ahead by how much, where most, and against whom."""
    games = _by_size(difference, "game")
    game = games[0]
    lead, error = game.lead.value or 0.0, game.lead.error
    size = f"{100 * abs(lead):.1f}" + ("" if error is None else f" ± {100 * error:.1f}")
    where = "" if len(games) == 1 else f" at {game.name}, the largest difference of {len(games)} games,"
    verb = "leads" if lead > 0 else "loses to" if lead < 0 else "scores as much as"
    by = f" by {size} percentage points" if lead else ""
    lines = [
        f"{first} {verb} {second}{by}{where} in the same seats on the same cards "
        f"({format_count(game.lead.blocks, 'blocks')})."
    ]
    if not _is_clear(game):
        lines.append("So far the difference may be chance: play more blocks.")
    clear = [
        next((part for part in _by_size(difference, kind) if _is_clear(part)), None)
        for kind in ("opponent", "position")
    ]
    named = [
        f"{_signed_verb(part.lead.value)} by {100 * abs(part.lead.value or 0):.1f} with {part.part} "
        f"{strip_unprintable(part.name)}"
        for part in clear
        if part
    ]
    if named:
        lines.append(f"Clearest of all, {first} {' and '.join(named)}.")
    return "\n".join(lines)


def _signed_verb(lead: float | None) -> str:
    return "loses" if (lead or 0) < 0 else "leads"


def _by_size(difference: Difference, kind: str) -> list[PartLead]:
    """Return the parts of a kind, the largest lead of either bot first."""
    parts = [part for part in difference.parts if part.part == kind]
    return sorted(parts, key=lambda part: (-abs(part.lead.value or 0), part.name))


def _is_clear(part: PartLead) -> bool:
    """Return whether the 95 % interval of a lead excludes 0."""
    lead, error = part.lead.value, part.lead.error
    return lead is not None and error is not None and abs(lead) > error


def _examples(difference: Difference, bots: tuple[str, str], folder: Path) -> list[str]:
    """Return the deals that differed most in the direction of the lead; without any, such matches."""
    sign = 1 if (_by_size(difference, "game")[0].lead.value or 0) >= 0 else -1
    deals = [deal for deal in difference.deals if deal.lead * sign > 0][:MAX_EXAMPLES]
    ahead, behind = bots[::sign]
    if deals:
        title = f"Deals in which {ahead} gained most on {behind} after they first acted differently:"
        return [title, *(_deal_text(deal, bots, folder) for deal in deals)]
    swings = [
        (number, swing)
        for number, swing in enumerate(difference.swings, 1)
        if (swing.scores[0] - swing.scores[1]) * sign > 0
    ]
    if not swings:
        return []
    title = f"Matches in which {ahead} gained most on {behind}:"
    return [title, *(_swing_text(*numbered, bots, folder) for numbered in swings[:MAX_EXAMPLES])]


def _all_sections(difference: Difference, bots: tuple[str, str], folder: Path) -> list[str]:
    """Return the leads by part and by decision, and the largest swings with their commands."""
    swings = [_swing_text(number, swing, bots, folder) for number, swing in enumerate(difference.swings, 1)]
    deals = [_deal_text(deal, bots, folder) for deal in difference.deals]
    sections = [
        _parts_text(difference, *bots),
        POSITIONS_NOTE,
        _choices_text(difference, *bots),
        *(["Matches with the largest swings:", *swings] if swings else []),
        *(
            ["Deals with the largest differences after they first acted differently:", *deals]
            if deals
            else []
        ),
        *_lessons_text(difference, bots, folder),
    ]
    return [section for section in sections if section]


def _clear_lessons(difference: Difference, bots: tuple[str, str]) -> list[str]:
    """Return the situations that clearly cost the bot behind most, as a paragraph."""
    is_behind = (_by_size(difference, "game")[0].lead.value or 0) >= 0
    bot, other = bots[::-1] if is_behind else bots
    clear = [lesson for lesson in difference.lessons[is_behind] if lesson.is_clear][:MAX_LESSONS]
    if not clear:
        return []
    title = f"What cost {bot} most, where {other} decided otherwise on the same cards:"
    return ["\n".join([title, *(f"  {lesson_text(lesson, bot, other)}" for lesson in clear)])]


def _lessons_text(difference: Difference, bots: tuple[str, str], folder: Path) -> list[str]:
    """Return the situations that cost each bot most, with examples."""
    sections = []
    for lessons, bot, other in zip(difference.lessons, bots, bots[::-1], strict=True):
        if lessons:
            title = f"What cost {bot} most, where {other} decided otherwise on the same cards:"
            sections.append(f"{title}\n{_lesson_lines(lessons, bot, other, folder)}")
    return [*sections, NOTE] if sections else []


def _parts_text(difference: Difference, first: str, second: str) -> str:
    parts = sorted(difference.parts, key=lambda part: (ORDER.index(part.part), part.name))
    title = f"Lead in score of {first} over {second}, in the same seats on the same cards"
    return format_sheet(Sheet(title, PARTS, parts))


def _choices_text(difference: Difference, first: str, second: str) -> str:
    if not difference.choices:
        return ""
    choices = sorted(
        difference.choices,
        key=lambda choice: (choice.game, CHOICE_ORDER.index(choice.part), -choice.deals, choice.name),
    )
    lines = []
    for game, own in groupby(choices, key=lambda choice: choice.game):
        lines.append(format_sheet(Sheet(game, CHOICES, list(own))))
    title = (
        f"Deals in which {first} and {second} were the first to act differently: what a deal was then worth\n"
        f"to {first} above {second}, in tokens, chips or points. The first of two actions is {first}'s."
    )
    return "\n\n".join([title, *lines])


def _deal_text(deal: DifferentDeal, bots: tuple[str, str], folder: Path) -> str:
    hand = f"holding {deal.hand}, " if deal.hand else ""
    title = (
        f"{deal.block}, seat {deal.seat}, deal {deal.deal + 1}: {hand}{deal.phase}, "
        f"{bots[0]} {'loses' if deal.lead < 0 else 'gains'} {abs(deal.lead):.2f}"
    )
    command = f"{arena_command()} replay show {quote(str(folder))} --block {quote(deal.block)}"
    lines = [
        f"  {bot} plays {text}: {command} --rotation {rotation} --deal {deal.deal + 1}"
        for bot, text, rotation in zip(bots, deal.texts, deal.rotations, strict=True)
    ]
    return "\n".join([title, *lines])


def difference_fields(difference: Difference) -> dict[str, Any]:
    """Return the result as JSON: shares in percent, nothing rounded."""
    return {
        "parts": [
            {"part": part.part, "name": part.name, "lead": to_percent(part.lead.value),
             "error": to_percent(part.lead.error), "blocks": part.lead.blocks}
            for part in difference.parts
        ],
        "swings": [
            {**swing._asdict(), "scores": list(map(to_percent, swing.scores))} for swing in difference.swings
        ],
        "choices": [
            {
                **choice._asdict(),
                "lead": choice.lead.value,
                "error": choice.lead.error,
                "blocks": choice.lead.blocks,
            }
            for choice in difference.choices
        ],
        "deals": [deal._asdict() for deal in difference.deals],
        "lessons": [
            [
                {**lesson_fields(lesson), "examples": [deal._asdict() for deal in lesson.examples]}
                for lesson in lessons
            ]
            for lessons in difference.lessons
        ],
    }  # fmt: skip


def _swing_text(number: int, swing: Swing, bots: tuple[str, str], folder: Path) -> str:
    lines = [f"{swing.block}, seat {swing.seat}"]
    for which, bot in enumerate(bots):
        page = f"swing-{number}{'ab'[which]}.html"
        lines += [
            f"  {bot}: score {swing.scores[which]:.0%}, payoff {format_signed(swing.payoffs[which])}",
            f"    {arena_command()} replay show {quote(str(folder))} --block {quote(swing.block)} "
            f"--rotation {swing.rotations[which]} --html --out {page}",
        ]
    return "\n".join(lines)


# --- verification ---

MAX_PROBLEMS: Final = 100
"""Problems listed; more are only counted."""
MAX_SAMPLED: Final = 50
"""Blocks of a sample listed; more are only counted."""


DOUBT: Final = "With these problems it is not what was sealed. The seal says: "
"""Begins the line on a seal below problems."""


def verdict_text(path: Path, verdict: Verification) -> str:
    """Return a line for each problem, and one for what was checked."""
    return "\n".join(printable_line(line) for line in _lines(path, verdict))


def verdict_table(verdict: Verification) -> dict[str, Any]:
    """Return the result as JSON."""
    fields = msgspec.structs.asdict(verdict)
    for name in ("replay_sample", "play_again_sample"):
        if sample := fields[name]:
            chances = {str(share): round(sample.detection(share), 4) for share in SHARES}
            fields[name] = {**msgspec.structs.asdict(sample), "detection": chances}
    return {"true": not verdict.wrong, **fields}


def league_verdict_text(path: Path, verdict: LeagueVerification) -> str:
    """Return a line for each problem of a league, and one for what was checked."""
    return "\n".join(printable_line(line) for line in _league_lines(path, verdict))


def league_verdict_table(verdict: LeagueVerification) -> dict[str, Any]:
    """Return the result of a league as JSON."""
    return {"true": not verdict.wrong, **msgspec.structs.asdict(verdict)}


def _league_lines(path: Path, verdict: LeagueVerification) -> Iterator[str]:
    yield from _problem_lines(path, verdict.wrong)
    ratings = format_count(verdict.ratings, "ratings")
    yield f"{path}: {_count_text(verdict)}, {ratings}, {_ending(verdict.wrong)}"
    if verdict.not_replayed:
        yield (
            f"{format_count(verdict.not_replayed, 'blocks')} of earlier games, rules or limits were not "
            "replayed."
        )
    if verdict.seal:
        later = verdict.updates - verdict.sealed_updates
        rest = f", not the {format_count(later, 'updates')} after them" if later > 0 else ""
        yield f"The seal covers updates 1 to {verdict.sealed_updates}{rest}."
        yield f"{DOUBT if verdict.wrong else ''}{seal_text(verdict.seal)}"


def _problem_lines(path: Path, wrong: Sequence[Problem]) -> Iterator[str]:
    for problem in wrong[:MAX_PROBLEMS]:
        yield f"{path / problem.file}{_place(problem)}: {problem.what}"
    if len(wrong) > MAX_PROBLEMS:
        yield f"and {len(wrong) - MAX_PROBLEMS:,} more"


def _count_text(verdict: Verification | LeagueVerification) -> str:
    names = ("blocks", "matches", "deals", "actions")
    return ", ".join(format_count(getattr(verdict, name), name) for name in names)


def _ending(wrong: Sequence[Problem]) -> str:
    return format_count(len(wrong), "problems") if wrong else "all true"


def _lines(path: Path, verdict: Verification) -> Iterator[str]:
    yield from _problem_lines(path, verdict.wrong)
    files = format_count(verdict.files, "files")
    again = f", {format_count(verdict.played_again, 'blocks')} played again" if verdict.played_again else ""
    yield f"{path}: {_count_text(verdict)}, {files}{again}, {_ending(verdict.wrong)}"
    if verdict.not_replayed:
        yield (
            f"{format_count(verdict.not_replayed, 'matches')} not replayed by the rules, nor compared with "
            "their records: of these only bytes, places and tables were checked; without --sample all are "
            "replayed."
        )
    if verdict.sealed_root:
        check = SealCheck(verdict.sealed_root, verdict.signed_by, verdict.is_signer_known)
        yield f"{DOUBT if verdict.wrong else ''}{seal_text(check)}"
    if verdict.replay_sample:
        yield from _sample_lines("Replayed", verdict.replay_sample)
    if verdict.played_again and verdict.play_again_sample:
        yield from _sample_lines("Played again", verdict.play_again_sample)
    if verdict.wrong:
        yield from (f"Possible cause: {note}" for note in verdict.notes)
    if verdict.playing:
        yield "The run is being played now; its files are written at its end and were not compared."
    elif verdict.missing:
        more = f"{format_count(verdict.missing, 'blocks')} more to play"
        yield f"{more}." if path.is_file() else f"{more}: `{arena_command()} resume {path}`"


def seal_text(check: SealCheck) -> str:
    """Return a line with the root of a seal, and who signed it."""
    if check.is_signer_known:
        who = f"signed by the key asked for, {check.fingerprint}."
    elif check.fingerprint:
        who = f"signed by the key {check.fingerprint}; --signer FILE checks that it is the organiser's."
    else:
        who = "not signed: whoever changes the content can seal it again, unless its root was published."
    return f"Sealed under the root {check.root}, {who}"


def _sample_lines(done: str, sample: BlockSample) -> Iterator[str]:
    """Yield which blocks a sample has, how to draw it again, and how likely it is to find a forgery."""
    listed = ", ".join(map(str, sample.blocks[:MAX_SAMPLED]))
    more = len(sample.blocks) - MAX_SAMPLED
    rest = f" and {format_count(more, 'blocks')} more" if more > 0 else ""
    yield f"{done}: {listed}{rest}. To check these again: --sample-seed {sample.seed}"
    chances = ", ".join(f"{100 * sample.detection(share):.1f} %" for share in SHARES)
    shares = ", ".join(f"{share:.0%}".replace("%", " %") for share in SHARES)
    yield f"Chance that such a sample has a forged block, if {shares} of all blocks are forged: {chances}."


def _place(wrong: Problem) -> str:
    places = []
    if wrong.index is not None:
        places.append(f"block {wrong.index} ({wrong.block})")
    if wrong.rotation is not None:
        places.append(f"match of rotation {wrong.rotation}")
    if wrong.line is not None:
        places.append(f"line {wrong.line}")
    return "".join(f", {place}" for place in places)


# --- chances ---
# Chances of the seats of a deal to be placed ahead, after each action.

MAX_NAME_CHARS: Final = 13


def _format_chances(
    deals: Sequence[Deal], bots: Sequence[str], chances: Sequence[Sequence[Chances]]
) -> Iterator[str]:
    """Yield the table of each deal, with a row for its start and for each action.

    Args:
        deals: Deals of a match.
        bots: Names by seat.
        chances: Chances by deal and step.
    """
    costly = find_costly_steps(deals, chances)
    names = SeatNames(tuple(shorten_names(bots, MAX_NAME_CHARS)))
    for number, (deal, steps) in enumerate(zip(deals, chances, strict=True)):
        falls = {mistake.step: mistake.fall for mistake in costly if mistake.deal == number}
        doubled = 200 * max([max(step.errors) for step in steps])
        heading = (
            f"{MARGIN}Chance of each seat to be placed ahead of another, in percent\n"
            f"{MARGIN}(two standard errors are at most {doubled:.0f})"
        )
        yield f"{heading}\n{align_columns(_rows(deal, names, steps, falls))}"


def _rows(
    deal: Deal, names: SeatNames, steps: Sequence[Chances], falls: dict[int, float]
) -> Iterator[list[str]]:
    seats = range(len(steps[0].by_seat))
    yield ["", "seat", "", *[f"{seat:>3}" for seat in seats], ""]
    yield ["", "at first", "", *_cells(steps[0]), ""]
    for step, (event, chances) in enumerate(zip(deal.log, steps[1:], strict=True), 1):
        assert event.seat is not None
        fall = f"falls by {100 * falls[step]:.0f}" if step in falls else ""
        action = event.action.text(event.cards)
        yield [str(event.seat), names[event.seat], action, *_cells(chances), fall]


def _cells(chances: Chances) -> list[str]:
    return [f"{100 * chance:3.0f}" for chance in chances.by_seat]


# --- transcripts ---
# The cards, actions, showdown and result of each deal.

MAX_TRANSCRIPT_COLUMNS: Final = 80


class Move(NamedTuple):
    """An event with what it changed."""

    event: Event
    hands: dict[int, Hand]
    """Hands that it changed, by seat."""
    table: Hand
    """The cards on the table after it; () if they are unchanged."""


def format_match(
    match: FoundRecord,
    deals: Sequence[Deal],
    number: int | None = None,
    notes: Sequence[Note] = (),
    chances: Sequence[Sequence[Chances]] | None = None,
    viewer: int | None = None,
) -> str:
    """Return the transcript of a match.

    Args:
        match: The record.
        deals: Its deals, replayed.
        number: The only deal that is shown, from 1; None for all.
        notes: Notes of the bots on their decisions.
        chances: Chances of the seats to be placed ahead, by step of each deal that is shown.
        viewer: The seat whose view is printed, cards that it did not see as `??`; None for all cards.
    """
    if viewer is not None and viewer >= match.record.players:
        last = match.record.players - 1
        raise RecordError(f"match {match.number} has seats 0 to {last}, there is no seat {viewer}")
    if number is not None and number not in range(1, len(deals) + 1):
        raise RecordError(
            f"match {match.number} has {format_count(len(deals), 'deals')}, there is no deal {number}"
        )
    record = match.record
    bots = [seat_name(record, seat) for seat in range(record.players)]
    title = f"Match {match.number}: {match.variant}, {record.players} players"
    parts = [click.style(title, bold=True)]
    if viewer is not None:
        parts.append(f"{MARGIN}As {bots[viewer]} saw it from seat {viewer}")
    if record.block:
        parts.append(f"{MARGIN}Block {strip_unprintable(record.block)}, rotation {record.rotation}")
    shown = deals if number is None else deals[number - 1 : number]
    tables = _format_chances(shown, bots, chances) if chances is not None else [""] * len(shown)
    for deal, table in zip(shown, tables, strict=True):
        parts += filter(None, [format_deal(deal, bots, notes, viewer), table])
    if number is None:
        parts += format_result(deals, bots)
    if record.faults:
        parts.append(f"{MARGIN}Faults: {', '.join(fault_words(record))}")
    return "\n\n".join(parts)


def format_deal(
    deal: Deal, bots: Sequence[str], notes: Sequence[Note] = (), viewer: int | None = None
) -> str:
    """Return the transcript of a deal, so far where it is not finished; `bots` are by seat.

    With a `viewer` it has the cards and notes of this seat, and what it saw of the others.
    """
    opening = deal.opening
    title = click.style(f"Deal {opening.number + 1}: {bots[opening.dealer]} deals", bold=True)
    names = SeatNames(tuple(shorten_names(bots, MAX_NAME_CHARS)))
    notes = [note for note in notes if viewer in (None, note.seat)]
    moves = list(_list_moves(deal) if viewer is None else _list_seen_moves(deal, viewer))
    parts = [title, align_columns(_dealt_rows(deal, names, viewer)), _format_moves(deal, names, moves)]
    if rows := list(_note_rows(deal, names, notes)):
        parts.append("\n".join([f"{MARGIN}Notes", align_columns(rows)]))
    if deal.changes:
        rows = showdown_rows(deal, names.by_seat, viewer)
        parts.append("\n".join(align_rows(rows, MAX_TRANSCRIPT_COLUMNS, remarks=2)))
    if deal.changes and deal.changes.pool is not None:
        parts.append(f"{MARGIN}The pool holds {format_count(deal.changes.pool, 'chips')}.")
    return "\n\n".join(parts)


def _list_moves(deal: Deal) -> Iterator[Move]:
    """Yield the events of a deal without the hands shown at its end."""
    public, hands = None, list[Hand]()
    table: Hand = ()
    for again, event in zip(deal.replay(), (None, *deal.log), strict=True):
        before, table = table, _table(again)
        if event:
            changed = {seat: hand for seat, hand in enumerate(again.hands) if hand != hands[seat]}
            yield Move(event, changed, () if table == before else table)
        yield from _table_moves(again, public)
        public, hands = again.public, list(again.hands)


def _list_seen_moves(deal: Deal, viewer: int) -> Iterator[Move]:
    """Yield the events of a deal as a seat saw them, with its own hand, without those shown at the end."""
    public = private = hand = table = None
    for again in deal.replay():
        view, aside = again.view(viewer), again.private_events[viewer]
        is_new = hand is not None
        hands = {viewer: view.hand} if is_new and view.hand != hand else {}
        laid = view.table if is_new and view.table != table else ()
        events = drop_showdown(merge_events(again.public, aside, public, private), again)
        for event in events:
            is_last = event is events[-1]
            yield Move(event, hands if is_last else {}, laid if is_last else ())
        public, private, hand, table = again.public, aside, view.hand, view.table


def _table_moves(deal: Deal, since: Event | None) -> Iterator[Move]:
    events = [event for event in merge_events(deal.public, None, since) if event.seat is None]
    return (Move(event, {}, ()) for event in drop_showdown(events, deal))


def _table(deal: Deal) -> Hand:
    """Return the cards on the table as the dealer sees them."""
    return deal.view(deal.opening.dealer).table


def _dealt_rows(deal: Deal, names: SeatNames, viewer: int | None) -> Iterator[list[str]]:
    opening, hands, table = deal.opening, list(deal.dealt), deal.table_dealt
    if viewer is not None:
        view = next(deal.replay()).view(viewer)
        hands = [(HIDDEN,) * len(hand) for hand in hands]
        hands[viewer], table = view.hand, view.table
    for seat in opening.order:
        yield [str(seat), names[seat], _cards(hands[seat]), format_holdings(opening.holdings, seat)]
    if table:
        yield ["", get_family_text(opening.rules).table_name, _cards(table)]


def _format_moves(deal: Deal, names: SeatNames, moves: Sequence[Move]) -> str:
    """Return the events in words and notation; in notation alone where the lines would become too long."""
    text = align_columns(_move_rows(deal, moves, names, in_words=True))
    if max(map(len, click.unstyle(text).splitlines()), default=0) <= MAX_TRANSCRIPT_COLUMNS:
        return text
    return align_columns(_move_rows(deal, moves, names, in_words=False))


def _move_rows(deal: Deal, moves: Iterable[Move], names: SeatNames, *, in_words: bool) -> Iterator[list[str]]:
    family = get_family_text(deal.opening.rules)
    for event, hands, table in moves:
        subject, words = family.describe(event, names)
        if event.seat is None:
            yield ["", "" if subject is None else names[subject], color_cards(words)]
        else:
            done = [color_cards(words)] if in_words else []
            done.append(event.action.text(event.cards))
            own = _cards(hands.get(event.seat, ()))
            yield [str(event.seat), names[event.seat], *done, own, _cards(table)]
        for seat, hand in hands.items():
            if seat != event.seat:
                yield [str(seat), names[seat], "now has", *([""] if in_words else []), _cards(hand)]


def _note_rows(deal: Deal, names: SeatNames, notes: Sequence[Note]) -> Iterator[list[str]]:
    for note in notes:
        if note.deal == deal.opening.number and note.action < len(deal.log):
            event = deal.log[note.action]
            text = event.action.text(event.cards)
            yield [str(note.seat), names[note.seat], text, strip_unprintable(note.text)]


def format_result(deals: Sequence[Deal], bots: Sequence[str]) -> list[str]:
    """Return the placings and payoffs; nothing if the record stops before the end of the match."""
    last, start = deals[-1].opening, deals[0].opening.holdings
    settlement, changes = last.rules.settlement, deals[-1].changes
    assert changes is not None
    after = settlement.apply_changes(last.holdings, changes, last.number)
    if not settlement.is_over(after, last.number + 1):
        return []
    placings, payoffs = settlement.placings(after, start), settlement.payoffs(after, start)
    results = sorted(zip(placings, payoffs, bots, strict=True))
    rows = [[str(placing), bot, format_signed(payoff)] for placing, payoff, bot in results]
    return [click.style("The match is over", bold=True), align_columns(rows)]


def _cards(hand: Iterable[Card]) -> str:
    return color_cards(format_cards(tuple(hand)))
