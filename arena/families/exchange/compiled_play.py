"""The exchange family in the vector environment: compiled steps of many matches on arrays."""

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
from arena.families.exchange.kernel import lookup_tables
from arena.families.exchange.kernel.action_table_access import is_legal, legal_kinds, write_mask
from arena.families.exchange.kernel.layout import new_matches
from arena.families.exchange.kernel.lookup_tables import KINDS, build_tables
from arena.families.exchange.kernel.matches import apply_action, begin_match
from arena.families.exchange.kernel.opponents import choose_action
from arena.families.exchange.kernel.settlement import write_rewards
from arena.families.exchange.kernel.turns import stock_left
from arena.games import Rules
from arena.games.kernel.compilation import cached, compiled
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.opponents import POLICIES
from arena.games.kernel.seats import is_dealt_in
from arena.source_digest import EXCHANGE_KERNEL

__all__ = ["POLICIES", "advance", "explain_unserved", "make_batch"]


def explain_unserved(rules: Rules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    return lookup_tables.explain_unserved(rules, with_prizes=True)


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    clear(out)
    write_own_cards(tables, features, match, seat, out)
    write_public_facts(tables, features, match, seat, out)
    rules = tables.rules
    write_counts(rules.players, match, stock_left(rules, match), features, out)
    write_tokens(rules.players, rules.step, match, features, seat, out)
    if features.chips != ABSENT:
        write_chips(rules.players, rules.step, match, features, seat, out)
    if features.horse != ABSENT:
        out[features.horse] = match.held_horse


@compiled
def write_own_cards(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write the hand, the widow, and what the seat has seen and knows others to hold."""
    rules, width = tables.rules, features.slot_width
    is_blind = not match.looked and seat == match.dealer
    own = np.int64(0)
    for slot in range(rules.hand_size):
        card, at = match.hands[seat, slot], features.hand + slot * width
        if card != NOBODY and is_blind:
            out[at + width - 1] = 1
        elif card != NOBODY:
            write_card(features, card, at, out)
            own |= (np.int64(1) << card) | (np.int64(1) << match.dealt[seat, slot])
    for slot in range(match.widow_size):
        if match.is_down:
            out[features.widow + slot * width + width - 1] = 1
            out[features.widow_down + slot] = 1
        else:
            write_card(features, match.widow[slot], features.widow + slot * width, out)
    if features.seen != ABSENT:
        write_cards(own | match.seen, features.seen, out)
    for place in range(1, rules.players):
        other = (seat + rules.step * place) % rules.players
        at = features.known + (place - 1) * rules.pack
        if not match.shown and not (rules.open_hands and match.looked):
            write_cards(match.known[other], at, out)
        elif is_dealt_in(match, other):
            for slot in range(rules.hand_size):
                out[at + match.hands[other, slot]] = 1


@compiled
def write_public_facts(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write who deals, plays and has knocked, what may be done and what was done last."""
    rules = tables.rules
    for place in range(rules.players):
        out[features.knocker + place] = match.knocker == (seat + rules.step * place) % rules.players
    write_seats(rules.players, rules.step, match, features, seat, out)
    if match.to_act == seat:
        write_phase(legal_kinds(tables, match.legal), features, out)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_legal, write_mask, choose_action, write_rewards, observe
)


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `advance_matches`."""

    @cached
    def advance_exchange_matches(game: Any, state: Any, actions: Any, arrays: Any) -> None:
        sources  # noqa: B018 (part of the key)
        advance_matches(PLAY, game, state, actions, arrays)

    return advance_exchange_matches


advance: Final = _compile_advance(digest_play(Path(__file__), EXCHANGE_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served.

    Raises:
        InvalidRules: So many cannot play it, or it is not served.
    """
    space = get_action_space(spec.rules, spec.players)
    tables = build_tables(spec.rules, spec.players, lambda action: space.number(action, 0), len(space))
    return new_batch(spec, advance, tables, list(KINDS), new_matches(spec.matches))
