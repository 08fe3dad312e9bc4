"""The texts of `arena doctor` and `arena bench`."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from tabulate import tabulate

from arena.report.text_format import format_count
from arena.tournament.machine.benchmark import Speed
from arena.tournament.machine.doctor import Finding

COLUMNS = ("/s", "with records", "in blocks")
MEANING = """\
Decisions a second of CPU time on one core, the same bot in every seat: through the referee, with views,
legality and the match's actions kept. Beside it, how much of that is left when the full text record of
each match is written too, and when matches are played in blocks as a worker plays them; hosted: when each
bot has a process of its own, 32 matches at a time, with the CPU time of all processes.
– the bot cannot play this game."""
COMPILED = "The rule book is compiled here."
PLAIN = "The rule book's source runs here as it stands; `arena doctor` says how to have it compiled."


def speed_table(speeds: Sequence[Speed]) -> str:
    """The speeds, one row a variant, its bots side by side; and what was measured."""
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


def _cells(speed: Speed) -> list[str]:
    if not speed.referee:
        return ["–", "", ""]
    shares = (speed.records / speed.referee, speed.blocks / speed.referee)
    return [f"{speed.referee:,.0f}", *(f"{share:.0%}" for share in shares)]


def _hosted(speed: Speed) -> str:
    return f"{speed.hosted / speed.referee:.0%}" if speed.hosted else ""


def findings_text(findings: Sequence[Finding]) -> str:
    """A line for each thing, with what to do under it, and one for all."""
    cells = []
    for one in findings:
        cells.append([one.state, one.name, one.found])
        if one.advice:
            cells.append(["", "", f"→ {one.advice}"])
    states: Counter[str] = Counter(one.state for one in findings)
    return f"{tabulate(cells, tablefmt='plain', disable_numparse=True)}\n\n{_verdict(states)}"


def _verdict(states: Counter[str]) -> str:
    if states["bad"]:
        return f"{format_count(states['bad'], 'things')} to mend before a tournament can be played here."
    if states["warn"]:
        return f"Tournaments can be played here; {format_count(states['warn'], 'things')} could be better."
    return "Tournaments can be played here, and nothing is amiss."
