"""A bot that lacks something outside is not at fault: its blocks wait, and where it lasts the run pauses."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena import Unavailable, play_match
from arena.errors import ConfigError, PluginError, StoreError
from arena.output.texts.run import ending_text
from arena.play.isolation import probe
from arena.plugins import parse_bot
from arena.tournament.engine import engine
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from tests.tournament.made_runs import LIVES, make_run

NEEDY = """
import os
from arena import Bot, Unavailable

class Needy(Bot):
    def act(self, view):
        folder = self.info.folder
        if folder is None:
            return "none" + str(folder)
        path = folder / f"asked-{os.getpid()}"
        with path.open("a") as file:
            file.write(f"{self.info.key} {view.deal} {len(view.events)}\\n")
        lacks, limit = self.info.settings["lacks"], self.info.settings["retry_after"]
        tries = sum(len(path.read_text().splitlines()) for path in folder.glob("asked-*"))
        if tries <= lacks and not (folder / "up").exists():
            raise Unavailable(None if limit < 0 else limit, "the service is down")
        return view.legal[0]

class Together(Needy):
    @staticmethod
    def act_many(bots, views):
        return [Needy.act(bot, view) for bot, view in zip(bots, views)]

class AtStart(Needy):
    def __init__(self, info):
        super().__init__(info)
        if info.key != "start":
            raise Unavailable(None, "the service is down")
"""
PROGRAM = """
import json, os, pathlib, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        folder = pathlib.Path(message["folder"])
        print(json.dumps({"t": "ready", "v": 1, "events": False}), flush=True)
    elif message["t"] == "act":
        tries = len(list(folder.iterdir()))
        (folder / str(tries)).touch()
        answer = {"t": "action", "m": message["m"], "action": 0}
        if tries < 1:
            answer = {"t": "unavailable", "m": message["m"], "retry_after": 0.01, "reason": "it is down"}
        print(json.dumps(answer), flush=True)
"""
PATIENT = {"start_ms": 30_000, "decision_ms": 10_000}


def needy_run(tmp_path: Path, name: str, level: str, lacks: int, retry_after: float, **keys: Any) -> Run:
    (tmp_path / "needy.py").write_text(NEEDY)
    bot = {"bot": f"needy.py:{name}", "name": "needy", "lacks": lacks, "retry_after": retry_after}
    limits = {"limits": PATIENT, "isolation": level, "blocks": 3, **keys}
    return make_run(tmp_path / "run", [bot, "greedy"], **limits)


def bot_folder(run: Run) -> Path:
    [folder] = (run.folder.path / "kept").iterdir()
    return folder


def test_run_waits_for_what_a_bot_lacks(tmp_path: Path) -> None:
    run = needy_run(tmp_path, "Needy", "inline", lacks=2, retry_after=0.01)
    assert run.play(RunOptions()) == "done"
    results = run.read_results()
    assert (results.blocks, results.faults) == (3, {})
    assert list(bot_folder(run).glob("asked-*"))


def test_run_pauses_where_it_lasts_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engine, "MAX_TRIES", 2)
    run = needy_run(tmp_path, "Together", "process", lacks=99, retry_after=0.01)
    assert run.play(RunOptions()) == "interrupted"
    assert caplog.text.count("the service is down") == 3  # two waits, and the pause
    assert "resume with" in ending_text(run, "interrupted")
    (bot_folder(run) / "up").touch()
    again = Run.open(run.folder.path, isolation="process")
    assert again.play(RunOptions()) == "done"
    assert (again.read_results().blocks, again.read_results().faults) == (3, {})


@pytest.mark.parametrize("name", ["Needy", "AtStart"])
def test_run_pauses_at_once_where_waiting_does_not_help(tmp_path: Path, name: str) -> None:
    run = needy_run(tmp_path, name, "inline", lacks=99, retry_after=-1)
    assert run.play(RunOptions()) == "interrupted"
    assert run.count_blocks() == 0


def test_program_is_unavailable_and_has_its_folder(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PROGRAM)
    command = f"cmd:python3 -S {tmp_path / 'bot.py'}"
    run = make_run(
        tmp_path / "run", [{"bot": command, "name": "program"}, "greedy"],
        limits=PATIENT, isolation="process", blocks=1,
    )  # fmt: skip
    assert run.play(RunOptions()) == "done"
    assert run.read_results().faults == {}
    assert len(list(bot_folder(run).iterdir())) > 1


def test_confined_bot_has_no_folder_and_is_at_fault(tmp_path: Path) -> None:
    if not probe("sandbox").usable:
        pytest.skip("there is no sandbox here")
    run = needy_run(tmp_path, "AtStart", "sandbox", lacks=0, retry_after=-1, blocks=1)
    assert run.play(RunOptions()) == "done"
    [failure] = run.read_results().failures
    assert (failure.kind, "the service is down" in failure.reason) == ("no-start", True)
    assert not (run.folder.path / "kept").exists()


def test_link_in_place_of_the_folders_is_refused(tmp_path: Path) -> None:
    run = needy_run(tmp_path, "Needy", "inline", lacks=0, retry_after=-1)
    (tmp_path / "mine").mkdir(mode=0o750)
    (run.folder.path / "kept").symlink_to(tmp_path / "mine")
    with pytest.raises(StoreError, match="is a link or in one"):
        run.play(RunOptions())
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o750


def test_single_match_raises_it(tmp_path: Path) -> None:
    class Never:
        def act(self, view: Any) -> Any:
            raise Unavailable(7, "down")

    with pytest.raises(Unavailable, match="down") as caught:
        play_match("lives", [Never, "greedy"], seed="x")
    assert caught.value.retry_after == 7


def test_bot_that_needs_a_process_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets the variables that it names, no other, and is refused where it would be confined.

    The folder of the other bot, which is left empty, is removed.
    """
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "mine"\nclass = "bot.py:Mine"\nisolation = "process"\nenvironment = ["MY_KEY", "NO_KEY"]\n'
    )
    (folder / "bot.py").write_text(
        "import json, os\n"
        "class Mine:\n"
        "    def __init__(self, info):\n"
        "        if info.folder:\n"
        "            (info.folder / f'seen-{os.getpid()}').write_text(json.dumps(dict(os.environ)))\n"
        "    def act(self, view):\n"
        "        return view.legal[0]\n"
    )
    (tmp_path / "first.py").write_text(
        "class First:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    monkeypatch.setenv("MY_KEY", "secret")
    monkeypatch.setenv("OTHER_KEY", "secret, too")
    run = make_run(
        tmp_path / "run", ["mine", "first.py:First"], limits=PATIENT, isolation="process", blocks=1
    )
    assert run.play(RunOptions()) == "done"
    for seen in bot_folder(run).iterdir():
        variables = json.loads(seen.read_text())
        assert variables["MY_KEY"] == "secret"
        assert not {"OTHER_KEY", "NO_KEY"} & set(variables)
    config = make_config({"bots": ["mine", "greedy"], "variants": LIVES}, base=tmp_path, where="the test")
    if probe("landlock").usable:
        with pytest.raises(ConfigError, match=r"isolation: mine needs 'process'.*--isolation process"):
            choose_levels(config)
    (folder / "bot.toml").write_text('name = "mine"\nclass = "bot.py:Mine"\nenvironment = ["MY_KEY"]\n')
    with pytest.raises(PluginError, match="environment: variables are only passed on with isolation"):
        parse_bot("mine", tmp_path).source.environment  # noqa: B018
