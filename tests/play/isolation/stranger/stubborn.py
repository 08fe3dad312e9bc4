"""A bot that lets nothing end it that it may forbid, and says `here` when it is ready for the worst."""

import signal
import sys
import time


def main(arguments: list[str]) -> None:
    """Ignores signals, its closed pipes, and the end of its input."""
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    sys.stdout.write("here\n")
    sys.stdout.flush()
    while True:
        time.sleep(1)


if __name__ == "__main__":
    main([])
