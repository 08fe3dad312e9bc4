"""The table of ratings as text, and the notes below it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from shlex import quote
from types import MappingProxyType
from typing import Final

from arena.columns.column import column_docs, explain_columns
from arena.columns.number_format import MISSING
from arena.columns.table_formats import NOTHING_PLAYED, Format, format_sheet, wrap_text
from arena.output.tables.pairs import describe_model_fit, has_exception
from arena.output.words.text_format import format_count, strip_unprintable
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.rating.mean_intervals import MIN_BLOCKS
from arena.tournament.results.rating_rows import MAX_ELO, MIN_PAYOFF_BLOCKS
from arena.tournament.results.rating_table import (
    RatingRow,
    elo_csv,
    elo_md,
    join_names,
    rating_sheets,
    table_json,
    text_columns,
)
from arena.tournament.results.run_results import GameResults, RunResults
from arena.tournament.running.run import Run
from arena.tournament.storage.metadata import DIGEST_CHARS, credit, find_changed_bots, find_changed_rules
from arena.tournament.storage.tally import Game

OVERALL_DOC: Final = """\
overall is the mean of a bot's Elo over the games and table sizes above. Games
with little luck have larger differences, and so a larger part in it. A bot has
none before it has a ± or a bound in each."""
CSV_DOC: Final = """\
Without --wide the table has no los, blocks and placing. csv and json have
comparison_error for ±; rank_low, rank_high and payoff_error; a column mark: >
or < for a bound from below or above, as in the table: elo_bound where there is
one, else elo itself. Last stands error, the half width of the 95 % interval
about 1500, the centre of the field: it does not compare two bots."""
NO_OVERALL_NOTE: Final = "No overall: a bot has one with a ± or a bound in every game, where all met."
FAR: Final = "far"
"""Key of the note on a bot of which no bound says anything."""
DRAWN: Final = "drawn"
"""Key of the note on a bot without an error bar where the tables are a sample."""
MARK_NOTES: Final = {
    FAR: f"{MISSING} under elo: hardly a point taken, or hardly one lost, in too few blocks for a bound.",
    MISSING: f"{MISSING} no error bar: fewer than {MIN_BLOCKS} blocks, or results that never differ.",
    DRAWN: f"{MISSING} no error bar: fewer than {MIN_BLOCKS} tables, or results that never differ.",
}
BOUND_NOTES: Final = {
    "<": "< hardly a point or none: the Elo is below this bound (97.5 %); how far below is not known.",
    ">": "> hardly a point lost or none: the Elo is above this bound (97.5 %); how far above is not known.",
}
RANK_NOTE: Final = "Ranks say which bot is better: all of a table hold together at 95 %."
PAIR_NOTE: Final = (
    f"{RANK_NOTE} ± and the probability judge two bots chosen beforehand: here some ± do not overlap "
    "although the order is still open."
)
WIDE_NOTE: Final = (
    f"{MISSING} under ±: the error is above {MAX_ELO:,.0f} Elo, so nothing is known yet; play more blocks."
)
UNRATED_NOTE: Final = f"{MISSING} no Elo: the bot met no other here."
DRAWN_NOTE: Final = (
    "{}: the tables are a sample of those possible, so each of them counts as one observation in ±, however "
    "many blocks it played; the line on the fit counts blocks."
)
STRETCHED_NOTE: Final = (
    "Elo is stretched, as results decided who met whom: in few blocks a round the first looks better than it "
    "is, and ± holds in fewer than 95 % of cases."
)
OVERALL_NOTE: Final = (
    f"{MISSING} in the overall: a game not played, without an error bar, or with bots that do not compare."
)
FEW_PAYOFFS_NOTE: Final = f"No ± of the payoff: fewer than {MIN_PAYOFF_BLOCKS} blocks."
SAME_PAYOFF_NOTE: Final = "No ± of the payoff: it was the same in every block."
NO_CONTROL_NOTE: Final = (
    "{}: not adjusted for luck. Nobody drops out of this game, so the seatings of a block already give every "
    "bot every hand."
)
LUCK_NOTE: Final = (
    "luck elo and luck ± are a second estimate of the same strength from the same matches, less what the "
    "cards were worth to each bot when a fixed baseline played them; ranks and los go by elo."
)
MIN_EFFICIENCY_BLOCKS: Final = 30
"""Blocks of a bot from which the gain of duplicate deals, a ratio of two variances, is known well enough."""
NO_LINES: Final[Mapping[Game, str]] = MappingProxyType({})
ONE_SIDED: Final = "these took no point from each other, or all"
CONSTANT: Final = "all blocks between these came out alike"


def rating_table(
    results: RunResults,
    style: Format = "plain",
    notes: Sequence[str] = (),
    width: int | None = None,
    *,
    wide: bool = False,
) -> str:
    """Return the ratings in one of the formats, for people with every column if `wide`."""
    fits = {game: describe_model_fit(own) for game, own in results.games.items() if has_exception(own)}
    return format_ratings(results.rows, style, notes, width, fits, wide=wide)


def format_ratings(
    rows: Sequence[RatingRow],
    style: Format = "plain",
    notes: Sequence[str] = (),
    width: int | None = None,
    lines: Mapping[Game, str] = NO_LINES,
    *,
    wide: bool = False,
) -> str:
    """Return rows in one of the formats, without a line end at the end; see `rating_table`.

    Only plain tables fit into `width` and have notes, with `lines` below the tables of games.
    """
    if style == "latex":
        sheets = rating_sheets(rows, wide=wide)
        return "\n\n".join(format_sheet(sheet, style) for sheet in sheets) or NOTHING_PLAYED
    if style == "md":
        return elo_md(rows, wide=wide).removesuffix("\n")
    if style != "plain":
        return {"csv": elo_csv, "json": table_json}[style](rows).removesuffix("\n")
    tables = [] if rows else [NOTHING_PLAYED]
    for sheet in rating_sheets(rows, wide=wide):
        line = lines.get((sheet.rows[0].variant, sheet.rows[0].players or 0), "")
        below = [note for note in (*sheet.notes, line) if note]
        tables.append(format_sheet(sheet._replace(notes=below), width=width))
    headings = {word for table in tables for line in table.splitlines()[:3] for word in line.split()}
    missing = "\n".join(missing_notes(rows, headings))
    below = [wrap_text(note, width) for note in (missing, *notes) if note]
    return "\n\n".join([*tables, *below])


def explain_ratings(rows: Sequence[RatingRow] = ()) -> str:
    """Return the documentation of every column that a table of these rows has."""
    docs = column_docs(text_columns(rows, wide=True))
    return f"{explain_columns(docs)}\n\n{OVERALL_DOC}\n{CSV_DOC}"


def missing_notes(rows: Sequence[RatingRow], headings: Collection[str] = ("payoff",)) -> list[str]:
    """Return a sentence for each reason why something is missing in the tables, and on what ranks say.

    Args:
        rows: Rows of all tables.
        headings: Columns that they have.
    """
    without = [row for row in rows if row.players and not row.has_error]
    rated = [row for row in without if row.elo is not None]
    missing = {DRAWN if row.are_tables_drawn else MISSING for row in rated if not row.has_bound}
    missing |= {FAR for row in rows if row.far_bound}
    notes = [note for mark, note in MARK_NOTES.items() if mark in missing]
    bounded = {row.text_bound for row in rows if row.elo_bound is not None}
    notes += [note for mark, note in BOUND_NOTES.items() if mark in bounded]
    if any(row.rank_low != row.rank_high for row in rows):
        notes.append(PAIR_NOTE if _has_bars_apart(rows) else RANK_NOTE)
    notes += [WIDE_NOTE] if any(row.is_wide for row in rows) else []
    notes += [UNRATED_NOTE] if len(rated) < len(without) else []
    overall = [row for row in rows if not row.players and not row.has_bound]
    notes += [OVERALL_NOTE] if any(not row.has_error for row in overall) else []
    if "payoff" in headings:
        paid = [row for row in rows if row.players and row.has_error and row.payoff_error is None]
        paid = [row for row in paid if not row.is_anytime]
        few = [row.blocks < MIN_PAYOFF_BLOCKS for row in paid]
        notes += [FEW_PAYOFFS_NOTE] if any(few) else []
        notes += [SAME_PAYOFF_NOTE] if not all(few) else []
    return notes


def _has_bars_apart(rows: Sequence[RatingRow]) -> bool:
    """Return whether two bots of a game share a rank though their bars do not overlap."""
    return any(
        (row.elo or 0) - (other.elo or 0) > (row.comparison_error or 0) + (other.comparison_error or 0)
        and (row.rank_high or 0) >= (other.rank_low or 0)
        for _, group in groupby(rows, key=lambda row: (row.variant, row.players))
        for row, other in combinations([row for row in group if row.rank and row.comparison_error], 2)
    )


def rating_notes(results: RunResults) -> list[str]:
    """Return paragraphs on bots that do not compare, and on what duplicate deals gained."""
    games = results.games.values()
    several = len(games) > 1
    apart = [line for game in games for line in _comparability(game)]
    efficiency = {
        game.title: game.tally.duplicate_efficiency()
        for game in games
        if max(game.fit.blocks, default=0) >= MIN_EFFICIENCY_BLOCKS
    }
    where = {title: f" at {title}" if several else "" for title in efficiency}
    known = [f"{value:.1f} independent ones{where[title]}" for title, value in efficiency.items() if value]
    if known:
        known = [f"Duplicate deals made each match worth about {'; '.join(known)}."]
    drawn = [DRAWN_NOTE.format(game.title) for game in games if game.fit.are_tables_drawn]
    plain = [
        NO_CONTROL_NOTE.format(game.title)
        for game in games
        if game.controls and not len(game.controls.cluster)
    ]
    board = results.scoreboard
    stretched = [STRETCHED_NOTE] if board and board.stretches_elo and results.blocks else []
    is_young = several and results.blocks and not results.overall
    young = [NO_OVERALL_NOTE] if is_young and len({frozenset(game.field) for game in games}) == 1 else []
    notes = (apart, young, stretched, drawn, known, plain, _anytime_note(results), _anchor_note(results))
    return ["\n".join(lines) for lines in notes if lines]


def _anchor_note(results: RunResults) -> list[str]:
    """Return a note on the bot to which ratings are relative, and where it does not play."""
    if not (anchor := results.anchor):
        return []
    without = [game.title for game in results.games.values() if anchor.bot not in game.field]
    apart = f"; not at {join_names(without)}, where it does not play" if without else ""
    return [f"Elo are relative to {anchor.bot} at {anchor.elo:g}{apart}."]


def _anytime_note(results: RunResults) -> list[str]:
    """Return a note on errors that hold at all looks, or on how often a run was extended."""
    times = format_count(results.extensions, "times")
    seen = f"This run was extended with its results in view ({times}). " if results.extensions else ""
    if results.is_anytime:
        together = "± and los hold at all numbers of blocks together, not at one alone"
        return [f"{seen}{together}; the payoff has no ± that does."]
    return [f"{seen}± and los hold for a number of blocks fixed in advance."] if seen else []


def withdrawn_notes(run: Run) -> list[str]:
    """Return a note that names the withdrawn bots, if there are any."""
    names = [f"{bot} (after {format_count(block, 'blocks')})" for bot, block in run.config.withdrawn.items()]
    return [f"Withdrawn: {join_names(names)}."] if names else []


def versions_note(run: Run) -> str:
    """Return which versions of rules and bots the ratings are of, and which have changed since."""
    labels = label_bots(run.metadata.bots)
    rules = [f"{variant} {number}" for variant, number in run.metadata.rules.items()]
    bots = [
        f"{credit(run.metadata, name, labels[name])} {digest[:DIGEST_CHARS]}"
        for name, digest in run.metadata.bots.items()
    ]
    note = strip_unprintable(f"Rules: {join_names(rules)}. Bots: {join_names(bots)}.")
    changed_bots = (labels[bot] for bot in find_changed_bots(run.metadata, run.config))
    changed = [*changed_bots, *find_changed_rules(run.metadata, run.config)]
    if not changed:
        return note
    again = f"`{arena_command()} run {quote(str(run.folder.config))} --reuse {quote(str(run.folder.path))}`"
    return f"{note}\nChanged since: {join_names(changed)}; {again} replays the blocks this affects."


def _comparability(game: GameResults) -> Iterator[str]:
    """Yield a sentence if some bots of a game do not compare."""
    fit = game.fit
    connected = [group for group in fit.connected_groups if fit.matches[group[0]]]
    if len(connected) > 1:
        yield (
            f"{game.title}: these groups never met, directly or through others, so their Elo do not "
            f"compare: {_join_groups(game, connected)}."
        )
    for groups, reason in ((fit.comparable_groups, ONE_SIDED), (fit.varied_groups, CONSTANT)):
        inner = [group for group in groups if any(fit.score[bot] not in (0, 1, None) for bot in group)]
        if len(inner) > len(connected):
            yield (
                f"{game.title}: {reason}, so their distance is a guess, and ± compares the bots of one group "
                f"alone: {_join_groups(game, inner)}."
            )
            return


def _join_groups(game: GameResults, groups: Iterable[Sequence[int]]) -> str:
    return " – ".join(join_names([game.label(bot) for bot in group]) for group in groups)
