"""A stranger's bot that tries every door it knows, and tells on standard output which were open.

It is played as the Python host's module and as a command of its own; no part of the arena is imported.
"""

import ctypes
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

Door = Callable[[], object]
MIB = 1 << 20
LIBRARY = ctypes.CDLL(None, use_errno=True)

# Numbers of x86-64: elsewhere another call is asked for, which is refused or harmless.
CALLS: dict[str, tuple[int, ...]] = {
    "ptrace": (101, 0, 0, 0, 0),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "pidfd_open": (434, os.getpid(), 0),
    "tkill": (200, 1, 0),
    "unshare a user namespace": (272, 0x10000000),
    "unshare mounts": (272, 0x00020000),
    "clone a process": (56, 17, 0, 0, 0, 0),
    "clone into namespaces": (56, 0x10000000 | 17, 0, 0, 0, 0),
    "clone3": (435, 0, 0),
    "vfork": (58,),
    "mount": (165, 0, 0, 0, 0, 0),
    "umount": (166, 0, 0),
    "pivot_root": (155, 0, 0),
    "chroot": (161, 0),
    "fsopen": (430, 0, 0),
    "open_tree": (428, -100, 0, 0),
    "statmount": (457, 0, 0, 0, 0),
    "listmount": (458, 0, 0, 0, 0),
    "add_key": (248, 0, 0, 0, 0, -3),
    "keyctl": (250, 0, -3, 1),
    "bpf": (321, 0, 0, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "userfaultfd": (323, 1),
    "io_uring_setup": (425, 4, 0),
    "io_setup": (206, 1, 0),
    "memfd_create": (319, 0, 0),
    "memfd_secret": (447, 0),
    "shmget": (29, 0, 4096, 0o1600),
    "msgget": (68, 0, 0o1600),
    "semget": (64, 0, 1, 0o1600),
    "shmctl": (31, 0, 0, 0),
    "msgrcv": (70, 0, 0, 0, 0, 0),
    "semop": (65, 0, 0, 0),
    "sync": (162,),
    "flock": (73, 0, 2),
    "mq_open": (240, 0, 0o102, 0o600, 0),
    "open_by_handle_at": (304, 0, 0, 0),
    "inotify_init": (253,),
    "fanotify_init": (300, 0, 0),
    "sysinfo": (99, 0),
    "capget": (125, 0, 0),
    "getsid of process 1": (124, 1),
    "getpgid of process 1": (121, 1),
    "getpriority of process 1": (140, 0, 1),
    "sched_getaffinity of process 1": (204, 1, 0, 0),
    "sched_getscheduler of process 1": (145, 1),
    "clock_getres of process 1": (229, ~1 << 3 | 2, 0),
    "setsockopt": (54, 0, 1, 7, 0, 4),
    "sendmsg": (46, 0, 0, 0),
    "sendmmsg": (307, 0, 0, 0, 0),
    "cachestat": (451, 0, 0, 0, 0),
    "mincore": (27, 0, 0, 0),
    "fadvise64": (221, 0, 0, 0, 4),
    "preadv2": (327, 0, 0, 0, 0, 0, 8),
    "wake others that map a file": (202, 0, 1, 1),
    "futex_wake": (454, 0, 0, 0, 0),
    "futex_waitv": (449, 0, 0, 0, 0, 0),
    "futex_wait": (455, 0, 0, 0, 0, 0, 0),
    "lock a futex of others": (202, 0, 6, 0, 0),
    "wait for others to hand over a futex": (202, 0, 11, 0, 0, 0, 0),
    "get_robust_list of process 1": (274, 1, 0, 0),
    "readahead": (187, 0, 0, 0),
    "getrusage": (98, 0, 0),
    "mbind": (237, 0, 0, 0, 0, 0, 0),
    "move_pages": (279, 1, 0, 0, 0, 0, 0),
    "process_madvise": (440, 0, 0, 0, 21, 0),
    "request_key": (249, 0, 0, 0, 0),
    "io_uring_enter": (426, 0, 0, 0, 0, 0, 0),
    "io_uring_register": (427, 0, 0, 0, 0),
    "kcmp": (312, 1, 1, 0, 0, 0),
    "pidfd_getfd": (438, 0, 0, 0),
    "pidfd_send_signal": (424, 0, 19, 0, 0),
    "stop process 1": (62, 1, 19),
    "stop a thread of process 1": (200, 1, 19),
    "personality": (135, 0xFFFFFFFF),
    "syslog": (103, 10, 0, 0),
    "reboot": (169, 0, 0, 0, 0),
    "sethostname": (170, 0, 0),
    "settimeofday": (164, 0, 0),
    "setpriority": (141, 0, 0, 0),
    "sched_setaffinity": (203, 0, 0, 0),
    "prlimit64 of process 1": (302, 1, 7, 0, 0),
    "landlock_create_ruleset": (444, 0, 0, 1),
    "seccomp": (317, 2, 0, 0),
    "prctl of a filter": (157, 22, 2, 0),
    "prctl of a table of futexes": (157, 78, 1, 16, 0, 0),
    "table of descriptors for a thread": (436, 1000, 1000, 2),
    "ustat": (136, 1, 0),
    "sysfs": (139, 3),
    "getxattr": (191, 0, 0, 0, 0),
    "listxattr": (194, 0, 0, 0),
    "getsockopt of a cookie": (55, 0, 1, 57, 0, 0),
    "fcntl of a later kernel": (72, 0, 1047, 0),
    "a call of a later kernel": (900,),
    "a call of another architecture": (0x40000000 + 39,),
}
SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/openssl.cnf")
FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "alg": 38, "vsock": 40, "xdp": 44}


