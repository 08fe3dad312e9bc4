"""How a bot in a process of its own fails."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from typing import Literal, get_args

FaultKind = Literal["illegal", "invalid", "timeout", "crash", "oversize", "no-start"]
FAULT_KINDS = get_args(FaultKind)


class Failed(Exception):
    """What stands in place of an answer: the kind of fault, and what there is to say about it."""

    def __init__(self, kind: FaultKind, words: str) -> None:
        super().__init__(words)
        self.kind = kind
        self.words = words


class MachineFault(BrokenExecutor):
    """The machine could not start a process: nobody's fault, and what was played is played again."""
