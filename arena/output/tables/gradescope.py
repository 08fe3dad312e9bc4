"""The grades of a league as Gradescope takes them: a `results.json` for each student."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from arena.columns.number_format import format_count
from arena.errors import ConfigError
from arena.league.admission import is_installed
from arena.league.milestone_comparisons import Criterion
from arena.output.tables.league_grades import GradeRow
from arena.plugins.name_folding import fold_case
from arena.tournament.files import FOLDER_MODE, replace_file

FILE_NAME_SIGNS: Final = "._-@"


def write_gradescope(
    folder: Path,
    rows: Sequence[GradeRow],
    criteria: Sequence[Criterion],
) -> list[Path]:
    """Write the results of each student to a file of its own, and return the files.

    A student is a submitter or, for a bot without one, the bot's name. Of several bots the one that passed
    most comparisons counts; of those that passed as many, the first. A submitter without a bot gets no
    points. Built-in bots are not students. Only the owner may read the files.

    Args:
        folder: The folder of the files; it is created if missing.
        rows: The grades of the league's bots, see `grades_table`.
        criteria: What each student is graded by.

    Raises:
        ConfigError: If the names of two students differ only in case: so would their files.
    """
    bots: defaultdict[str, dict[str, list[GradeRow]]] = defaultdict(dict)
    for row in rows:
        if row.entry is None:
            bots[row.submitter] = {}
        elif not is_installed(row.entry.version.source):
            name = row.entry.bot.name
            bots[row.submitter or name].setdefault(name, []).append(row)
    files = _name_files(bots)
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    for student, graded in bots.items():
        best = max(graded.values(), key=_count_passed, default=[])
        content = make_gradescope_results(best, criteria)
        with replace_file(folder / files[student], is_private=True) as file:
            file.write(f"{json.dumps(content, indent=2, ensure_ascii=False)}\n".encode())
    return [folder / name for name in files.values()]


def make_gradescope_results(rows: Sequence[GradeRow], criteria: Sequence[Criterion]) -> dict[str, Any]:
    """Return the content of a student's `results.json`, which names no other student.

    Args:
        rows: The grades of the bot that counts; none if the student has no bot.
        criteria: What the student is graded by: a test for each, worth one point.

    Source: Gradescope, Autograder Specifications, "Output format".
    """
    compared = {(row.comparison.game, row.comparison.milestone): row for row in rows if row.comparison}
    tests = [_make_test(criterion, compared.get(criterion)) for criterion in criteria]
    return {
        "score": sum(test["score"] for test in tests),
        "output": _describe_bot(rows),
        "tests": tests,
    }


def _make_test(criterion: Criterion, row: GradeRow | None) -> dict[str, Any]:
    (variant, players), milestone = criterion
    is_passed = row is not None and row.passed == "yes"
    return {
        "name": f"Beat {milestone} at {variant}, {players} players",
        "score": int(is_passed),
        "max_score": 1,
        "status": "passed" if is_passed else "failed",
        "output": _describe_score(row),
    }


def _describe_bot(rows: Sequence[GradeRow]) -> str:
    if not rows or not rows[0].entry:
        return "You have no bot in the league that plays a graded game."
    entry, mark = rows[0].entry, "" if rows[0].comparison else rows[0].mark
    text = f"Graded: {entry.bot.name}, version {entry.version.ordinal} ({entry.version.digest})."
    return f"{text} It is {mark}, and was therefore not compared." if mark else text


def _describe_score(row: GradeRow | None) -> str:
    if row is None or not row.comparison or not (score := row.score) or score.score is None:
        return "Not compared."
    error = "" if score.error is None else f" ± {100 * score.error:.1f} %"
    blocks, needed = format_count(score.blocks, "blocks"), row.comparison.confidence
    lines = [f"Score: {100 * score.score:.1f} %{error} in {blocks}; 50 % is equal."]
    if score.los is not None:
        lines.append(f"Likelihood of superiority: {100 * score.los:.2f} %.")
    lines.append(f"Try {row.comparison.number}; to pass takes a likelihood of {needed:.6g} %.")
    if row.faults:
        lines.append(f"Faults: {row.faults}.")
    if row.mark == "disqualified":
        lines.append("Not passed, whatever the score: the bot lost too many matches by its faults.")
    return "\n".join(lines)


def _count_passed(rows: Iterable[GradeRow]) -> int:
    return sum(row.passed == "yes" for row in rows)


def _name_files(students: Iterable[str]) -> dict[str, str]:
    """Return the name of each student's file: that of the student, percent-encoded where unsafe."""
    files: dict[str, str] = {}
    known: dict[str, str] = {}
    for student in sorted(students):
        if (other := known.setdefault(fold_case(student), student)) != student:
            raise ConfigError(
                f"the names of {other} and {student} differ only in case, and so would their files: "
                "rename one in league.toml"
            )
        signs = (
            sign if sign.isalnum() or sign in FILE_NAME_SIGNS else f"%{ord(sign):02X}" for sign in student
        )
        files[student] = f"{''.join(signs)}.json"
    return files
