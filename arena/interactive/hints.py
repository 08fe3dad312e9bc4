"""What a good bot would do in a person's place, and why, as far as that is easily told."""

from bisect import bisect_left
from functools import cache, singledispatch
from itertools import combinations
from random import Random
from typing import Any, Final

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cambio.view import CambioView
from arena.games.cards import HIDDEN, Hand
from arena.games.cox.view import CoxView
from arena.games.cuckoo.view import CuckooView
from arena.games.draw.view import DrawView
from arena.games.exchange.view import ExchangeView
from arena.games.hands import HandRank
from arena.games.notation import format_cards
from arena.interactive.opponents import recommended_bots
from arena.play import Info
from arena.play.bot import make_factory
from arena.plugins import InstalledBot
from arena.report.hand_text import describe_hand, rank_if_known

SAMPLE: Final = 1000
CONTENT: Final = frozenset({"knock", "stand", "pass", "keep", "continue", "decline"})


class HintBot:
    """A bot that looks over a person's shoulder, and sees the same."""

    def __init__(self, info: Info) -> None:
        self.name = recommended_bots(info.rules)[0]
        self._bot: Any = make_factory(InstalledBot(self.name).load())(info)
        self._asked: tuple[View, Action] | None = None

    def hint(self, view: View) -> str:
        """What it would do, and in a second line why, if that is easily told."""
        if self._asked is None or self._asked[0] is not view:
            advised = self._bot.act(view)
            self._asked = view, view.parse(advised) if isinstance(advised, str) else advised
        action = self._asked[1]
        why = explain(view, action)
        said = f"{self.name} would say {view.text(action)}"
        return f"{said}\n{why}" if why else said


@singledispatch
def explain(view: View, action: Action) -> str:
    """Why one may do that; empty where it is not easily told."""
    if action.kind in CONTENT:
        return _standing(view)
    if action.give:
        return f"the others are worth keeping, {_kept(view, action)}"
    return ""


@explain.register
def _(view: ExchangeView, action: Action) -> str:
    if not action.take:
        return _standing(view) if action.kind in CONTENT else ""
    made, now = (
        rank_if_known(view.opening.rules, view.after(action)),
        rank_if_known(view.opening.rules, view.hand),
    )
    if made is None or now is None:
        return ""
    hand = view.after(action)
    makes = f"it makes {format_cards(hand)}, {describe_hand(view.opening.rules, hand)}"
    return makes if made > now else f"{makes}, no better now but with more to hope for"


@explain.register
def _(view: DrawView, action: Action) -> str:
    if action.kind == "discard":
        return f"it leaves {_kept(view, action)}, {describe_hand(view.opening.rules, view.after(action))}"
    if action.take:
        best = max(combinations(view.after(action), 3), key=lambda three: _rank(view, three))
        return f"it makes {format_cards(best)}, {describe_hand(view.opening.rules, best)}"
    if action.kind == "draw":
        return f"{view.table[0]} would not make your hand better"
    return _standing(view)


@explain.register
def _(view: CuckooView, action: Action) -> str:
    if action.kind == "keep":
        return _standing(view)
    return "it is low enough for most cards to be better"


@explain.register
def _(view: CambioView, action: Action) -> str:
    unseen = view.hand.count(HIDDEN)
    if action.kind == "cambio":
        return "your sum should be low enough" + (f", with {unseen} not seen" if unseen else "")
    if action.kind == "place" and view.drawn:
        old = view.hand[action.give[0]]
        counts = f"{view.drawn} counts {_counted(view, view.drawn)}"
        if old is HIDDEN:
            return f"{counts}, and the card there has not been seen"
        return f"{counts}, {old} counts {_counted(view, old)}"
    if action.kind == "discard" and view.drawn:
        return f"{view.drawn} counts {_counted(view, view.drawn)}, more than it could replace"
    if action.kind == "draw":
        return "the discard is low" if action.template.endswith("discard") else "the discard saves too little"
    return "it has not been seen" if action.kind == "peek" else ""


@explain.register
def _(view: CoxView, action: Action) -> str:
    if action.kind == "discard":
        return "it has least to do with what you collect"
    if action.kind == "sell":
        return "a complete hand is counted before the others are"
    return "a set more" if action.kind == "lay" and len(action.give) > 1 else ""


def _counted(view: View, card: Any) -> str:
    rank = rank_if_known(view.opening.rules, (card,))
    return f"{rank.value:g}" if rank and rank.value is not None else "?"


def _kept(view: View, action: Action) -> str:
    return format_cards(tuple([card for slot, card in enumerate(view.hand) if slot not in action.give]))


def _rank(view: View, hand: Hand) -> HandRank:
    return view.opening.rules.rank(hand)


def _standing(view: View) -> str:
    """How a hand stands among hands as they are dealt."""
    rank = rank_if_known(view.opening.rules, view.hand)
    if rank is None:
        return ""
    usual = dealt_ranks(view.opening.rules)
    share = 100 * bisect_left(usual, rank) // len(usual)
    return f"what you have beats {share} of 100 hands as they are dealt"


@cache
def dealt_ranks(rules: Rules) -> list[HandRank]:
    """What hands are worth as they are dealt, worst first."""
    rng, cards = Random(0), rules.whole_pack.cards
    return sorted([rules.rank(tuple(rng.sample(cards, rules.hand_size))) for _ in range(SAMPLE)])
