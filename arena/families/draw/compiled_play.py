"""The draw family in the vector environment: compiled steps of many matches on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.batches import BatchSpec, CompiledBatch
from arena.adapters.compiled_observation import (
    clear,
    write_card,
    write_cards,
    write_chips,
    write_counts,
    write_phase,
    write_seats,
    write_tokens,
)
from arena.adapters.compiled_steps import PlayFunctions, advance_matches, digest_play, new_batch
from arena.families.draw.kernel.layout import KINDS, MATCH, build_rules, explain_unserved
from arena.families.draw.kernel.matches import HAND_SIZE, apply_action, begin_match, stock_left
from arena.families.draw.kernel.settlement import write_rewards
from arena.families.draw.kernel.turns import DISCARD, KNOCK
from arena.games.kernel.compilation import cached, compiled
from arena.games.kernel.layout import Tables
from arena.games.kernel.legal_action_bits import choose_bit, is_legal, write_mask
from arena.games.kernel.opponents import ASKED, NO_CHOICE, POLICIES, RANDOM
from arena.source_digest import DRAW_KERNEL

__all__ = ["POLICIES", "explain_unserved", "make_batch"]

DRAWS: Final = 3
"""Actions that draw, as bits."""


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules = tables.rules
    clear(out)
    held = 0
    if match.next_seat[seat] >= 0:
        held = HAND_SIZE + (match.is_discarding and match.to_act == seat)
    for slot in range(held):
        write_card(features, match.hands[seat, slot], features.hand + slot * features.slot_width, out)
    for place in range(match.pile_size):
        out[features.discards + match.pile[place]] = 1
    if match.pile_size:
        write_card(features, match.pile[match.pile_size - 1], features.discard_top, out)
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        out[features.knocker + place] = match.knocker == other
        if place:
            write_cards(match.known[other], features.known + (place - 1) * rules.pack, out)
    write_seats(rules.players, rules.step, match, features, seat, out)
    if match.to_act == seat:
        legal = match.legal
        kinds = ((legal & DRAWS) != 0) | ((legal >> KNOCK) & 1) << 1 | ((legal >> DISCARD) != 0) << 2
        write_phase(kinds, features, out)
    write_counts(rules.players, match, stock_left(rules, match), features, out)
    if rules.is_pot:
        write_chips(rules.players, rules.step, match, features, seat, out)
    else:
        write_tokens(rules.players, rules.step, match, features, seat, out)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or the last, which ends the deal."""
    if policy == ASKED:
        return NO_CHOICE
    return choose_bit(match.legal, policy == RANDOM, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_legal, write_mask, choose_action, write_rewards, observe
)


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `advance_matches`."""

    @cached
    def advance_draw_matches(game: Any, state: Any, actions: Any, arrays: Any) -> None:
        sources  # noqa: B018 (part of the key)
        advance_matches(PLAY, game, state, actions, arrays)

    return advance_draw_matches


advance: Final = _compile_advance(digest_play(Path(__file__), DRAW_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    tables = Tables(build_rules(spec.rules, spec.players))
    return new_batch(spec, advance, tables, KINDS, np.zeros(spec.matches, MATCH))
