"""The cox family in the vector environment: compiled steps of many matches on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.action_space import get_action_space
from arena.adapters.batches import BatchSpec, CompiledBatch
from arena.adapters.compiled_observation import (
    ABSENT,
    clear,
    write_card,
    write_counts,
    write_phase,
    write_points,
    write_seats,
)
from arena.adapters.compiled_steps import PlayFunctions, advance_matches, digest_play, new_batch
from arena.families.cox.encoding import CARDS_IN_BASE
from arena.families.cox.kernel.layout import KINDS, MATCH, SELL, build_rules, explain_unserved
from arena.families.cox.kernel.matches import apply_action, begin_match
from arena.families.cox.kernel.settlement import GREENBACKS, count_greenbacks, find_base, write_rewards
from arena.families.cox.kernel.stock import stock_left
from arena.families.cox.sets import SETS_IN_HAND
from arena.games.kernel.compilation import cached, compiled, inlined
from arena.games.kernel.layout import NOBODY, Tables
from arena.games.kernel.legal_action_list import choose_listed, find_legal_kinds, is_legal, write_mask
from arena.games.kernel.opponents import ASKED, NO_CHOICE, POLICIES, RANDOM
from arena.source_digest import COX_KERNEL

__all__ = ["POLICIES", "explain_unserved", "make_batch"]

BASES: Final = 4


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules = tables.rules
    clear(out)
    for slot in range(match.sizes[seat]):
        at = features.hand + slot * features.slot_width
        write_card(features, rules.place_of[match.racks[seat, slot]], at, out)
    if match.window != NOBODY:
        write_card(features, rules.place_of[match.window], features.discard_top, out)
    write_copies(rules, match.discards, features.discards, out)
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        out[features.retailer + place] = match.dealer == other
        out[features.wholesaler + place] = match.wholesaler == other
        write_copies(rules, match.laid[other], features.laid + place * len(match.discards), out)
        out[features.sets + place] = match.set_count[other] / np.float64(SETS_IN_HAND)
        out[features.greenbacks + place] = count_greenbacks(match, other) / np.float64(GREENBACKS)
        base = features["base"] + place  # an attribute of arrays has this name
        out[base] = find_base(rules, match, other) / np.float64(BASES)
    write_bases(rules, match, features.bases, out)
    write_seats(rules.players, rules.step, match, features, seat, out)
    if match.to_act == seat:
        write_phase(find_legal_kinds(match, rules.kind_of), features, out)
    write_counts(rules.players, match, stock_left(match), features, out)
    write_points(rules.players, rules.step, match.held, seat, features.points, out)
    if features.sold != ABSENT:
        write_points(rules.players, rules.step, match.held_sold, seat, features.sold, out)


@compiled
def write_copies(rules: Any, copies: Any, at: Any, out: Any) -> None:
    """Write of each card the part of its copies that are there."""
    for card in range(len(copies)):
        out[at + card] = copies[card] * rules.copy_share[card]


@inlined
def write_bases(rules: Any, match: Any, at: Any, out: Any) -> None:
    """Write how many cards are left in each supply base; replacements come from the last one."""
    for base in range(BASES):
        left = CARDS_IN_BASE - min(max(match.next_card - CARDS_IN_BASE * base, 0), CARDS_IN_BASE)
        if base == BASES - 1:
            left -= match.replaced
        out[at + base] = left / np.float64(CARDS_IN_BASE)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or to sell out, or else the last."""
    if policy == ASKED:
        return NO_CHOICE
    return choose_listed(tables, match, policy == RANDOM, SELL, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_legal, write_mask, choose_action, write_rewards, observe
)


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `advance_matches`."""

    @cached
    def advance_cox_matches(game: Any, state: Any, actions: Any, arrays: Any) -> None:
        sources  # noqa: B018 (part of the key)
        advance_matches(PLAY, game, state, actions, arrays)

    return advance_cox_matches


advance: Final = _compile_advance(digest_play(Path(__file__), COX_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    names = get_action_space(spec.rules, spec.players).names
    tables = Tables(build_rules(spec.rules, spec.players, names))
    return new_batch(spec, advance, tables, KINDS, np.zeros(spec.matches, MATCH))
