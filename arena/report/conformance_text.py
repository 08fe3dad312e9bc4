"""A bot's report card."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from arena.play.bot import Limits
from arena.play.conformance import Findings, GameFindings, Issue
from arena.report.text_format import strip_unprintable

SHORT = 12  # of a hash
LABEL = 18
MEANS = {
    "illegal": "answered what is not legal",
    "invalid": "answered what is no action",
    "timeout": "took too long",
    "crash": "raised or ended",
    "oversize": "wrote too much",
    "no-start": "did not start",
    "not-repeated": "did otherwise when the same match was played again: draw from info.rng alone",
    "peeking": "changed its mind when cards it cannot see were dealt differently: it sees too much",
}
PRINTED = 10
"""Lines of what it printed that are shown."""
SHOWN = 3
"""Flaws of a kind that are shown whole."""


def card_text(name: str, origin: str, content: str, found: Findings, limits: Limits) -> str:
    """The card: what was played, what it took, and all that is wrong."""
    lines = [
        strip_unprintable(name),
        _line("comes as", f"{origin}, content {content[:SHORT]}"),
        _line("lives", found.level),
        _line("starts in", f"{found.start_seconds * 1000:,.0f} ms (allowed {limits.start_ms:,})"),
        _line("games", _games(found)),
        _line("decisions", f"{found.decisions:,}"),
        _line("time for one", _times(found, limits)),
        _line("the very first", _first(found, limits)),
        _line("memory", _memory(found, limits)),
        _line("played again", _repeated(found)),
        _line(
            "hidden cards",
            _peeked(found),
        ),
        _line("faults", _faults(found)),
    ]
    return "\n".join([*lines, *_flaw_lines(found.flaws), *_printed(found), "", _ending(found.flaws)])


def card_fields(name: str, origin: str, content: str, found: Findings) -> dict[str, Any]:
    """The same for programs; times in milliseconds."""
    return {
        "bot": name,
        "origin": origin,
        "content": content,
        "isolation": found.level,
        "ok": not found.flaws,
        "start_ms": _ms(found.start_seconds),
        "median_ms": _ms(found.quantile(0.5)),
        "p99_ms": _ms(found.quantile(0.99)),
        "longest_ms": _ms(found.quantile(1)),
        "first_ms": _ms(found.first_seconds),
        "memory_mb": found.memory_mb,
        "decisions": found.decisions,
        "asked_again": found.asked_again,
        "games": [
            {"variant": game.variant, "players": game.players, "matches": game.matches,
             "decisions": game.decisions, "ok": not game.flaws}
            for game in found.games
        ],
        "left_out": found.left_out,
        "flaws": found.flaws,
        "printed": found.printed,
    }  # fmt: skip


def game_line(game: GameFindings) -> str:
    """How one game went, as soon as it is through."""
    kinds = sorted({flaw.kind for flaw in game.flaws})
    went = ", ".join(kinds) if kinds else "ok"
    sizes = ", ".join(map(str, game.players))
    return f"{game.variant}, {sizes} players: {game.decisions} decisions, {went}"


def _line(label: str, text: str) -> str:
    return f"  {label:<{LABEL}}{text}"


def _games(found: Findings) -> str:
    bad = [game.variant for game in found.games if game.flaws]
    left_out = f"; {found.left_out} more were not tried" if found.left_out else ""
    if not bad:
        return f"{len(found.games)}, all played well{left_out}"
    shown = ", ".join(bad[:5]) + (", …" if len(bad) > 5 else "")
    return f"{len(found.games)}, {len(found.games) - len(bad)} played well, not so {shown}{left_out}"


def _times(found: Findings, limits: Limits) -> str:
    median, most, longest = (_ms(found.quantile(share)) for share in (0.5, 0.99, 1))
    if longest is None:
        return "it was never asked"
    allowed = f"allowed {limits.decision_ms:,}"
    if longest > limits.decision_ms:
        allowed += f", and what is beyond that {limits.bank_ms:,} in a match"
    return f"median {median} ms, 99 % within {most} ms, longest {longest} ms ({allowed})"


def _first(found: Findings, limits: Limits) -> str:
    if found.first_seconds is None:
        return "it was never asked"
    return f"{_ms(found.first_seconds)} ms (allowed {limits.start_ms + limits.decision_ms:,})"


def _memory(found: Findings, limits: Limits) -> str:
    if found.memory_mb is None:
        return "not told from the arena's own"
    return f"{found.memory_mb:,.0f} MB (allowed {limits.memory_mb:,})"


def _repeated(found: Findings) -> str:
    times = _count(found, "not-repeated")
    if not found.repeated:
        return "not tried"
    return f"{times} matches went otherwise" if times else "every match went the same"


def _peeked(found: Findings) -> str:
    if not found.asked_again:
        return "not tried"
    times = _count(found, "peeking")
    return f"dealt differently {found.asked_again:,} times, {times or 'no'} change{'s' * (times > 1)} of mind"


def _count(found: Findings, kind: str) -> int:
    return sum(flaw.kind == kind for flaw in found.flaws)


def _faults(found: Findings) -> str:
    kinds = [flaw.kind for flaw in found.flaws if flaw.kind not in ("not-repeated", "peeking")]
    return ", ".join(f"{kind} ×{kinds.count(kind)}" for kind in dict.fromkeys(kinds)) or "none"


def _flaw_lines(flaws: Sequence[Issue]) -> list[str]:
    lines = []
    for kind, own in groupby(sorted(flaws, key=lambda flaw: flaw.kind), key=lambda flaw: flaw.kind):
        every = list(own)
        distinct = list({flaw.words: flaw for flaw in every}.values())
        lines += ["", f"{kind} ×{len(every)}: it {MEANS.get(kind, 'failed')}"]
        for flaw in distinct[:SHOWN]:
            lines.append(f"  {flaw.variant}, {flaw.players} players, seat {flaw.seat}, deal {flaw.deal}:")
            lines += [f"    {strip_unprintable(line)}" for line in flaw.words.strip().splitlines()]
        if len(distinct) > SHOWN:
            lines.append(f"  and {len(distinct) - SHOWN} more of other words")
    return lines


def _printed(found: Findings) -> list[str]:
    lines = found.printed.strip().splitlines()
    if not lines:
        return []
    more = f", its last {PRINTED} lines" if len(lines) > PRINTED else ""
    return ["", f"it printed{more}:", *[f"    {strip_unprintable(line)}" for line in lines[-PRINTED:]]]


def _ending(flaws: Sequence[Issue]) -> str:
    return "It would do well to be mended first." if flaws else "It is ready for a tournament."


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 2)
