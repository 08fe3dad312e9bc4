"""The output of `arena doctor`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from arena.columns.column import Column
from arena.columns.kinds import TEXT, Kind
from arena.columns.number_format import format_count
from arena.columns.table_formats import (
    Sheet,
    format_sheet,
    plain_table,
)
from arena.tournament.engine.machine import Finding, Speed

MEANING = """\
/s            decisions per second of CPU time on one core, the same bot in every seat
with records  the share of that speed left when the text record of each match is written, too
in blocks     the share left when matches are played in blocks, as a worker plays them
hosted        the share left when each bot has a process of its own (32 matches at a time, all CPU time)
–             the bot cannot play this game"""
COMPILED = "The rule book is compiled."
PLAIN = "The rule book is not compiled; `arena doctor` says how to compile it."


def speed_table(speeds: Sequence[Speed]) -> str:
    """Return the table of speeds, a row for each variant, with an explanation."""
    columns = [
        Column[BotSpeeds]("variant", value=lambda row: _first(row).variant, kind=TEXT),
        Column[BotSpeeds]("players", value=lambda row: _first(row).players),
    ]
    for bot in dict.fromkeys(speed.bot for speed in speeds):
        columns += _speed_columns(bot)
    columns += [
        _share_column(bot, f"{bot} hosted", "hosted")
        for bot in dict.fromkeys(speed.bot for speed in speeds if speed.hosted)
    ]
    rows = [
        {speed.bot: speed for speed in own}
        for _, own in groupby(speeds, key=lambda speed: (speed.variant, speed.players))
    ]
    what = COMPILED if all(speed.compiled for speed in speeds) else PLAIN
    return f"{format_sheet(Sheet('', columns, rows))}\n\n{MEANING}\n{what}"


BotSpeeds = dict[str, Speed]
"""The speeds at one variant, by bot."""


def _first(row: BotSpeeds) -> Speed:
    return next(iter(row.values()))


def _speed_columns(bot: str) -> list[Column[BotSpeeds]]:
    """Return the columns of a bot: its speed, and the shares of it that are left with more to do."""
    return [
        Column(f"{bot}/s", value=lambda row: row[bot].referee or None, kind=Kind(",.0f")),
        _share_column(bot, "with records", "records"),
        _share_column(bot, "in blocks", "blocks"),
    ]


def _share_column(bot: str, name: str, field: str) -> Column[BotSpeeds]:
    def share(row: BotSpeeds) -> float | None:
        part: float | None = getattr(row[bot], field)
        return part / row[bot].referee if part and row[bot].referee else None

    return Column(name, value=share, kind=Kind(".0f", "%", is_share=True), missing="")


def findings_text(findings: Sequence[Finding]) -> str:
    """Return a line for each check, with the advice under it, and a summary."""
    cells = []
    for finding in findings:
        cells.append([finding.state, finding.name, finding.found])
        if finding.advice:
            cells.append(["", "", f"→ {finding.advice}"])
    table = plain_table([Column("", kind=TEXT)] * 3, cells)
    states: Counter[str] = Counter(finding.state for finding in findings)
    return f"{table}\n\n{_verdict(states)}"


def _verdict(states: Counter[str]) -> str:
    if states["bad"]:
        return f"{format_count(states['bad'], 'things')} to fix before tournaments can run here."
    if states["warn"]:
        return f"Tournaments can run here; {format_count(states['warn'], 'things')} could be better."
    return "Tournaments can run here; no problems found."
