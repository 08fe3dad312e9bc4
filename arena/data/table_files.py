"""Files of rows in batches: CSV, or Parquet through pyarrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal, NamedTuple, Protocol, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.columns.table_formats import csv_text
from arena.data.lazy_rows import column_kinds
from arena.errors import ConfigError, import_optional

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


class CsvFile:
    """A CSV file; each number of a vector is a cell, with the fewest digits that give it back."""

    def __init__(self, file: BinaryIO, schema: FileSchema) -> None:
        self._file = file
        labels = [f"{vector.name}.{label}" for vector in schema.vectors for label in vector.labels]
        file.write(csv_text([*schema.kinds, *labels], ()).encode())

    def write(self, batch: Batch) -> None:
        """Write a batch of rows."""
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


FILE_FORMATS: Final[Mapping[FileFormat, Any]] = {"parquet": ParquetFile, "csv": CsvFile}


def check_file_format(name: str) -> None:
    """Raise ConfigError for an unknown format; MissingPackage for one whose library is not installed."""
    if name not in FILE_FORMATS:
        raise ConfigError(f"there is no format {name!r}; there are {', '.join(FILE_FORMATS)}")
    if name == "parquet":
        import_optional("pyarrow", "parquet")


def schema_of(row_type: type) -> FileSchema:
    """Return the columns of a file of rows."""
    return FileSchema(column_kinds(row_type))
