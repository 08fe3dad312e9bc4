"""Rows as data frames: the same values, with types that do not depend on them."""

import math
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from arena import ArenaError, MissingPackage, Rows, RunData

pytestmark = pytest.mark.xdist_group("exported run")  # played once

KINDS = ("ratings", "tallies", "blocks", "matches", "deals", "decisions")


class Sample(NamedTuple):
    """A row of every type there is."""

    name: str
    number: int
    share: float
    rank: int | None
    error: float | None
    bots: tuple[str, ...]
    known: str | None


SAMPLES = [Sample("a", 1, 0.5, None, None, ("a", "b"), None), Sample("b", 2, 1, 3, 0.25, (), "x")]


def rows(samples: list[Sample]) -> Rows[Sample]:
    return Rows(Sample, lambda: samples)


@pytest.mark.parametrize("samples", [SAMPLES, []])
def test_types_of_a_polars_frame_do_not_depend_on_values(samples: list[Sample]) -> None:
    pytest.importorskip("polars")
    frame = rows(samples).to_polars()
    kinds = ["String", "Int64", "Float64", "Int64", "Float64", "List(String)", "String"]
    assert list(map(str, frame.dtypes)) == kinds
    assert [tuple(row) for row in frame.rows()] == [
        (*sample[:5], list(sample[5]), sample[6]) for sample in samples
    ]


@pytest.mark.parametrize("samples", [SAMPLES, []])
def test_types_of_a_pandas_frame_do_not_depend_on_values(samples: list[Sample]) -> None:
    pytest.importorskip("pandas")
    frame = rows(samples).to_pandas()
    assert tuple(frame.columns) == Sample._fields
    assert list(map(str, frame.dtypes[["number", "share", "rank", "error"]])) == [
        *("int64", "float64", "Int64", "float64")
    ]
    assert frame["name"].tolist() == [sample.name for sample in samples]
    if samples:
        assert frame["rank"].isna().tolist() == [True, False]
        assert math.isnan(frame["error"][0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_every_kind_of_rows_has_a_frame(kind: str, library: str, run: RunData) -> None:
    pytest.importorskip(library)
    wanted: Rows[Any] = getattr(run, kind)
    convert: Callable[..., Any] = getattr(wanted, f"to_{library}")
    frame = convert(limit=7)
    first = next(iter(wanted))
    assert len(frame) == min(7, sum(1 for _ in wanted))
    assert tuple(frame.columns) == wanted.columns
    assert frame["variant"][0] == first.variant
    assert len(convert(limit=0)) == 0


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_package_is_named_with_its_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingPackage) as caught:
        getattr(rows(SAMPLES), f"to_{library}")()
    start = f"{library} is not installed: pip install 'commerce-arena[{library}]'"
    assert str(caught.value).startswith(start)
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value, ArenaError)
