"""The cuckoo family in the vector environment: compiled steps of many matches on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.batches import BatchSpec, CompiledBatch
from arena.adapters.compiled_observation import (
    clear,
    write_card,
    write_cards,
    write_counts,
    write_phase,
    write_seats,
    write_tokens,
)
from arena.adapters.compiled_steps import PlayFunctions, advance_matches, digest_play, new_batch
from arena.families.cuckoo.kernel.layout import KINDS, MATCH, build_rules, explain_unserved
from arena.families.cuckoo.kernel.matches import KEEP, apply_action, begin_match
from arena.games.kernel.compilation import cached, compiled
from arena.games.kernel.layout import NOBODY, Tables
from arena.games.kernel.legal_action_bits import choose_bit, is_legal, write_mask
from arena.games.kernel.opponents import ASKED, NO_CHOICE, POLICIES, RANDOM
from arena.games.kernel.settlement import write_token_rewards
from arena.source_digest import CUCKOO_KERNEL

__all__ = ["POLICIES", "explain_unserved", "make_batch"]


@compiled
def observe(tables: Any, features: Any, match: Any, seat: int, out: Any) -> None:
    """Write what a seat knows into a vector: the same as `ObservationEncoder` writes of its view."""
    rules, width = tables.rules, features.slot_width
    clear(out)
    if match.next_seat[seat] != NOBODY:
        write_card(features, match.hands[seat], features.hand, out)
    for slot in range(rules.table_size):
        if seat == match.dealer:
            write_card(features, match.further[slot], features.further + slot * width, out)
        else:
            out[features.further + slot * width + width - 1] = 1
    seen = match.seen[seat] | match.shown
    write_cards(seen, features.seen, out)
    for place in range(1, rules.players):
        card = match.hands[(seat + rules.step * place) % rules.players]
        if card != NOBODY and (seen >> card) & 1:
            out[features.known + (place - 1) * rules.pack + card] = 1
    write_seats(rules.players, rules.step, match, features, seat, out)
    if match.to_act == seat:
        write_phase(match.legal, features, out)
    write_counts(rules.players, match, rules.pack + match.under_size - match.next_card, features, out)
    write_tokens(rules.players, rules.step, match, features, seat, out)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or to keep."""
    if policy == ASKED:
        return NO_CHOICE
    return choose_bit(match.legal, True, bot, room) if policy == RANDOM else np.int64(KEEP)


PLAY: Final = PlayFunctions(
    begin_match, apply_action, is_legal, write_mask, choose_action, write_token_rewards, observe
)


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `advance_matches`."""

    @cached
    def advance_cuckoo_matches(game: Any, state: Any, actions: Any, arrays: Any) -> None:
        sources  # noqa: B018 (part of the key)
        advance_matches(PLAY, game, state, actions, arrays)

    return advance_cuckoo_matches


advance: Final = _compile_advance(digest_play(Path(__file__), CUCKOO_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    tables = Tables(build_rules(spec.rules, spec.players))
    return new_batch(spec, advance, tables, KINDS, np.zeros(spec.matches, MATCH))
