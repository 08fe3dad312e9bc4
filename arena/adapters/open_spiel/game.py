"""The games and states that OpenSpiel sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar, Final

import pyspiel

from arena.adapters.environment_setup import REWARD_KINDS, check_reward_kind, make_rules, match_rewards
from arena.adapters.open_spiel.game_tree import Position, deal_limits, get_tree, max_chance_nodes, max_deals
from arena.adapters.open_spiel.information import Observer, list_deals
from arena.errors import UnknownOption
from arena.games import VARIANTS, Deal, Match, Rules
from arena.games.action import format_cards, format_event
from arena.games.option_fields import list_options

DEFAULT_PLAYERS: Final = 2
SAMPLER_BITS: Final = 53
"""Random bits in a number of OpenSpiel's samplers."""


def game_name(rules: Rules) -> str:
    """Return the name of a variant in OpenSpiel: `commerce_trade_and_barter`."""
    return f"commerce_{rules.name.replace('-', '_')}"


@cache
def game_type(rules: Rules, utility: Any) -> Any:
    """Return the `GameType` of a variant."""
    return pyspiel.GameType(
        short_name=game_name(rules),
        long_name=f"Commerce: {rules.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.max_players,
        min_num_players=rules.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_defaults(rules),
    )


class CommerceGame(pyspiel.Game):
    """A variant as a game of OpenSpiel; `pyspiel.load_game` makes one.

    Attributes:
        own: The variant with its own options.
        rules: The variant with those of this game.
        players: Seats at the table.
        rewards: Unit of the returns: `placing` or `payoff`.
        tree: The rules of its game tree.
    """

    own: ClassVar[Rules]

    def __init__(self, params: Mapping[str, Any]) -> None:
        """Make a game.

        Args:
            params: Parameters that differ from the variant's own, by name.

        Raises:
            UnknownOption: A parameter cannot have such a value.
            ConfigError: There are no such rewards.
            InvalidRules: The number of seats does not fit.
        """
        general = {name: params.get(name, value) for name, value in _general_defaults().items()}
        options = {name: value for name, value in params.items() if name not in general}
        self.players: Final[int] = general["players"]
        self.rules: Final = make_rules(self.own.name, self.players, options)
        self.rewards: Final = check_reward_kind(general["rewards"])
        if general["max_deals"] < 0:
            raise UnknownOption(f"max_deals is 0, for the usual limit, or more, not {general['max_deals']}")
        deals = general["max_deals"] or max_deals(self.rules, self.players)
        self.tree: Final = get_tree(self.rules, self.players, deals)
        changed = {name: value for name, value in params.items() if value != _defaults(self.own)[name]}
        super().__init__(self._type(), self._info(), changed)

    def __reduce__(self) -> tuple[object, ...]:
        return _load_game, (str(self),)

    def _type(self) -> Any:
        utility = pyspiel.GameType.Utility
        return game_type(self.own, utility.ZERO_SUM if self.rewards == "placing" else utility.GENERAL_SUM)

    def _info(self) -> Any:
        """Return the sizes; payoffs in chips or points have no bound that means anything."""
        is_zero_sum = self.rewards == "placing"
        most = 1.0 if is_zero_sum else float("inf")
        return pyspiel.GameInfo(
            num_distinct_actions=len(self.tree.actions),
            max_chance_outcomes=self.tree.max_chance_outcomes,
            num_players=self.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if is_zero_sum else None,
            max_game_length=self.tree.max_deals * deal_limits(self.rules, self.players).decisions,
        )

    def new_initial_state(self) -> CommerceState:
        """Return the state before anything is dealt."""
        return CommerceState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the chance nodes of a match."""
        return max_chance_nodes(self.rules, self.players, self.tree.max_deals)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """Return an observer; see `Observer`."""
        return Observer(self.tree, iig_obs_type, params)

    def state_of(self, match: Match) -> CommerceState:
        """Return the state to which a match has come, with its history.

        Args:
            match: A match of the same variant, options and players, from its first deal on.

        Raises:
            ValueError: It is a match of another game.
        """
        if (str(match.rules), match.players) != (str(self.rules), self.players):
            raise ValueError(f"this is a game of {self.rules} with {self.players} players, not {match!r}")
        return self.state_after(list_deals(match))

    def state_after(self, deals: Sequence[Deal]) -> CommerceState:
        """Return the state after these deals of one match, of which the last may not be over."""
        state = self.new_initial_state()
        for number in self.tree.trace(deals).list_numbers():
            state.apply_action(number)
        return state


class CommerceState(pyspiel.State):
    """A state of a match.

    Attributes:
        position: The place in the game tree; its `match` is the arena's own.
    """

    def __init__(self, game: CommerceGame) -> None:
        super().__init__(game)
        self.position: Position = game.tree.root

    def current_player(self) -> int:
        """Return the seat to act, or the number of chance or of the end."""
        position = self.position
        if position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if position.is_chance else position.seat_to_act

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.position.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        return list(self.position.outcomes.items())

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.tree.actions.legal(self.position.to_act).actions)

    def _apply_action(self, action: int) -> None:
        self.position = self.position.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        if player == pyspiel.PlayerId.CHANCE:
            return position.outcome_name(action)
        actions = position.tree.actions
        is_decision = not (position.is_chance or position.is_over)
        if is_decision and action in actions.legal(position.to_act).actions:
            return actions.text(position.to_act, action)
        return actions.names[action] if action in range(len(actions)) else f"no action {action}"

    def returns(self) -> list[float]:
        """Return by seat what the match was worth; zeros until it is over."""
        match = self.position.match
        if match is None or not self.position.is_over:
            return [0.0] * self.num_players()
        return list(match_rewards(match, self.get_game().rewards))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> CommerceState:
        """Return a random state in which `player` knows the same, drawn by `View.sample`.

        Deals that are over stay as they were: they do not bear on those to come.

        Args:
            player: The seat.
            sampler: Returns random numbers from 0 to 1, as `pyspiel.UniformProbabilitySampler(0, 1)`.

        Raises:
            ValueError: Chance is to move, or the match is over.
        """
        position = self.position
        if position.is_chance or position.is_over or position.match is None:
            raise ValueError("only a state in which somebody is to act can be sampled")
        *past, _ = list_deals(position.match)
        rng = Random(int(sampler() * (1 << SAMPLER_BITS)))
        sampled: Match = position.views[player].sample(rng)
        state: CommerceState = self.get_game().state_after([*past, sampled.deal])
        return state

    def __str__(self) -> str:
        """Return the whole state, hidden cards too."""
        position = self.position
        deals = list_deals(position.match) if position.match else []
        decided = [*map(str, position.numbers), *map(str, position.cards)]
        return "\n".join([*map(_format_deal, deals), *([f"decided: {' '.join(decided)}"] if decided else [])])


def _load_game(text: str) -> Any:
    """Return the game named by `text`: pickles name this function, so that its module registers the games."""
    return pyspiel.load_game(text)


def _format_deal(deal: Deal) -> str:
    """Return a deal as text: its hands as they were dealt, the cards that came after, and what was done."""
    opening = deal.opening
    hands = " | ".join([format_cards(hand) for hand in deal.dealt])
    lines = [f"deal {opening.number}: dealer {opening.dealer}", f"hands: {hands}"]
    if deal.table_dealt:
        lines.append(f"table: {format_cards(deal.table_dealt)}")
    lines.append(f"stock: {format_cards(deal.recorded_stock)}")
    actions = [format_event(event.seat, event.action, event.cards) for event in deal.log]
    return "\n".join([*lines, f"actions: {' '.join([repr(action) for action in actions])}"])


def _general_defaults() -> dict[str, Any]:
    return {"players": DEFAULT_PLAYERS, "max_deals": 0, "rewards": REWARD_KINDS[0]}


def _defaults(rules: Rules) -> dict[str, Any]:
    return {**_general_defaults(), **{option.name: value for option, value in list_options(rules)}}


def register_games(variants: Iterable[Rules] = VARIANTS) -> None:
    """Register variants with OpenSpiel."""
    for rules in variants:
        # a class: OpenSpiel lets go of what it calls only after the interpreter has ended, when nothing but
        # a class, which refers to itself, can still be let go of
        name = f"CommerceGame_{rules.name}"
        maker = type(name, (CommerceGame,), {"own": rules})
        pyspiel.register_game(game_type(rules, pyspiel.GameType.Utility.ZERO_SUM), maker)
