"""`arena run --reuse`: with an added or changed bot only its blocks are played."""

import csv
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.tournament.run import Run
from arena.tournament.store.store import Store
from tests.cli.conftest import Arena

FIRST, LAST = "view.legal[0]", "view.legal[-1]"
FILES = ("elo.csv", "matches.csv", "replays.jsonl.zst", "run.toml")

INLINE = ("--isolation", "inline")


def write_bot(action: str) -> None:
    Path("mine.py").write_text(f"class Bot:\n    def act(self, view):\n        return {action}\n")


def write_config(*bots: str, seed: str = "") -> None:
    seeded = f'seed = "{seed}"\n' if seed else ""
    Path("it.toml").write_text(
        f'{seeded}bots = {[*bots]}\nblocks = 4\n[[variants]]\nname = "lives"\nplayers = 2\ntokens = 1\n'
    )


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run `before` of three bots, one of them in a file, of 12 blocks, and its config without the seed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("reuse"))
        write_bot(FIRST)
        write_config("mine.py:Bot", "greedy", "random", seed="any text")
        call = ["run", "it.toml", *INLINE, "--jobs", "1", "--out", "before"]
        assert CliRunner().invoke(main, call).exit_code == 0
        write_config("mine.py:Bot", "greedy", "random")
        return Path.cwd()


@pytest.fixture(autouse=True)
def before(template: Path, here: Path) -> None:
    shutil.copytree(template, here, dirs_exist_ok=True)


def run(arena: Arena, folder: str, *more: str) -> Result:
    return arena("run", "it.toml", *INLINE, "--jobs", "1", "--out", folder, *more)


def import_line(folder: str) -> str:
    """Return the line of the log about imported blocks."""
    (line,) = [line for line in Path(folder, "arena.log").read_text().splitlines() if " imported " in line]
    return line.partition(": ")[2]


def same(first: str, other: str) -> bool:
    return all(Path(first, name).read_bytes() == Path(other, name).read_bytes() for name in FILES)


def test_identical_run_reuses_all_blocks(arena: Arena) -> None:
    assert run(arena, "again", "--reuse", "before").exit_code == 0
    assert import_line("again") == "12 blocks imported from before, 0 played"
    assert same("again", "before")
    assert arena("verify", "again", "--jobs", "1").exit_code == 0


def test_adaptive_format_names_one_total_and_does_not_warn_about_the_seed(arena: Arena) -> None:
    text = Path("it.toml").read_text()
    Path("it.toml").write_text(f'format = "swiss"\nrounds = 2\n{text}')
    assert run(arena, "swiss").exit_code == 0
    again = run(arena, "swiss again", "--reuse", "swiss")
    assert again.stderr.count(" imported ") == 1
    assert import_line("swiss again") == "8 blocks imported from swiss, 0 played"
    assert "the seed is given" not in again.stderr


def test_run_with_more_blocks_counts_its_extensions_and_widens_its_errors(arena: Arena) -> None:
    config = Path("it.toml").read_text()
    for folder, blocks, earlier in (("longer", 12, "before"), ("longest", 16, "longer")):
        Path("it.toml").write_text(config.replace("blocks = 4", f"blocks = {blocks}"))
        assert run(arena, folder, "--reuse", earlier).exit_code == 0
    assert (
        "extended with its results in view (2 times). ± and los hold at all numbers of blocks together"
        in (table := arena("table", "longest").stdout)
    )
    narrow = arena("table", "longest", "--no-anytime").stdout
    assert "(2 times). ± and los hold for a number of blocks fixed in advance." in narrow
    assert narrow.splitlines()[4] != table.splitlines()[4]
    assert "± and los hold" not in arena("table", "before").stdout
    assert (
        "\n± and los hold at all numbers of blocks together" in arena("table", "before", "--anytime").stdout
    )
    rows = csv.DictReader(arena("table", "before", "--anytime", "--format", "csv").stdout.splitlines())
    assert {row["payoff_error"] for row in rows} == {""}


def test_more_blocks_of_a_game_are_an_extension_and_so_are_more_tables(arena: Arena) -> None:
    config = Path("it.toml").read_text()
    for setting, earlier, lengths in (("blocks", "before", (6, 8)), ("tables", "fewer", (2, '"all"'))):
        for length in lengths:
            text = f"{config}blocks = {length}\n" if setting == "blocks" else f"tables = {length}\n{config}"
            Path("it.toml").write_text(text)
            folder = f"{setting}-{length}".replace('"', "")
            reused = ("--reuse", earlier) if earlier != "fewer" else ("--seed", "any text")
            assert run(arena, folder, *reused).exit_code == 0
            earlier = folder
        times = 2 if setting == "blocks" else 1
        assert f"extended with its results in view ({times} time" in arena("table", folder).stdout


@pytest.mark.parametrize("more", ["blocks_with = {random = 2}", ""])
def test_more_blocks_of_tables_with_some_bot_are_an_extension(arena: Arena, more: str) -> None:
    config = Path("it.toml").read_text()
    for folder, few, reused in (
        ("few", "blocks_with = {random = 1}", ("--seed", "any text")),
        ("more", more, ("--reuse", "few")),
        ("same", more, ("--reuse", "more")),
    ):
        Path("it.toml").write_text(f"{config}{few}\n")
        assert run(arena, folder, *reused).exit_code == 0
        extended = "extended with its results in view (1 time)" in arena("table", folder).stdout
        assert extended == (folder != "few"), folder


