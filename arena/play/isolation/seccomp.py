"""The seccomp filter: system calls that the kernel refuses to a bot.

It lists what is refused, on top of empty namespaces: a list of what is allowed would break with each new C
library. The program is Linux's classic BPF, 8 bytes an instruction.
Source: linux/seccomp.h, linux/filter.h.
"""

from __future__ import annotations

import errno
import platform
import struct

from arena.play.isolation.syscalls import CONDITIONAL, NEWEST, REFUSED

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7), "arm64": (1, 0xC00000B7)}
"""Column in the tables of numbers and the kernel's constant, by machine."""

LOAD, AND, RETURN = 0x20, 0x54, 0x06
EQUAL, GREATER, ANY_BIT = 0x15, 0x25, 0x45

ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, UNKNOWN, AGAIN, INVALID = (
    0x00050000 | number for number in (errno.EPERM, errno.ENOSYS, errno.EAGAIN, errno.EINVAL)
)

NUMBER, ARCHITECTURE = 0, 4  # offsets in the data that the filter sees
FIRST_ARGUMENT = 16  # its low half: the kernel ignores the high half of all that is compared here

CLONE_THREAD = 0x00010000
CLONE_FILES = 0x00000400
CLOSE_RANGE_UNSHARE = 2  # a table of descriptors of its own, as without CLONE_FILES: each may hold 64 sockets
HONEST_IOCTLS = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: others mark files, reach terminals."""
F_SETOWN, F_SETSIG, F_SETOWN_EX = 8, 10, 15  # having the kernel signal another
F_SETLEASE, F_NOTIFY = 1024, 1026  # holding up who opens a file, and watching it
F_LOCKS = (5, 6, 7, 36, 37, 38)  # of parts of a file: its other readers see them
F_SETPIPE_SZ = 1031  # memory of the kernel
LAST_FCNTL = 1035  # later ones are marks that a file's other readers see
FUTEX_PRIVATE, FUTEX_COMMAND = 0x80, 0x7F
FUTEX_WAIT, FUTEX_WAIT_BITSET = 0, 9
"""Operations that C libraries use, without FUTEX_PRIVATE, to wait for the end of a thread.

