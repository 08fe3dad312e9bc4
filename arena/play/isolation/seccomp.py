"""The seccomp filter of a bot: the system calls that it is refused, and the program for the kernel."""

from __future__ import annotations

import errno
import platform
import struct

# --- system calls ---
# Numbers are those of x86-64 and 64-bit ARM (None: no such call).
#
# A call is refused for what a bot could do with it to the arena, the machine or other bots. That it carries a
# few bits to another bot is no reason: docs/isolation.md names ways that carry thousands and cannot be
# refused. The numbers never change. Source: the headers of Linux, asm/unistd_64.h and asm-generic/unistd.h.

Numbers = tuple[int | None, int | None]

REFUSED: dict[str, Numbers] = {
    # Other processes: their memory, their signals, their scheduling.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "capget": (125, 90),
    "get_robust_list": (274, 100),
    "getpgid": (121, 155),
    "ioprio_get": (252, 31),
    "sched_getattr": (315, 275),
    "sched_rr_get_interval": (148, 127),
    # New processes (clone is judged by its flags).
    "fork": (57, None),
    "vfork": (58, None),
    # The network; pairs of connected sockets, which event loops need, stay.
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    # Memory that counts for no limit, or that others share: buffers, files sent through sockets, filters.
    "setsockopt": (54, 208),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # Namespaces and mounts.
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "mount": (165, 40),
    "umount2": (166, 39),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "fsconfig": (431, 431),
    "fspick": (433, 433),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "listmount": (458, 458),
    "statmount": (457, 457),
    # Files: what can be done to one that may only be read, or not even that.
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    # Marks on files that no hash identifies, and what others have noted on theirs.
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "fgetxattr": (193, 10),
    "getxattrat": (464, 464),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "flistxattr": (196, 13),
    "listxattrat": (465, 465),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "truncate": (76, 45),
    "flock": (73, 32),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    # Signs of other programs that share the pages of a file.
    "cachestat": (451, 451),
    "mincore": (27, 232),
    "fadvise64": (221, 223),
    "preadv2": (327, 286),
    "readahead": (187, 213),
    "getrusage": (98, 165),
    "mbind": (237, 235),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_waitv": (449, 449),
    "futex_requeue": (456, 456),
    # Parts of the kernel with many past exploits, which no card player needs.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_setup": (206, 0),
    "vmsplice": (278, 75),
    "modify_ldt": (154, None),
    # The machine, and how busy it is.
    "sysinfo": (99, 179),
    "sysfs": (139, None),
    "ustat": (136, None),
    "syslog": (103, 116),
    "personality": (135, 92),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "iopl": (172, None),
    "ioperm": (173, None),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "uselib": (134, None),
    "lookup_dcookie": (212, 18),
}

CONDITIONAL: dict[str, Numbers] = {
    # Refused or not by their arguments, or by who calls.
    "execve": (59, 221),
    "execveat": (322, 281),
    "clone": (56, 220),
    "clone3": (435, 435),
    "ioctl": (16, 29),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "prctl": (157, 167),
    "getsid": (124, 156),
    "getpriority": (140, 141),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "timer_create": (222, 107),
    "prlimit64": (302, 261),
    "tgkill": (234, 131),
    "socketpair": (53, 199),
    "getsockopt": (55, 209),
    "close_range": (436, 436),
    "fcntl": (72, 25),
    "futex": (202, 98),
}

NEWEST = 467
"""The last system call that this table knows: whatever later kernels add is refused."""


# --- filter ---
# It lists what is refused, on top of empty namespaces: a list of what is allowed would break with each new C
# library. The program is Linux's classic BPF, 8 bytes an instruction.
# Source: linux/seccomp.h, linux/filter.h.

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
