"""Rows of one type, read anew each time, and their conversion to data frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, get_args, get_type_hints, overload

from arena.data.html_tables import html_table
from arena.errors import import_optional

if TYPE_CHECKING:
    import pandas
    import polars

RowT = TypeVar("RowT")
PANDAS_TYPES: Final = {"int": "int64", "int | None": "Int64", "float": "float64", "float | None": "float64"}
SHOWN_ROWS: Final = 20
"""Rows that a notebook shows."""
POLARS_TYPES: Final = {"int": "Int64", "float": "Float64", "bool": "Boolean", "str": "String"}


class Rows(Generic[RowT]):
    """Rows of one type: every iteration reads them again from the run's folder, without keeping them.

    `rows[3]`, `rows[-1]` and `rows[:5]` read as far as they must. `len(rows)` counts without making rows; the
    rows of deals and decisions have no length, as only a replay of all matches tells it.

    Attributes:
        row_type: Class of the rows; its documentation explains the columns.
        columns: Names of the columns.
    """

    def __init__(
        self,
        row_type: type[RowT],
        read: Callable[[], Iterable[RowT]],
        count: Callable[[], int] | None = None,
    ) -> None:
        self.row_type = row_type
        self.columns = tuple(get_type_hints(row_type))
        self._read = read
        self._count = count

    def __iter__(self) -> Iterator[RowT]:
        return iter(self._read())

    def __len__(self) -> int:
        if self._count is None:
            name = self.row_type.__name__
            raise TypeError(f"only a replay tells the number of rows of {name}: sum(1 for row in rows)")
        return self._count()

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @overload
    def __getitem__(self, index: int) -> RowT: ...

    @overload
    def __getitem__(self, index: slice) -> list[RowT]: ...

    def __getitem__(self, index: int | slice) -> RowT | list[RowT]:
        if isinstance(index, slice):
            bounds = (index.start or 0, index.stop or 0, index.step or 1)
            if min(bounds) < 0:
                return list(self)[index]
            return list(islice(self, index.start, index.stop, index.step))
        if index >= 0:
            selected = list(islice(self, index, index + 1))
        else:
            last = deque(self, maxlen=-index)
            selected = [last[0]] if len(last) == -index else []
        if not selected:
            raise IndexError(f"there is no row {index}")
        return selected[0]

    def __repr__(self) -> str:
        return f"<rows of {self.row_type.__name__}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Return the first rows as a table, for a notebook."""
        shown = self._values(SHOWN_ROWS + 1)
        note = "" if len(shown) <= SHOWN_ROWS else f"The first {SHOWN_ROWS} rows."
        return html_table(self.columns, shown[:SHOWN_ROWS], note)

    def to_pandas(self, limit: int | None = None) -> pandas.DataFrame:
        """Return the rows as a pandas data frame, which holds all of them in memory.

        Args:
            limit: Number of rows at most, 0 or more; None for all.

        Returns:
            A column for each of `columns`; types do not depend on the values. Integers that may be missing
            are `Int64`.

        Raises:
            MissingPackage: pandas is not installed.
            StoreError: The run's database is damaged.
        """
        frame = import_optional("pandas", "pandas").DataFrame(self._values(limit), columns=self.columns)
        kinds = {name: PANDAS_TYPES.get(kind) for name, kind in column_kinds(self.row_type).items()}
        return frame.astype({name: kind for name, kind in kinds.items() if kind})

    def to_polars(self, limit: int | None = None) -> polars.DataFrame:
        """Return the rows as a polars data frame, which holds all of them in memory.

        Args:
            limit: Number of rows at most, 0 or more; None for all.

        Returns:
            A column for each of `columns`; types do not depend on the values.

        Raises:
            MissingPackage: Polars is not installed.
            StoreError: The run's database is damaged.
        """
        library = import_optional("polars", "polars")
        schema = {}
        for name, kind in column_kinds(self.row_type).items():
            known = POLARS_TYPES.get(kind.removesuffix(" | None"))
            schema[name] = getattr(library, known) if known else library.List(library.String)
        frame: polars.DataFrame = library.DataFrame(self._values(limit), schema=schema, orient="row")
        return frame

    def _values(self, limit: int | None) -> list[tuple[Any, ...]]:
        return list(map(attrgetter(*self.columns), islice(self, limit)))


def column_kinds(row_type: type) -> dict[str, str]:
    """Return the type of each column by name, such as `int` or `int | None`; `tuple` for several names."""
    kinds = {}
    for name, hint in get_type_hints(row_type).items():
        union = [part for part in get_args(hint) if part not in (type(None), ...)]
        optional = type(None) in get_args(hint)
        kinds[name] = f"{union[0].__name__} | None" if optional else hint.__name__
    return kinds
