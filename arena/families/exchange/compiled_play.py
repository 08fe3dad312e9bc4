"""The exchange family in the vector environment: compiled steps of many matches on arrays."""

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
from arena.families.exchange.kernel import lookup_tables
from arena.families.exchange.kernel.compilation import KERNEL, cached, compiled, digest_sources
from arena.families.exchange.kernel.layout import NOBODY, new_matches
from arena.families.exchange.kernel.lookup_tables import KINDS, build_tables
from arena.families.exchange.kernel.opponents import POLICIES, begin_bots, new_bots, play_on
from arena.families.exchange.kernel.settlement import is_dealt_in, write_rewards
from arena.families.exchange.kernel.shuffling import new_room
from arena.families.exchange.kernel.table_lookup import is_legal, legal_kinds, write_mask
from arena.families.exchange.kernel.trading import apply_action, begin_match
from arena.families.exchange.kernel.turns import stock_left
from arena.games import Rules

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
    elif is_legal(tables, match.legal, action):
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
    """Return the compiled function that advances all matches."""

    # its name is that of numba's cache file, which cannot be read once a module of its types has moved
    @cached
    def advance_matches(
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
        """Do an action in each match, up to the next decision of an asked seat or the end.

        Args:
            tables: Tables of the variant.
            features: Places of the features.
            policies: Policy of each seat, by match.
            reward: Whether rewards are payoffs, and the reward of an illegal action.
            matches: State of the matches.
            bots: State of the bots in them.
            actions: BEGIN, SKIP or the number of an action, legal or not, for each match.
            arrays: Output arrays, see `CompiledBatch`.
            room: Memory for hashing.
        """
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
                write_mask(tables, match.legal, masks[place])
            else:
                for number in range(masks.shape[1]):
                    masks[place, number] = 0
            observe(tables, features, match, seats[place], observations[place])

    return advance_matches


advance: Final = _compile_advance(digest_sources(Path(__file__), OBSERVATION, KERNEL))


def make_batch(spec: BatchSpec) -> CompiledBatch:
    """Return a batch of matches of a variant that is served.

    Raises:
        InvalidRules: So many cannot play it, or it is not served.
    """
    rules, players, count, reward_kind, illegal_reward = spec
    space = get_action_space(rules, players)
    tables = build_tables(rules, players, lambda action: space.number(action, 0), len(space))
    features, room = find_features(rules, players, list(KINDS)), new_room()
    reward = (reward_kind == "payoff", illegal_reward)

    def advance_batch(policies: Any, matches: Any, bots: Any, todo: Any, arrays: Any) -> None:
        advance(tables, features, policies, reward, matches, bots, todo, arrays, room)

    return CompiledBatch(spec, POLICIES, (new_matches(count), new_bots(count)), advance_batch)
