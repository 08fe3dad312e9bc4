"""Kinds of columns whose words need care."""

from __future__ import annotations

from typing import Final

from arena.columns.kinds import TEXT
from arena.output.words.text_format import strip_unprintable

STRANGE: Final = TEXT._replace(write=strip_unprintable)
"""Kind of columns of texts of unknown origin."""
