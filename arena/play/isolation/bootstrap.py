"""The first code in a bot's process: it gives up what the bot must not have, then runs the bot.

It is run as a script by a bare Python, so it imports next to nothing. Its arguments: `supervise` or
nothing, a seccomp filter in hex, the only paths that may be read (none: all), the packages that may be
imported (none: run a command), folders to import from, packages of games, and the module with its arguments,
or else the command. Lists of paths are in hex, with spaces between them.
"""

import gc
import os
import sys
from importlib.machinery import PathFinder

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 22, 36, 38
SECCOMP_MODE_FILTER = 2

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every architecture
FILE_RIGHTS = [*[(bit, 1) for bit in range(13)], (13, 2), (14, 3), (15, 5)]
NET_RIGHTS = [(0, 4), (1, 4)]
SCOPES = [(0, 6), (1, 6)]
RIGHTS = (FILE_RIGHTS, NET_RIGHTS, SCOPES)  # each right's bit, and the version of Landlock that has it first
READ_FILE = 0b0101  # execute, read
READ_FOLDER = 0b1101  # and list
LIST_FOLDER = 0b1000
USE_DEVICE = 0b0110  # read, write


class Kernel:
    """Takes rights from this process and all its descendants, for good, and supervises a bot.

    Raises:
        OSError: If the kernel does not support it: then no bot may run here.
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

    def supervise(self) -> None:
        """Return in a child process; this one ends with it, or as soon as the arena ends.

        Before it ends it kills all descendants of the child: the kernel makes those its own children that
        have lost their parents.
        """
        import signal

        awaited = {signal.SIGCHLD, signal.SIGTERM}
        signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
        self._prctl(PR_SET_CHILD_SUBREAPER, 1)
        self._prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        end_without_arena()
        supervisor, child = os.getpid(), os.fork()
        if child == 0:
            self._prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != supervisor:
                os._exit(1)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, awaited)
            return
        os.closerange(0, 3)  # so that the arena sees when the bot closes them
        status = None
        while status is None and signal.sigwait(awaited) == signal.SIGCHLD:
            status = wait_for_children(os.WNOHANG).get(child)
        kill_children()
        if status is None:
            os._exit(1)
        if os.WIFSIGNALED(status):
            end_by_signal(os.WTERMSIG(status))
        os._exit(os.waitstatus_to_exitcode(status))

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


def end_without_arena() -> None:
    """End this process if nothing can read its output any more: the arena has ended.

    The kernel signals the end of a parent only to processes that have asked for it before.
    """
    from select import POLLERR, poll

    output = poll()
    output.register(1, POLLERR)
    if output.poll(0):
        os._exit(1)


def kill_children() -> None:
    """Kill all children, and those that become children when their parents end, until there are none."""
    pid = os.getpid()
    while True:
        with open(f"/proc/{pid}/task/{pid}/children") as listing:
            children = listing.read().split()
        for child in children:
            os.kill(int(child), 9)
        if not wait_for_children(0):
            return


def wait_for_children(options: int) -> dict[int, int]:
    """Wait for a child, and return the statuses of all children that have ended."""
    ended: dict[int, int] = {}
    try:
        while (reaped := os.waitpid(-1, options if not ended else os.WNOHANG))[0]:
            ended[reaped[0]] = reaped[1]
    except ChildProcessError:
        pass
    return ended


def end_by_signal(number: int) -> None:
    """End this process by a signal, as the bot was ended."""
    import signal

    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def decode_paths(words: str) -> list[str]:
    """Return the paths that `encode_paths` has written."""
    return [os.fsdecode(bytes.fromhex(word)) for word in words.split()]


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


class GameFinder:
    """Finds packages of games where they are installed, without making their neighbours importable."""

    def __init__(self, paths: list[str]) -> None:
        self._parents = {}
        for path in paths:
            parent, name = os.path.split(path)
            self._parents[name.removesuffix(".py")] = parent

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Return the spec of a package of a game; None for any other module."""
        return PathFinder.find_spec(name, [self._parents[name]]) if name in self._parents else None


def run_module(folders: list[str], module: str, arguments: list[str]) -> None:
    """Run a module's `main`. The bot's folders come last on the path: a `random.py` there shadows nothing."""
    sys.path += folders
    __import__(module)
    gc.freeze()
    gc.enable()
    sys.modules[module].main(arguments)


def _rights(path: str) -> int:
    if path.endswith("/"):
        return LIST_FOLDER
    if os.path.isdir(path):
        return READ_FOLDER
    return USE_DEVICE if path.startswith("/dev/") else READ_FILE


if __name__ == "__main__":
    _, supervised, code, readable, importable, imports, games, *rest = sys.argv
    for name in ("PWD", "OLDPWD"):  # of the shell, or bubblewrap, that entered the folder
        os.environ.pop(name, None)
    kernel = Kernel()
    if supervised:
        kernel.supervise()
    else:
        end_without_arena()
    if importable:
        gc.disable()  # nothing is garbage until the module runs
        import_packages(decode_paths(importable))
        sys.meta_path.append(GameFinder(decode_paths(games)))  # type: ignore[arg-type]
    if readable or code:
        if readable:
            kernel.restrict_files(decode_paths(readable))
        if code:
            kernel.apply_filter(bytes.fromhex(code))
    if importable:
        run_module(decode_paths(imports), rest[0], rest[1:])
    else:
        os.execvp(rest[0], rest)
