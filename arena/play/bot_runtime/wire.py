"""The pipes between the arena and a Python bot's process, and the format of their messages.

A frame is its length in four bytes (big-endian) and then msgpack. A frame of the arena's is a list of
messages, each an array:

    [ACTION, number, pickled action]      defines a number: an action,
    [LEGAL, number, [action ...]]         a tuple of legal actions,
    [VIEW_TYPE, number, "module:Class", variant, options]    a family's view in a variant
    [MATCH, m, variant, options, players, seat, key]
    [ASK, view type, [m ...], column ...] requests, with a column for each field of their views, in order
    [EVENT, m, deal, text]      [OVER, m, deal, result]      [END, m, payoffs, placings]
    [SYNC]                answered by 0 when all messages before it are processed

A column of cards is a string with a letter for each: those of the variant's pack from `@` on, without the
backslash, `?` for `??`, `-` for none. A column of lists is their lengths (or one number, the length of all)
and one column of their items. Other columns are lists. Legal actions are sent as their number. Numbers are
random: they tell nothing about what others were asked.

What a seat was sent of a deal before is not sent again. An opening comes with the seat's first request in a
deal, as msgpack in msgpack, `[players, number, dealer, order, holdings, roles]`; later it is nil. Holdings
that equal the opening's are nil. The column of public events has those since the seat's request before, as
lines of JSON, `[seat, action, cards]`, and that of private events what only this seat knows of them,
`[replaces, number, seat, action, cards]`. They are encoded once for all seats, and decoded only by bots that
read them. A process that restarts is sent each deal from its beginning.

A frame of the bot's is a list of answers in the order of the requests: the index of a legal action, a text,
or `[m, kind, words, asked, deal]` for a failure, followed by `true, retry_after` if it is an `Unavailable`.
One with `asked` false is not an answer: the bot was not made, or raised at an event or result; of the kind
`note`, it is the note on the next answer. Actions are pickled because they come from the arena; nothing that
comes from a bot is unpickled.
"""

from __future__ import annotations

import os
import signal
from typing import Final

VERSION: Final = 1
ACTION, LEGAL, VIEW_TYPE, MATCH, ASK, EVENT, OVER, END, SYNC = range(9)
HEADER_BYTES: Final = 4
READ_BYTES: Final = 1 << 16
STACK_SIGNAL: Final = signal.SIGUSR1
"""The signal at which a bot's process writes its stack to standard error."""


class Wire:
    """The bot's ends of the pipes."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._read = bytearray()

    @classmethod
    def from_stdio(cls) -> Wire:
        """Take over standard input and output; what a bot prints goes to standard error from now on."""
        wire = cls(os.dup(0), os.dup(1))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return wire

    def read(self) -> bytes | None:
        """Wait for the next frame and return its body; None when the arena has closed its end."""
        buffer = self._read
        while True:
            if len(buffer) >= HEADER_BYTES:
                end = HEADER_BYTES + int.from_bytes(buffer[:HEADER_BYTES], "big")
                if len(buffer) >= end:
                    body = bytes(buffer[HEADER_BYTES:end])
                    del buffer[:end]
                    return body
            data = os.read(self._source, READ_BYTES)
            if not data:
                return None
            buffer += data

    def write(self, body: bytes) -> None:
        """Send a frame; wait until the pipe has room for it."""
        data = memoryview(len(body).to_bytes(HEADER_BYTES, "big") + body)
        while data:
            data = data[os.write(self._sink, data) :]
