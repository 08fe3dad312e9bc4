"""Playing many matches on arrays for the vector environment, compiled: what families share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.layout import ABSENT, ASKED, BEGIN, ILLEGAL, NOBODY, OVER, RUNNING, SKIP
from arena.games.kernel.seats import begin_bots

# --- steps ---


class PlayFunctions(NamedTuple):
    """The compiled functions of a family that play its matches.

    Attributes:
        begin_match: Begins a match whose seed is set, up to its first decision.
        apply_action: Does a legal action, up to the next decision or the end of the match.
        is_legal: Returns whether any number is that of a legal action.
        write_mask: Writes 1 for each legal action and 0 for the others.
        choose_action: Returns the action of a bot.
        write_rewards: Writes the placings and rewards of a match that is over.
        observe: Writes what a seat knows into a vector of zeros: as `ObservationEncoder` does of its view.
    """

    begin_match: Any
    apply_action: Any
    is_legal: Any
    write_mask: Any
    choose_action: Any
    write_rewards: Any
    observe: Any


@inlined
def advance_matches(functions: Any, game: Any, state: Any, actions: Any, arrays: Any) -> None:
    """Do an action in each match, up to the next decision of an asked seat or the end.

    Args:
        functions: The family's `PlayFunctions`.
        game: Tables of the variant, places of the features, whether rewards are payoffs and the reward of an
            illegal action, memory for hashing.
        state: By match, the policies of the seats, the match and its bots.
        actions: BEGIN, SKIP or the number of an action, legal or not, for each match.
        arrays: Observations, masks, seats, statuses, rewards and placings, by match.
    """
    tables, features, reward, room = game
    by_payoff, illegal_reward = reward
    policies, matches, bots = state
    observations, masks, seats, statuses, rewards, placings = arrays
    for place in range(len(matches)):
        match, action, status = matches[place], actions[place], RUNNING
        if action == SKIP:
            continue
        clear(rewards[place])
        if action == BEGIN:
            functions.begin_match(tables, match, room)
            begin_bots(match, policies[place], bots[place], room)
        elif functions.is_legal(tables, match, action):
            functions.apply_action(tables, match, action, room)
        else:
            rewards[place, match.to_act] = illegal_reward
            status = ILLEGAL
        while status == RUNNING and not match.is_over and policies[place, match.to_act] != ASKED:
            seat = match.to_act
            choice = functions.choose_action(tables, match, policies[place, seat], bots[place, seat], room)
            functions.apply_action(tables, match, choice, room)
        if status == RUNNING and match.is_over:
            functions.write_rewards(tables.rules, match, by_payoff, placings[place], rewards[place])
            status = OVER
        statuses[place] = status
        if status == RUNNING:
            seats[place] = match.to_act
            functions.write_mask(tables, match, masks[place])
        else:
            clear(masks[place])
        clear(observations[place])
        functions.observe(tables, features, match, seats[place], observations[place])


@compiled
def clear(out: Any) -> None:
    """Write zeros."""
    for place in range(len(out)):  # a loop, as slices take far longer to compile
        out[place] = 0


# --- observations ---
# As `arena.adapters.observation` writes them of views.


@compiled
def write_card(features: Any, card: int, at: int, out: Any) -> None:
    """Write a card in its slot."""
    out[at + features.rank_of[card]] = 1
    out[at + features.suit_of[card]] = 1


@compiled
def write_cards(cards: int, at: int, out: Any) -> None:
    """Write cards in no order, given as bits."""
    while cards:
        if cards & 1:
            out[at] = 1
        cards >>= 1
        at += 1


@compiled
def write_turn(
    rules: Any, match: Any, features: Any, seat: int, legal_kinds: Any, stock: int, out: Any
) -> None:
    """Write who deals, plays and did what last, what may be done, and how long the match and the deal are.

    Args:
        rules: The variant.
        match: The match.
        features: Places of the features.
        seat: The seat that observes.
        legal_kinds: Kinds of legal actions of the seat to act, as bits.
        stock: Cards in the stock.
        out: The vector.
    """
    for place in range(rules.players):
        other = (seat + rules.step * place) % rules.players
        out[features.dealer + place] = match.dealer == other
        out[features.in_deal + place] = match.next_seat[other] != NOBODY
        if match.last_kind[other] != NOBODY:
            at = features.last_action + place * features.kinds
            out[at + features.kind_place[match.last_kind[other]]] = 1
    if match.to_act == seat:
        for kind in range(len(features.kind_place)):
            if (legal_kinds >> kind) & 1:
                out[features.phase + features.kind_place[kind]] = 1
    out[features.deal] = match.number / np.float64(match.number + features.deals_scale)
    out[features.events] = match.events / np.float64(match.events + features.events_scale)
    out[features.stock] = stock / np.float64(features.pack)


@compiled
def write_tokens(rules: Any, match: Any, features: Any, seat: int, out: Any) -> None:
    """Write the tokens that each seat had before the deal."""
    for place in range(rules.players):
        held = max(match.held[(seat + rules.step * place) % rules.players], 0)
        out[features.tokens + place] = held / np.float64(features.token_scale)


@compiled
def write_chips(rules: Any, match: Any, features: Any, seat: int, out: Any) -> None:
    """Write the chips of each seat, and those in the pool."""
    pot = np.float64(features.pot)
    for place in range(rules.players):
        chips = match.held_chips[(seat + rules.step * place) % rules.players]
        out[features.chips + place] = 0.5 + 0.5 * chips / (abs(chips) + pot)
    if features.pool != ABSENT:
        out[features.pool] = match.held_pool / (match.held_pool + pot)


@compiled
def write_points(rules: Any, features: Any, points: Any, seat: int, at: int, out: Any) -> None:
    """Write the points of each seat, which may be negative."""
    for place in range(rules.players):
        held = points[(seat + rules.step * place) % rules.players]
        out[at + place] = 0.5 + 0.5 * held / np.float64(abs(held) + features.points_scale)
