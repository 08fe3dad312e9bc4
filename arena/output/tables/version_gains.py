"""Texts on how much stronger a new version of a bot is than the one before it."""

from __future__ import annotations

from arena.columns.number_format import format_count
from arena.league.results import LeagueResults
from arena.rating.student_t import MIN_BLOCKS
from arena.rating.two_bots import HeadToHead, format_los


def gain_text(results: LeagueResults, version: int) -> str:
    """Return `v3 − v2 = +81 ± 40, LOS 99.1%`; empty for a version that met no earlier one."""
    compared = results.gain_of(version)
    if compared is None:
        return ""
    old, gain = compared
    pair = f"v{results.versions[version].ordinal} − v{old.ordinal}"
    if gain.blocks < MIN_BLOCKS:
        return f"{pair}: only {format_count(gain.blocks, 'blocks')}, too few to tell"
    if gain.elo is None:
        done = "won" if gain.score else "lost"
        return f"{pair}: it {done} every point in {format_count(gain.blocks, 'blocks')}"
    error, los = gain_error(gain), gain.los
    width = "" if error is None else f" ± {error:.0f}"
    return f"{pair} = {gain.elo:+.0f}{width}" + ("" if los is None else f", LOS {format_los(los)}")


def gain_error(gain: HeadToHead) -> float | None:
    """Return half the width of the 95 % interval in Elo; None where it is unbounded or not known."""
    return None if gain.low is None or gain.high is None else (gain.high - gain.low) / 2


def gain_columns(results: LeagueResults, version: int) -> dict[str, float | int | None]:
    """Return the gain of a version for programs: Elo, its ±, the LOS in percent, and the blocks."""
    compared = results.gain_of(version)
    gain = compared[1] if compared else None
    error = gain_error(gain) if gain else None
    return {
        "gain": None if gain is None or gain.elo is None else round(gain.elo, 1),
        "gain_error": None if error is None else round(error, 1),
        "gain_los": None if gain is None or gain.los is None else round(100 * gain.los, 1),
        "gain_blocks": gain.blocks if gain else 0,
    }
