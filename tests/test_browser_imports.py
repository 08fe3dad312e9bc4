"""Playing, checking and comparing in a browser, where Python's own modules and msgspec are all there is."""

import subprocess
import sys

MISSING = ("numpy", "scipy", "sqlite3", "zstandard", "multiprocessing", "markupsafe")
"""Packages that a browser lacks, or loads slowly."""
CODE = f"""
import sys


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {MISSING}:
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Missing())

from arena import VARIANTS, play_match
from arena.play.bot import make_factory
from arena.play.conformance import InlineHost, check_bot
from arena.play.records.record_check import check_record
from arena.rating.two_bots import compare_block_scores, compute_elo_bounds, format_los


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
result = compare_block_scores([0.5, 0.75, 0.5, 1.0, 0.75, 0.5, 0.75, 0.5])
low, high = compute_elo_bounds(result)
print(round(result.elo), round(low), round(high), format_los(result.los))
"""


def test_play_check_records_and_a_comparison_need_no_heavy_package() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "112 1 254 97.5%\n"
