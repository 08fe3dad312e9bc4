"""The seccomp filter, interpreted as the kernel does."""

import errno
import platform
import re
import struct
from pathlib import Path

import pytest

from arena.play.isolation.seccomp import (
    AGAIN,
    ALLOW,
    ARCHITECTURES,
    CONDITIONAL,
    INVALID,
    KILL,
    NEWEST,
    REFUSE,
    REFUSED,
    UNKNOWN,
    seccomp_filter,
)

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
MACHINES = ("x86_64", "aarch64")


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    monkeypatch.setattr(platform, "machine", lambda: name)
    return name


def verdict(code: bytes, machine: str, call: str | int, *arguments: int, architecture: int = 0) -> int:
    """Return the filter's verdict on a call, worked out one instruction after the other."""
    column, name = ARCHITECTURES[machine]
    number = call if isinstance(call, int) else (REFUSED | CONDITIONAL)[call][column]
    seen = struct.pack("=iIQ6Q", number, architecture or name, 0, *arguments, *[0] * (6 - len(arguments)))
    value, place = 0, 0
    while True:
        operation, yes, no, operand = struct.unpack_from("=HBBI", code, 8 * place)
        place += 1
        if operation == 0x06:
            return int(operand)
        if operation == 0x20:
            (value,) = struct.unpack_from("=I", seen, operand)
        elif operation == 0x54:
            value &= operand
        else:
            tests = {0x15: value == operand, 0x25: value > operand, 0x45: bool(value & operand)}
            place += yes if tests[operation] else no


def test_filter_refuses_exactly_the_listed_calls(machine: str) -> None:
    code = seccomp_filter(may_execute=False, alone=False)
    column, _ = ARCHITECTURES[machine]
    listed = {row[column] for row in (REFUSED | CONDITIONAL).values()}
    for name, row in REFUSED.items():
        if row[column] is not None:
            assert verdict(code, machine, name) == REFUSE, name
    for number in set(range(NEWEST)) - listed:
        assert verdict(code, machine, number) == ALLOW, number
    assert verdict(code, machine, NEWEST + 1) == UNKNOWN


