"""The cambio family in the vector environment: compiled steps of many matches on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.adapters.action_space import get_action_space
from arena.adapters.compiled_batch import CompiledBatch
from arena.adapters.compiled_observation import (
    OBSERVATION,
    clear,
    find_features,
    write_card,
    write_counts,
    write_phase,
    write_seats,
)
from arena.adapters.match_batch import BEGIN, ILLEGAL, OVER, RUNNING, SKIP, BatchSpec
from arena.adapters.observation import POINTS_SCALE
from arena.families.cambio.kernel.choices import is_offered
from arena.families.cambio.kernel.layout import KINDS, MATCH, MAX_SEATS, Tables, build_rules, explain_unserved
from arena.families.cambio.kernel.matches import apply_action, begin_match, stock_left
from arena.families.cambio.kernel.settlement import write_rewards
from arena.families.exchange.kernel.compilation import KERNEL, cached, compiled, digest_sources
from arena.families.exchange.kernel.layout import NOBODY
from arena.families.exchange.kernel.opponents import (
    ASKED,
    POLICIES,
    RANDOM,
    begin_bots,
    draw_random,
    new_bots,
)
from arena.families.exchange.kernel.shuffling import new_room
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
        points = match.held[other]
        out[features.points + place] = 0.5 + 0.5 * points / np.float64(abs(points) + POINTS_SCALE)
    if match.drawn != NOBODY:
        write_known(match, features, seat, match.drawn, features.drawn, out)
    for place in range(match.pile_size):
        out[features.discards + match.pile[place]] = 1
    if match.pile_size:
        write_card(features, match.pile[match.pile_size - 1], features.discard_top, out)
    write_seats(rules.players, rules.step, match, features, seat, out)
    if match.to_act == seat:
        kinds = np.int64(0)
        for place in range(match.choice_count):
            kinds |= np.int64(1) << rules.kind_of[match.choices[place]]
        write_phase(kinds, features, out)
    write_counts(rules.players, match, stock_left(rules, match), features, out)


@compiled
def write_known(match: Any, features: Any, seat: int, card: int, at: int, out: Any) -> None:
    """Write a card in its slot, if the seat knows it."""
    if (match.known_by[card] >> seat) & 1:
        write_card(features, card, at, out)
    else:
        out[at + features.slot_width - 1] = 1


@compiled
def choose_action(rules: Any, match: Any, is_random: bool, bot: Any, room: Any) -> Any:
    """Return the action of a bot: one at random, or a call, or else the last."""
    if is_random:
        return match.choices[draw_random(bot, match.choice_count, room)]
    if is_offered(match, rules.call):
        return np.int16(rules.call)
    return match.choices[match.choice_count - 1]


@compiled
def write_mask(match: Any, is_running: bool, mask: Any) -> None:
    """Write 1 for each legal action and 0 for the others."""
    clear(mask)
    if is_running:
        for place in range(match.choice_count):
            mask[match.choices[place]] = 1


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
    elif is_offered(match, action):
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
    def advance_cambio_matches(
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
            write_mask(match, status == RUNNING, masks[place])
            observe(tables, features, match, seats[place], observations[place])

    return advance_cambio_matches


advance: Final = _compile_advance(digest_sources(Path(__file__), OBSERVATION, KERNEL, CAMBIO_KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served."""
    names = get_action_space(spec.rules, spec.players).names
    tables, room = Tables(build_rules(spec.rules, spec.players, names)), new_room()
    features = find_features(spec.rules, spec.players, KINDS)
    reward = (spec.reward_kind == "payoff", spec.illegal_reward)

    def advance_batch(policies: Any, matches: Any, bots: Any, todo: Any, arrays: Any) -> None:
        advance(tables, features, policies, reward, matches, bots, todo, arrays, room)

    memory = (np.zeros(spec.matches, MATCH), new_bots(spec.matches, MAX_SEATS))
    return CompiledBatch(spec, POLICIES, memory, advance_batch)
