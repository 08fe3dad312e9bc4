"""The cuckoo family in the vector environment: compiled steps of many matches on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.compiled_batch import CompiledBatch
from arena.adapters.compiled_observation import (
    OBSERVATION,
    clear,
    find_features,
    write_card,
    write_cards,
    write_counts,
    write_phase,
    write_seats,
    write_tokens,
)
from arena.adapters.match_batch import BEGIN, ILLEGAL, OVER, RUNNING, SKIP, BatchSpec
from arena.families.cuckoo.kernel.layout import KINDS, MATCH, MAX_SEATS, Tables, build_rules, explain_unserved
from arena.families.cuckoo.kernel.matches import KEEP, apply_action, begin_match
from arena.families.exchange.kernel.bit_masks import choose_bit, is_set, write_bits
from arena.families.exchange.kernel.compilation import KERNEL, cached, compiled, digest_sources
from arena.families.exchange.kernel.layout import NOBODY
from arena.families.exchange.kernel.opponents import ASKED, POLICIES, RANDOM, begin_bots, new_bots
from arena.families.exchange.kernel.settlement import write_token_rewards
from arena.families.exchange.kernel.shuffling import new_room
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
def play_on(tables: Any, match: Any, policies: Any, bots: Any, room: Any) -> None:
    """Play the decisions of the bots, up to a seat that is asked or the end of the match."""
    while not match.is_over and policies[match.to_act] != ASKED:
        seat = match.to_act
        action = np.int64(KEEP)
        if policies[seat] == RANDOM:
            action = choose_bit(match.legal, True, bots[seat], room)
        apply_action(tables, match, action, room)


@compiled
def advance_match(
    tables: Any, policies: Any, reward: Any, match: Any, bots: Any, action: int, results: Any, room: Any
) -> int:
    """Do an action in a match up to the next decision of an asked seat or the end, and return its status."""
    rewards, placings = results
    by_payoff, lowest = reward
    clear(rewards)
    if action == BEGIN:
        begin_match(tables, match, room)
        begin_bots(match, len(rewards), policies, bots, room)
    elif is_set(match.legal, action):
        apply_action(tables, match, action, room)
    else:
        rewards[match.to_act] = lowest
        return ILLEGAL
    play_on(tables, match, policies, bots, room)
    if not match.is_over:
        return RUNNING
    write_token_rewards(tables.rules, match, by_payoff, placings, rewards)
    return OVER


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `arena.families.exchange.compiled_play`."""

    @cached
    def advance_cuckoo_matches(
        tables: Any,
        features: Any,
        policies: Any,
        reward: Any,
        matches: Any,
        bots: Any,
        actions: Any,
        arrays: Any,
        room: Any,
    ) -> None:
        sources  # noqa: B018 (part of the key)
        observations, masks, seats, statuses, rewards, placings = arrays
        for place in range(len(matches)):
            match, action = matches[place], actions[place]
            if action == SKIP:
                continue
            results = (rewards[place], placings[place])
            status = advance_match(tables, policies[place], reward, match, bots[place], action, results, room)
            statuses[place] = status
            if status == RUNNING:
                seats[place] = match.to_act
            write_bits(match.legal if status == RUNNING else np.int64(0), masks[place])
            observe(tables, features, match, seats[place], observations[place])

    return advance_cuckoo_matches


advance: Final = _compile_advance(digest_sources(Path(__file__), OBSERVATION, KERNEL, CUCKOO_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    tables, room = Tables(build_rules(spec.rules, spec.players)), new_room()
    features = find_features(spec.rules, spec.players, KINDS)
    reward = (spec.reward_kind == "payoff", spec.illegal_reward)

    def advance_batch(policies: Any, matches: Any, bots: Any, todo: Any, arrays: Any) -> None:
        advance(tables, features, policies, reward, matches, bots, todo, arrays, room)

    memory = (np.zeros(spec.matches, MATCH), new_bots(spec.matches, MAX_SEATS))
    return CompiledBatch(spec, POLICIES, memory, advance_batch)
