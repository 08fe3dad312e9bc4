"""Load the results of a run from its folder."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import escape

from arena.data.export import CONTENTS, Content, FileFormat, export_run
from arena.data.rows import (
    SHOWN_ROWS,
    BlockRow,
    DealRow,
    DecisionRow,
    Replay,
    Rows,
    TallyRow,
    count_match_rows,
    count_tallies,
    deal_rows,
    html_table,
    match_decisions,
    read_blocks,
    read_matches,
    read_tallies,
    replay_run,
)
from arena.errors import RecordError
from arena.tournament.files import RunFolder
from arena.tournament.result_files import MatchRow
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.rating_table import rating_notes, rating_set
from arena.tournament.run import Run


class RunData:
    """The results of a run, also of one that is still in progress; `load_run` makes one.

    Rows are read from the run's database whenever they are iterated over, so that a run of a million matches
    needs little memory. No bot is loaded.
    """

    def __init__(self, run: Run) -> None:
        self._run = run

    @property
    def run(self) -> Run:
        """The run itself, for what is not here: `results()`, `outcomes()`, the `folder` with its files."""
        return self._run

    def __repr__(self) -> str:
        return f"<run in {self.path}: {self.format} of {len(self.bots)} bots>"

    def _repr_html_(self) -> str:
        """Return what was played, and the tables of ratings, for a notebook."""
        games = "; ".join(f"{variant}, {players} players" for variant, players in self.games)
        heading = f"{self.format} of {len(self.bots)} bots at {games}, in {self.path}"
        html, rows = f"<p>{escape(heading)}</p>", 0
        results = self._run.results()
        sheets = rating_set(results.rows, rating_notes(results)).sheets
        for sheet in sorted(sheets, key=lambda sheet: sheet.rows[0].players is not None):  # overall first
            rows += len(sheet.rows)
            if rows > SHOWN_ROWS and rows > len(sheet.rows):
                return f"{html}<p>.ratings has the rows of all games.</p>"
            texts = [column.name for column in sheet.columns if column.kind.is_text]
            table = html_table(sheet.headings, sheet.cells, " ".join(sheet.notes), texts)
            html += f"<p>{escape(sheet.title)}</p>{table}"
        return html

    @property
    def path(self) -> Path:
        """The folder of the run."""
        return self._run.folder.path

    @property
    def seed(self) -> str:
        """The seed of the run."""
        return self._run.seed

    @property
    def format(self) -> str:
        """The format, such as `round-robin`."""
        return self._run.config.format

    @property
    def bots(self) -> tuple[str, ...]:
        """Names of the bots, in the order of the config."""
        return tuple(bot.name for bot in self._run.config.bots)

    @property
    def games(self) -> tuple[tuple[str, int], ...]:
        """The variants, as printed, each with a number of players, in the order of the config."""
        return tuple(
            (str(variant.rules), size) for variant in self._run.config.variants for size in variant.players
        )

    @property
    def config(self) -> str:
        """The config as TOML."""
        return self._run.metadata.config

    @property
    def versions(self) -> dict[str, str]:
        """Versions of Python and of the packages on which results depend."""
        return dict(self._run.metadata.versions)

    @property
    def ratings(self) -> Rows[RatingRow]:
        """Ratings, best first: game by game, then over all games where there are several."""
        return Rows(RatingRow, self._ratings, lambda: len(self._ratings()))

    @property
    def standings(self) -> list[dict[str, Any]]:
        """Standings by the rules of the format, best first; empty where the ratings are the standings."""
        board = self._run.results().scoreboard
        return board.standings.dicts if board else []

    @property
    def tallies(self) -> Rows[TallyRow]:
        """Points of each bot against each other, both ways round, game by game."""
        return Rows(TallyRow, lambda: read_tallies(self._run), lambda: count_tallies(self._run))

    @property
    def blocks(self) -> Rows[BlockRow]:
        """The blocks played so far, in schedule order."""
        return Rows(BlockRow, lambda: read_blocks(self._run), self._run.count_blocks)

    @property
    def matches(self) -> Rows[MatchRow]:
        """A row for each seat of each match, in schedule order: the rows of `matches.csv`."""
        return Rows(MatchRow, lambda: read_matches(self._run), lambda: count_match_rows(self._run))

    @property
    def deals(self) -> Rows[DealRow]:
        """A row for each seat of each deal, in schedule order; matches are replayed for it."""
        return Rows(DealRow, self._deals)

    @property
    def decisions(self) -> Rows[DecisionRow]:
        """A row for each action that was chosen from at least two, in order; matches are replayed for it."""
        return Rows(DecisionRow, self._decisions)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all matches in schedule order as records, such as `play_match` returns."""
        return map(msgspec.json.decode, self._run.records())

    def replay(self, block: str, rotation: int = 0) -> Replay:
        """Return a match to step through.

        Args:
            block: Address of the block, as in the rows.
            rotation: Number of the seating in its block, from 0.

        Raises:
            RecordError: The run has not played such a match.
        """
        for record in self.records():
            if (record["block"], record["rotation"]) == (block, rotation):
                return Replay(record)
        raise RecordError(f"{self.path} has no match of the block {block!r} with rotation {rotation}")

    def export(
        self,
        folder: Path | str,
        format: FileFormat = "parquet",
        *,
        only: Collection[Content] = CONTENTS,
        variant: str | None = None,
    ) -> list[Path]:
        """Write matches, deals and decisions to files, in batches: memory does not grow with the run.

        There is one file of `matches`, one of `deals`, and one of decisions for each game and table size. A
        decision has the columns of `DecisionRow`, and

        - `action`: the number of the action in `get_action_space(rules, players)`, as environments take it;
        - `action_mask`: 1 for each legal number, else 0;
        - `observation`: the vector of `get_encoder(rules, players)`, values from 0 to 1.

        In Parquet mask and observation are lists of fixed size (int8, float32), and the key `arena` of the
        file's metadata has, as JSON, the name of each action and the place of each feature in the vector. In
        CSV each of their numbers is a column, such as `observation.hand[0]`.

        Equal runs give equal bytes, given the same version of pyarrow.

        Args:
            folder: Folder for the files; it must be new or empty.
            format: `parquet` or `csv`.
            only: Which of `matches`, `deals` and `decisions` to write.
            variant: Only this game, named with its options or without; None for all.

        Returns:
            The paths of the files.

        Raises:
            MissingPackage: Pyarrow is not installed.
            ConfigError: The folder is not empty, or the run has no such game.
            StoreError: The run's database is damaged, or a file cannot be written.
        """
        return export_run(self._run, Path(folder), format, only, variant)

    def _ratings(self) -> list[RatingRow]:
        return self._run.results().rows

    def _deals(self) -> Iterator[DealRow]:
        for played in replay_run(self._run):
            yield from deal_rows(played)

    def _decisions(self) -> Iterator[DecisionRow]:
        for played in replay_run(self._run):
            for row, _ in match_decisions(played):
                yield row


def load_run(folder: Path | str | None = None) -> RunData:
    """Load the results of a run.

    Nothing of its bots is loaded, and they need not exist any more.

    Args:
        folder: The folder of the run; None for the one in `results/` that was written last.

    Returns:
        Its results, read when they are asked for.

    Raises:
        StoreError: There is no run, or its database is damaged.
        ConfigError: The run is of a game that this version does not have.

    Example:
        Ratings as a data frame:

            from arena import load_run

            frame = load_run("results/quick-001").ratings.to_pandas()
    """
    return RunData(Run.open(Path(folder) if folder is not None else RunFolder.open_latest().path))
