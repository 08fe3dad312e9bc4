"""The barter family in the vector environment: compiled steps of many matches on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.action_space import get_action_space
from arena.adapters.compiled_batch import CompiledBatch
from arena.adapters.compiled_observation import (
    ABSENT,
    OBSERVATION,
    clear,
    find_features,
    write_card,
    write_cards,
    write_chips,
    write_counts,
    write_phase,
    write_seats,
    write_tokens,
)
from arena.adapters.match_batch import BEGIN, ILLEGAL, OVER, RUNNING, SKIP, BatchSpec
from arena.families.barter.kernel.known_cards import find_known
from arena.families.barter.kernel.layout import KINDS, MATCH, Tables, build_rules, explain_unserved
from arena.families.barter.kernel.matches import ALL_SLOTS, HAND_SIZE, apply_action, begin_match
from arena.families.barter.kernel.settlement import write_rewards
from arena.families.exchange.kernel.bit_masks import choose_bit, is_set, write_bits
from arena.families.exchange.kernel.compilation import KERNEL, cached, compiled, digest_sources
from arena.families.exchange.kernel.layout import NOBODY
from arena.families.exchange.kernel.opponents import ASKED, POLICIES, RANDOM, begin_bots, new_bots
from arena.families.exchange.kernel.shuffling import new_room
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
def choose_action(rules: Any, match: Any, is_random: bool, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or that which ends the deal, or else the last."""
    if not is_random:
        if (match.legal >> rules.stop) & 1:
            return np.int64(rules.stop)
        return choose_bit(match.legal, False, bot, room)
    is_answer = match.asker != NOBODY
    if is_answer and rules.refusal == rules.stop:  # among the answers it is the last
        chosen = choose_bit(np.int64(2 * ALL_SLOTS + 1), True, bot, room)
        return np.int64(rules.stop if chosen == HAND_SIZE else rules.first_give + chosen)
    return choose_bit(match.legal, True, bot, room)


@compiled
def play_on(tables: Any, match: Any, policies: Any, bots: Any, room: Any) -> None:
    """Play the decisions of the bots, up to a seat that is asked or the end of the match."""
    while not match.is_over and policies[match.to_act] != ASKED:
        seat = match.to_act
        action = choose_action(tables.rules, match, policies[seat] == RANDOM, bots[seat], room)
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
    write_rewards(tables.rules, match, by_payoff, placings, rewards)
    return OVER


def _compile_advance(sources: int) -> Any:
    """Return the compiled function that advances all matches, see `arena.families.exchange.compiled_play`."""

    @cached
    def advance_barter_matches(
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

    return advance_barter_matches


advance: Final = _compile_advance(digest_sources(Path(__file__), OBSERVATION, KERNEL, BARTER_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    names = get_action_space(spec.rules, spec.players).names
    tables, room = Tables(build_rules(spec.rules, spec.players, names)), new_room()
    features = find_features(spec.rules, spec.players, KINDS)
    reward = (spec.reward_kind == "payoff", spec.illegal_reward)

    def advance_batch(policies: Any, matches: Any, bots: Any, todo: Any, arrays: Any) -> None:
        advance(tables, features, policies, reward, matches, bots, todo, arrays, room)

    memory = (np.zeros(spec.matches, MATCH), new_bots(spec.matches))
    return CompiledBatch(spec, POLICIES, memory, advance_batch)
