"""Messages to a bot depend only on its view, and its process imports little of the arena."""

import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest

from arena.games import VARIANTS, Deal, Match, Rules
from arena.play.bot_processes.json_protocol import JsonProtocol
from arena.play.bot_processes.msgpack_protocol import MatchEncoder, MsgpackProtocol, SymbolEncoder
from arena.play.bot_processes.protocol import WireProtocol
from tests.play.bot_processes.hosted_matches import make_info

ROOT = Path(__file__).parents[3]
ALLOWED = {
    *(
        "arena",
        "arena.errors",
        "arena.play",
        "arena.play.bot",
        "arena.play.heuristics",
        "arena.play.heuristics.fallback_action",
    ),
    *("arena.compiled_classes", "arena.installed"),
}
BOT_SIDE = ("arena.games", "arena.play.bot_runtime")
SYMBOLS = SymbolEncoder()
"""Those of one worker: the same number for the same action in all messages that are compared."""


def sent(rules: Rules, deal: Deal, seat: int, protocol: WireProtocol) -> list[bytes]:
    """All that is sent to a bot up to its last decision in a deal, as if the match began there."""
    info = make_info(rules, deal.opening.players, 0, seat, limits=msgspec.UNSET)  # type: ignore[arg-type]
    messages, frames = [protocol.match(0, info, MatchEncoder(SYMBOLS))], []
    for state in deal.replay():
        if state.to_act == seat:
            frames.append(protocol.encode(messages, [(0, state.view(seat), None)]))
            messages = []
    return frames


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_messages_do_not_depend_on_hidden_cards(rules: Rules) -> None:
    match, rng = rules.match(min(4, rules.players[-1]), "a deal"), Random(7)
    differing = requests = 0
    for _ in range(25):
        if match.is_over:
            break
        seat = match.seat_to_act
        assert seat is not None
        view = match.view(seat)
        world: Match = view.sample(rng)
        differing += world.deal.hands != match.deal.hands
        for make in (lambda: MsgpackProtocol(SYMBOLS), JsonProtocol):
            frames = sent(rules, match.deal, seat, make())
            assert frames == sent(rules, world.deal, seat, make())
            requests = max(requests, len(frames))
        match.apply(rng.choice(view.legal))
    assert differing
    assert requests > 1 or rules.name == "cuccu"  # where a seat decides once in a deal


def test_bot_process_imports_little_of_the_arena() -> None:
    code = "import sys, arena.play.bot_runtime; print(*sorted(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    ours = {name for name in out.stdout.split() if name.split(".")[0] == "arena"}
    foreign = {
        name for name in ours - ALLOWED if not name.startswith(("arena.games", "arena.play.bot_runtime"))
    }
    assert not foreign
    assert not {"numpy", "scipy", "click", "tabulate", "logging", "hashlib"} & set(out.stdout.split())
