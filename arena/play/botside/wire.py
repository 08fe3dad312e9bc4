"""The pipes between the arena and a Python host, and what the messages there begin with.

A frame is its length in four bytes and then msgpack; the arena's holds a list of messages, each an array:

    [ACTION, number, pickled action]      what a number means from now on: an action,
    [LEGAL, number, [action ...]]         a tuple of legal actions,
    [VIEW, number, "module:Class"]        a family's view
    [MATCH, m, variant, options, players, seat, key]
    [DEAL, m, view, number, dealer, order, holdings, roles]
    [ACT, m, legal, changes, events, asides]
    [EVENT, m, deal, text]      [OVER, m, deal, result]      [END, m, payoffs, placings]
    [SYNC]                answered by 0 when all before it is done

A card is a number: its place among the different ones of the variant's pack, 255 for `??`. In ACT, `changes`
are places of the view's fields and their values in turn, those that are not as they were at the last ACT of
the deal (at the first: not empty); `events` and `asides` are those since then: `[seat, action, cards]` and
`[instead, number, seat, action, cards]`. Numbers are drawn at random, so that they tell nothing of what
others were asked. Holdings are msgpack by themselves, their fields in order.

The host's frames hold its answers in the order of the questions: the place of an action among the legal
ones, a text, or `[m, kind, words, asked, deal]` for a failure; where `asked` is false it is no answer but
tells that the bot failed to begin or to listen. Actions come pickled, for they are the arena's; what comes
from a bot never is.
"""

from __future__ import annotations

import os
from typing import Final

VERSION: Final = 1
ACTION, LEGAL, VIEW, MATCH, DEAL, ACT, EVENT, OVER, END, SYNC = range(10)
HIDDEN_CODE: Final = 255
HEAD: Final = 4
"""Bytes of a frame's length, the first the highest."""
ROOM: Final = 1 << 16


class Wire:
    """A host's end of the pipes."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._read = bytearray()

    @classmethod
    def taken(cls) -> Wire:
        """Standard input and output; from now on what a bot prints goes to standard error."""
        wire = cls(os.dup(0), os.dup(1))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return wire

    def read(self) -> bytes | None:
        """The next frame; None when the arena has closed its end."""
        buffer = self._read
        while True:
            if len(buffer) >= HEAD:
                end = HEAD + int.from_bytes(buffer[:HEAD], "big")
                if len(buffer) >= end:
                    frame = bytes(buffer[HEAD:end])
                    del buffer[:end]
                    return frame
            found = os.read(self._source, ROOM)
            if not found:
                return None
            buffer += found

    def write(self, frame: bytes) -> None:
        """Sends a frame, waiting until there is room for it."""
        data = memoryview(len(frame).to_bytes(HEAD, "big") + frame)
        while data:
            data = data[os.write(self._sink, data) :]
