"""Console, files, pages and notebook have the same numbers, and shares in percent."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from arena import load_run
from arena.tournament.run import Run
from tests.cli.conftest import Arena

Place = tuple[str, str, str, str]
"""Rank, bot, Elo with the mark of a bound, and ± of a bot at one game."""
SHOWN = ("rank", "bot", "elo", "±")
RANKS = "Ranks say which bot is better: all of a table hold together at 95 %."
WHOLE = 0.56
"""Largest distance of a number in whole points from one with a decimal."""


def places_of(tables: Iterable[Sequence[Mapping[str, str]]]) -> list[Place]:
    """Return the places in tables for people, none of which may have the error about the mean."""
    places = []
    for table in tables:
        assert "error" not in table[0]
        places += [
            (row["rank"], row["bot"], row["elo"], row["±"].strip("–"))
            for row in table
            if set(SHOWN) <= row.keys()
        ]
    return sorted(places)


def of_records(rows: Iterable[Mapping[str, Any]]) -> list[Place]:
    """Return the places in rows for programs, which have the ± beside the Elo and `error` last."""
    places = []
    for row in rows:
        names = [name for name in row if name not in ("beats", "label")]
        assert (names[names.index("elo") + 1], names[-1]) == ("comparison_error", "error")
        assert str(row["rank"]) == "–".join(sorted({str(row["rank_low"]), str(row["rank_high"])}, key=int))
        bound, bar = row["elo_bound"], row["comparison_error"]
        if bound:
            elo = f"{row['mark']}{float(bound):.1f}"
        else:  # an overall that contains a bound is marked too, and has none of its own
            elo = "–" if row["mark"] else f"{float(row['elo']):.1f}"
        places.append((row["rank"], row["bot"], elo, f"{float(bar):.1f}" if bar else ""))
    return sorted(places)


def read_plain(text: str) -> Iterator[list[dict[str, str]]]:
    """Yield the tables in plain text, by their rules."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.fullmatch(r"-+(  -+)+", line):
            spans = [match.span() for match in re.finditer("-+", line)]
            end = lines.index("", number) if "" in lines[number:] else len(lines)
            head, *body = (
                [row[start:stop].strip() for start, stop in spans]
                for row in [lines[number - 1], *lines[number + 1 : end]]
            )
            yield [dict(zip(head, row, strict=True)) for row in body]


def read_markdown(text: str) -> Iterator[list[dict[str, str]]]:
    """Yield the tables in Markdown."""
    for part in text.split("\n\n"):
        if part.startswith("|"):
            head, _, *body = ([cell.strip() for cell in row.split("|")[1:-1]] for row in part.splitlines())
            yield [dict(zip(head, row, strict=True)) for row in body]


def read_html(text: str) -> Iterator[list[dict[str, str]]]:
    """Yield the tables of ratings in a page."""
    for table in re.findall("<table.*?</table>", text, re.DOTALL):
        rows = [re.findall(r"<t[hd]\b.*?</t[hd]>", row, re.DOTALL) for row in table.split("<tr")[1:]]
        head, *body = [[unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in row] for row in rows]
        if head[: len(SHOWN)] == list(SHOWN):
            yield [dict(zip(head, row, strict=True)) for row in body]


def assert_rounded(whole: Sequence[Place], places: Sequence[Place]) -> None:
    """Raise AssertionError unless numbers in whole points are those with a decimal, in whatever order."""
    left = list(places)
    for row in whole:
        fitting = [place for place in left if rounds_to(place, row)]
        assert fitting, (row, left)
        left.remove(fitting[0])
    assert not left


def rounds_to(place: Place, whole: Place) -> bool:
    """Tell whether a place has the numbers of one in whole points."""
    numbers = list(zip(whole[2:], place[2:], strict=True))
    same = all((short[:1] in "<>", bool(short)) == (long[:1] in "<>", bool(long)) for short, long in numbers)
    return (
        whole[:2] == place[:2]
        and same
        and all(
            short == long or float(short.strip("<>")) == pytest.approx(float(long.strip("<>")), abs=WHOLE)
            for short, long in numbers
        )
    )