def test_a_resumed_run_that_imports_blocks_was_extended_too(arena: Arena) -> None:
    config = Path("it.toml").read_text()
    Path("it.toml").write_text(config.replace("blocks = 4", "blocks = 8"))
    assert run(arena, "longer", "--time-limit", "1e-9").exit_code == 1
    assert arena("resume", "longer", "--reuse", "before", *INLINE, "--jobs", "1").exit_code == 0
    assert "extended with its results in view (1 time)" in arena("table", "longer").stdout
    assert arena("resume", "longer", "--reuse", "before", *INLINE, "--jobs", "1").exit_code == 0
    assert "extended with its results in view (1 time)" in arena("table", "longer").stdout
    missing = arena("resume", "longer", "--reuse", "nowhere")
    assert (missing.exit_code, "Traceback" in missing.stderr) == (2, False)


def test_added_bot_plays_only_its_own_blocks(arena: Arena) -> None:
    write_config("stand-pat", "mine.py:Bot", "greedy", "random", seed="any text")
    assert run(arena, "fresh").exit_code == 0
    assert run(arena, "more", "--reuse", "before").exit_code == 0
    assert import_line("more") == "12 blocks imported from before, 12 played"
    assert same("more", "fresh")


def test_reasons_of_faults_count_those_of_reused_blocks(arena: Arena) -> None:
    Path("broken.py").write_text("class Bot:\n    def act(self, view):\n        return 1 / 0\n")
    write_config("broken.py:Bot", "greedy")
    assert run(arena, "failing").exit_code == 0
    write_config("stand-pat", "broken.py:Bot", "greedy")
    assert run(arena, "more", "--reuse", "failing").exit_code == 0
    results = Run.open(Path("more")).results()
    times = [*results.failures.values()]
    assert len(times) == 2
    assert sum(times) == sum(row.faults for row in results.rows) == sum(results.faults.values()) > 0


def test_changed_bot_replays_its_blocks(arena: Arena) -> None:
    write_bot(LAST)
    note = arena("table", "before").stdout.splitlines()[-1]
    assert note.startswith("Changed since: mine.py; `arena run before/run.toml --reuse before` ")
    result = arena("run", "before/run.toml", *INLINE, "--reuse", "before", "--jobs", "1", "--out", "after")
    assert result.exit_code == 0
    assert import_line("after") == "4 blocks imported from before, 8 played"
    assert "Changed since" not in arena("table", "after").stdout
    ours = {line for line in Path("before/run.toml").read_text().splitlines() if line.startswith("# ")}
    theirs = {line for line in Path("after/run.toml").read_text().splitlines() if line.startswith("# ")}
    assert {line.partition(": ")[0] for line in ours - theirs} == {"# mine.py:Bot"}


def test_run_is_not_resumed_with_a_changed_bot(arena: Arena) -> None:
    write_config("mine.py:Bot", "greedy", "random")
    assert run(arena, "stopped", "--time-limit", "1e-9").exit_code == 1
    write_bot(LAST)
    refused = arena("resume", "stopped", *INLINE, "--jobs", "1")
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1] == (
        "arena: mine.py:Bot changed since this run began, so its new blocks would not be comparable: "
        "start another run with `arena run stopped/run.toml --reuse stopped`, which plays only the blocks "
        "that this affects"
    )
    with Store.open(Path("stopped")) as store:
        assert store.count() == 0
    write_bot(FIRST)
    assert arena("resume", "stopped", *INLINE, "--jobs", "1").exit_code == 0


def test_bots_whose_files_were_swapped_take_no_results_of_each_other(arena: Arena) -> None:
    """The class and the names stay the same, so only the contents tell one from the other."""
    mine, yours = Path("mine.py"), Path("yours.py")
    yours.write_text(mine.read_text().replace(FIRST, LAST))
    write_config("mine.py:Bot", "yours.py:Bot", seed="any text")
    assert run(arena, "stopped", "--time-limit", "1e-9").exit_code == 1
    assert run(arena, "both").exit_code == 0
    mine.rename("aside.py")
    yours.rename(mine)
    Path("aside.py").rename(yours)
    assert arena("resume", "stopped", *INLINE, "--jobs", "1").exit_code == 2
    write_config("mine.py:Bot", "yours.py:Bot")
    assert run(arena, "swapped", "--reuse", "both").exit_code == 0
    assert import_line("swapped") == "0 blocks imported from both, 4 played"


def test_finished_run_needs_no_bots(arena: Arena) -> None:
    Path("before/elo.csv").unlink()
    write_bot(LAST)
    assert arena("resume", "before", *INLINE, "--jobs", "1").exit_code == 0
    assert Path("before/elo.csv").exists()


def test_another_seed_is_refused(arena: Arena) -> None:
    refused = run(arena, "other", "--reuse", "before", "--seed", "another")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.startswith("arena: nothing of before holds with the seed 'another', ")
    assert not Path("other").exists()


def test_folder_without_a_run_is_refused(arena: Arena) -> None:
    Path("empty").mkdir()
    refused = run(arena, "other", "--reuse", "empty")
    assert refused.exit_code == 2
    assert "empty holds no run: there is no arena.db in it" in refused.stderr
