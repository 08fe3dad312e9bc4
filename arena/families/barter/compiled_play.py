"""The barter family in the vector environment: compiled steps of many matches on arrays."""

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
    write_cards,
    write_chips,
    write_counts,
    write_phase,
    write_seats,
    write_tokens,
)
from arena.adapters.compiled_steps import PlayFunctions, advance_matches, digest_play, new_batch
from arena.families.barter.kernel.known_cards import find_known
from arena.families.barter.kernel.layout import KINDS, MATCH, build_rules, explain_unserved
from arena.families.barter.kernel.matches import ALL_SLOTS, HAND_SIZE, apply_action, begin_match
from arena.families.barter.kernel.settlement import write_rewards
from arena.games.kernel.compilation import cached, compiled
from arena.games.kernel.layout import NOBODY, Tables
from arena.games.kernel.legal_action_bits import choose_bit, is_legal, write_mask
from arena.games.kernel.opponents import ASKED, NO_CHOICE, POLICIES, RANDOM
from arena.source_digest import BARTER_KERNEL

__all__ = ["POLICIES", "explain_unserved", "make_batch"]


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules, width = tables.rules, features.slot_width
    clear(out)
    seen = match.seen[seat] | match.shown
    if match.next_seat[seat] != NOBODY:
        for slot in range(HAND_SIZE):
            write_card(features, match.hands[seat, slot], features.hand + slot * width, out)
    write_cards(seen, features.seen, out)
    stock = rules.pack + match.under_size - match.next_card
    find_known(rules, match, seat, stock)
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        out[features.asker + place] = match.asker == other
        out[features.satisfied + place] = (match.satisfied >> other) & 1
        if place:
            write_cards(match.known[other], features.known + (place - 1) * rules.pack, out)
    write_seats(rules.players, rules.step, match, features, seat, out)
    if match.to_act == seat:
        write_phase(legal_kinds(rules, match.legal), features, out)
    write_counts(rules.players, match, stock, features, out)
    if features.tokens != ABSENT:
        write_tokens(rules.players, rules.step, match, features, seat, out)
    if features.chips != ABSENT:
        write_chips(rules.players, rules.step, match, features, seat, out)


@compiled
def legal_kinds(rules: Any, legal: Any) -> Any:
    """Return the kinds of the legal actions as bits."""
    kinds = np.int64(0)
    action = 0
    while legal >> action:
        if (legal >> action) & 1:
            kinds |= np.int64(1) << rules.kind_of[action]
        action += 1
    return kinds


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or that which ends the deal, or else the last."""
    rules = tables.rules
    if policy == ASKED:
        return NO_CHOICE
    if policy != RANDOM:
        if (match.legal >> rules.stop) & 1:
            return np.int64(rules.stop)
        return choose_bit(match.legal, False, bot, room)
    is_answer = match.asker != NOBODY
    if is_answer and rules.refusal == rules.stop:  # among the answers it is the last
        chosen = choose_bit(np.int64(2 * ALL_SLOTS + 1), True, bot, room)
        return np.int64(rules.stop if chosen == HAND_SIZE else rules.first_give + chosen)
    return choose_bit(match.legal, True, bot, room)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_legal, write_mask, choose_action, write_rewards, observe
)


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `advance_matches`."""

    @cached
    def advance_barter_matches(game: Any, state: Any, actions: Any, arrays: Any) -> None:
        sources  # noqa: B018 (part of the key)
        advance_matches(PLAY, game, state, actions, arrays)

    return advance_barter_matches


advance: Final = _compile_advance(digest_play(Path(__file__), BARTER_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    names = get_action_space(spec.rules, spec.players).names
    tables = Tables(build_rules(spec.rules, spec.players, names))
    return new_batch(spec, advance, tables, KINDS, np.zeros(spec.matches, MATCH))
