"""The texts of `arena doctor` and `arena bench`."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from tabulate import tabulate

from arena.errors import suggest_extra
from arena.report.text_format import format_count
from arena.tournament.machine.benchmark import Speed
from arena.tournament.machine.doctor import Finding
from arena.tournament.machine.peers import PeerSpeed

COLUMNS = ("/s", "with records", "in blocks")
MEANING = """\
/s            decisions per second of CPU time on one core, the same bot in every seat
with records  the share of that speed left when the text record of each match is written, too
in blocks     the share left when matches are played in blocks, as a worker plays them
hosted        the share left when each bot has a process of its own (32 matches at a time, all CPU time)
–             the bot cannot play this game"""
PEER_MEANING = """\
/s     decisions per second of CPU time on one core, medians of turns: random bots, which are given an
       observation at each decision; ours include the full record of each match
ratio  ours divided by the library's, median of the turns; games differ, so compare it only with itself"""
COMPILED = "The rule book is compiled."
PLAIN = "The rule book is not compiled; `arena doctor` says how to compile it."


def speed_table(speeds: Sequence[Speed]) -> str:
    """Return the table of speeds, a row for each variant, with an explanation."""
    headers = ["variant", "players"]
    for bot in dict.fromkeys(speed.bot for speed in speeds):
        headers += [f"{bot}{column}" if column == "/s" else column for column in COLUMNS]
    hosted = dict.fromkeys(speed.bot for speed in speeds if speed.hosted)
    headers += [f"{bot} hosted" for bot in hosted]
    cells = []
    for (variant, players), own_speeds in groupby(speeds, key=lambda speed: (speed.variant, speed.players)):
        own = list(own_speeds)
        cells.append([variant, str(players), *(cell for speed in own for cell in _cells(speed))])
        cells[-1] += [_hosted(speed) for speed in own if speed.bot in hosted]
    sides = ["left", *["right"] * (len(headers) - 1)]
    what = COMPILED if all(speed.compiled for speed in speeds) else PLAIN
    return f"{tabulate(cells, headers, colalign=sides, disable_numparse=True)}\n\n{MEANING}\n{what}"


def peer_table(speeds: Sequence[PeerSpeed]) -> str:
    """Return the table of other libraries' speeds; a line if none was measured."""
    if not speeds:
        return f"None of these libraries is installed: {suggest_extra('bench')}"
    headers = ["library", "game", "/s", "ours", "/s", "ratio"]
    cells = [
        [one.library, one.game, f"{one.rate:,.0f}", one.variant, f"{one.own_rate:,.0f}", f"{one.ratio:.2f}"]
        for one in speeds
    ]
    sides = ["left", "left", "right", "left", "right", "right"]
    return f"{tabulate(cells, headers, colalign=sides, disable_numparse=True)}\n\n{PEER_MEANING}"


def _cells(speed: Speed) -> list[str]:
    if not speed.referee:
        return ["–", "", ""]
    shares = (speed.records / speed.referee, speed.blocks / speed.referee)
    return [f"{speed.referee:,.0f}", *(f"{share:.0%}" for share in shares)]


def _hosted(speed: Speed) -> str:
    return f"{speed.hosted / speed.referee:.0%}" if speed.hosted else ""


def findings_text(findings: Sequence[Finding]) -> str:
    """Return a line for each check, with the advice under it, and a summary."""
    cells = []
    for one in findings:
        cells.append([one.state, one.name, one.found])
        if one.advice:
            cells.append(["", "", f"→ {one.advice}"])
    states: Counter[str] = Counter(one.state for one in findings)
    return f"{tabulate(cells, tablefmt='plain', disable_numparse=True)}\n\n{_verdict(states)}"


def _verdict(states: Counter[str]) -> str:
    if states["bad"]:
        return f"{format_count(states['bad'], 'things')} to fix before tournaments can run here."
    if states["warn"]:
        return f"Tournaments can run here; {format_count(states['warn'], 'things')} could be better."
    return "Tournaments can run here; no problems found."
