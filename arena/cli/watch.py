"""`arena watch`: follow a tournament in progress."""

import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import click

from arena.cli.options import run_argument
from arena.output.texts.live_view import LiveView
from arena.output.words.text import terminal_size


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@click.command(epilog="Example: arena watch results/quick-001 --every 5")
@run_argument
@click.option(
    "--every",
    metavar="SECONDS",
    type=click.FloatRange(0.1),
    default=2.0,
    show_default=True,
    help="Seconds between updates.",
)
@click.option("--once", is_flag=True, help="Print one update and exit.")
def watch_command(folder: Path, every: float, once: bool) -> None:
    """Follow a tournament in progress.

    Shows progress, speed, ratings so far and faults, until the run ends or you press Ctrl-C, which does not
    stop the run. Without a terminal each change is printed.
    """
    is_window = sys.stdout.isatty()
    plain = not is_window or click.get_current_context().color is False
    draws = is_window and not once
    watch = LiveView(
        folder,
        _write,
        every=every,
        get_size=terminal_size if draws else None,
        plain=plain,
        sleep=_sleep_until_resized if draws and hasattr(signal, "SIGWINCH") else time.sleep,
    )
    if once:
        watch.show()
        return
    with suppress(KeyboardInterrupt):
        watch.run_until_complete()


def _sleep_until_resized(seconds: float) -> bool:
    """Sleep; return at once, with true, when the terminal is resized."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})
    try:
        return signal.sigtimedwait({signal.SIGWINCH}, seconds) is not None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