def main(arguments: list[str]) -> None:
    """Tries the doors: all of them, or only those that do no harm where they open (`look`).

    It is told files that exist outside and may not be read, and the process that started it.
    """
    descriptors = [number for number in range(1024) if is_open(number)]
    how, *secrets, parent = arguments
    groups = [reading(secrets), sockets()]
    if how == "force":
        groups += [writing(secrets), signalling(int(parent)), conferring(), starting(), calls(), limits()]
    doors = {name: door for group in groups for name, door in group.items()}
    opened = {name: opens for name, door in doors.items() if (opens := tried(door))}
    told = {
        "tried": len(doors),
        "open": opened,
        "environment": sorted(os.environ),
        "descriptors": descriptors,
        "processes": sorted(processes()),
        "user": os.getuid(),
        "threads": threads() if how == "force" else None,
    }
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()


def tried(door: Door) -> str:
    """Return the attempt's result, or nothing if it was refused."""
    with suppress(OSError, MemoryError, ValueError, BufferError):
        return f"gave {door()!r:.80}"
    return ""


def reading(secrets: list[str]) -> dict[str, Door]:
    files = ["/etc/shadow", "/etc/passwd", "/etc/hostname", "/proc/kcore", "/dev/kmsg", *secrets]
    folders = ["/root", "/home", "/etc", "/run", "/sys", "/var", "/mnt", "/opt", "/srv", "/tmp", "/dev/shm"]
    folders += sorted({str(parent) for secret in secrets for parent in list(Path(secret).parents)[:-1]})
    doors: dict[str, Door] = {f"read {path}": partial(os.open, path, os.O_RDONLY) for path in files}
    return doors | {f"list {path}": partial(content, path) for path in folders}


def content(path: str) -> list[str]:
    """Return the entries of the folder, without empty ones that only lead to the bot's own files."""
    own = Path(__file__).parent
    shown = [str(Path(path, name)) for name in os.listdir(path)]
    strange = [name for name in shown if not leads_to_ours(name, own)]
    if not strange:
        raise FileNotFoundError(path)
    return strange


