"""The cambio family in the vector environment: compiled steps of many matches on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.action_space import get_action_space
from arena.adapters.batches import BatchSpec, CompiledBatch
from arena.adapters.compiled_observation import (
    clear,
    write_card,
    write_counts,
    write_phase,
    write_points,
    write_seats,
)
from arena.adapters.compiled_steps import PlayFunctions, advance_matches, digest_play, new_batch
from arena.families.cambio.kernel.layout import KINDS, MATCH, build_rules, explain_unserved
from arena.families.cambio.kernel.matches import apply_action, begin_match, stock_left
from arena.families.cambio.kernel.settlement import write_rewards
from arena.games.kernel.compilation import cached, compiled
from arena.games.kernel.layout import NOBODY, Tables
from arena.games.kernel.legal_action_list import choose_listed, find_legal_kinds, is_legal, write_mask
from arena.games.kernel.opponents import ASKED, NO_CHOICE, POLICIES, RANDOM
from arena.source_digest import CAMBIO_KERNEL

__all__ = ["POLICIES", "explain_unserved", "make_batch"]


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules, width = tables.rules, features.slot_width
    clear(out)
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        for slot in range(match.sizes[other]):
            at = features.hands + (place * rules.slots + slot) * width
            write_known(match, features, seat, match.hands[other, slot], at, out)
        out[features.caller + place] = match.caller == other
    if match.drawn != NOBODY:
        write_known(match, features, seat, match.drawn, features.drawn, out)
    for place in range(match.pile_size):
        out[features.discards + match.pile[place]] = 1
    if match.pile_size:
        write_card(features, match.pile[match.pile_size - 1], features.discard_top, out)
    write_seats(rules.players, rules.step, match, features, seat, out)
    if match.to_act == seat:
        write_phase(find_legal_kinds(match, rules.kind_of), features, out)
    write_counts(rules.players, match, stock_left(rules, match), features, out)
    write_points(rules.players, rules.step, match.held, seat, features.points, out)


@compiled
def write_known(match: Any, features: Any, seat: int, card: int, at: int, out: Any) -> None:
    """Write a card in its slot, if the seat knows it."""
    if (match.known_by[card] >> seat) & 1:
        write_card(features, card, at, out)
    else:
        out[at + features.slot_width - 1] = 1


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or a call, or else the last."""
    if policy == ASKED:
        return NO_CHOICE
    return choose_listed(tables, match, policy == RANDOM, tables.rules.call, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_legal, write_mask, choose_action, write_rewards, observe
)


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `advance_matches`."""

    @cached
    def advance_cambio_matches(game: Any, state: Any, actions: Any, arrays: Any) -> None:
        sources  # noqa: B018 (part of the key)
        advance_matches(PLAY, game, state, actions, arrays)

    return advance_cambio_matches


advance: Final = _compile_advance(digest_play(Path(__file__), CAMBIO_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    names = get_action_space(spec.rules, spec.players).names
    tables = Tables(build_rules(spec.rules, spec.players, names))
    return new_batch(spec, advance, tables, KINDS, np.zeros(spec.matches, MATCH))
