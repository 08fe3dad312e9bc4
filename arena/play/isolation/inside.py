"""The first code in a bot's process: gives up what the bot must not have, then becomes its host.

Run as a script by a bare Python, so it imports next to nothing. Its arguments: a seccomp filter in hex,
the paths that alone may be read (none: all), the packages that may be imported (none: run a command), the
bot's folder, and the host's module with its arguments, or else the command. Lists have a line for each.
"""

import ctypes
import os
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every architecture
FILE_RIGHTS = [*[(bit, 1) for bit in range(13)], (13, 2), (14, 3), (15, 5)]
NET_RIGHTS = [(0, 4), (1, 4)]
SCOPES = [(0, 6), (1, 6)]
RIGHTS = (FILE_RIGHTS, NET_RIGHTS, SCOPES)  # each right's bit, and the version of Landlock that brought it
READ_FILE = 0b0101  # execute, read
READ_FOLDER = 0b1101  # and list
USE_DEVICE = 0b0110  # read, write

LIBRARY = ctypes.CDLL(None, use_errno=True)


class Ruleset(ctypes.Structure):
    """What Landlock is to refuse unless a rule allows it."""

    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class Rule(ctypes.Structure):
    """What is allowed with a file, or with all that lies in a folder."""

    _fields_ = (("rights", ctypes.c_uint64), ("beneath", ctypes.c_int32))


class Filter(ctypes.Structure):
    """A seccomp filter as the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def confine(code: bytes) -> None:
    """Gives up, for this process and all it will ever be, what the filter refuses.

    Raises: OSError, when the kernel does not take it: then no bot may run here.
    """
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    program = Filter(len(code) // 8, code)
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program))


def close_files(readable: list[str]) -> None:
    """Gives up, by Landlock, every file but these and what lies in them, which may be read and run."""
    version = _syscall(CREATE_RULESET, None, 0, 1)
    handled = Ruleset(*(sum(1 << bit for bit, since in row if since <= version) for row in RIGHTS))
    ruleset = _syscall(CREATE_RULESET, ctypes.byref(handled), ctypes.sizeof(handled), 0)
    for path in readable:
        beneath = os.open(path, os.O_PATH)
        rights = READ_FOLDER if os.path.isdir(path) else USE_DEVICE if path.startswith("/dev/") else READ_FILE
        _syscall(ADD_RULE, ruleset, 1, ctypes.byref(Rule(rights, beneath)), 0)
        os.close(beneath)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def show(packages: list[str]) -> None:
    """Imports the packages each from where it lies, without the rest that lies there."""
    for package in packages:
        parent, _, name = package.rpartition("/")
        sys.path.insert(0, parent)
        __import__(name)
        sys.path.remove(parent)


def become_host(folder: str, module: str, arguments: list[str]) -> None:
    """Runs the host, which may import what lies in the bot's folder; a `random.py` there hides nobody's."""
    if folder:
        sys.path.append(folder)
    __import__(module)
    sys.modules[module].main(arguments)


def _prctl(option: int, *arguments: object) -> None:
    if LIBRARY.prctl(option, *arguments, *[0] * (4 - len(arguments))):
        raise OSError(ctypes.get_errno(), f"prctl {option}: {os.strerror(ctypes.get_errno())}")


def _syscall(number: int, *arguments: object) -> int:
    result: int = LIBRARY.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"landlock: {os.strerror(ctypes.get_errno())}")
    return result


if __name__ == "__main__":
    _, program, readable, shown, home, *rest = sys.argv
    show(shown.splitlines())
    if readable:
        close_files(readable.splitlines())
    if program:
        confine(bytes.fromhex(program))
    if shown:
        become_host(home, rest[0], rest[1:])
    else:
        os.execv(rest[0], rest)
