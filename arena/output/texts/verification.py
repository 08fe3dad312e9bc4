"""The result of a verification, as text and for programs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.columns.number_format import format_count
from arena.league.verification import LeagueVerification
from arena.output.words.text_format import printable_line
from arena.plugins.games import arena_command
from arena.tournament.review.seal import SealCheck
from arena.tournament.review.verification import SHARES, BlockSample, Problem, Verification

MAX_PROBLEMS: Final = 100
"""Problems listed; more are only counted."""
MAX_SAMPLED: Final = 50
"""Blocks of a sample listed; more are only counted."""


DOUBT: Final = "With these problems it is not what was sealed. The seal says: "
"""Begins the line on a seal below problems."""


def verdict_text(path: Path, verdict: Verification) -> str:
    """Return a line for each problem, and one for what was checked."""
    return "\n".join(printable_line(line) for line in _lines(path, verdict))


def verdict_table(verdict: Verification) -> dict[str, Any]:
    """Return the result for programs."""
    fields = msgspec.structs.asdict(verdict)
    for name in ("replay_sample", "play_again_sample"):
        if sample := fields[name]:
            chances = {str(share): round(sample.detection(share), 4) for share in SHARES}
            fields[name] = {**msgspec.structs.asdict(sample), "detection": chances}
    return {"true": not verdict.wrong, **fields}


def league_verdict_text(path: Path, verdict: LeagueVerification) -> str:
    """Return a line for each problem of a league, and one for what was checked."""
    return "\n".join(printable_line(line) for line in _league_lines(path, verdict))


def league_verdict_table(verdict: LeagueVerification) -> dict[str, Any]:
    """Return the result of a league for programs."""
    return {"true": not verdict.wrong, **msgspec.structs.asdict(verdict)}


def _league_lines(path: Path, verdict: LeagueVerification) -> Iterator[str]:
    yield from _problem_lines(path, verdict.wrong)
    ratings = format_count(verdict.ratings, "ratings")
    yield f"{path}: {_count_text(verdict)}, {ratings}, {_ending(verdict.wrong)}"
    if verdict.not_replayed:
        yield (
            f"{format_count(verdict.not_replayed, 'blocks')} of earlier games, rules or limits were not "
            "replayed."
        )
    if verdict.seal:
        later = verdict.updates - verdict.sealed_updates
        rest = f", not the {format_count(later, 'updates')} after them" if later > 0 else ""
        yield f"The seal covers updates 1 to {verdict.sealed_updates}{rest}."
        yield f"{DOUBT if verdict.wrong else ''}{seal_text(verdict.seal)}"


def _problem_lines(path: Path, wrong: Sequence[Problem]) -> Iterator[str]:
    for problem in wrong[:MAX_PROBLEMS]:
        yield f"{path / problem.file}{_place(problem)}: {problem.what}"
    if len(wrong) > MAX_PROBLEMS:
        yield f"and {len(wrong) - MAX_PROBLEMS:,} more"


def _count_text(verdict: Verification | LeagueVerification) -> str:
    names = ("blocks", "matches", "deals", "actions")
    return ", ".join(format_count(getattr(verdict, name), name) for name in names)


def _ending(wrong: Sequence[Problem]) -> str:
    return format_count(len(wrong), "problems") if wrong else "all true"


def _lines(path: Path, verdict: Verification) -> Iterator[str]:
    yield from _problem_lines(path, verdict.wrong)
    files = format_count(verdict.files, "files")
    again = f", {format_count(verdict.played_again, 'blocks')} played again" if verdict.played_again else ""
    yield f"{path}: {_count_text(verdict)}, {files}{again}, {_ending(verdict.wrong)}"
    if verdict.not_replayed:
        yield (
            f"{format_count(verdict.not_replayed, 'matches')} not replayed by the rules, nor compared with "
            "their records: of these only bytes, places and tables were checked; without --sample all are "
            "replayed."
        )
    if verdict.sealed_root:
        check = SealCheck(verdict.sealed_root, verdict.signed_by, verdict.is_signer_known)
        yield f"{DOUBT if verdict.wrong else ''}{seal_text(check)}"
    if verdict.replay_sample:
        yield from _sample_lines("Replayed", verdict.replay_sample)
    if verdict.played_again and verdict.play_again_sample:
        yield from _sample_lines("Played again", verdict.play_again_sample)
    if verdict.wrong:
        yield from (f"Possible cause: {note}" for note in verdict.notes)
    if verdict.playing:
        yield "The run is being played now; its files are written at its end and were not compared."
    elif verdict.missing:
        more = f"{format_count(verdict.missing, 'blocks')} more to play"
        yield f"{more}." if path.is_file() else f"{more}: `{arena_command()} resume {path}`"


def seal_text(check: SealCheck) -> str:
    """Return a line with the root of a seal, and who signed it."""
    if check.is_signer_known:
        who = f"signed by the key asked for, {check.fingerprint}."
    elif check.fingerprint:
        who = f"signed by the key {check.fingerprint}; --signer FILE checks that it is the organiser's."
    else:
        who = "not signed: whoever changes the content can seal it again, unless its root was published."
    return f"Sealed under the root {check.root}, {who}"


def sealed_match_text(path: Path, check: SealCheck) -> str:
    """Return the result for a single match, a line for each problem or for the seal."""
    if check.wrong:
        return "\n".join(printable_line(f"{path}: {wrong.what}") for wrong in check.wrong)
    return f"{path}: the match is true\n{seal_text(check)}"


def _sample_lines(done: str, sample: BlockSample) -> Iterator[str]:
    """Yield which blocks a sample has, how to draw it again, and how likely it is to find a forgery."""
    listed = ", ".join(map(str, sample.blocks[:MAX_SAMPLED]))
    more = len(sample.blocks) - MAX_SAMPLED
    rest = f" and {format_count(more, 'blocks')} more" if more > 0 else ""
    yield f"{done}: {listed}{rest}. To check these again: --sample-seed {sample.seed}"
    chances = ", ".join(f"{100 * sample.detection(share):.1f} %" for share in SHARES)
    shares = ", ".join(f"{share:.0%}".replace("%", " %") for share in SHARES)
    yield f"Chance that such a sample has a forged block, if {shares} of all blocks are forged: {chances}."


def _place(wrong: Problem) -> str:
    """Return the place of a problem in its file."""
    places = []
    if wrong.index is not None:
        places.append(f"block {wrong.index} ({wrong.block})")
    if wrong.rotation is not None:
        places.append(f"match of rotation {wrong.rotation}")
    if wrong.line is not None:
        places.append(f"line {wrong.line}")
    return "".join(f", {place}" for place in places)
