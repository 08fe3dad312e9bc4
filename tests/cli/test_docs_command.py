"""`arena docs`, and what new bots and configs say of it."""

import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import asdict

from arena.games.option_fields import list_options
from arena.plugins.scaffold import TEMPLATES
from arena.tournament.setup.config import COMMON_KEYS, OWN_KEYS, TEMPLATE, list_formats, read_config
from arena.tournament.setup.toml_checks import parse_toml
from tests.cli.conftest import Arena

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = {
    "games",
    "without",
    "goal",
    "candidates",
    "parameters",
    "integers",
    "adjust",
    "alike_blocks",
    "bots",
    "variants",
    "title",
    "seed",
    "tables",
    "hero",
    "sprt",
    "confidence",
}
"""Settings of the template that show an example, not the default."""


def test_a_page_is_found_as_links_name_it(arena: Arena) -> None:
    printed = arena("docs", "statistics").stdout
    for name in ("statistics.md", "docs/statistics.md", "statistics.md#reading-a-table"):
        assert arena("docs", name).stdout == printed
    missing = arena("docs", "slurm")
    assert missing.exit_code == 2
    assert "arena docs --search slurm" in missing.stderr


def test_a_config_is_not_made_as_a_bot(arena: Arena) -> None:
    refused = arena("new", "cup.toml")
    assert refused.exit_code == 2
    assert "arena new cup.toml --config" in refused.stderr


def test_every_page_is_listed_and_printed(arena: Arena) -> None:
    _, _, pages = arena("docs").stdout.partition("All pages:\n")
    listed = [line.split()[0] for line in pages.splitlines()]
    files = {page.stem: page for page in (*DOCS.glob("*.md"), DOCS.parent / "README.md")}
    assert listed == sorted(files)
    assert "protocol" in listed
    for page in listed:
        assert arena("docs", page).stdout.strip() == files[page].read_text(encoding="utf-8").strip()


def test_the_list_begins_with_where_to_start(arena: Arena) -> None:
    start, *rest = arena("docs").stdout.split("\n\n")[0].splitlines()
    assert start == "Start here:"
    calls = [re.split(" {2,}", line.strip())[0].split()[1:] for line in rest]
    assert calls[0] == ["docs", "README"]
    assert [arena(*call).exit_code for call in calls] == [0] * 4


QUESTIONS = {
    "how do I cite it?": "statistics",
    "how do I know that version 2 is better": "improving-a-bot",
    "what does ± mean": "statistics",
    "hold a final": "league",
    "play on a cluster": "cluster",
    "write a game": "your-own-game",
    "my bot times out": "writing-a-bot",
    "untrusted bots": "isolation",
    "untrusted": "isolation",
    "watch a match": "reading-results",
    "watch a run": "running-tournaments",
    "replay vs watch": "reading-results",
    "install extras": "README",
    "resume a run": "running-tournaments",
    "publish results": "verification",
    "train a bot": "improving-a-bot",
    "play in the browser": "playing",
    "my own house rules": "running-tournaments",
}
"""Pages that answer a question."""


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_leads_to_its_page(arena: Arena, question: str) -> None:
    sections = arena("docs", "--search", question).stdout.splitlines()[:6:2]
    assert QUESTIONS[question] in [section.partition(":")[0] for section in sections]


def test_sections_are_found_by_their_words(arena: Arena) -> None:
    first, line, *rest = arena("docs", "--search", "report card").stdout.splitlines()
    assert first == "submitting: The report card"
    assert arena("docs", "--search", "The reports, a card?").stdout.startswith(first)
    assert "report" in line.lower() or "card" in line.lower()
    assert rest[-1].endswith("`arena docs PAGE` prints a page.")
    assert len([name for name in rest if not name.startswith(" ")]) < 25
    in_page = arena("docs", "protocol", "--search", "ready").stdout.splitlines()
    assert {line.partition(":")[0] for line in in_page[:-2:2]} == {"protocol"}
    for words in ("zyxwv", ""):
        nothing = arena("docs", "--search", words)
        assert (nothing.exit_code, "try other words" in nothing.stderr) == (1, True)


@pytest.mark.parametrize(
    "file", [*TEMPLATES.glob("*/README.md"), TEMPLATE], ids=lambda file: file.parent.name
)
def test_what_is_created_points_to_a_page(arena: Arena, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    pages = re.findall(r"`arena docs ([^`]+)`", text)
    assert pages
    assert [arena("docs", page).exit_code for page in pages] == [0] * len(pages)
    assert ".md`" not in text


def test_new_config_is_valid_and_never_overwritten(arena: Arena, here: Path) -> None:
    assert arena("new", "cup", "--config").exit_code == 0
    assert [bot.name for bot in read_config(Path("cup.toml")).bots][:2] == ["random", "greedy"]
    Path("cup.toml").write_text("mine")
    result = arena("new", "cup.toml", "--config")
    assert (result.exit_code, result.stderr) == (1, "arena: cup.toml: File exists\n")
    assert Path("cup.toml").read_text() == "mine"


def test_new_config_has_every_setting_with_its_default() -> None:
    plain = read_config(TEMPLATE)
    text = re.sub(r"^#(?=\S)", "", TEMPLATE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    given = parse_toml(text, "template")
    options = {option.name: value for option, value in list_options(plain.variants[0].rules)}
    own = {key: value for format in list_formats().values() for key, value in asdict(format.Keys()).items()}
    assert set(given) == {*COMMON_KEYS, *own, "without"} - {"withdrawn", "ended_after"}
    assert given["variants"][0]["tokens"] == options["tokens"]
    assert given["variants"][0].keys() - options == OWN_KEYS
    defaults = msgspec.to_builtins(msgspec.structs.replace(plain, bots=())) | own
    assert {key: given[key] for key in given.keys() - EXAMPLES} == {
        key: defaults[key] for key in given.keys() - EXAMPLES
    }
