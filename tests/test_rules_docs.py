"""The rules as they are told: a page for each game, docs built from them, rulings that can be cited."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from arena.games import VARIANTS, Rules
from arena.games.option_fields import list_options
from docs.build_rules import build_pages
from tests.conftest import Golden

ROOT = Path(__file__).parents[1]
RULINGS = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
PAGES = {file.stem: file for file in sorted(ROOT.glob("arena/families/*/pages/*.md"))}
"""Rule pages, by name of the game."""
BUILT = build_pages()
LISTED = re.findall(r"^- \*\*([WBCR]?\d+)\*\* ", RULINGS, re.MULTILINE)
SHEETS = re.findall(r"\| (B\d+) (?=\|)", RULINGS)


def test_every_game_has_a_rule_page_and_every_page_a_game() -> None:
    assert PAGES.keys() == {rules.name for rules in VARIANTS}


@pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
def test_the_clauses_of_a_page_are_numbered_and_each_has_a_source(page: Path) -> None:
    clauses = re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |^#|^$)", page.read_text("utf-8") + "\n", re.M | re.S)
    assert [int(number) for number, _ in clauses] == list(range(1, len(clauses) + 1))
    for number, clause in clauses:
        assert re.search(r"\[[^]]*\b[SWBCR]\d+[^]]*\]\s*$", clause), f"clause {number} has no source"


@pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
def test_the_options_a_page_names_are_the_games_or_those_of_another(page: Path) -> None:
    known = {option.name for rules in VARIANTS for option, _ in list_options(rules)}
    named = re.findall(r"\boptions?\s+`(\w+)`", page.read_text(encoding="utf-8"))
    assert set(named) <= known


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_every_page_has_the_numbers_of_players_of_the_source_and_of_the_arena(rules: Rules) -> None:
    named = rules.source_players
    assert (named is None) == (rules.source == "S003")
    source = f"in the source {named[0]}-{named[1]}" if named else "the source names no number"
    page = BUILT[ROOT / "docs" / "games" / f"{rules.name}.md"]
    assert f"\n2-{rules.players[-1]} players ({source}) ·" in page


def test_extended_says_that_its_rounds_are_limited_though_s004_drops_the_limit() -> None:
    text = " ".join(PAGES["extended"].read_text(encoding="utf-8").split())
    assert "S004 drops the cap of rounds" in text
    assert "after twenty rounds, or as many as the option `rounds` says" in text


@pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
def test_a_page_that_names_the_eldest_says_who_that_is(page: Path) -> None:
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert text.count("the eldest") == text.count("the eldest, the player at the dealer's left,")


@pytest.mark.parametrize("file", BUILT, ids=lambda file: file.stem)
def test_the_docs_of_the_games_are_built_from_the_rule_book_as_it_is(file: Path, golden: Golden) -> None:
    assert golden(file, BUILT[file]) == BUILT[file]


def test_no_doc_tells_of_a_game_that_is_not_there() -> None:
    assert {file.stem for file in (ROOT / "docs" / "games").iterdir()} == {rules.name for rules in VARIANTS}


def test_the_rulings_are_all_there_in_their_order() -> None:
    counts = {"W": 32, "B": 23, "C": 31, "R": 33, "": 10}
    expected = [f"{letter}{n}" for letter, last in counts.items() for n in range(1, last + 1)]
    assert expected == LISTED


def test_the_options_a_ruling_names_are_there() -> None:
    known = {option.name for rules in VARIANTS for option, _ in list_options(rules)}
    named = re.findall(r"Options?:\s+((?:`\w+`(?:,\s+)?)+)", RULINGS)
    assert named
    assert set(re.findall(r"`(\w+)`", " ".join(named))) <= known


def cited(text: str) -> Iterator[tuple[str, str]]:
    """Return a text's citations, as (kind, number): `rulings W4-W6, R4` are four of them."""
    numbers = r"[WBCR]\d+(?:[-–][WBCR]\d+)?"
    for kind, listed in re.findall(rf"\b(ruling|sheet)s? ({numbers}(?:(?:,| and)\s+{numbers})*)", text):
        for letter, first, last in re.findall(r"([WBCR])(\d+)(?:[-–][WBCR](\d+))?", listed):
            for number in range(int(first), int(last or first) + 1):
                yield kind, f"{letter}{number}"


def test_a_citation_of_several_is_read_as_all_of_them() -> None:
    references = list(cited("Source: S002, rulings W4-W6, R4; sheets B5 and B7."))
    assert references == [("ruling", n) for n in ("W4", "W5", "W6", "R4")] + [
        ("sheet", "B5"),
        ("sheet", "B7"),
    ]


def test_whatever_is_cited_is_listed() -> None:
    sources = chain(*(ROOT.glob(pattern) for pattern in ("arena/**/*.py", "arena/**/*.md", "tests/**/*.py")))
    for file in sorted(sources):
        for kind, number in cited(file.read_text(encoding="utf-8")):
            listed = LISTED if kind == "ruling" else SHEETS
            assert number in listed, f"{file.relative_to(ROOT)} cites {kind} {number}"