def test_call_of_another_architecture_kills(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    assert verdict(code, machine, 20, architecture=0x40000003) == KILL
    assert verdict(code, machine, 0x40000000 + 20) == UNKNOWN  # 32-bit pointers on x86-64


def test_threads_are_allowed_and_processes_refused(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    assert verdict(code, machine, "clone", 0x003D0F00) == ALLOW
    without_files = 0x003D0F00 & ~0x400  # 64 descriptors more, with the kernel's memory behind them
    for flags in (17, 0x4111, 0x10000000 | 17, without_files):
        assert verdict(code, machine, "clone", flags) == REFUSE
    assert verdict(code, machine, "clone3") == UNKNOWN


def test_execve_is_allowed_only_on_request(machine: str) -> None:
    for call in ("execve", "execveat"):
        assert verdict(seccomp_filter(may_execute=True, alone=True), machine, call) == ALLOW
        assert verdict(seccomp_filter(may_execute=False, alone=True), machine, call) == REFUSE


def test_tgkill_is_allowed_only_in_a_namespace(machine: str) -> None:
    assert verdict(seccomp_filter(may_execute=True, alone=True), machine, "tgkill", 1, 1, 6) == ALLOW
    assert verdict(seccomp_filter(may_execute=True, alone=False), machine, "tgkill", 1, 1, 6) == REFUSE


def test_arguments_are_compared_by_their_low_half(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    high = 1 << 32  # the kernel does not look there
    assert verdict(code, machine, "ioctl", 0, 0x5401) == ALLOW
    assert verdict(code, machine, "ioctl", 0, 0x5412 + high) == REFUSE
    for mark in (0x541C, 0x8901, 0x40086602, 0x401C5820, 0x6685):  # a terminal, owners, flags of files
        assert verdict(code, machine, "ioctl", 0, mark) == REFUSE
    assert verdict(code, machine, "fcntl", 0, 3) == ALLOW
    for wish in (8, 10, 15, 1024, 1026, 1031, 1036, 1048):
        assert verdict(code, machine, "fcntl", 0, wish) == REFUSE
    assert verdict(code, machine, "prlimit64", high) == ALLOW
    assert verdict(code, machine, "prlimit64", 7) == REFUSE


def test_death_signal_stays_and_other_processes_stay_unknown(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    for option in (1, 62, 78, 0x59616D61):
        assert verdict(code, machine, "prctl", option) == REFUSE
    for honest in (
        2,
        15,
        21,
        38,
        0x53564D41,
    ):  # look, name a thread, ask for a filter, give up rights, name memory
        assert verdict(code, machine, "prctl", honest) == ALLOW


def test_filters_and_rulesets_of_its_own_are_refused(machine: str) -> None:
    """They take memory of the kernel, which counts for no limit."""
    code = seccomp_filter(may_execute=True, alone=True)
    assert verdict(code, machine, "prctl", 22) == REFUSE
    for call in ("seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"):
        assert verdict(code, machine, call) == REFUSE


def test_thread_has_no_descriptors_of_its_own(machine: str) -> None:
    """The limit of open files is one for each table of descriptors."""
    code = seccomp_filter(may_execute=True, alone=True)
    assert verdict(code, machine, "close_range", 3, 100, 4) == ALLOW
    assert verdict(code, machine, "close_range", 3, 100, 2) == REFUSE
    assert verdict(code, machine, "close_range", 3, 100, 6) == REFUSE


def test_sockets_tell_nothing_of_the_machine(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    for honest in (3, 4, 7, 38, 39):  # type, error, buffer, protocol, family
        assert verdict(code, machine, "getsockopt", 0, 1, honest) == ALLOW
    for counted in (57, 71, 77):  # cookies, a descriptor of the process
        assert verdict(code, machine, "getsockopt", 0, 1, counted) == REFUSE


def test_calls_tell_nothing_of_other_processes(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    for call in ("getsid", "sched_getaffinity", "sched_getparam", "sched_getscheduler"):
        assert verdict(code, machine, call, 0) == ALLOW
        assert verdict(code, machine, call, 1) == UNKNOWN
    for call in ("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create"):
        assert [verdict(code, machine, call, clock) for clock in (0, 1, 3, 11)] == [ALLOW] * 4
        assert verdict(code, machine, call, (~1 << 3 | 2) & 0xFFFFFFFF) == REFUSE  # of process 1
    assert verdict(code, machine, "getpriority", 0, 0) == ALLOW
    assert verdict(code, machine, "getpriority", 0, 1) == REFUSE


def test_file_locks_and_shared_futexes_are_refused(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    for lock in (5, 6, 7, 36, 37, 38):
        assert verdict(code, machine, "fcntl", 0, lock) == REFUSE
    private, wait, wake, wait_bitset, clock = 128, 0, 1, 9, 256
    for honest in (private | wake, private | wait, private | wait_bitset | clock):
        assert verdict(code, machine, "futex", 0, honest) == ALLOW
    for end_of_thread in (wait, wait_bitset, wait_bitset | clock):
        assert verdict(code, machine, "futex", 0, end_of_thread) == AGAIN
    for shared in (wake, 3, 4, 5, 6, 10, 11, 12, wake | clock):
        assert verdict(code, machine, "futex", 0, shared) == REFUSE


def test_shared_pages_are_not_changed_or_probed(machine: str) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    for honest in (
        0,
        1,
        2,
        3,
        4,
        8,
        14,
        15,
        16,
        23,
    ):  # order of access, release, size of pages, dumps, populate
        assert verdict(code, machine, "madvise", 0, 4096, honest) == ALLOW
    for shared in (12, 20, 21, 22, 25):
        assert verdict(code, machine, "madvise", 0, 4096, shared) == INVALID


def test_timers_are_refused_where_all_bots_share_their_number(machine: str) -> None:
    assert verdict(seccomp_filter(may_execute=True, alone=True), machine, "timer_create", 1) == ALLOW
    assert verdict(seccomp_filter(may_execute=True, alone=False), machine, "timer_create", 1) == REFUSE


@pytest.mark.parametrize(
    ("family", "kind", "expected"),
    [
        (1, 1, ALLOW),
        (1, 0x80801, ALLOW),
        (1, 2, REFUSE),
        (1, 3, REFUSE),
        (1, 0x80802, REFUSE),
        (30, 1, REFUSE),
    ],
)
def test_only_stream_socketpairs_are_allowed(machine: str, family: int, kind: int, expected: int) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    assert verdict(code, machine, "socketpair", family, kind) == expected


@pytest.mark.parametrize(
    ("flags", "expected"),
    [(0x22, ALLOW), (0x02, ALLOW), (0x01, ALLOW), (0x21, REFUSE), (0x23, REFUSE), (0x122, REFUSE)],
)
def test_shared_anonymous_and_growing_mappings_are_refused(machine: str, flags: int, expected: int) -> None:
    code = seccomp_filter(may_execute=True, alone=True)
    assert verdict(code, machine, "mmap", 0, 4096, 3, flags) == expected


@pytest.mark.parametrize("name", MACHINES)
def test_numbers_match_the_kernel_headers(name: str) -> None:
    if not HEADERS[name].exists():
        pytest.skip(f"no headers of Linux here: {HEADERS[name]}")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[name].read_text())
    told = {call: int(number) for call, number in defined}
    column, _ = ARCHITECTURES[name]
    ours = {call: row[column] for call, row in (REFUSED | CONDITIONAL).items()}
    known = [call for call in ours if call in told]
    assert len(known) > 80
    assert {call: ours[call] for call in known} == {call: told[call] for call in known}


def test_unknown_machine_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "sparc")
    with pytest.raises(OSError, match="no table of system calls for sparc"):
        seccomp_filter(may_execute=True, alone=True)


def test_refused_calls_return_eperm_or_enosys() -> None:
    assert (REFUSE & 0xFFFF, UNKNOWN & 0xFFFF) == (errno.EPERM, errno.ENOSYS)
    assert (AGAIN & 0xFFFF, INVALID & 0xFFFF) == (errno.EAGAIN, errno.EINVAL)
