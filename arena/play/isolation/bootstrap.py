"""The first code in a bot's process: it gives up what the bot must not have, then runs the bot.

It is run as a script by a bare Python, so it imports next to nothing. Its arguments: a seccomp filter in hex,
the only paths that may be read (none: all), the packages that may be imported (none: run a command), the
bot's folder, and the module with its arguments, or else the command. Lists have a line for each item.
"""

import gc
import os
import sys
from importlib.machinery import PathFinder

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every architecture
FILE_RIGHTS = [*[(bit, 1) for bit in range(13)], (13, 2), (14, 3), (15, 5)]
NET_RIGHTS = [(0, 4), (1, 4)]
SCOPES = [(0, 6), (1, 6)]
RIGHTS = (FILE_RIGHTS, NET_RIGHTS, SCOPES)  # each right's bit, and the version of Landlock that has it first
READ_FILE = 0b0101  # execute, read
READ_FOLDER = 0b1101  # and list
USE_DEVICE = 0b0110  # read, write


class Kernel:
    """Takes rights from this process and all its descendants, for good.

    Raises: OSError, if the kernel does not support it: then no bot may run here.
    """

    def __init__(self) -> None:
        import ctypes  # here, so that a process which gives up nothing starts sooner
        import struct

        self._ctypes, self._pack = ctypes, struct.pack
        self._library = ctypes.CDLL(None, use_errno=True)

    def apply_filter(self, code: bytes) -> None:
        """Apply a seccomp filter."""
        self._prctl(PR_SET_NO_NEW_PRIVS, 1)
        buffer = self._ctypes.create_string_buffer(code)
        program = self._pack("HP", len(code) // 8, self._ctypes.addressof(buffer))
        self._prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program)

    def restrict_files(self, readable: list[str]) -> None:
        """Allow, by Landlock, to read and execute these files and folders, and no others."""
        version = self._syscall(CREATE_RULESET, None, 0, 1)
        rights = [sum(1 << bit for bit, since in row if since <= version) for row in RIGHTS]
        handled = self._pack("=3Q", *rights)
        ruleset = self._syscall(CREATE_RULESET, handled, len(handled), 0)
        for path in readable:
            beneath = os.open(path, os.O_PATH)
            rule = self._pack("=Qi", _rights(path), beneath)
            self._syscall(ADD_RULE, ruleset, 1, rule, 0)
            os.close(beneath)
        self._prctl(PR_SET_NO_NEW_PRIVS, 1)
        self._syscall(RESTRICT_SELF, ruleset, 0)
        os.close(ruleset)

    def _prctl(self, option: int, *arguments: object) -> None:
        unused = [0] * (4 - len(arguments))
        self._check(f"prctl {option}", self._library.prctl(option, *arguments, *unused))

    def _syscall(self, number: int, *arguments: object) -> int:
        return self._check("landlock", self._library.syscall(number, *arguments))

    def _check(self, what: str, result: int) -> int:
        if result < 0:
            error = self._ctypes.get_errno()
            raise OSError(error, f"{what}: {os.strerror(error)}")
        return result


def import_packages(paths: list[str]) -> None:
    """Import each package from its path, without making its neighbours importable."""
    from importlib.util import module_from_spec

    for path in paths:
        parent, name = os.path.split(path)
        spec = PathFinder.find_spec(name, [parent])
        assert spec is not None, path
        assert spec.loader is not None, path
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)


def run_module(folder: str, module: str, arguments: list[str]) -> None:
    """Run a module's `main`. The bot's folder comes last on the path: a `random.py` there shadows nothing."""
    if folder:
        sys.path.append(folder)
    __import__(module)
    gc.freeze()
    gc.enable()
    sys.modules[module].main(arguments)


def _rights(path: str) -> int:
    if os.path.isdir(path):
        return READ_FOLDER
    return USE_DEVICE if path.startswith("/dev/") else READ_FILE


if __name__ == "__main__":
    _, code, readable, importable, home, *rest = sys.argv
    if importable:
        gc.disable()  # nothing is garbage until the module runs
        import_packages(importable.splitlines())
    if readable or code:
        kernel = Kernel()
        if readable:
            kernel.restrict_files(readable.splitlines())
        if code:
            kernel.apply_filter(bytes.fromhex(code))
    if importable:
        run_module(home, rest[0], rest[1:])
    else:
        os.execv(rest[0], rest)
