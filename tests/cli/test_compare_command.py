"""`arena compare` of two bots, or of three and more."""

import json
import shlex
import shutil
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from arena.plugins import FolderBot
from arena.tournament.files import RunFolder
from arena.tournament.review.forecast import forecast_run
from arena.tournament.run import Run
from tests.cli.conftest import Arena

GAME = ("--set", "tokens=1", "--players", "2", "--seed", "any text", "--jobs", "1")
CALL = ("compare", "greedy", "random", *GAME)
FOUR = ("compare", "greedy", "random", "prudent", "stand-pat", *GAME)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_comparison_stops_when_clear_and_leaves_no_files(arena: Arena, here: Path) -> None:
    result = arena(*CALL)
    assert result.exit_code == 0
    assert result.stderr.startswith("Playing at most 10,000 blocks: 1 job, 2 bots inline.\n")
    assert result.stdout.startswith("greedy against random at lives(tokens=1), 2 players: each in half ")
    assert "\ngreedy is the stronger.\n" in result.stdout
    assert list(here.iterdir()) == []


def test_explain_documents_every_line(arena: Arena) -> None:
    result = arena(*CALL, "--explain")
    told = result.stdout[result.stdout.index("\nscore  ", result.stdout.index("Its seed is")) :]
    labels = {line.partition("  ")[0] for line in told.splitlines() if line and line[0] != " "}
    assert labels == {"score", "lead in score", "±", "Elo", "LOS", "payoff", "SPRT", "faults", "played"}
    quiet = arena(*CALL, "--explain", "--json")
    assert json.loads(quiet.stdout)["resolved"] is True
    assert "Formula: " in quiet.stderr


@pytest.mark.parametrize("call", [CALL, (*FOUR, "--rank", "--blocks", "60")])
def test_same_seed_gives_the_same_result_for_any_number_of_workers(
    arena: Arena, call: tuple[str, ...]
) -> None:
    first, second = arena(*call, "--json"), arena(*call, "--json", "--jobs", "2")
    assert first.stdout == second.stdout
    assert first.exit_code == 0


def test_players_default_to_four_or_the_nearest_allowed_number(arena: Arena) -> None:
    fields = json.loads(arena("compare", "greedy", "random", "--blocks", "2", "--json", "--jobs", "1").stdout)
    assert (fields["variant"], fields["players"], fields["blocks"], fields["matches"]) == ("lives", 4, 2, 4)


def test_field_plays_with_both_bots(arena: Arena) -> None:
    result = arena(*CALL, "--players", "3", "--field", "stand-pat,prudent", "--blocks", "8")
    assert "in each other's place at tables of stand-pat, prudent\n" in result.stdout
    assert "8 blocks, 48 matches" in result.stdout


def test_out_keeps_the_comparison_as_a_run(arena: Arena, here: Path) -> None:
    result = arena(*CALL, "--out", "kept", "--blocks", "40")
    assert result.exit_code == 0
    assert RunFolder.open(Path("kept")).standings.read_text().startswith("place,bot,score,error,los,elo,")
    assert arena("replay", "verify", "kept").exit_code == 0
    assert arena("table", "kept").stdout.startswith(
        "Comparison at lives(tokens=1), 2 players\n\n  place  bot"
    )
    assert "\n± and los hold at all numbers of blocks together" in arena("table", "kept").stdout
    run = Run.open(Path("kept"))
    [planned] = forecast_run(run, run.results(), None, 0.95, 0.8)
    [narrow] = forecast_run(run, run.results().with_anytime(False), None, 0.95, 0.8)
    assert (planned.error or 0) > 1.5 * (narrow.error or 0) > 0
    resumed = arena("resume", "kept")
    assert resumed.exit_code == 0
    assert resumed.stdout.startswith(result.stdout.partition("Its seed")[0])
    assert "Results are in kept; the seed is any text\n" in resumed.stdout
    again = arena("run", "kept/run.toml", "--out", "again", "--jobs", "1")
    assert again.exit_code == 0
    assert (here / "again/matches.csv").read_bytes() == (here / "kept/matches.csv").read_bytes()


def test_resumed_comparison_reaches_its_verdict(arena: Arena) -> None:
    call = (*CALL, "--sprt", "0,20", "--out", "kept")
    stopped = arena(*call, "--time-limit", "1e-9")
    assert stopped.exit_code == 1
    assert stopped.stderr.endswith("Stopped early; resume with `arena resume kept`.\n")
    resumed = arena("resume", "kept", "--jobs", "1")
    assert "\nSPRT    LLR +" in resumed.stdout
    assert "\n\nH1: a lead of 20 Elo fits better than one of 0.\n" in resumed.stdout


