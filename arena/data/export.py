"""Export of a run's matches, deals and decisions to CSV and Parquet."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
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
    MatchReplayer,
    PlayedMatch,
    block_matches,
    column_kinds,
    deal_rows,
    match_decisions,
)
from arena.errors import ConfigError, StoreError, import_optional
from arena.games import Rules, View
from arena.play.referee import raise_gc_threshold
from arena.tournament.files import replace_file
from arena.tournament.result_files import MatchRow
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult
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


def _schema_of(row_type: type) -> FileSchema:
    return FileSchema(column_kinds(row_type))


# --- exporter ---

Content = Literal["matches", "deals", "decisions"]
CONTENTS: Final = get_args(Content)
EXPORTED: Final = rf"(matches|deals|decisions-.*)\.({'|'.join(get_args(FileFormat))})(\.part)?"
"""Names of the files of an export, and of those that are not complete."""
ROWS_PER_BATCH: Final = 16_384
MIN_ROWS_PER_BATCH: Final = 64
VIEWS_PER_BATCH: Final = 256
"""Views that are encoded together, at most."""
BUFFER_BYTES: Final = 1 << 24
"""Maximum size of all vectors that wait to be written, in bytes."""


class _RowBuffer:
    """Rows that wait to be written to a file in a batch."""

    def __init__(self, file: TableFile) -> None:
        self._file = file
        self._rows: list[tuple[Any, ...]] = []

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self._rows += rows
        if len(self._rows) >= ROWS_PER_BATCH:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._file.write(Batch(self._rows))
            self._rows = []


class _DecisionBuffer:
    """Decisions of one game that wait to be written, with their observations and masks."""

    def __init__(self, rules: Rules, players: int, buffer_bytes: int) -> None:
        self._encoder, self._space = get_encoder(rules, players), get_action_space(rules, players)
        width = 4 * self._encoder.size + len(self._space)
        size = min(max(buffer_bytes // width, MIN_ROWS_PER_BATCH), ROWS_PER_BATCH)
        self._observations = np.zeros((size, self._encoder.size), np.float32)
        self._masks = np.zeros((size, len(self._space)), np.int8)
        self._rows: list[tuple[Any, ...]] = []
        self._views: list[View] = []
        self._mask_bytes: list[bytes] = []
        """Those of the last rows, which are not in the arrays yet."""
        self.file: TableFile | None = None

    @property
    def schema(self) -> FileSchema:
        features, names = self._encoder.layout.features, self._space.names
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
            {
                "variant": str(self._encoder.rules),
                "players": self._encoder.players,
                "actions": names,
                "observation": layout,
            },
        )

    def add(self, row: DecisionRow, view: View) -> None:
        legal = self._space.legal(view)
        self._rows.append((*row, legal.numbers[row.legal_index]))
        self._views.append(view)
        self._mask_bytes.append(legal.mask_bytes)
        if len(self._rows) == len(self._masks):
            self.flush()
        elif len(self._views) == VIEWS_PER_BATCH:
            self._encode()

    def _encode(self) -> None:
        """Write observations and masks of the last rows into the arrays."""
        if self._views:
            rows = slice(len(self._rows) - len(self._views), len(self._rows))
            self._encoder.encode_many(self._views, self._observations, rows)
            masks = np.frombuffer(b"".join(self._mask_bytes), np.int8)
            self._masks[rows] = masks.reshape(len(self._views), -1)
            self._views, self._mask_bytes = [], []

    def flush(self) -> None:
        self._encode()
        count = len(self._rows)
        if count and self.file:
            self.file.write(Batch(self._rows, (self._masks[:count], self._observations[:count])))
            self._rows = []


class _RunExporter:
    """Write the files of an export, which appear in its folder complete, at the end."""

    def __init__(
        self, run: Run, folder: Path, format: FileFormat, only: Collection[Content], variant: str | None
    ) -> None:
        self._run, self._folder, self._format, self._only = run, folder, format, only
        self._variant = variant
        self._replayer = MatchReplayer(run)
        self._stack = ExitStack()
        self.paths: list[Path] = []
        """Paths of the files."""

    def write(self, on_block: Callable[[int, int], object]) -> None:
        """Write all files; `on_block` gets a number of blocks, 1, and of their matches."""
        games = self._find_games()
        with self._stack:
            self._matches = self._open_rows("matches", MatchRow)
            self._deals = self._open_rows("deals", DealRow)
            self._decisions = self._open_decisions(games)
            for block, result in self._run.played():
                if (block.variant, block.players) in games:
                    self._add_block(block, result)
                on_block(1, len(result.matches))
            for buffer in (self._matches, self._deals, *self._decisions.values()):
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
        return _RowBuffer(self._open(content, _schema_of(row_type))) if content in self._only else None

    def _open_decisions(self, games: dict[Game, Rules]) -> dict[Game, _DecisionBuffer]:
        if "decisions" not in self._only:
            return {}
        buffers = {}
        for (variant, players), rules in games.items():
            buffer = _DecisionBuffer(rules, players, BUFFER_BYTES // len(games))
            name = variant.replace("(", "-").replace(", ", "-").replace(",", "-").removesuffix(")")
            buffer.file = self._open(f"decisions-{name}-{players}", buffer.schema)
            buffers[variant, players] = buffer
        return buffers

    def _add_block(self, block: Block, result: BlockResult) -> None:
        if self._matches:
            self._matches.add(block_matches(block, result))
        if self._deals or self._decisions:
            for played in self._replayer.replay(block, result):
                self._add_match(played)

    def _add_match(self, played: PlayedMatch) -> None:
        if self._deals:
            self._deals.add(deal_rows(played))
        if self._decisions:
            buffer = self._decisions[played.block.variant, played.block.players]
            for row, view in match_decisions(played):
                buffer.add(row, view)


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
) -> list[Path]:
    """Write a run's matches, deals and decisions to files; `RunData.export` explains them.

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
                exporter.write(on_block)
    except BaseException:
        with suppress(OSError):
            folder.rmdir()
        raise
    return exporter.paths
