"""The bot's side of the msgpack protocol without a process: it rebuilds views from frames."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec

from arena.games import View
from arena.play.bot_runtime.views import SeatHistory, SymbolDecoder
from arena.play.bot_runtime.wire import ACTION, ASK, HEADER_BYTES, LEGAL, VIEW_TYPE


class WireBotSide:
    """Rebuilds views from frames, as `arena.play.bot_runtime.server` does."""

    def __init__(self) -> None:
        self._symbols = SymbolDecoder()
        self.seats: defaultdict[int, SeatHistory] = defaultdict(SeatHistory)
        """Events received, by match."""

    def read(self, frame: bytes) -> list[View]:
        """Return the views of the requests in a frame, in order."""
        views: list[View] = []
        define: dict[int, Any] = {
            ACTION: self._symbols.define_action,
            LEGAL: self._symbols.define_legal,
            VIEW_TYPE: self._symbols.define_view_type,
        }
        for message in msgspec.msgpack.decode(frame[HEADER_BYTES:]):
            if message[0] in define:
                define[message[0]](message)
            elif message[0] == ASK:
                _, view_type, matches, *columns = message
                decoder = self._symbols.view_types[view_type]
                views += decoder.decode(columns, [self.seats[m] for m in matches])
        return views