def test_progress_counts_to_the_maximum_and_ends_with_what_was_played(arena: Arena) -> None:
    result = arena("compare", "greedy", "greedy", "--name", "twin", *CALL[3:], "--blocks", "80", "--fixed")
    assert result.stderr.splitlines()[-1].startswith("80 of 80 blocks, ")
    clear = arena(*CALL)
    assert clear.stderr.splitlines()[-1].startswith("32 of 32 blocks, ")


def test_stopped_comparison_exits_1(arena: Arena) -> None:
    result = arena(*CALL, "--time-limit", "1e-9")
    assert (result.exit_code, result.stdout) == (
        1,
        "Stopped before the first look, after 32 blocks: no result yet. Played so far: 0 blocks.\n",
    )
    assert result.stderr.endswith(
        "Stopped early; its seed is any text. It is not kept: with --out DIR it could be resumed, and "
        "--seed 'any text' plays the same blocks again.\n"
    )


def test_the_best_is_found_and_every_column_explained(arena: Arena, here: Path) -> None:
    result = arena(*FOUR, "--explain")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("Playing at most 10,000 blocks: 1 job, 4 bots inline.\n")
    assert result.stdout.startswith(
        "4 bots at lives(tokens=1), 2 players: in pairs drawn for each block, each "
    )
    best = next(line.split()[1] for line in result.stdout.splitlines() if line.startswith("      1  "))
    assert (
        f"\n\n{best} is the best.\nA bot that is the best, alone or tied, is left in at least 95 of 100 "
        in result.stdout
    )
    assert "\n\nCompare by behind: the scores" in result.stdout
    columns = ("place", "bot", "score", "behind", "±", "payoff", "faults", "blocks", "worse_than")
    explained = result.stdout.partition("Its seed is any text\n")[2].splitlines()
    assert [line.split()[0] for line in explained if line[:1].strip()] == list(columns)
    assert list(here.iterdir()) == []


def test_resumed_selection_ends_with_the_bytes_of_one_in_one_go(arena: Arena, here: Path) -> None:
    whole = arena(*FOUR, "--out", "whole", "--blocks", "60")
    stopped = arena(*FOUR, "--out", "parts", "--blocks", "60", "--time-limit", "1e-9")
    assert (whole.exit_code, stopped.exit_code) == (0, 1)
    assert stopped.stderr.endswith("Stopped early; resume with `arena resume parts`.\n")
    resumed = arena("resume", "parts", "--jobs", "2")
    assert resumed.exit_code == 0, resumed.output
    assert resumed.stdout.startswith(whole.stdout.partition("\n\nCompare by")[0])
    for name in ("matches.csv", "standings.csv", "elo.csv", "run.toml"):
        assert (here / "whole" / name).read_bytes() == (here / "parts" / name).read_bytes()
    assert arena("verify", "parts").exit_code == 0
    assert arena("table", "parts", "--standings").stdout.startswith("Selection of the best of 4 at lives(")


def test_settings_of_one_bot_are_compared_in_a_field(arena: Arena) -> None:
    bots = [f"rollout(playouts={n})" for n in (1, 2, 3)]
    call = ("compare", *bots, "--name", "one", "--field", "greedy,random", *GAME, "--blocks", "2", "--json")
    result = arena(*call)
    assert result.exit_code == 0, result.output
    fields = json.loads(result.stdout)
    assert (fields["bots"], fields["field"]) == (["one", *bots[1:]], ["greedy", "random"])
    assert (fields["blocks"], fields["matches"], fields["left"]) == (2, 2 * 3 * 2, fields["bots"])


def test_settings_change_what_a_bot_does_in_a_comparison_of_two_as_well(arena: Arena) -> None:
    result = arena(
        "compare", "rollout(playouts=1)", "rollout(playouts=2)", *GAME, "--blocks", "2", "--out", "run"
    )
    assert result.stdout.startswith("rollout(playouts=1) against rollout(playouts=2) at lives")
    assert "playouts = 2" in Path("run/run.toml").read_text()


