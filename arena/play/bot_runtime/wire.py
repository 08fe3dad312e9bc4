"""The pipes between the arena and a Python host, and what the messages there begin with.

A frame is its length in four bytes and then msgpack; the arena's holds a list of messages, each an array:

    [ACTION, number, pickled action]      what a number means from now on: an action,
    [LEGAL, number, [action ...]]         a tuple of legal actions,
    [FORM, number, "module:Class", variant, options]    the views of a family in a variant
    [MATCH, m, variant, options, players, seat, key]
    [ASK, form, [m ...], column ...]      questions, with a column for each field of their views, in order
    [EVENT, m, deal, text]      [OVER, m, deal, result]      [END, m, payoffs, placings]
    [SYNC]                answered by 0 when all before it is done

A column of cards is a text with a letter for each: those of the variant's pack from `@` on, without the
backslash, `?` for `??`, `-` for none. A column of lists is their sizes (or one number, the size of all) and
one column of what is in them. Other columns are lists. Legal actions are given by their number, holdings that
are those of the opening by nothing. Openings are msgpack by themselves: `[players, number, dealer, order,
holdings, roles]`, and so are holdings, their fields in order. The public events of the deal are lines of
JSON, `[seat, action, cards]`, and so is what this seat alone knows of them: `[instead, number, seat, action,
cards]`; thus they are written once for all, and read by those who look. Numbers are drawn at random, so that
they tell nothing of what others were asked.

The host's frames hold its answers in the order of the questions: the place of an action among the legal
ones, a text, or `[m, kind, words, asked, deal]` for a failure; where `asked` is false it is no answer but
tells that the bot failed to begin or to listen. Actions come pickled, for they are the arena's; what comes
from a bot never is.
"""

from __future__ import annotations

import os
from typing import Final

VERSION: Final = 1
ACTION, LEGAL, FORM, MATCH, ASK, EVENT, OVER, END, SYNC = range(9)
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
