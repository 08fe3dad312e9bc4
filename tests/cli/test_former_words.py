"""Words of a former version: the same output as the words of now, and a line that says what to write."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

NOTED = (
    *[
        (f"table DIR --{word}", f"table DIR --show {word}")
        for word in ("matrix", "seats", "variants", "times")
    ],
    ("table DIR --cycles", "table DIR --show exceptions"),
    ("table DIR --collusion", "table DIR --show fair-play"),
    ("verify DIR --sealed --jobs 1", "verify DIR --jobs 1"),
    ("verify DIR --store nowhere --jobs 1", "verify DIR --jobs 1"),
    ("submit --list", "bots"),
    (
        "compare greedy random stand-pat --rank --blocks 6 --seed a -q",
        "-q compare greedy random stand-pat --goal rank --blocks 6 --seed a",
    ),
    (
        "compare greedy random --keep-going --blocks 6 --seed a -q",
        "compare greedy random --on-fault keep --blocks 6 --seed a -q",
    ),
    (
        "compare greedy random --start fork --blocks 6 --seed a -q",
        "compare greedy random --blocks 6 --seed a -q",
    ),
    (
        "run --bot greedy --bot random --blocks 1 --out old -q --seed a",
        "run greedy random --blocks 1 --out old -q --seed a",
    ),
    (
        "run greedy random --strict --blocks 1 --out old -q --seed a",
        "run greedy random --on-fault stop --blocks 1 --out old -q --seed a",
    ),
)
KEPT = (
    ("bench lives --json", "doctor --bench lives --json"),
    ("replay verify DIR/replays.jsonl.zst", "verify DIR/replays.jsonl.zst"),
    ("compare greedy random --blocks 6 --seed a -q", "-q compare greedy random --blocks 6 --seed a"),
)
"""Words that are taken without an end, and without a line."""


@pytest.fixture
def sealed(arena: Arena, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = shutil.copytree(played, tmp_path / "run")
    assert arena("seal", folder, "--jobs", "1").exit_code == 0
    monkeypatch.chdir(tmp_path)
    return folder


def outputs(arena: Arena, words: str, folder: Path) -> tuple[int, str, str]:
    done = arena(*(word.replace("DIR", str(folder)) for word in words.split()))
    shutil.rmtree("old", ignore_errors=True)
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(("former", "now"), NOTED, ids=[former for former, _ in NOTED])
def test_a_former_word_does_what_it_did_and_says_what_to_write(
    arena: Arena, sealed: Path, former: str, now: str
) -> None:
    status, printed, errors = outputs(arena, now, sealed)
    assert status == 0, errors
    former_status, former_printed, told = outputs(arena, former, sealed)
    if now != "bots":  # which also lists installed ones
        assert (former_status, former_printed) == (status, printed)
    [line] = [line for line in told.splitlines() if line.startswith("arena: ")]
    assert line.startswith("arena: --")
    assert " is now " in line
    assert line.endswith(", and goes with the next release.")


@pytest.mark.parametrize(("former", "now"), KEPT, ids=[former for former, _ in KEPT])
def test_words_of_a_contract_stay_without_a_line(
    arena: Arena, sealed: Path, monkeypatch: pytest.MonkeyPatch, former: str, now: str
) -> None:
    monkeypatch.setattr("arena.cli.machine.MEASUREMENT_CPU_S", 0.01)
    status, printed, told = outputs(arena, former, sealed)
    assert (status, "arena: " in told) == (0, False)
    if "bench" not in former:  # which measures
        assert outputs(arena, now, sealed)[:2] == (status, printed)


def test_records_are_exported_as_replay_export_wrote_them(arena: Arena, sealed: Path, tmp_path: Path) -> None:
    former = arena("replay", "export", sealed, "--bot", "greedy", "--out", tmp_path / "former.jsonl.zst")
    now = arena("export", sealed, "--only", "records", "--bot", "greedy", "--out", tmp_path / "now")
    assert (former.exit_code, former.stderr, now.exit_code) == (0, "", 0)
    assert Path(now.stdout.strip()).read_bytes() == (tmp_path / "former.jsonl.zst").read_bytes()
    assert arena("export", sealed, "--only", "records", "--out", tmp_path / "now").exit_code == 2
    assert arena("export", sealed, "--bot", "greedy", "--out", tmp_path / "more").exit_code == 2


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("withdraw DIR greedy", "change DIR greedy --withdraw"),
        *(
            pytest.param(*words, marks=pytest.mark.full)
            for words in (
                ("rename DIR greedy keen", "change DIR greedy --rename keen"),
                ("ban DIR greedy", "change DIR greedy --ban"),
            )
        ),
    ],
)
def test_changes_of_a_league_are_one_command(arena: Arena, tmp_path: Path, former: str, now: str) -> None:
    outcomes = []
    for number, words in enumerate((former, now)):
        league = tmp_path / str(number)
        for call in ("new DIR --game cuccu", "submit DIR greedy random simple stand-pat"):
            assert arena("league", *call.replace("DIR", str(league)).split()).exit_code == 0
        settings = league / "league.toml"
        settings.write_text(settings.read_text().replace("#blocks = 400", "blocks = 4"))
        assert arena("league", "update", league, "--jobs", "1", "-q").exit_code == 0
        done = arena("league", *words.replace("DIR", str(league)).split())
        outcomes.append((done.exit_code, done.stdout))
        assert ("arena: league " in done.stderr) == (words is former)
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] == 0


def test_one_change_is_asked_for_at_a_time(arena: Arena, tmp_path: Path) -> None:
    league = tmp_path / "league"
    assert arena("league", "new", league, "--game", "cuccu").exit_code == 0
    for words in ((), ("--ban", "--withdraw")):
        refused = arena("league", "change", league, "greedy", *words)
        assert (refused.exit_code, "give one of --withdraw" in refused.stderr) == (2, True)
    refused = arena("league", "invite", league)
    assert (refused.exit_code, "give either CSV or --revoke" in refused.stderr) == (2, True)
