"""Playing, checking and comparing in a browser, where Python's own modules and msgspec are all there is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main

BOT = (Path(__file__).parents[1] / "examples/python/bot.py").read_text(encoding="utf-8")
BLOCKS, SEED = 20, "any text"
MISSING = ("numpy", "scipy", "sqlite3", "zstandard", "multiprocessing", "markupsafe")
"""Packages that a browser lacks, or loads slowly."""
CODE = f"""
import sys


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {MISSING}:
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Missing())

import json
from pathlib import Path
from arena import VARIANTS, play_match
from arena.play.bot import make_factory
from arena.play.conformance import InlineHost, check_bot
from arena.play.records.record_check import check_record
from arena.playground.worker import Playground


class First:
    def __init__(self, info):
        pass

    def act(self, view):
        return view.legal[0]


for rules in VARIANTS:
    match = rules.match(4, "any text")
    match.apply(match.view(match.seat_to_act).legal[0])
    record = play_match(rules, [First, "random"], "any text")
    assert check_record(record).matches == 1, rules
    findings = check_bot([rules], InlineHost(make_factory(First), 0.0), make_factory(First), matches=1)
    assert not findings.issues, rules
worker = Playground(Path())
request = {{"kind": "compare", "name": "mine", "code": {BOT!r}, "game": "lives", "against": ["prudent"]}}
answer = json.loads(worker.handle(json.dumps(request | {{"blocks": {BLOCKS}, "seed": {SEED!r}}})))
while not answer["done"]:
    answer = json.loads(worker.handle('{{"kind": "more"}}'))
print(json.dumps(answer["duels"][0]))
"""


def test_play_check_records_and_a_comparison_need_no_heavy_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BOT, encoding="utf-8")
    call = ["compare", "mine.py", "prudent", "--fixed", "--blocks", f"{BLOCKS}", "--seed", SEED, "--json"]
    by_command = json.loads(CliRunner().invoke(main, call).stdout)
    names = ("blocks", "matches", "score", "error", "elo", "low", "high", "resolved")
    result = json.loads(done.stdout)
    assert {name: result[name] for name in names} == {name: by_command[name] for name in names}
    assert result["faults"] == by_command["faults"][0] == 0