def test_one_bot_under_several_names_is_told_to_be_one(arena: Arena) -> None:
    names = ("--name", "a", "--name", "b", "--name", "c")
    result = arena("compare", "greedy", "greedy", "greedy", *names, *GAME, "--blocks", "4")
    assert result.exit_code == 0, result.output
    assert "a, b, c are the same bot, content " in result.stderr
    assert "Not resolved: stopped at the maximum of blocks. The best is one of these 3: " in result.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("greedy greedy", "greedy and greedy are the same bot, content "),
        ("greedy random greedy", "greedy and greedy are the same bot, content "),
        ("greedy random --name ' '", "name is empty"),
        ("greedy random --name x --name x --name x", "Invalid value for '--name': 3 names for two bots"),
        ("greedy random prudent" + 4 * " --name x", "Invalid value for '--name': 4 names for 3 bots"),
        ("greedy gredy", "no bot is called 'gredy'; the nearest is 'greedy'"),
        ("greedy random --field greedy", "greedy is named twice: a field takes other bots"),
        ("greedy random --field prudent,prudent", "prudent is named twice: a field takes"),
        ("greedy random prudent --field greedy", "greedy is named twice: a field takes other"),
        ("greedy random --sprt 5", "Invalid value for '--sprt': '5' is not two numbers: write E0,E1"),
        ("greedy random --sprt 9,2", "--sprt: the first Elo must be below the second"),
        ("greedy random --sprt 2,9 --fixed", "--fixed: the test of sprt decides when to stop: remove one"),
        ("greedy random prudent --sprt 0,9", "--sprt compares two bots; more are compared without"),
        ("greedy random prudent --fixed", "--fixed compares two bots; more are compared without"),
        ("greedy random prudent --alone", "--alone compares two bots; --field BOT seats each of more "),
        ("greedy random --game livs", "no variant 'livs': the nearest is 'lives'"),
        ("greedy random --players 99", "--players: lives cannot be dealt to"),
        ("greedy random --blocks 0", "Invalid value for '--blocks'"),
        ("greedy random --alone --field prudent", "--alone: takes two bots and no field"),
        ("greedy random --field ''", "Invalid value for '--field': '' lacks a bot: write BOT,BOT"),
        ("greedy random --field prudent,", "Invalid value for '--field': 'prudent,' lacks a bot: "),
        ("greedy 'rollout(playouts=)'", "rollout(playouts=): the settings are not valid TOML"),
        ("greedy 'rollout(playouts=4'", "rollout(playouts=4: a bracket is missing, ')': write"),
        ("greedy 'rollout playouts=4)'", "rollout playouts=4): a bracket is missing, '(': write"),
        ("greedy", "Missing argument 'BOT'."),
    ],
)
def test_an_impossible_comparison_is_refused(arena: Arena, here: Path, args: str, message: str) -> None:
    result = arena("compare", *shlex.split(args))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"arena: {message}")
    assert result.stderr.count("\n") == 1
    assert list(here.iterdir()) == []


@pytest.fixture
def versions(here: Path) -> Path:
    """Two folders, `old` and `new`, with versions of one bot."""
    for folder, choice in (("old", -1), ("new", 0)):
        (here / folder).mkdir()
        (here / folder / "bot.toml").write_text('name = "mine"\nclass = "bot.py:Mine"\n')
        (here / folder / "bot.py").write_text(
            f"class Mine:\n    def act(self, view):\n        return view.legal[{choice}]\n"
        )
    return here


QUICK = ("--set", "tokens=1", "--blocks", "2", "--jobs", "1", "--isolation", "inline")


