"""The table of ratings: its columns, its formats readable and machine-readable, and the notes below it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, groupby
from operator import attrgetter
from typing import Final

from arena.columns.column import Column, ColumnDoc, Columns
from arena.columns.kinds import DATA, DECIMAL, ELO, NAME
from arena.columns.number_format import MISSING, format_count, format_number, percent_text, round_half_up
from arena.columns.table_formats import NO_CONTROL_NOTE, Sheet, TableSet, csv_text, format_sheet
from arena.rating.student_t import MIN_BLOCKS
from arena.rating.two_bots import format_los
from arena.tournament.results.rating_rows import MAX_ELO, MIN_PAYOFF_BLOCKS, RatingRow
from arena.tournament.results.results import GameResults, RunResults

# --- columns and formats ---


def elo_text(row: RatingRow, elo: float | None) -> str:
    """Return an Elo of a row as people read it, or in its place the bound with its mark."""
    return row.text_bound + format_number(row.text_elo if row.has_bound else elo, "z.1f")


def _never_certain(percent: float | None) -> float | None:
    """Return a probability in percent that does not round to 0 or 100, which it never is."""
    return None if percent is None else min(max(percent, LEAST_PERCENT), 100 - LEAST_PERCENT)


LEAST_PERCENT: Final = 0.1
"""Least probability in machine-readable tables, which have one decimal."""
SIGNED: Final = DECIMAL._replace(spec="+z.2f")
COLUMNS: Final[tuple[Column[RatingRow], ...]] = (
    Column("variant"),
    Column("players"),
    Column(
        "rank",
        ColumnDoc(
            """Place by Elo, the highest first; `1–2` where the blocks played do not show the order: all
            places that the bot may have. None for a bot that met no other.""",
            formula="""from 1 + bots shown to be better to bots - those shown to be worse; an order is shown
            if the interval of their difference excludes 0, where those of all pairs hold together in 95 % of
            cases (Student's t, Holm's method)""",
            warning="csv and json have both ends as numbers, too: rank_low and rank_high.",
        ),
    ),
    Column(
        "bot",
        ColumnDoc(
            "Name of the bot in the config; `disqualified` and `withdrawn` bots stand below the ranking."
        ),
        kind=NAME,
        value=lambda row: row.bot,
        text=lambda row: row.text_name,
    ),
    Column(
        "elo",
        ColumnDoc(
            """Strength: a bot rated 100 higher scores 64 % against the other, 200 higher 76 %: finishing
            ahead counts one, a tie a half.
            Overall: the mean over games and table sizes.""",
            "Elo; 400 more are odds of ten to one",
            """1500 + 400 / ln 10 · (θ - centre); the θ are the Bradley-Terry strengths, 1 / (1 + exp(θ of the
            other - own θ)), that best explain the points of all pairs of seats of all matches (a tie
            is half a point, a pair weighs 1 / (players - 1), one virtual draw a bot)""",
            """Relative to the bots of this game and table size; 1500 is the centre of the bulk of them.
            Ratings of different games or fields do not compare. `<` and `>` stand before a bound,
            for a bot that took hardly a point or lost hardly one: csv and json have the estimate here, and
            that bound as elo_bound.""",
        ),
        value=lambda row: row.elo,
        text=lambda row: elo_text(row, row.elo),
        digits=1,
    ),
    Column(
        "±",
        ColumnDoc(
            """Length of a bar for comparing: two bots, chosen beforehand, differ at 95 % if their Elo ± do
            not overlap. It is comparison_error in csv and json.""",
            "Elo",
            """Of two bots whose distance is about the half width of its 95 % interval (Student's t), the bars
            add up to about that half width: least squared logarithms over all pairs, which weigh less the
            further their distance is from it (after Goldstein and Healy 1995). Of a pair that would still
            mislead, both are made longer or shorter""",
            """Not an interval of one Elo. Where no lengths suit all pairs, the bars of a few bots that are
            separated overlap: see rank and los. Of a run that was extended with its results in view, and with
            --anytime, it holds at all numbers of blocks together.""",
        ),
        kind=ELO,
        field="comparison_error",
        digits=1,
    ),
    Column(
        "los",
        ColumnDoc(
            """Likelihood of superiority over the next one below: one minus the one-sided p-value of the
            hypothesis that the bot is not the stronger one. Empty where the two never differed in their
            results, or do not compare.""",
            "percent; 50 is undecided, 97.5 has 0 at the end of the 95 % interval",
            """Student's t distribution at (its Elo - that of the next) / the standard error of that
            difference, with one degree of freedom less than the fewer of their blocks; overall the mean of
            the differences, with Welch-Satterthwaite degrees of freedom""",
            "Checked repeatedly during a run, it will be high by chance at some point.",
        ),
        value=lambda row: _never_certain(row.los),
        text=lambda row: "" if row.los is None else format_los(row.los / 100),
        digits=1,
    ),
    Column("matches", ColumnDoc("Matches played; one in which it held several seats counts once.")),
    Column(
        "blocks",
        ColumnDoc(
            """Blocks played: the independent observations. A block is one deal seed in all seatings of a
            table.""",
            warning="Halving ± takes four times as many.",
        ),
    ),
    Column(
        "score",
        ColumnDoc(
            "Share of opponents left behind, in all matches.",
            "percent",
            """100 · (better places + ties / 2) / pairs of its seats with those of other bots. Overall:
            the mean over games and table sizes""",
            "Not the share of matches won, and it depends on the opponents met; Elo accounts for them.",
        ),
        value=lambda row: None if row.score is None else float(round_half_up(row.score, 1)),
        text=lambda row: percent_text(row.score),
        digits=1,
    ),
    Column(
        "payoff",
        ColumnDoc(
            "Mean payoff of a seat in a match; from 20 blocks on with the half width of its 95 % interval.",
            "tokens, chips or points, whichever the game settles in",
            """sum of its payoffs / seats held; ± Student's t at 97.5 % · the standard error of a ratio of two
            sums over blocks""",
            "No part of any rating. Payoffs of different games do not compare, so the overall has none.",
        ),
        kind=SIGNED,
        error=lambda row: row.payoff_error,
        missing="",
        digits=2,
    ),
    Column(
        "placing",
        ColumnDoc(
            "Mean placing at the end of a match; 1 is best, ties share the better one.",
            formula="sum of its placings / seats held",
            warning="As ties share the better placing, the mean over all bots is below (players + 1) / 2.",
        ),
        kind=DECIMAL,
        missing="",
        digits=2,
    ),
    Column("payoff_error", digits=2),
    Column(
        "faults",
        ColumnDoc(
            """Failures in all matches (illegal, invalid, timeout, crash, oversize, no-start); after each
            the arena played the safest action."""
        ),
    ),
    Column("mark", value=lambda row: row.data_mark, kind=DATA),
    Column("rank_low", kind=DATA),
    Column("rank_high", kind=DATA),
    Column("elo_bound", kind=DATA, digits=1),
)
LUCK_COLUMNS: Final[tuple[Column[RatingRow], ...]] = (
    Column(
        "luck elo",
        ColumnDoc(
            "The Elo, adjusted for luck: less what the cards were worth to the bot.",
            "Elo",
            """elo - Σ β ξ over blocks; ξ is the control of the block: what its cards, played by a fixed
            baseline in all seats, were worth above their mean, which is zero whatever the bots do""",
            """An estimate of the same strength as elo: choose between the two before you look. The rank is
            by elo.""",
        ),
        value=lambda row: row.luck_elo,
        text=lambda row: elo_text(row, row.luck_elo),
        field="luck_elo",
        digits=1,
    ),
    Column(
        "luck ±",
        ColumnDoc(
            "Half width of a bar for comparing adjusted Elo, as ± is for the plain one.",
            "Elo",
            "± / √(luck ratio)",
        ),
        kind=ELO,
        field="luck_comparison_error",
        digits=1,
    ),
    Column(
        "luck ratio",
        ColumnDoc(
            """Variance of the Elo over that of the adjusted one: how many times as many blocks would give the
            same ± without the adjustment.""",
            warning="An estimate: below 1 by chance where the control explains little, or blocks are few.",
        ),
        kind=DECIMAL,
        field="luck_ratio",
        digits=2,
    ),
)
"""Columns of ratings adjusted for luck, after the ± of the plain ones."""
SMALL_COLUMNS: Final = ("rank", "bot", "elo", "±", "score", "payoff", "matches", "faults")
"""Names of the columns that people get unless they ask for all, in this order; others follow them."""
LUCK_ERROR: Final = Column[RatingRow]("luck_error", kind=DATA, digits=1)
ERROR: Final = Column[RatingRow]("error", kind=DATA, digits=1)
"""Half width of the interval about the centre of the field, machine-readable only."""
LABEL: Final = Column[RatingRow]("label", value=lambda row: row.short_name)
"""Short name of a bot that is named by a path; the last column, where there is such a bot."""
LADDER_NAMES: Final = (
    *("elo", "±", "mark", "change", "blocks", "rank_low", "rank_high", "elo_bound", "error"),
)
"""Names of the columns of a league's ladders after the bot; `change` is the league's own."""
OPTIONAL_COLUMNS: Final = ("payoff", "matches", "score", "faults")
"""Columns that a narrow terminal leaves out, the first of them first."""
MAX_NAMES: Final = 6
"""Maximum number of names of bots in a list."""
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
    f"{RANK_NOTE} ± and the probability judge two bots chosen beforehand: {{}} some ± do not overlap "
    "although the order is still open."
)
WIDE_NOTE: Final = (
    f"{MISSING} under ±: the error is above {MAX_ELO:,.0f} Elo, so nothing is known yet; play more blocks."
)
UNRATED_NOTE: Final = f"{MISSING} no Elo: the bot met no other here."
OVERALL_NOTE: Final = (
    f"{MISSING} in the overall: a game not played, without an error bar, or with bots that do not compare."
)
FEW_PAYOFFS_NOTE: Final = f"No ± of the payoff: fewer than {MIN_PAYOFF_BLOCKS} blocks."
SAME_PAYOFF_NOTE: Final = "No ± of the payoff of {}: it was the same in every block."


def has_luck(rows: Iterable[RatingRow]) -> bool:
    """Return whether any row is adjusted for luck."""
    return any(row.is_adjusted for row in rows)


def text_columns(rows: Sequence[RatingRow], *, wide: bool = False) -> Columns[RatingRow]:
    """Return the printed columns of these rows: the small table, or all that are documented."""
    by_name = {column.name: column for column in COLUMNS if column.doc}
    small = [by_name.pop(name) for name in SMALL_COLUMNS]
    if not wide:
        filled = {"faults": any(row.faults for row in rows), "payoff": any(row.players for row in rows)}
        small = [column for column in small if filled.get(column.name, True)]
    luck = LUCK_COLUMNS if has_luck(rows) else ()
    return (*small[:4], *luck, *small[4:], *(by_name.values() if wide else ()))


def rating_sheets(rows: Sequence[RatingRow], *, wide: bool = False) -> list[Sheet]:
    """Return the readable tables of ratings, one a game and one over all, each with its sentence."""
    sheets = []
    for title, group in groupby(rows, key=attrgetter("title")):
        own = list(group)
        notes = [said] if (said := describe_lead(list_ranked(own), own[0].los)) else []
        sheets.append(Sheet(title, text_columns(own, wide=wide), own, notes, OPTIONAL_COLUMNS))
    return sheets


def rating_set(rows: Sequence[RatingRow], notes: Sequence[str] = (), *, wide: bool = False) -> TableSet:
    """Return the ratings, and below the last printed table what is missing in them and `notes`."""
    sheets = rating_sheets(rows, wide=wide)
    headings = {name for sheet in sheets for name in sheet.headings}
    below = [note for note in ("\n".join(missing_notes(rows, headings)), *notes) if note]
    sheets[-1:] = [sheet._replace(notes=[*sheet.notes, *below]) for sheet in sheets[-1:]]
    luck = (*LUCK_COLUMNS, LUCK_ERROR) if has_luck(rows) else ()
    labels = (LABEL,) if any(row.label not in ("", row.bot) for row in rows) else ()
    return TableSet((*COLUMNS, *luck, ERROR, *labels), sheets, rows)


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
        notes.append(_rank_note(rows))
    notes += [WIDE_NOTE] if any(row.is_wide for row in rows) else []
    notes += [UNRATED_NOTE] if len(rated) < len(without) else []
    overall = [row for row in rows if not row.players and not row.has_bound]
    notes += [OVERALL_NOTE] if any(not row.has_error for row in overall) else []
    if "payoff" in headings:
        paid = [row for row in rows if row.players and row.has_error and row.payoff_error is None]
        paid = [row for row in paid if not row.is_anytime]
        notes += [FEW_PAYOFFS_NOTE] if any(row.blocks < MIN_PAYOFF_BLOCKS for row in paid) else []
        same = dict.fromkeys(row.short_name for row in paid if row.blocks >= MIN_PAYOFF_BLOCKS)
        notes += [SAME_PAYOFF_NOTE.format(join_names(list(same)))] if same else []
    return notes


def _rank_note(rows: Sequence[RatingRow]) -> str:
    """Return what ranks say, and that two bars do not overlap though the order of their bots is open."""
    games = {
        title: [row for row in group if row.rank and row.comparison_error]
        for title, group in groupby(rows, key=attrgetter("title"))
    }
    apart = [
        title
        for title, own in games.items()
        if any(
            (row.elo or 0) - (other.elo or 0) > (row.comparison_error or 0) + (other.comparison_error or 0)
            and (row.rank_high or 0) >= (other.rank_low or 0)
            for row, other in combinations(own, 2)
        )
    ]
    if not apart:
        return RANK_NOTE
    where = "here" if len(games) == 1 else f"at {'; '.join(apart)}"
    return PAIR_NOTE.format(where)


def list_ranked(rows: Iterable[RatingRow]) -> list[tuple[str, int, int]]:
    """Return name, best and worst rank of each bot that has a rank."""
    return [(row.short_name, row.rank_low, row.rank_high) for row in rows if row.rank_low and row.rank_high]


def describe_lead(ranked: Sequence[tuple[str, int, int]], los: float | None = None) -> str:
    """Return a sentence on who leads whom and which ranks are still open; empty with fewer than two bots.

    Args:
        ranked: Name, best and worst rank of each bot that has a rank, or of the first of these, best first.
        los: Likelihood of superiority of the first over the second, in percent, if it is known.

    Example:
        >>> describe_lead([("ann", 1, 2), ("bob", 1, 2), ("cid", 3, 3)], 94.27)
        'ann leads bob with a probability of 94.3%; ranks 1–2 (ann, bob) are still open.'
    """
    if len(ranked) < 2:
        return ""
    ends: list[tuple[int, int]] = []  # first and last place of each group of bots without a gap between
    for _, low, high in ranked:
        if ends and low <= ends[-1][1]:
            ends[-1] = (ends[-1][0], max(ends[-1][1], high))
        else:
            ends.append((low, high))
    ends = [(low, high) for low, high in ends if low < high]
    groups = [f"{low}–{high}" for low, high in ends]
    if len(groups) == 1 and ends[0][1] <= len(ranked):
        groups[0] += f" ({join_names([name for name, *_ in ranked[ends[0][0] - 1 : ends[0][1]]])})"
    listed = " and ".join(filter(None, [", ".join(groups[:-1]), *groups[-1:]]))
    still = f"ranks {listed} are still open" if groups else "no rank is open"
    still = "all ranks are still open" if ends == [(1, len(ranked))] else still
    is_open = ranked[0][2] >= ranked[1][1]
    surely = ", but is not shown to be better" if is_open else ""
    surely = surely if los is None else f" with a probability of {format_los(los / 100)}"
    surely = surely.replace("of > ", "above ").replace("of < ", "below ")
    return f"{ranked[0][0]} leads {ranked[1][0]}{surely}; {still}."


def join_names(names: Sequence[str]) -> str:
    """Return names in a list, of many the first."""
    more = len(names) - MAX_NAMES
    return ", ".join(names if more <= 0 else [*names[:MAX_NAMES], f"{more} more"])


def elo_csv(rows: Sequence[RatingRow]) -> str:
    """Return the ratings as CSV; where Elo is a bound there is no ±, and the score is 100 or 0."""
    table = rating_set(rows)
    return csv_text(table.fields, [[column.cell(row) for column in table.columns] for row in rows])


def elo_md(rows: Sequence[RatingRow], notes: Sequence[str] = ()) -> str:
    """Return the readable tables and the notes below them as Markdown."""
    return "\n\n".join(format_sheet(sheet, "md") for sheet in rating_set(rows, notes).sheets) + "\n"


# --- notes ---
# Why something is missing, and what must be known to read the rest.

NO_OVERALL_NOTE: Final = "No overall: a bot has one with a ± or a bound in every game, where all met."
DRAWN_NOTE: Final = (
    "{}: the tables are a sample of those possible, so each of them counts as one observation in ±, however "
    "many blocks it played; the line on the fit counts blocks."
)
STRETCHED_NOTE: Final = (
    "Elo is stretched, as results decided who met whom: in few blocks a round the first looks better than it "
    "is, and ± holds in fewer than 95 % of cases. Who is first is a matter of points: see the standings."
)
MIN_EFFICIENCY_BLOCKS: Final = 30
"""Blocks of a bot from which the gain of duplicate deals, a ratio of two variances, is known well enough."""
ONE_SIDED: Final = "these took no point from each other, or all"
CONSTANT: Final = "all blocks between these came out alike"


def rating_notes(results: RunResults) -> list[str]:
    """Return paragraphs on bots that do not compare, and on what duplicate deals gained."""
    games = results.games.values()
    several = len(games) > 1
    apart = [line for game in games for line in _comparability(game)]
    worth = {
        game.title: value
        for game in games
        if max(game.fit.blocks, default=0) >= MIN_EFFICIENCY_BLOCKS
        and (value := game.tally.duplicate_efficiency())
    }
    known = [f"{value:.1f} independent ones" + f" at {title}" * several for title, value in worth.items()]
    if len(known) > MAX_NAMES:
        known = [f"{min(worth.values()):.1f} to {max(worth.values()):.1f} independent ones, by game"]
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
