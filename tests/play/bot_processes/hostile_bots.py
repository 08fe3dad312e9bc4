"""Hostile bots: most play quietly at their first decision of a match and then misbehave."""

# ruff: noqa: T201
import ctypes
import mmap
import os
import signal
import sys
import threading
import time
from itertools import count
from typing import Any, ClassVar


class Quiet:
    """Does no harm."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, view: Any) -> Any:
        self.asked += 1
        return self.worst(view) if self.asked > 1 else self.quiet(view)

    def quiet(self, view: Any) -> Any:
        texts = [view.text(action) for action in view.legal]
        return "pass" if "pass" in texts else texts[-1]

    def worst(self, view: Any) -> Any:
        return self.quiet(view)


class Sleeper(Quiet):
    def worst(self, view: Any) -> Any:
        time.sleep(1000)


class Looper(Quiet):
    def worst(self, view: Any) -> Any:
        while True:
            pass


class Hanging:
    """Never answers."""

    def act(self, view: Any) -> Any:
        return wait(0)  # for ever


def wait(number: int) -> int:
    while True:
        number += 1


class Sleeping:
    """Never answers, and uses no CPU."""

    def act(self, view: Any) -> Any:
        time.sleep(3600)


class Raiser(Quiet):
    def worst(self, view: Any) -> Any:
        raise ValueError("the worst has come")


class Hoarder(Quiet):
    """Holds memory that counts for no resource limit: written to, and then made read-only."""

    pieces: ClassVar[list[Any]] = []

    def worst(self, view: Any) -> Any:
        library, size = ctypes.CDLL(None), 16 << 20
        while len(self.pieces) < 24:
            piece = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            piece.write(b"x" * size)
            address = ctypes.addressof(ctypes.c_char.from_buffer(piece))
            library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), mmap.PROT_READ)
            self.pieces.append(piece)
        return self.quiet(view)


class SlowHoarder(Hoarder):
    def worst(self, view: Any) -> Any:
        answer = super().worst(view)
        time.sleep(3)
        return answer


class Painter(Quiet):
    """Writes commands to the terminal, and what looks like a line of the log."""

    def worst(self, view: Any) -> Any:
        print("\x1b[2J\u202ered", file=sys.stderr)
        raise ValueError("\x1b[31mred\nWARNING: greedy is out\r" + "x" * 50_000)


class Exiter(Quiet):
    def worst(self, view: Any) -> Any:
        print("last words")
        sys.stdout.flush()
        os._exit(3)


class Stubborn(Quiet):
    """Is told to end and does not."""

    def worst(self, view: Any) -> Any:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(1000)


class SelfKiller(Quiet):
    def worst(self, view: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class Eater(Quiet):
    def worst(self, view: Any) -> Any:
        return bytearray(1 << 34)


class Illegal(Quiet):
    def worst(self, view: Any) -> Any:
        return "pounce"


class Garbage(Quiet):
    def worst(self, view: Any) -> Any:
        return {"garbage": object()}


class Huge(Quiet):
    def worst(self, view: Any) -> Any:
        return "pass" * 100_000


class Closing(Quiet):
    def worst(self, view: Any) -> Any:
        os.closerange(0, 256)
        return self.quiet(view)


def pipes() -> list[int]:
    """Return the descriptors that look like pipes to the arena."""
    return [number for number in range(3, 64) if is_pipe(number)]


def is_pipe(number: int) -> bool:
    try:
        os.write(number, b"")
    except OSError:
        return False
    return True


class Forger(Quiet):
    """Answers behind its host's back, before it is asked."""

    def worst(self, view: Any) -> Any:
        for number in pipes():
            os.write(number, b"\0\0\0\x04\x93\x00\x00\x00" * 3)
        return self.quiet(view)


class Scribbler(Quiet):
    """Writes what is no frame at all behind its host's back."""

    def worst(self, view: Any) -> Any:
        for number in pipes():
            os.write(number, b"\xff" * 999)
        return self.quiet(view)


class Flooder(Quiet):
    """Answers for ever."""

    def worst(self, view: Any) -> Any:
        while True:
            for number in pipes():
                os.write(number, b"\0\0\0\x01\x90" * 1000)


class Complainer(Quiet):
    """Reports many failures in a match that it does not play before each answer."""

    def worst(self, view: Any) -> Any:
        complaint = b"\x95\x63\xa5crash\xa1x\xc2\x00"  # [99, "crash", "x", False, 0]
        body = b"\xdc\x03\xe8" + 1000 * complaint
        for number in pipes():
            os.write(number, len(body).to_bytes(4, "big") + body)
        return self.quiet(view)


class Tamperer(Quiet):
    """Changes the host it lives in."""

    def worst(self, view: Any) -> Any:
        from arena.play.bot_runtime import server

        for name in list(vars(server)):
            setattr(server, name, None)
        return self.quiet(view)


class Spinner(Quiet):
    """Computes in two more threads, whether it is asked or not."""

    def __init__(self) -> None:
        super().__init__()
        spin()


def spin() -> None:
    end = time.monotonic() + 60
    for _ in range(2):
        threading.Thread(target=lambda: all(time.monotonic() < end for _ in count()), daemon=True).start()


class Chatter(Quiet):
    """Prints more than anybody reads, and plays on."""

    def worst(self, view: Any) -> Any:
        print("out" * 300_000)
        print("err" * 300_000, file=sys.stderr)
        return self.quiet(view)


class DeafListener(Quiet):
    """Fails at what it hears."""

    def observe(self, event: str) -> None:
        if self.asked:
            raise RuntimeError(f"no more of {event}")


class BadLoser(Quiet):
    """Fails when a deal is over."""

    def deal_over(self, result: Any) -> None:
        raise RuntimeError("no")


class NotMade(Quiet):
    def __init__(self) -> None:
        raise RuntimeError("not today")


class Rememberer(Quiet):
    """Fails if it meets a deal that it has met before."""

    met: ClassVar[set[Any]] = set()

    def __init__(self) -> None:
        super().__init__()
        self.deals: set[Any] = set()

    def act(self, view: Any) -> Any:
        deal = (view.dealt, view.widow_dealt)
        assert deal in self.deals or deal not in self.met
        self.deals.add(deal)
        self.met.add(deal)
        return super().act(view)


class Conspirator(Quiet):
    """Fails if another of its kind sits at the same table."""

    tables: ClassVar[dict[Any, int]] = {}

    def act(self, view: Any) -> Any:
        table = (view.widow_dealt, view.deal, view.dealer)
        assert self.tables.setdefault(table, view.seat) == view.seat
        return super().act(view)
