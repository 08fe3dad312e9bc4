"""Matches to step through, in a notebook or as a page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
from markupsafe import escape

from arena.errors import RecordError
from arena.output.pages.page import render_replay_page
from arena.play.records.record_check import find_recorded_rules
from arena.play.records.record_schema import decode_record
from arena.tournament.files import replace_file
from arena.tournament.records import FoundRecord, replay_deals

FRAME_HEIGHT: Final = 720
"""Height of a replay in a notebook, in pixels."""


class Replay:
    """A match to step through: a notebook shows it, and `save` writes it as a page.

    Args:
        record: A match as `play_match` or `RunData.records` return it.

    Raises:
        RecordError: It is not a record, or breaks the rules.

    Example:
        >>> from arena import Replay, play_match, variant
        >>> replay = Replay(play_match(variant("lives", tokens=1), ["greedy", "random"], seed="x"))
        >>> replay
        <replay of lives(tokens=1): greedy, random>
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = dict(record)
        line = msgspec.json.encode(self.record)
        try:
            parsed = decode_record(line)
        except msgspec.DecodeError as error:
            raise RecordError(f"not a record of a match: {error}") from error
        self._found = FoundRecord(1, str(find_recorded_rules(parsed)), parsed, line)
        self._deals = replay_deals("the record", self._found)

    def __repr__(self) -> str:
        return f"<replay of {self._found.variant}: {', '.join(self._found.record.bots or ())}>"

    @cached_property
    def html(self) -> str:
        """The page, complete in itself."""
        return render_replay_page(self._found, self._deals)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" width="100%" '
            f'height="{FRAME_HEIGHT}" style="border:0"></iframe>'
        )

    def save(self, path: Path | str) -> None:
        """Write the page to a file."""
        with replace_file(Path(path)) as file:
            file.write(self.html.encode())
