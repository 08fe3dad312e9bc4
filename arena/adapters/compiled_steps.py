"""Playing many matches on arrays, compiled: what families share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.adapters.batches import BEGIN, ILLEGAL, OVER, RUNNING, SKIP, BatchSpec, CompiledBatch
from arena.adapters.compiled_observation import OBSERVATION, clear, find_features
from arena.games.kernel.compilation import KERNEL, digest_sources, inlined
from arena.games.kernel.opponents import NO_CHOICE, POLICIES, begin_bots, new_bots
from arena.games.kernel.shuffling import new_room


class PlayFunctions(NamedTuple):
    """The compiled functions of a family that play its matches.

    Attributes:
        begin_match: Begins a match whose seed is set, up to its first decision.
        apply_action: Does a legal action, up to the next decision or the end of the match.
        is_legal: Returns whether any number is that of a legal action.
        write_mask: Writes 1 for each legal action and 0 for the others.
        choose_action: Returns the action of a bot; `NO_CHOICE` for `ASKED`, unless it is forced.
        write_rewards: Writes the placings and rewards of a match that is over.
        observe: Writes what a seat knows into a vector: the same as `ObservationEncoder` writes of its view.
    """

    begin_match: Any
    apply_action: Any
    is_legal: Any
    write_mask: Any
    choose_action: Any
    write_rewards: Any
    observe: Any


def digest_play(play: Path, *kernels: Path) -> int:
    """Return a number that changes with the sources of a family's compiled play."""
    return digest_sources(play, Path(__file__), OBSERVATION, KERNEL, *kernels)


@inlined
def play_bots(functions: Any, tables: Any, match: Any, policies: Any, bots: Any, room: Any) -> None:
    """Play the decisions of the bots, up to a seat that is asked or the end of the match."""
    while not match.is_over:
        seat = match.to_act
        action = functions.choose_action(tables, match, policies[seat], bots[seat], room)
        if action == NO_CHOICE:
            return
        functions.apply_action(tables, match, action, room)


@inlined
def advance_match(
    functions: Any,
    tables: Any,
    reward: Any,
    policies: Any,
    match: Any,
    bots: Any,
    action: int,
    results: Any,
    room: Any,
) -> int:
    """Do an action in a match up to the next decision of an asked seat or the end, and return its status."""
    rewards, placings = results
    by_payoff, lowest = reward
    clear(rewards)
    if action == BEGIN:
        functions.begin_match(tables, match, room)
        begin_bots(match, len(rewards), policies, bots, room)
    elif functions.is_legal(tables, match, action):
        functions.apply_action(tables, match, action, room)
    else:
        rewards[match.to_act] = lowest
        return ILLEGAL
    play_bots(functions, tables, match, policies, bots, room)
    if not match.is_over:
        return RUNNING
    functions.write_rewards(tables.rules, match, by_payoff, placings, rewards)
    return OVER


@inlined
def advance_matches(functions: Any, game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Do an action in each match, up to the next decision of an asked seat or the end.

    Args:
        functions: The family's `PlayFunctions`.
        game: Tables of the variant, places of the features, whether rewards are payoffs and the reward of an
            illegal action, memory for hashing.
        state: By match, the policies of the seats, the match and its bots.
        actions: BEGIN, SKIP or the number of an action, legal or not, for each match.
        arrays: Output arrays, see `CompiledBatch`.
    """
    tables, features, reward, room = game
    policies, matches, bots = state
    observations, masks, seats, statuses, rewards, placings = arrays
    for place in range(len(matches)):
        match, action = matches[place], actions[place]
        if action == SKIP:
            continue
        results = (rewards[place], placings[place])
        status = advance_match(
            functions, tables, reward, policies[place], match, bots[place], action, results, room
        )
        statuses[place] = status
        if status == RUNNING:
            seats[place] = match.to_act
            functions.write_mask(tables, match, masks[place])
        else:
            clear(masks[place])
        functions.observe(tables, features, match, seats[place], observations[place])


def new_batch(
    spec: BatchSpec, advance: Callable[..., None], tables: Any, kinds: Sequence[str], matches: Any
) -> CompiledBatch:
    """Return a batch of matches.

    Args:
        spec: What is played.
        advance: The compiled function of the family, called as `advance_matches` without its first argument.
        tables: Tables of the variant.
        kinds: The kinds of actions in the order of their numbers in the compiled play.
        matches: Memory of the matches.
    """
    reward = (spec.reward_kind == "payoff", spec.illegal_reward)
    game = (tables, find_features(spec.rules, spec.players, kinds), reward, new_room())
    return CompiledBatch(spec, POLICIES, matches, new_bots(spec.matches, spec.players), advance, game)