def test_versions_of_one_bot_are_told_apart_by_their_folders(arena: Arena, versions: Path) -> None:
    result = arena("compare", "./old", "./new", *QUICK, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["bots"] == ["old", "new"]
    assert arena("run", "./old", "./new", "--variant", "lives", "--out", "run", *QUICK).exit_code == 0
    rows = (versions / "run/elo.csv").read_text()
    assert ",old," in rows
    assert ",new," in rows
    shown = arena("why", "old", "new", "run")
    assert "old" in shown.stdout
    assert "new" in arena("replay", "list", "run").stdout


def test_versions_in_folders_of_one_name_are_told_apart_by_their_content(
    arena: Arena, versions: Path
) -> None:
    folders = [shutil.copytree(name, versions / f"{name}-home" / "mine") for name in ("old", "new")]
    result = arena("compare", "old-home/mine", "new-home/mine", *QUICK, "--json")
    names = [f"mine@{FolderBot(str(folder)).digest()[:7]}" for folder in folders]
    assert json.loads(result.stdout)["bots"] == names
    assert f"{names[0]} is old-home/mine.\n" in result.stderr
    assert f"{names[1]} is new-home/mine.\n" in result.stderr


def test_versions_can_be_named(arena: Arena, versions: Path) -> None:
    result = arena("compare", "./old", "./new", "--name", "before", "--name", "after", *QUICK, "--json")
    assert json.loads(result.stdout)["bots"] == ["before", "after"]
    result = arena("compare", "./old", "./new", "--name", "before", *QUICK, "--json")
    assert json.loads(result.stdout)["bots"] == ["before", "mine"]


def test_a_bot_is_compared_with_itself_only_if_requested(arena: Arena, versions: Path) -> None:
    shutil.copytree("old", "copy")
    content = FolderBot(str(versions / "old")).digest()[:12]
    refused = arena("compare", "./old", "./copy", *QUICK)
    assert refused.exit_code == 2
    assert refused.stderr == (
        f"arena: ./old and ./copy are the same bot, content {content}: compare two versions of it, or "
        "name both with --name to compare it with itself\n"
    )
    call = ("compare", "./old", "./copy", "--name", "a", "--name", "b", *QUICK)
    sentence = f"a and b are the same bot, content {content}: "
    answered = arena(*call, "--out", "kept")
    assert (answered.exit_code, answered.stdout) == (
        0,
        f"{sentence}neither is the stronger. --fixed plays them anyway.\n",
    )
    assert not Path("kept").exists()
    fields = json.loads(arena(*call, "--json").stdout)
    assert (fields["bots"], fields["blocks"], fields["alike"]) == (["a", "b"], 0, True)
    played = arena(*call, "--fixed")
    assert f"{sentence}any difference is chance\n" in played.stderr
    assert "played  2 blocks" in played.stdout


def test_untrusted_code_runs_inline_only_if_requested(arena: Arena, here: Path) -> None:
    code = """
        import sys
        class Bot:
            def act(self, view):
                sys.modules["it was here"] = sys
                return view.legal[-1]
    """
    (here / "mine.py").write_text(dedent(code))
    call = ("compare", "mine.py:Bot", "random", "--set", "tokens=1", "--blocks", "2", "--jobs", "1")
    assert arena(*call, "--isolation", "process").exit_code == 0
    assert "it was here" not in sys.modules
    assert arena(*call, "--isolation", "inline").exit_code == 0
    assert sys.modules.pop("it was here")


CRASH = "class Bot:\n    def act(self, view):\n        raise RuntimeError\n"
CUCCU = ("--variant", "cuccu", "--players", "2", "--seed", "any text", "--jobs", "1", "--keep-going")


@pytest.mark.parametrize(
    ("level", "test"),
    [
        ("process", ()),
        ("inline", ("--sprt", "0,20")),
        pytest.param("process", ("--sprt", "0,20"), marks=pytest.mark.full),
        pytest.param("inline", (), marks=pytest.mark.full),
    ],
)
def test_a_disqualified_bot_is_not_called_the_stronger(
    arena: Arena, here: Path, level: str, test: tuple[str, ...]
) -> None:
    (here / "bad.py").write_text(CRASH)
    call = ("compare", "bad.py", "random", *CUCCU, "--blocks", "1000", "--isolation", level, *test)
    result = arena(*call)
    assert result.exit_code == 0, result.output
    assert "\n\nbad.py is disqualified: it lost " in result.stdout
    assert " matches by its faults. Its score is that of the arena's safest actions.\n" in result.stdout
    assert "stronger" not in result.stdout
    assert "fits better" not in result.stdout
    fields = json.loads(arena(*call, "--json").stdout)
    assert fields["score"] > 50
    assert (fields["disqualified"], fields["resolved"], fields["verdict"]) == (["bad.py"], False, None)


def test_a_disqualified_bot_is_not_called_the_best(arena: Arena, here: Path) -> None:
    (here / "bad.py").write_text(CRASH)
    call = shlex.split("compare bad.py random random --name bad.py --name a --name b --blocks 1000")
    call += [*CUCCU, "--isolation", "inline"]
    result = arena(*call)
    assert result.exit_code == 0, result.output
    assert "\n\nbad.py is disqualified: it lost " in result.stdout
    assert "is the best.\n" not in result.stdout
    fields = json.loads(arena(*call, "--json").stdout)
    assert (fields["disqualified"], fields["resolved"]) == (["bad.py"], False)
    places = {row["bot"]: row["place"] for row in fields["candidates"]}
    assert places["bad.py"] is None
    assert "bad.py (disqualified)" in result.stdout