def test_a_run_has_the_same_numbers_everywhere(arena: Arena, tmp_path: Path) -> None:
    out = tmp_path / "run"
    games = ["--game", "lives", "--game", "thirty-one", "--players", "3", "--blocks", "12", "--seed", "x"]
    ended = arena("run", "greedy", "prudent", "counter", "random", *games, "--out", out)
    printed = arena("table", out).stdout
    places = places_of(read_plain(printed))
    assert len(places) == 12
    assert any("–" in rank for rank, *_ in places), "the case that is tested"
    assert any(elo[0] == "<" and not bar for _, _, elo, bar in places), "the case that is tested"
    assert places_of(read_plain(ended.stdout)) == places
    assert places_of(read_plain(arena("table", out, "--wide").stdout)) == places
    assert places_of(read_markdown((out / "elo.md").read_text())) == places
    report = (out / "report.html").read_text()
    notebook = load_run(out)._repr_html_()
    assert places_of(read_html(report)) == places_of(read_html(notebook)) == places
    for text in ((out / "elo.csv").read_text(), arena("table", out, "--format", "csv").stdout):
        assert of_records(csv.DictReader(text.splitlines())) == places
    assert of_records(json.loads(arena("table", out, "--format", "json").stdout)) == places
    sentences = [line for line in printed.splitlines() if " leads " in line]
    assert len(sentences) == 3
    notes = ("< hardly a point or none", RANKS)
    markdown = arena("table", out, "--format", "md").stdout.replace("\\", "")
    latex = arena("table", out, "--format", "latex").stdout
    written = (out / "elo.md").read_text().replace("\\", "")
    for text in (printed, written, markdown, latex, unescape(report), unescape(notebook)):
        assert [sentence for sentence in (*sentences, *notes) if sentence not in text] == []
    [profiles] = read_plain(arena("table", out, "--variants").stdout)
    rated = {tuple(cell.split(" ± ")) for row in profiles for cell in (row["lives/3"], row["thirty-one/3"])}
    assert rated <= {(elo, bar) if bar else (elo,) for _, _, elo, bar in places}
    arena("figure", out, "--kind", "ratings", "--out", tmp_path / "ratings.svg")
    assert "with bars for comparing" in (tmp_path / "ratings.svg").read_text()
    projector = pytest.importorskip("arena.web.live")
    shown = [
        (
            row["rank"],
            row["bot"],
            f"{row['bound']}{row['elo']:.0f}",
            f"{row['error']:.0f}" if row["error"] else "",
        )
        for row in projector.describe_run(Run.open(out))["rows"]
    ]
    assert_rounded(sorted(shown), places_of([[*read_plain(printed)][-1]]))


def test_a_league_has_the_same_numbers_everywhere(arena: Arena, tmp_path: Path) -> None:
    out = tmp_path / "league"
    arena("league", "new", out)
    games = "".join(
        f'[[variants]]\nname = "{name}"\nplayers = [3]\n' for name in ("lives(tokens=1)", "thirty-one")
    ).replace('lives(tokens=1)"', 'lives"\ntokens = 1')
    (out / "league.toml").write_text(f"blocks = 40\nprecision = 60\n{games}")
    arena("league", "submit", out, "greedy", "prudent", "counter", "random")
    updated = arena("league", "update", out)
    printed = arena("league", "list", out).stdout
    places = places_of(read_plain(printed))
    assert len(places) == 12
    assert any("–" in rank for rank, *_ in places), "the case that is tested"
    assert set(places_of(read_plain(updated.stdout))) < set(places)
    listed = arena("league", "list", out, "--format", "csv").stdout
    assert of_records(csv.DictReader(listed.splitlines())) == places
    assert of_records(json.loads(arena("league", "list", out, "--json").stdout)) == places
    site = out / "site"
    assert of_records(json.loads((site / "index.json").read_text())["standings"]) == places
    pages = [(site / "index.html").read_text(), *(page.read_text() for page in site.glob("games/*.html"))]
    assert_rounded(places_of(table for page in pages for table in read_html(page)), places)
    sentences = [line.partition(": ")[2] for line in printed.splitlines() if " leads " in line]
    assert len(sentences) == 3
    assert [sentence for sentence in sentences if not any(sentence in page for page in pages)] == []


