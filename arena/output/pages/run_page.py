"""The report page of a run."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from arena import __version__
from arena.columns.column import column_docs, one_line_doc
from arena.columns.number_format import format_count
from arena.output.pages.render import render_report
from arena.output.pages.replay_data import limit_to_page_size, replay_of_stored_match
from arena.output.pages.run_sections import build_parts
from arena.output.tables.ratings import OVERALL_DOC
from arena.plugins.bot_spec import label_bots
from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.workers import Workers
from arena.tournament.files import replace_file
from arena.tournament.formats import Pairing
from arena.tournament.results.rating_table import rating_notes, text_columns
from arena.tournament.results.results import SAMPLE_SIZE, RunResults
from arena.tournament.review.differences import read_sample
from arena.tournament.review.seal import sealed_root
from arena.tournament.run import Run
from arena.tournament.store.metadata import DIGEST_CHARS, credit


def write_report(run: Run, pool: Workers | None = None) -> None:
    """Write the page into the run's folder; equal databases give equal pages, whoever replays the matches."""
    with replace_file(run.folder.report) as file:
        file.write(render_run_page(run, pool=pool).encode())


def render_run_page(
    run: Run, shown: int = SAMPLE_SIZE, pool: Workers | None = None, *, shows_authors: bool = True
) -> str:
    """Return the page of the blocks played so far, with up to `shown` replays, which a pool computes.

    Without `shows_authors` it names neither authors nor teams.
    """
    results = run.results() if shown == SAMPLE_SIZE else run.read_results(shown)
    values = _values(run, results, shows_authors)
    others = render_report(replays=[], sampling="", **values)
    plan = msgspec.msgpack.encode(RunPlan.from_config(run.config, run.seed))
    stored, replay = read_sample(run, results.sample), partial(replay_of_stored_match, plan)
    replays = pool.map(replay, stored) if pool else map(replay, stored)
    views = limit_to_page_size(replays, len(others.encode()))
    return render_report(replays=views, sampling=_sampling(results, len(views)), **values)


def _values(run: Run, results: RunResults, shows_authors: bool) -> dict[str, Any]:
    """Return the template's variables except the replays."""
    played, board, config = results.blocks, results.scoreboard, run.published_config()
    if not shows_authors:
        bots = tuple(msgspec.structs.replace(bot, team="") for bot in config.bots)
        config = msgspec.structs.replace(config, bots=bots)
    return {
        "title": run.config.title or f"{run.config.format.capitalize()} tournament",
        "lead": _lead(run, results, played),
        "tiles": _tiles(run, results, played),
        "board": board and board.standings.sheets[0],
        "rounds": list_rounds(board.pairings or (), results.labels) if board else [],
        "rounds_title": "Bracket" if run.stages.format.eliminates else "Rounds",
        "parts": build_parts(results),
        "remarks": rating_notes(results),
        "facts": _run_facts(run, config.seed, shows_authors),
        "root": sealed_root(run.folder),
        "config": config.toml(run.folder.path),
        "meanings": _meanings(results),
    }


def _meanings(results: RunResults) -> dict[str, str]:
    docs = column_docs(text_columns(results.rows))
    return {name: one_line_doc(doc) for name, doc in docs.items()} | {"overall": OVERALL_DOC}


class RoundOfTables(NamedTuple):
    """The tables of one round."""

    number: int
    tables: list[list[Pairing]]
    sitting_out: list[str]


def list_rounds(pairings: Iterable[Pairing], labels: Mapping[str, str] = {}) -> list[RoundOfTables]:
    """Return the tables of each round, and who sat out, by their labels."""
    rounds = []
    pairings = [pairing._replace(bot=labels.get(pairing.bot, pairing.bot)) for pairing in pairings]
    for number, group in groupby(pairings, key=lambda pairing: pairing.round):
        own = list(group)
        seated = [pairing for pairing in own if pairing.table is not None]
        tables = [list(table) for _, table in groupby(seated, key=lambda pairing: pairing.table)]
        rounds.append(
            RoundOfTables(number, tables, [pairing.bot for pairing in own if pairing.table is None])
        )
    return rounds


def _lead(run: Run, results: RunResults, played: int) -> str:
    total = run.total
    bots, matches = format_count(len(run.config.bots), "bots"), format_count(results.matches, "matches")
    said = (
        f"{bots} in a {run.config.format}, {matches} on {format_count(played, 'blocks')} of duplicate deals."
    )
    if total is not None and played < total:
        said += f" The run is not finished: {total:,} blocks are planned."
    return said


def _tiles(run: Run, results: RunResults, played: int) -> list[tuple[str, str]]:
    """Return the main counts with their labels."""
    faults = sum(results.faults.values())
    counts = {
        "bots": len(run.config.bots),
        "games": len(results.games),
        "blocks": played,
        "matches": results.matches,
        "faults": faults,
    }
    return [
        (format_count(number, things).partition(" ")[2], f"{number:,}") for things, number in counts.items()
    ]


def _run_facts(run: Run, seed: str, shows_authors: bool) -> list[tuple[str, str]]:
    """Return how the run was played and how to repeat it."""
    labels = label_bots(bot.name for bot in run.config.bots)
    facts = run.metadata
    bots = ", ".join(
        f"{credit(facts, bot, labels[bot]) if shows_authors else labels[bot]} "
        f"({level}, {facts.bots[bot][:DIGEST_CHARS]})"
        for bot, level in facts.isolation.items()
    )
    rules = ", ".join(f"{variant} (rules {number})" for variant, number in facts.rules.items())
    versions = ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    committed = run.committed_seed
    return [
        ("seed", seed or "secret until the run is done"),
        *([("commitment to the seed", committed.commitment)] if committed else []),
        ("format", run.config.format),
        ("games", rules),
        ("bots (isolation, digest)", bots),
        ("versions", f"arena {__version__}, {versions}"),
        ("to repeat", "run `arena run run.toml` in the run's folder; the config is also below"),
    ]


def _sampling(results: RunResults, shown: int) -> str:
    """Return how many replays there are and how they were selected."""
    if shown == results.matches:
        return f"All {format_count(shown, 'matches')} can be watched." if shown != 1 else "It can be watched."
    return (
        f"{shown:,} of {format_count(results.matches, 'matches')} can be watched here: the first in which a "
        "bot failed, and blocks spaced evenly over each game's schedule. `arena replay export` writes all "
        "matches; `arena replay show --html` makes a page of any one."
    )
