"""Actions and observations of the games with a widow."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from arena.adapters.family_encoding import CARDS_IN_A_RANK, format_slots
from arena.adapters.observation_layout import LayoutBuilder, PublicHands
from arena.families.exchange.actions import KNOCK_OR_CONTINUE, POUNCE
from arena.families.exchange.known_hands import follow_hands
from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.view import ExchangeView
from arena.families.exchange.widows import HiddenWidow, SecondPacket, hidden_turn, packets
from arena.games.action import HORSE, Action
from arena.games.cards import Hand


def max_widow(rules: ExchangeRules, players: int) -> int:
    """Return the most cards that can lie in the widow: one that grows gets a card before each round."""
    if not rules.widow.grows:
        return rules.table_size
    pack, hand, table = len(rules.whole_pack), rules.hand_size, rules.table_size
    first = 1 - rules.widow.first_card
    added = [
        min((rules.rounds or seats) - first, pack - seats * hand - table) for seats in range(2, players + 1)
    ]
    return table + max(added)


def action_names(rules: ExchangeRules, players: int) -> list[str]:
    """Return the names of all actions, in the order of their numbers."""
    closing = rules.closing
    actions = [*rules.turn(max_widow(rules, players), True, True, True, closing.call_789).actions]
    if closing.knock_after_move:
        actions += KNOCK_OR_CONTINUE.actions
    if isinstance(rules.widow, HiddenWidow):
        actions += [*hidden_turn(rules.table_size, False, True).actions]
        actions += [*hidden_turn(rules.table_size, True, True).actions]
    if isinstance(rules.widow, SecondPacket):
        actions += packets(rules.table_size).actions
    if rules.interrupts.extra_cards:
        actions += POUNCE.actions
    if getattr(rules.settlement, "horse", False):
        actions += HORSE.actions
    return [name_action(action, ()) for action in actions]


def name_action(action: Action, distance: tuple[int, ...]) -> str:
    """Return an action's name: `exchange 1,2 for 2,3`, `pass`."""
    if action.kind != "exchange":
        return action.kind
    return f"exchange {format_slots(action.give)} for {format_slots(action.take)}"


def add_features(builder: LayoutBuilder) -> None:
    """Add the widow, the knocker and what is known of the other hands."""
    rules = builder.rules
    assert isinstance(rules, ExchangeRules)
    widow = max_widow(rules, builder.players)
    builder.add_hand(rules.hand_size + rules.interrupts.extra_cards)
    builder.add_slots("widow", widow, "the widow's cards, in the order of its slots", _widow)
    if rules.widow.down(rules.table_size):
        builder.add_indicators(
            "widow_down", (widow,), "slots of the widow whose card lies face down", attrgetter("down")
        )
    builder.add_seat("knocker", "the first seat that has knocked", _knocker)
    builder.add_known_cards(_find_known(rules, builder.players))
    if rules.closing.renews or rules.closing.call_789:
        builder.add_seen_cards()


def _find_known(rules: ExchangeRules, players: int) -> Callable[[ExchangeView], Sequence[Hand]]:
    """Return what finds the known cards of the others: from the public events, where nothing else counts."""
    pack = rules.whole_pack
    hands = PublicHands(players, lambda held, event: follow_hands(held, (event,), pack))

    def find(view: ExchangeView) -> Sequence[Hand]:
        return view.known if view.private or view.open_hands else hands.find(view.public)

    return find


def _widow(view: ExchangeView) -> Hand:
    return view.widow


def _knocker(view: ExchangeView) -> int | None:
    return view.knocker


def deal_limits(rules: ExchangeRules, players: int) -> tuple[int, int]:
    """Count rounds, one more after a knock, and one after passes in a row; interrupts; horses."""
    closing, widow = rules.closing, rules.widow
    rounds = (rules.rounds or players) + closing.knocks + closing.deadlock_final_turn
    renewals = len(rules.whole_pack) // max(1, rules.table_size)
    interrupts = CARDS_IN_A_RANK * rules.interrupts.extra_cards
    turns = rounds * players + renewals + players
    most = max(rules.exchange.sizes(rules.hand_size))
    numbers = 2 * most + 4 + (rules.hand_size + players + 4) * (widow.private_take or bool(widow.down(1)))
    return turns * (1 + closing.knock_after_move + interrupts) + 2 * players + 2, numbers + 4 * interrupts + 2
