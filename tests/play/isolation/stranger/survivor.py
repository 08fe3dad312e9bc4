"""A bot that tries to outlive the arena: it ignores signals, clears the signal that the end of its parent
sends, starts processes that leave its session, and replaces itself from a thread.

It says `here` when it is ready for the worst, and ends by itself after a minute.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from contextlib import suppress

PR_SET_PDEATHSIG = 1
LIFETIME_S = 60


def main(arguments: list[str]) -> None:
    """Is given a mark by which its processes can be found; a command runs itself again."""
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    clear_death_signal()
    with suppress(OSError):
        fork_twice()
    if __name__ == "__main__" and len(arguments) == 1:
        command = [sys.executable, "-I", __file__, *arguments, "again"]
        threading.Thread(target=os.execv, args=(sys.executable, command)).start()
        time.sleep(LIFETIME_S)
    with suppress(OSError):  # the arena may have ended already
        sys.stdout.write("here\n")
        sys.stdout.flush()
    time.sleep(LIFETIME_S)
    os._exit(0)


def clear_death_signal() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)


def fork_twice() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(LIFETIME_S)
        os._exit(0)
    os.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