def leads_to_ours(name: str, own: Path) -> bool:
    ours = [
        own,
        *map(Path, SETTINGS),
        *map(Path, sys.path),
        Path(sys.executable),
        *(Path(p) for p in loaded()),
    ]
    return name.startswith("/etc/java-") or any(
        place.is_relative_to(name) or Path(name).is_relative_to(place) for place in ours
    )


def loaded() -> list[str]:
    modules = list(sys.modules.values())
    return [str(Path(file).parent) for module in modules if (file := getattr(module, "__file__", None))]


def writing(secrets: list[str]) -> dict[str, Door]:
    own = Path(__file__)
    places = ["/", "/tmp", "/dev", "/dev/shm", "/var/tmp", "/run", "/etc", "/usr/lib", "/proc"]
    places += [str(own.parent), str(Path(os.__file__).parent), *{str(Path(s).parent) for s in secrets}]
    new = os.O_WRONLY | os.O_CREAT
    flags = {"write": os.O_WRONLY, "append": os.O_WRONLY | os.O_APPEND, "empty": os.O_RDONLY | os.O_TRUNC}
    files = [
        str(own),
        *secrets,
        "/proc/sys/kernel/core_pattern",
        "/proc/sysrq-trigger",
        "/dev/vda",
        "/dev/zero",
    ]
    doors: dict[str, Door] = {}
    for place in places:
        doors |= {
            f"make a file in {place}": partial(os.open, f"{place}/x", new),
            f"make a folder in {place}": partial(os.mkdir, f"{place}/y"),
            f"make a link in {place}": partial(os.symlink, "/", f"{place}/z"),
            f"make a pipe in {place}": partial(os.mkfifo, f"{place}/w"),
        }
    for file in files:
        doors |= {f"{how} {file}": partial(os.open, file, flag) for how, flag in flags.items()}
        doors |= {
            f"remove {file}": partial(os.unlink, file),
            f"rename {file}": partial(os.rename, file, f"{file}2"),
            f"chmod {file}": partial(os.chmod, file, 0o777),
            f"touch {file}": partial(os.utime, file),
            f"truncate {file}": partial(os.truncate, file, 0),
        }
    return doors


def signalling(parent: int) -> dict[str, Door]:
    others = [process for process in processes() if process != os.getpid()]
    doors: dict[str, Door] = {
        f"write the memory of {p}": partial(os.open, f"/proc/{p}/mem", os.O_RDWR) for p in others
    }
    return doors | {
        "signal the arena": lambda: os.kill(parent, 0),
        "signal everyone": lambda: os.kill(-1, 0),
        "signal the group": lambda: os.killpg(0, 0),
        "read the arena's environment": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
        "read the arena's memory": lambda: os.open(f"/proc/{parent}/mem", os.O_RDONLY),
        "become root": lambda: os.setuid(0),
        "bound the arena": lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE),
        "slow the arena down": lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
        "read the flags of a file": lambda: fcntl.ioctl(os.open(__file__, os.O_RDONLY), 0x80086601, bytes(8)),
        "mark a file": lambda: fcntl.ioctl(os.open(__file__, os.O_RDONLY), 0x40086602, bytes(8)),
        "widen a pipe": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETPIPE_SZ, MIB),
        "have the arena signalled": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, parent),
        "choose the signal": lambda: fcntl.fcntl(0, fcntl.F_SETSIG, signal.SIGKILL),
        "lease a file": lambda: fcntl.fcntl(os.open(__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK),
        "type into a terminal": lambda: fcntl.ioctl(0, 0x5412, b"x"),
        "open a terminal": lambda: os.open("/dev/ptmx", os.O_RDWR),
    }


def conferring() -> dict[str, Door]:
    """Leaving marks on a file that other bots can read too."""
    own = os.open(__file__, os.O_RDONLY)
    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 5, 1, 0)
    marks = {"lock": fcntl.F_SETLK, "look for a lock": fcntl.F_GETLK, "wait for a lock": fcntl.F_SETLKW}
    marks |= {"lock as a file": 37, "look for such a lock": 36, "say how long it lives": 1036}
    return {f"{name} in a file": partial(fcntl.fcntl, own, what, lock) for name, what in marks.items()}