SHARES = ("score", "scores", "los", "share", "lead", "behind", "expected", "gain", "sacrifice", "advantage")
GAME = ("--variant", "lives", "--players", "2", "--set", "tokens=1", "--jobs", "1", "--seed", "any")
TABLES = ((), ("--matrix",), ("--show", "exceptions"))


def shares(value: Any) -> Iterator[float]:
    """Yield the shares in the JSON of a command."""
    if isinstance(value, list):
        for part in value:
            yield from shares(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in SHARES and isinstance(part, int | float):
                yield part
            elif key == "scores":
                yield from part
            elif key not in ("choices", "deals"):
                yield from shares(part)


@pytest.mark.parametrize("aspect", TABLES)
def test_json_and_csv_have_the_percentages_of_the_table(
    arena: Arena, played: Path, aspect: tuple[str, ...]
) -> None:
    call = ("table", played, *aspect)
    fields = list(shares(json.loads(arena(*call, "--format", "json").stdout)))
    rows = csv.DictReader(arena(*call, "--format", "csv").stdout.splitlines())
    cells = [float(row[key]) for row in rows for key in row if key in SHARES and row[key]]
    assert cells == pytest.approx(fields)
    assert max(fields) > 1
    if aspect == ("--matrix",):  # a LOS is printed with a bound, and no cycle is listed
        text = arena(*call).stdout
        assert all(f"{share:.1f}" in text for share in fields)


def test_the_json_of_a_plan_has_the_percentages_of_its_text(arena: Arena, played: Path) -> None:
    text = arena("plan", played, "--jobs", "1").stdout
    fields = list(shares(json.loads(arena("plan", played, "--jobs", "1", "--json").stdout)))
    assert max(fields) > 1
    assert all(f"{share:.1f}%" in text for share in fields if share < 99.9)


@pytest.mark.parametrize(
    "call",
    [
        ("compare", "greedy", "stand-pat", "--blocks", "8"),
        ("compare", "greedy", "stand-pat", "random", "--blocks", "8"),
    ],
)
def test_json_has_the_percentages_of_a_comparison(arena: Arena, call: tuple[str, ...]) -> None:
    text = arena(*call, *GAME).stdout
    fields = list(shares(json.loads(arena(*call, *GAME, "--json").stdout)))
    assert len(fields) > 1
    assert max(fields) > 1
    assert all(f"{abs(share):.1f}%" in text for share in fields if share < 99.9)


def test_json_has_the_percentages_of_the_difference(arena: Arena, played: Path) -> None:
    text = arena("why", "greedy", "random", played, "--all").stdout
    parts = json.loads(arena("why", "greedy", "random", played, "--json").stdout)["parts"]
    assert all(f"{part['lead']:+z.1f}%" in text for part in parts)
    assert all(part["error"] is None or f"{part['error']:.1f}%" in text for part in parts)


def test_rows_in_python_have_the_percentages_of_the_files(played: Path) -> None:
    run = load_run(played)
    with (played / "elo.csv").open() as file:
        scores = [float(row["score"]) for row in csv.DictReader(file)]
    assert [round(row.score or 0, 1) for row in run.ratings] == scores
    assert max(row.los or 0 for row in run.ratings) > 1
    for row in run.tallies:
        assert row.score == pytest.approx(100 * row.points / row.pairs)
        assert row.error is None or row.error > 1
