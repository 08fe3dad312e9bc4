"""How much play would tell bots apart."""

from collections.abc import Mapping, Sequence
from typing import Final

from arena.report.column_docs import ColumnDoc
from arena.report.table_formats import NONE, Report, Sheet, percent
from arena.report.text_format import format_count
from arena.tournament.review.planning import PairForecast
from arena.tournament.storage.tally import Game

PLAN: Final = {
    "better": ColumnDoc(
        "The one with the higher Elo so far.",
        "a name",
        "of the two the higher in the table of ratings",
        "It need not be the stronger: los says how sure that is.",
    ),
    "worse": ColumnDoc(
        "The one with the lower.", "a name", "the other of the two", "It need not be the weaker."
    ),
    "elo": ColumnDoc(
        "The difference of their ratings.",
        "Elo",
        "Elo of the better - Elo of the worse",
        "It is what was seen, not what is true: before ± is small it may be far off, on either side.",
    ),
    "±": ColumnDoc(
        "Elo ± this holds the true difference in 95 of 100 such tournaments.",
        "Elo, half the width of the interval",
        "Student's t at 97.5 % · the standard error of the difference, from how blocks vary",
        "It is not the sum of the two ± in the table of ratings.",
    ),
    "los": ColumnDoc(
        "How sure it is by now that the better one is the stronger.",
        "percent; 50 is not at all",
        "Student's t distribution at the difference / its standard error",
        "It does not say by how much, and looked at again and again it will be high by chance at some time.",
    ),
    "blocks": ColumnDoc(
        "Deal seeds that each of the two has played at least.",
        "blocks",
        "the fewer of their blocks",
        "They need not have met in all of them.",
    ),
    "needed": ColumnDoc(
        "Blocks of each in all, after which they should be told apart.",
        "blocks",
        """(t at the confidence + t at the power)² · blocks · (standard error / difference)², t being
        Student's quantiles (Cohen 1988)""",
        """The difference is not known well before it is told from nought: a guess, best made anew as play
        goes on.""",
    ),
    "more": ColumnDoc(
        "Blocks of this game that the run still has to play for it, each table in its turn.",
        "blocks",
        "(needed - blocks) · blocks of the game in the run / blocks of the two",
        "Those of the two alone are fewer: `arena compare` plays no others.",
    ),
    "minutes": ColumnDoc(
        "How long those take.",
        "minutes, on as many cores as said",
        "more · CPU time of a block / cores, a block's by some played just now",
        "Machines, other work on them and bots that are slow at times make it another.",
    ),
}
UNKNOWN: Final = (
    f"{NONE} nothing can be said: equal, fewer than six blocks, blocks that all went alike, or never a point "
    "for the worse."
)
KNOCKOUT: Final = (
    "A knockout plays no more of those who are out: `arena compare` separates two bots, a round robin all."
)
FIELDS = (
    "variant",
    "players",
    "better",
    "worse",
    "elo",
    "error",
    "los",
    "blocks",
    "needed",
    "more",
    "minutes",
)


def plan(forecasts: Sequence[PairForecast], seconds: Mapping[Game, float], jobs: int) -> Report:
    """What each pair takes, by game, and all of them together."""
    sheets = []
    for game in dict.fromkeys(one.game for one in forecasts):
        own = [one for one in forecasts if one.game == game]
        rows = [_cells(one, seconds[game], jobs) for one in own]
        notes = [_in_all(own, seconds[game], jobs)]
        sheets.append(Sheet(f"{game[0]}, {game[1]} players", list(PLAN), rows, 2, notes))
    records = [
        (
            *one.game,
            one.better,
            one.worse,
            one.elo,
            one.error,
            one.los,
            one.blocks,
            one.needed,
            one.missing,
            None if one.missing is None else _minutes(one.missing, seconds[one.game], jobs),
        )
        for one in forecasts
    ]
    return Report(sheets, FIELDS, records, PLAN)


def _minutes(blocks: int, seconds: float, jobs: int) -> float:
    return blocks * seconds / jobs / 60


def _cells(one: PairForecast, seconds: float, jobs: int) -> list[str]:
    return [
        one.better,
        one.worse,
        f"{one.elo:.1f}",
        NONE if one.error is None else f"{one.error:.1f}",
        percent(one.los),
        f"{one.blocks:,}",
        NONE if one.needed is None else f"{one.needed:,}",
        NONE if one.missing is None else f"{one.missing:,}",
        NONE if one.missing is None else _time(one.missing, seconds, jobs),
    ]


def _time(blocks: int, seconds: float, jobs: int) -> str:
    minutes = _minutes(blocks, seconds, jobs)
    return "0" if not blocks else "<1" if minutes < 1 else f"{minutes:,.0f}"


def _in_all(forecasts: Sequence[PairForecast], seconds: float, jobs: int) -> str:
    """What it takes to separate all of them, and why that cannot be said of some."""
    known = [one.missing for one in forecasts if one.missing is not None]
    notes = []
    if known and (most := max(known)):
        who = "All of them" if len(known) == len(forecasts) else "Those with a number"
        how_long = f"{_time(most, seconds, jobs)} min with {format_count(jobs, 'jobs')}"
        notes.append(f"{who}: {format_count(most, 'blocks')} more, {how_long}.")
    elif known:
        told = "All of them are" if len(known) == len(forecasts) else "Those with a number are"
        notes.append(f"{told} told apart: nothing more.")
    if not all(one.goes_on for one in forecasts):
        notes.append(KNOCKOUT)
    if any(one.needed is None and not one.separated for one in forecasts):
        notes.append(UNKNOWN)
    return "\n".join(notes)