def starting() -> dict[str, Door]:
    doors: dict[str, Door] = {
        "fork": forked,
        "spawn": lambda: os.posix_spawn(sys.executable, [sys.executable, "--version"], {}),
    }
    if __name__ != "__main__":  # a command may run another program in its place
        doors["exec"] = lambda: os.execv(sys.executable, [sys.executable, "--version"])
    return doors


def forked() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return child


def sockets() -> dict[str, Door]:
    doors: dict[str, Door] = {
        f"socket {name}": partial(
            socket.socket, family, socket.SOCK_RAW if name in ("netlink", "packet") else 1
        )
        for name, family in FAMILIES.items()
    }
    return doors | {
        "socket datagram": partial(socket.socket, socket.AF_INET, socket.SOCK_DGRAM),
        "pair of datagram sockets": partial(socket.socketpair, socket.AF_UNIX, socket.SOCK_DGRAM),
    }


def limits() -> dict[str, Door]:
    """Raising what is bounded, and memory past its bound by each way there is."""
    bounded = (
        "RLIMIT_DATA",
        "RLIMIT_NPROC",
        "RLIMIT_NOFILE",
        "RLIMIT_FSIZE",
        "RLIMIT_CORE",
        "RLIMIT_STACK",
        "RLIMIT_AS",
        "RLIMIT_MEMLOCK",
    )
    doors: dict[str, Door] = {f"raise {name}": partial(raised, name) for name in bounded}
    shared = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    return doors | {
        "memory of Python": lambda: len(bytearray(1024 * MIB)),
        "memory mapped": lambda: mmap.mmap(-1, 1024 * MIB, flags=private),
        "memory mapped bit by bit": lambda: [mmap.mmap(-1, 16 * MIB, flags=private) for _ in range(64)],
        "memory shared": lambda: mmap.mmap(-1, MIB, flags=shared),
        "memory as a stack": lambda: mmap.mmap(-1, 1024 * MIB, flags=private | 0x0100),
        "memory written past its protection": lambda: os.open("/proc/self/mem", os.O_RDWR),
        "memory of timers": timers,
        "memory of /dev/zero": lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), MIB),
    }


def timers() -> int:
    """Make timers of the kernel: each takes some of its memory."""
    quiet, timer = struct.pack("=QiiQ", 0, 0, 1, 0).ljust(64, b"\0"), ctypes.c_int()
    for _ in range(10_000):
        if LIBRARY.syscall(222 if os.uname().machine == "x86_64" else 107, 1, quiet, ctypes.byref(timer)) < 0:
            raise OSError("too many")
    return timer.value


def raised(name: str) -> object:
    which = getattr(resource, name)
    _, most = resource.getrlimit(which)
    resource.setrlimit(which, (most + 1, most + 1))
    return name


def calls() -> dict[str, Door]:
    return {f"call {name}": raw(*call) for name, call in CALLS.items()}


def raw(number: int, *arguments: int) -> Door:
    def call() -> int:
        result: int = LIBRARY.syscall(number, *[ctypes.c_long(argument) for argument in arguments])
        if result == 0 and number in (56, 58):  # the child
            os._exit(0)
        if result < 0 and ctypes.get_errno() in (1, 38):  # refused, or as if unknown
            raise PermissionError(number)
        return result

    return call


def is_open(number: int) -> bool:
    with suppress(OSError):
        return fcntl.fcntl(number, fcntl.F_GETFD) >= 0
    return False


def processes() -> list[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


def threads() -> int:
    """The number of threads may be had."""
    over, started = threading.Event(), 0
    with suppress(RuntimeError, MemoryError):
        threading.stack_size(65536)
        while started < 1000:
            threading.Thread(target=over.wait, daemon=True).start()
            started += 1
    over.set()
    return started


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(sys.argv[1:])
