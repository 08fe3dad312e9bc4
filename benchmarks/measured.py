"""Write the tables of docs/measured.md again, from benchmarks/coverage.csv and benchmarks/claims.csv.

    .venv/bin/python -m benchmarks.measured

`benchmarks.coverage --keep` writes the first file. The second has figures that other benchmarks printed, with
their commands; what a benchmark prints after a change is put in its row by hand.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.coverage import Row, read_rows

PAGE: Final = Path(__file__).parents[1] / "docs" / "measured.md"
CLAIMS: Final = Path(__file__).with_name("claims.csv")


def list_coverage() -> Iterator[str]:
    """Yield the table of coverage: the range of each number, and a field off by more than its error."""
    yield "| number | promised | measured | fields | furthest from it |"
    yield "| --- | ---: | ---: | ---: | --- |"
    rows: dict[str, list[Row]] = {}
    for row in read_rows():
        rows.setdefault(row.number, []).append(row)
    for number, fields in rows.items():
        shares = sorted({row.measured for row in fields}, key=float)
        worst = max(fields, key=measure_distance)
        cells = (number, worst.nominal, " to ".join(dict.fromkeys((shares[0], shares[-1]))) + " %")
        furthest = worst.drawn if measure_distance(worst) > float(worst.error) else "–"
        yield f"| {' | '.join(cells)} | {len(fields)} | {furthest} |"


def measure_distance(row: Row) -> float:
    """Return by how many percentage points a share is on the wrong side of what is promised."""
    measured, promised = float(row.measured), [float(text) for text in re.findall(r"[\d.]+", row.nominal)]
    if not promised:
        return 0.0
    low, high = promised[0], promised[-1]
    above = 0.0 if "≥" in row.nominal else measured - high
    below = 0.0 if "≤" in row.nominal else low - measured
    return max(above, below)


def list_claims() -> Iterator[str]:
    """Yield the table of what other benchmarks measured."""
    yield "| what | measured | command |"
    yield "| --- | --- | --- |"
    with CLAIMS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield f"| {row['claim']} | {row['figure']} | `python -m benchmarks.{row['benchmark']}` |"


def replace_tables(page: str, tables: Iterable[str]) -> str:
    """Return the page with each of the tables in place of the one that has the same header.

    Raises:
        ValueError: For a table whose header is not on the page.
    """
    for table in tables:
        header = table.partition("\n")[0]
        if f"\n{header}\n" not in page:
            raise ValueError(f"no table has the header {header}")
        page = re.sub(
            rf"^{re.escape(header)}\n(?:\|.*\n)*", lambda _, table=table: table, page, flags=re.MULTILINE
        )
    return page


def render(page: str) -> str:
    """Return the page with its two tables as they are now."""
    return replace_tables(
        page, ("".join(f"{line}\n" for line in lines()) for lines in (list_coverage, list_claims))
    )


def main() -> None:
    """Write the page."""
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