Nobody may wait on a page that others map too: a thread's end wakes whoever waits for the word that it named
to `set_tid_address` or in its list of robust locks, even on a read-only page. EAGAIN means that the word has
changed: C libraries then read it again, until the thread has ended.
"""
SHARED_PAGE_ADVICE = (12, 20, 21, 22, 25)
"""MADV_MERGEABLE, COLD, PAGEOUT, POPULATE_READ, COLLAPSE: they change or probe pages that others map too."""
AF_UNIX, SOCK_STREAM, TYPES = 1, 1, 0x0F  # a datagram socket could send to others than its pair
SHARED_AND_NO_FILE = 0x21  # MAP_SHARED | MAP_ANONYMOUS
GROWS = 0x0100  # MAP_GROWSDOWN: a stack, which the bound on data does not count
OWN_ONLY = ("getsid", "sched_getaffinity", "sched_getparam", "sched_getscheduler")
"""Calls that say whether a process exists; 0 is the caller. C libraries cope with ENOSYS, not EPERM."""
CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create")
LAST_CLOCK = 15  # the numbers of others hold the id of a process
PR_SET_PDEATHSIG = 1  # the signal at the end of the arena
PR_SET_SECCOMP = 22  # memory of the kernel
PR_SCHED_CORE = 62  # tells whether another process exists
LAST_PRCTL, PR_SET_VMA = 77, 0x53564D41
"""Between them: tables of futexes of any size, in memory of the kernel, and options of later kernels."""
LAST_SOCKET_OPTION = 56  # beyond it: cookies, which count the sockets of all, and descriptors of processes

Code = list[bytes]


def seccomp_filter(*, may_execute: bool, alone: bool) -> bytes:
    """Return the filter for this machine. It allows a bot threads, but only one process.

    Args:
        may_execute: Whether the bot may run other programs.
        alone: Whether it has a process namespace of its own, so that its signals reach only its own threads.

    Raises:
        OSError: On an architecture without a table of system calls.
    """
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        raise OSError(f"no table of system calls for {machine}")
    column, name = ARCHITECTURES[machine]
    numbers = {call: row[column] for call, row in (REFUSED | CONDITIONAL).items()}
    refused = [*REFUSED]
    if not may_execute:
        refused += ["execve", "execveat"]
    if not alone:
        refused += ["tgkill", "timer_create"]  # signals to others, and what all bots of a user share
    code = [*_load(ARCHITECTURE), *_unless(EQUAL, name, KILL), *_load(NUMBER)]
    code += _if(GREATER, NEWEST, UNKNOWN)
    for number in sorted(number for call in refused if (number := numbers[call]) is not None):
        code += _if(EQUAL, number, REFUSE)
    for call, rule in _rules().items():
        code += _for_call(numbers[call], rule)
    return b"".join([*code, *_return(ALLOW)])


def _rules() -> dict[str, Code]:
    """Return, by system call, the test of its arguments."""
    return {
        "clone": [
            *_argument(0),
            *_unless(ANY_BIT, CLONE_THREAD, REFUSE),
            *_unless(ANY_BIT, CLONE_FILES, REFUSE),
        ],
        "close_range": [*_argument(2), *_if(ANY_BIT, CLOSE_RANGE_UNSHARE, REFUSE)],
        "clone3": _return(UNKNOWN),  # its flags lie in memory; C libraries fall back to clone
        "ioctl": [*_argument(1), *_allow_any(*HONEST_IOCTLS), *_return(REFUSE)],
        "fcntl": [
            *_argument(1),
            *_refuse_any(F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY, *F_LOCKS, F_SETPIPE_SZ),
            *_if(GREATER, LAST_FCNTL, REFUSE),
        ],
        "futex": [
            *_argument(1),
            *_if(ANY_BIT, FUTEX_PRIVATE, ALLOW),
            *_instruction(AND, FUTEX_COMMAND),
            *_if(EQUAL, FUTEX_WAIT, AGAIN),
            *_if(EQUAL, FUTEX_WAIT_BITSET, AGAIN),
            *_return(REFUSE),
        ],
        "madvise": [
            *_argument(2),
            *(part for advice in SHARED_PAGE_ADVICE for part in _if(EQUAL, advice, INVALID)),
        ],
        "socketpair": [
            *_argument(0),
            *_unless(EQUAL, AF_UNIX, REFUSE),
            *_argument(1),
            *_instruction(AND, TYPES),
            *_unless(EQUAL, SOCK_STREAM, REFUSE),
        ],
        "getsockopt": [*_argument(2), *_if(GREATER, LAST_SOCKET_OPTION, REFUSE)],
        "mmap": [
            *_argument(3),
            *_if(ANY_BIT, GROWS, REFUSE),
            *_instruction(AND, SHARED_AND_NO_FILE),
            *_if(EQUAL, SHARED_AND_NO_FILE, REFUSE),
        ],
        "prctl": [
            *_argument(0),
            *_refuse_any(PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SCHED_CORE),
            *_if(EQUAL, PR_SET_VMA, ALLOW),
            *_if(GREATER, LAST_PRCTL, REFUSE),
        ],
        "prlimit64": [*_argument(0), *_unless(EQUAL, 0, REFUSE)],  # only its own limits
        "getpriority": [*_argument(1), *_unless(EQUAL, 0, REFUSE)],
        **{call: [*_argument(0), *_unless(EQUAL, 0, UNKNOWN)] for call in OWN_ONLY},
        **{call: [*_argument(0), *_if(GREATER, LAST_CLOCK, REFUSE)] for call in CLOCKS},
    }


def _for_call(number: int | None, rule: Code) -> Code:
    """Return the rule, skipped for every other call."""
    assert number is not None
    body = [*rule, *_return(ALLOW)]
    return [*_instruction(EQUAL, number, no=len(body)), *body]


def _if(test: int, value: int, verdict: int) -> Code:
    return [*_instruction(test, value, no=1), *_return(verdict)]


def _refuse_any(*values: int) -> Code:
    return [part for value in values for part in _if(EQUAL, value, REFUSE)]


def _allow_any(*values: int) -> Code:
    return [part for value in values for part in _if(EQUAL, value, ALLOW)]


def _unless(test: int, value: int, verdict: int) -> Code:
    return [*_instruction(test, value, yes=1), *_return(verdict)]


def _load(offset: int) -> Code:
    return _instruction(LOAD, offset)


def _argument(place: int) -> Code:
    return _load(FIRST_ARGUMENT + 8 * place)


def _return(verdict: int) -> Code:
    return _instruction(RETURN, verdict)


def _instruction(operation: int, value: int, *, yes: int = 0, no: int = 0) -> Code:
    """Encode one instruction; a test skips `yes` or `no` instructions."""
    return [struct.pack("=HBBI", operation, yes, no, value)]
