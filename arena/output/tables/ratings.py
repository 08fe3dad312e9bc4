"""The table of ratings as text, and the notes below it."""

from collections.abc import Mapping, Sequence
from shlex import quote
from types import MappingProxyType
from typing import Final

from arena.columns.column import column_docs, explain_columns
from arena.columns.number_format import format_count
from arena.columns.table_formats import NOTHING_PLAYED, Format, format_sheet, format_table, wrap_text
from arena.output.tables.pairs import describe_model_fit, has_exception
from arena.output.words.text import strip_unprintable
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.rating_table import (
    elo_csv,
    join_names,
    missing_notes,
    rating_set,
    rating_sheets,
    text_columns,
)
from arena.tournament.results.results import RunResults
from arena.tournament.run import Run
from arena.tournament.store.metadata import DIGEST_CHARS, credit, find_changed_bots, find_changed_rules
from arena.tournament.store.played_blocks import Game

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
LUCK_NOTE: Final = (
    "luck elo and luck ± are a second estimate of the same strength from the same matches, less what the "
    "cards were worth to each bot when a fixed baseline played them; ranks and los go by elo."
)
NO_LINES: Final[Mapping[Game, str]] = MappingProxyType({})


def rating_table(
    results: RunResults,
    style: Format = "plain",
    notes: Sequence[str] = (),
    width: int | None = None,
    *,
    wide: bool = False,
) -> str:
    """Return the ratings in one of the formats, readable with every column if `wide`."""
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

    Only plain tables fit into `width`, and have `lines` below the tables of games; others have no notes.
    """
    if style == "csv":
        return elo_csv(rows).removesuffix("\n")
    if style != "plain":
        return format_table(rating_set(rows, notes, wide=wide), style)
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
