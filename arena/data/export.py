"""Export of a run's matches, deals and decisions to CSV and Parquet."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal, NamedTuple, Protocol, Self, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import get_action_space
from arena.adapters.observation import get_encoder
from arena.columns.table_formats import csv_text
from arena.data.rows import (
    DealRow,
    DecisionRow,
    PlayedMatch,
    block_matches,
    column_kinds,
    deal_rows,
    match_decisions,
    replay_match,
)
from arena.errors import ConfigError, StoreError, import_optional
from arena.games import Rules
from arena.play.referee import raise_gc_threshold
from arena.tournament.engine.block_player import get_block_player
from arena.tournament.engine.workers import Workers
from arena.tournament.files import replace_file
from arena.tournament.result_files import MatchRow
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.store.codec import MatchResult
from arena.tournament.store.database import LOCK, writer_lock
from arena.tournament.store.played_blocks import Game

# --- files ---
# CSV, or Parquet through pyarrow; rows are written in batches.

FileFormat = Literal["parquet", "csv"]
COMPRESSION: Final = "zstd"
METADATA_KEY: Final = b"arena"


class VectorColumn(NamedTuple):
    """A column of vectors of one length.

    Attributes:
        name: Its name.
        dtype: Type of the numbers, as numpy names it.
        labels: Meaning of each number, which is its column in CSV.
    """

    name: str
    dtype: str
    labels: Sequence[str]


class FileSchema(NamedTuple):
    """The columns of a file.

    Attributes:
        kinds: Type of each plain column, as `column_kinds` has it.
        vectors: Columns of vectors, after the plain ones.
        metadata: Description of the columns in a Parquet file.
    """

    kinds: Mapping[str, str]
    vectors: Sequence[VectorColumn] = ()
    metadata: Mapping[str, Any] = {}


class Batch(NamedTuple):
    """Some rows of a file; `vectors` has an array of rows and numbers for each vector column."""

    rows: Sequence[tuple[Any, ...]]
    vectors: Sequence[NDArray[Any]] = ()


class TableFile(Protocol):
    """A file that rows are written to; it must be closed, as a context manager."""

    def write(self, batch: Batch) -> None:
        """Write a batch of rows."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _CsvFile:
    """A CSV file; each number of a vector is a cell, with the fewest digits that give it back."""

    def __init__(self, file: BinaryIO, schema: FileSchema) -> None:
        self._file = file
        labels = [f"{vector.name}.{label}" for vector in schema.vectors for label in vector.labels]
        file.write(csv_text([*schema.kinds, *labels], ()).encode())

    def write(self, batch: Batch) -> None:
        rows = (
            (*row, *(cell for array in batch.vectors for cell in array[number].astype(str).tolist()))
            for number, row in enumerate(batch.rows)
        )
        self._file.write(csv_text((), rows).encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class ParquetFile:
    """A Parquet file; a batch is a row group, a vector a list of fixed size."""

    def __init__(self, file: BinaryIO, schema: FileSchema) -> None:
        self._arrow = arrow = import_optional("pyarrow", "parquet")
        types = {"int": arrow.int64(), "float": arrow.float64(), "str": arrow.string()}
        fields = [(name, types[kind.removesuffix(" | None")]) for name, kind in schema.kinds.items()]
        for vector in schema.vectors:
            number = arrow.from_numpy_dtype(np.dtype(vector.dtype))
            fields.append((vector.name, arrow.list_(number, len(vector.labels))))
        metadata = {METADATA_KEY: msgspec.json.encode(schema.metadata)} if schema.metadata else None
        self._schema = arrow.schema(fields, metadata)
        parquet = import_optional("pyarrow.parquet", "parquet")
        self._writer = parquet.ParquetWriter(file, self._schema, compression=COMPRESSION)

    def write(self, batch: Batch) -> None:
        """Write a batch of rows."""
        arrow = self._arrow
        plain = list(zip(*batch.rows, strict=True))
        columns = [arrow.array(values, self._schema.types[at]) for at, values in enumerate(plain)]
        for array in batch.vectors:
            flat = arrow.array(np.ascontiguousarray(array).reshape(-1))
            columns.append(arrow.FixedSizeListArray.from_arrays(flat, array.shape[1]))
        self._writer.write_table(arrow.Table.from_arrays(columns, schema=self._schema))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()


FILE_FORMATS: Final[Mapping[FileFormat, Any]] = {"parquet": ParquetFile, "csv": _CsvFile}


def check_file_format(name: str) -> None:
    """Raise ConfigError for an unknown format; MissingPackage for one whose library is not installed."""
    if name not in FILE_FORMATS:
        raise ConfigError(f"there is no format {name!r}; there are {', '.join(FILE_FORMATS)}")
    if name == "parquet":
        import_optional("pyarrow", "parquet")


# --- exporter ---

Content = Literal["matches", "deals", "decisions"]
CONTENTS: Final = get_args(Content)
EXPORTED: Final = rf"(matches|deals|decisions-.*)\.({'|'.join(get_args(FileFormat))})(\.part)?"
"""Names of the files of an export, and of those that are not complete."""
ROWS_PER_BATCH: Final = 16_384
MIN_ROWS_PER_BATCH: Final = 64
BUFFER_BYTES: Final = 1 << 24
"""Maximum size of all vectors that wait to be written, in bytes."""
SEATS_PER_CALL: Final = 32
"""Seats of the matches that a worker replays in one call: eight matches of four, some ten milliseconds."""
Place = tuple[Block, int, MatchResult]
"""A match to replay: its block, its rotation and its result."""


class _RowBuffer:
    """Rows that wait to be written to a file, in batches of `size`."""

    def __init__(self, file: TableFile, size: int) -> None:
        self._file = file
        self._size = size
        self._rows: list[tuple[Any, ...]] = []
        self._vectors: list[Sequence[NDArray[Any]]] = []

    def add(self, batch: Batch) -> None:
        self._rows += batch.rows
        self._vectors.append(batch.vectors)
        while len(self._rows) >= self._size:
            self.flush()

    def flush(self) -> None:
        """Write a batch; what is left are the rows of the next."""
        if self._rows:
            size = self._size
            vectors = [np.concatenate(arrays) for arrays in zip(*self._vectors, strict=True)]
            self._file.write(Batch(self._rows[:size], [array[:size] for array in vectors]))
            self._rows, self._vectors = self._rows[size:], [[array[size:].copy() for array in vectors]]


def _decision_schema(rules: Rules, players: int) -> FileSchema:
    features, names = get_encoder(rules, players).layout.features, get_action_space(rules, players).names
    numbers = [
        f"{feature.name}[{at}]"
        for feature in features
        for at in range(feature.slice.stop - feature.slice.start)
    ]
    layout = [
        {
            "name": feature.name,
            "start": feature.slice.start,
            "stop": feature.slice.stop,
            "shape": feature.shape,
            "meaning": feature.meaning,
        }
        for feature in features
    ]
    return FileSchema(
        {**column_kinds(DecisionRow), "action": "int"},
        [VectorColumn("action_mask", "int8", names), VectorColumn("observation", "float32", numbers)],
        {"variant": str(rules), "players": players, "actions": names, "observation": layout},
    )


class _MatchRows(NamedTuple):
    """The rows of a replayed match, without those that were not asked for."""

    game: Game
    deals: Batch
    decisions: Batch


def _replay_matches(plan: bytes, only: Collection[Content], places: Sequence[Place]) -> list[_MatchRows]:
    """Return the rows of matches of a plan, in their order."""
    player, matches = get_block_player(plan), []
    with raise_gc_threshold():
        for place in places:
            played = replay_match(player, *place)
            deals = Batch([tuple(row) for row in deal_rows(played)] if "deals" in only else ())
            decisions = _encode_decisions(played) if "decisions" in only else Batch(())
            matches.append(_MatchRows((played.block.variant, played.block.players), deals, decisions))
    return matches


def _encode_decisions(played: PlayedMatch) -> Batch:
    """Return the decisions of a match with their masks and observations."""
    rules, players = played.match.rules, played.block.players
    encoder, space = get_encoder(rules, players), get_action_space(rules, players)
    rows, views, masks = [], [], []
    for row, view in match_decisions(played):
        legal = space.legal(view)
        rows.append((*row, legal.numbers[row.legal_index]))
        views.append(view)
        masks.append(legal.mask_bytes)
    observations = np.empty((len(views), encoder.size), np.float32)
    encoder.encode_many(views, observations, slice(None))
    return Batch(rows, (np.frombuffer(b"".join(masks), np.int8).reshape(-1, len(space)), observations))


class _RunExporter:
    """Write the files of an export, which appear in its folder complete, at the end."""

    def __init__(
        self, run: Run, folder: Path, format: FileFormat, only: Collection[Content], variant: str | None
    ) -> None:
        self._run, self._folder, self._format, self._only = run, folder, format, only
        self._variant = variant
        self._replayed = not {"deals", "decisions"}.isdisjoint(only)
        self._stack = ExitStack()
        self.paths: list[Path] = []
        """Paths of the files."""

    def write(self, pool: Workers | None, on_block: Callable[[int, int], object]) -> None:
        """Write all files; `on_block` gets a number of blocks, 1, and of their matches."""
        games = self._find_games()
        replay = partial(_replay_matches, msgspec.msgpack.encode(self._run.plan()), self._only)
        with self._stack:
            self._matches = self._open_rows("matches", MatchRow)
            deals = self._open_rows("deals", DealRow)
            decisions = self._open_decisions(games)
            places = self._read_matches(games, on_block)
            for matches in pool.map(replay, places) if pool else map(replay, places):
                for match in matches:
                    if deals:
                        deals.add(match.deals)
                    if decisions:
                        decisions[match.game].add(match.decisions)
            for buffer in (self._matches, deals, *decisions.values()):
                if buffer:
                    buffer.flush()

    def _find_games(self) -> dict[Game, Rules]:
        entries = self._run.config.variants
        games = {(str(entry.rules), size): entry.rules for entry in entries for size in entry.players}
        if self._variant is None:
            return games
        wanted = self._run.results().of_variant(self._variant).games
        return {game: rules for game, rules in games.items() if game in wanted}

    def _open(self, name: str, schema: FileSchema) -> TableFile:
        path = self._folder / f"{name}.{self._format}"
        self.paths.append(path)
        file = self._stack.enter_context(replace_file(path))
        table: TableFile = self._stack.enter_context(FILE_FORMATS[self._format](file, schema))
        return table

    def _open_rows(self, content: Content, row_type: type) -> _RowBuffer | None:
        if content not in self._only:
            return None
        return _RowBuffer(self._open(content, FileSchema(column_kinds(row_type))), ROWS_PER_BATCH)

    def _open_decisions(self, games: dict[Game, Rules]) -> dict[Game, _RowBuffer]:
        if "decisions" not in self._only:
            return {}
        buffers = {}
        for (variant, players), rules in games.items():
            schema = _decision_schema(rules, players)
            name = variant.replace("(", "-").replace(", ", "-").replace(",", "-").removesuffix(")")
            width = sum(np.dtype(vector.dtype).itemsize * len(vector.labels) for vector in schema.vectors)
            size = min(max(BUFFER_BYTES // len(games) // width, MIN_ROWS_PER_BATCH), ROWS_PER_BATCH)
            buffers[variant, players] = _RowBuffer(self._open(f"decisions-{name}-{players}", schema), size)
        return buffers

    def _read_matches(
        self, games: Collection[Game], on_block: Callable[[int, int], object]
    ) -> Iterator[list[Place]]:
        """Yield the matches to replay, some for each call; add the rows of all matches to their file."""
        places: list[Place] = []
        for block, result in self._run.played():
            if (block.variant, block.players) in games:
                rows = list(block_matches(block, result))  # reading them checks them
                if self._matches:
                    self._matches.add(Batch(rows))
                for rotation, played in enumerate(result.matches if self._replayed else ()):
                    places.append((block, rotation, played))
                    if len(places) * block.players >= SEATS_PER_CALL:
                        yield places
                        places = []
            on_block(1, len(result.matches))
        if places:
            yield places


def _find_rest(folder: Path) -> list[Path]:
    """Return the files that an export left that was killed in a folder; its lock file says so.

    Raises:
        ConfigError: For a folder with anything else in it.
        OSError: If the folder cannot be read.
    """
    held = list(folder.iterdir())
    names = {path.name for path in held}
    rest = [path for path in held if re.fullmatch(EXPORTED, path.name)] if LOCK in names else []
    if names - {path.name for path in rest} - {LOCK, f"{LOCK}-journal"}:
        raise ConfigError(f"{folder} is not empty: name a new folder")
    return rest


def export_run(
    run: Run,
    folder: Path,
    format: FileFormat,
    only: Collection[Content] = CONTENTS,
    variant: str | None = None,
    on_block: Callable[[int, int], object] = lambda blocks, matches: None,
    pool: Workers | None = None,
) -> list[Path]:
    """Write a run's matches, deals and decisions to files; `RunData.export` explains them.

    `pool` replays the matches; without it, this process does. The files do not depend on it.

    Raises:
        MissingPackage: If the format needs one.
        ConfigError: For unknown contents, or a folder that is not empty.
        StoreError: If the run is damaged.
    """
    if unknown := set(only).difference(CONTENTS):
        raise ConfigError(f"there are no {min(unknown)!r} to export; there are {', '.join(CONTENTS)}")
    check_file_format(format)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        rest = _find_rest(folder)
    except OSError as error:
        raise StoreError(f"{folder} cannot be created: {error.strerror}") from error
    exporter = _RunExporter(run, folder, format, only, variant)
    try:
        with writer_lock(folder, "is being written by another export"):
            for path in rest:
                path.unlink(missing_ok=True)
            with raise_gc_threshold():
                exporter.write(pool, on_block)
    except BaseException:
        with suppress(OSError):
            folder.rmdir()
        raise
    return exporter.paths
