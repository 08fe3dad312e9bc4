"""A bot gains nothing by computing in many threads, and honest bots lose nothing by it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.games import variant
from arena.play import Limits
from arena.play.bot_processes import LaunchSpec
from arena.play.isolation import Level, Program, probe
from bots.plain import Greedy
from tests.play.bot_processes.hosted_matches import HERE, play_matches, spec_of_file

LIVES = variant("lives", tokens=1)
THREAD_BOTS = HERE / "thread_bots.py"
CGROUP_ROOTS = (Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup"))


def skip_unless_usable(level: Level) -> None:
    if not (support := probe(level)).usable:
        pytest.skip(f"{level} is not usable here: {support.reason}")


def spec_of_code(folder: Path, code: str, level: Level) -> LaunchSpec:
    """Return the spec of a bot that computes in many threads, and runs the code when it is imported."""
    file = folder / "bot.py"
    file.write_text(f"{THREAD_BOTS.read_text()}\n\n{code}\n")
    folder.chmod(0o755)
    return LaunchSpec(level, Program(home=file, arguments=(f"{file}:Hog",)), {})


@pytest.mark.parametrize(
    "level", [*(pytest.param(level, marks=pytest.mark.full) for level in ("process", "landlock")), "sandbox"]
)
def test_decision_that_takes_more_cpu_time_than_its_limit_is_late(level: Level) -> None:
    """On two cores or more, its answer comes within the limit by the clock."""
    skip_unless_usable(level)
    thinker = spec_of_file("ParallelThinker", "thread_bots.py", level)
    matches = play_matches(LIVES, [thinker, Greedy], 2, Limits(decision_ms=350, bank_ms=0))
    assert {kind for match in matches for _, kind, _ in match.faults} == {"timeout"}


@pytest.mark.full
def test_start_that_takes_more_cpu_time_than_its_limit_is_none(tmp_path: Path) -> None:
    """On two cores or more, it is ready within the limit by the clock."""
    starter = spec_of_code(tmp_path, "compute(4.0, 4)", "process")
    (match,) = play_matches(LIVES, [starter, Greedy], 1, Limits(start_ms=2500))
    assert [fault[:2] for fault in match.faults] == [(0, "no-start")]


@pytest.fixture
def cpu_cgroup() -> Iterator[None]:
    """Put this process into a control group that may use one core, where one can be made."""
    root = next((root for root in CGROUP_ROOTS if (root / "cgroup.procs").exists()), None)
    if root is None:
        pytest.skip("there are no control groups here")
    group = root / f"arena-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error.strerror}")
    try:
        if (group / "cpu.cfs_quota_us").exists():
            (group / "cpu.cfs_quota_us").write_text("100000")
        elif (group / "cpu.max").exists():
            (group / "cpu.max").write_text("100000 100000")
        else:
            pytest.skip("control groups limit no CPU here")
        (group / "cgroup.procs").write_text(str(os.getpid()))
        yield
        (root / "cgroup.procs").write_text(str(os.getpid()))
    finally:
        group.rmdir()


def assert_honest_bot_loses_nothing(folder: Path, level: Level) -> None:
    """Play beside a bot that computes when it is imported, while it is asked, and out of turn."""
    hog = spec_of_code(folder, "compute_forever(20)", level)
    honest = LaunchSpec(level, Program(installed=True, arguments=("bots.plain:Greedy",)), {})
    limits = Limits(decision_ms=100, bank_ms=1000, start_ms=3000)
    matches = play_matches(LIVES, [honest, hog, hog], 6, limits)
    assert [fault for match in matches for fault in match.faults if fault[0] == 0] == []


@pytest.mark.parametrize(
    "level", [*(pytest.param(level, marks=pytest.mark.full) for level in ("process", "landlock")), "sandbox"]
)
def test_honest_bot_loses_nothing_beside_bots_with_many_threads(level: Level, tmp_path: Path) -> None:
    skip_unless_usable(level)
    assert_honest_bot_loses_nothing(tmp_path, level)


@pytest.mark.usefixtures("cpu_cgroup")
@pytest.mark.parametrize(
    "level", [*(pytest.param(level, marks=pytest.mark.full) for level in ("process", "landlock")), "sandbox"]
)
def test_honest_bot_loses_nothing_in_a_cpu_control_group(level: Level, tmp_path: Path) -> None:
    skip_unless_usable(level)
    assert_honest_bot_loses_nothing(tmp_path, level)
