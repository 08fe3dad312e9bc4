"""Bot that plays every game at the strength of the best known there.

It searches in two families of games, by what the others' turns tell of their hands, and weighs what each
action gains in the cambio family.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, Protocol

import msgspec

from arena.errors import MissingPackage
from arena.families.barter.rules import BarterRules
from arena.families.cuckoo.rules import CuckooRules
from arena.families.draw.actions import DRAW_STOCK
from arena.families.draw.rules import DrawRules
from arena.families.draw.view import DrawView
from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.view import ExchangeView
from arena.games import Rules, View, variant
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.settlement.shared_pot import KnockerPot
from arena.play import Info
from bots import barter_play, cambio_play
from bots.barter_equilibrium import has_equilibrium
from bots.cuccu_play import CuccuPlayer
from bots.retuned import Retuned
from bots.rollout import Rollout
from bots.searcher import BaseSearcher, Searcher
from bots.tuned import Tuned

SERVED_OPTIONS: Final = {"tokens", "deals"}
"""Options that do not change the play of a deal."""
SERVED_VARIANTS: Final = {"extended", "schwimmen", "stop-the-bus", "trentuno"}
"""Variants of the exchange family besides `lives`, with the options that the compiled rules serve."""
ROLLOUT_VARIANTS: Final = {"tokens", "no-pair-or-point", "bastard-brag", "whisky-poker"}
"""Variants of the exchange family in which no bot without a search of its own is stronger than `rollout`."""
ROUNDS: Final = 20
DRAW_WORLDS: Final = 768
DRAW_STANDARD_ERRORS: Final = 0.5
"""Standard errors by which another action must lead in the draw family, whose deals are shorter."""
POOL_WORLDS: Final = 128
POOL_STANDARD_ERRORS: Final = 0.5
"""The same where the widow grows, up to four seats; with more there are fewer worlds."""
FACE_DOWN_WORLDS: Final = 256
FACE_DOWN_STANDARD_ERRORS: Final = 0.5
"""The same at `bastard-brag` and `whisky-poker`."""
TURNS: Final = {"exchange", "pass", "knock"}
"""Kinds of actions in a turn of `lives`, `pounce` and the games whose widow grows."""


class Player(Protocol):
    """A player of one seat."""

    def act(self, view: View) -> Action:
        """Return one of the legal actions."""


class Expert:
    """Bot that plays as one without search, unless playouts against likely hands favour another action.

    Where it can import numba (extra `vector`) it searches in `lives` and `pounce` (`lives_search`),
    `extended`, `schwimmen`, `stop-the-bus` and `trentuno` (`exchange_search`), `pool`, `tokens` and
    `no-pair-or-point` (`pool_search`), `bastard-brag` and `whisky-poker` (`face_down_search`), in the draw
    family (`draw_search`), and in `ready-money` between two (`barter_search`). Elsewhere it plays as the best
    bot known: `rollout` or `tuned` in the exchange family, `cuccu_play` at Cuccu, `cambio_play` in the cambio
    family, `barter_play` in the barter family, and `retuned` in the others.
    """

    @classmethod
    def find_constants(cls, rules: Rules, players: int) -> dict[str, float]:
        """Return its constants in a game, none where it has none; the setting `constants` replaces them."""
        info = Info.of(rules, seat=0, players=players, key="")
        constants: msgspec.Struct | None = None
        if cambio_play.is_served(rules):
            constants = cambio_play.find_constants(rules, players)
        elif isinstance(rules, BarterRules):
            constants = barter_play.find_constants(info).get(players)
        return msgspec.structs.asdict(constants) if constants else {}

    def __init__(self, info: Info) -> None:
        self.plain = make_plain(info)
        self.searcher: Searcher | None = None
        try:
            self.searcher = make_searcher(info)
        except (ImportError, MissingPackage):  # as in isolation, where numpy is missing too
            return

    def act(self, view: View) -> Action:
        chosen = self.searcher.act(view) if self.searcher else None
        return chosen or self.plain.act(view)


class LivesSearcher(BaseSearcher):
    """The search of one seat, for decisions of `lives`."""

    def __init__(self, info: Info) -> None:
        """Load the compiled search.

        Raises:
            ImportError: numpy is not installed.
            MissingPackage: numba is not installed.
        """
        from bots.lives_deals import KNOCK, PASS, build_tables  # here: numba is slow to import
        from bots.lives_search import new_deals, new_memory, new_past, search

        super().__init__(info)
        self.build_tables, self.search = build_tables, search
        self.deals, self.past = new_deals(), new_past()
        self.memory = new_memory()
        self.words = {"pass": PASS, "knock": KNOCK}

    def act(self, view: ExchangeView) -> Action:
        seats = len(view.order)
        self.write_deal(view, self.deals[0])
        self.memory["state"] = self.rng.getrandbits(64)
        tables = self.build_tables(self.rules, seats)
        place = self.search(tables, self.past, self.deals, self.worlds, self.z, self.memory)
        chosen: Action = view.legal[place]
        return chosen

    def write_deal(self, view: ExchangeView, deal: Any) -> None:
        """Write the deal as the seat knows it, and the turns taken."""
        order = view.order
        deal["seats"] = len(order)
        deal["max_turns"] = ROUNDS * len(order)
        deal["widow"] = [self.places[card] for card in view.widow]
        deal["knocker"] = -1
        deal["known"] = 0
        passes = 0
        shown: list[Any] = []  # the cards of this seat that the others know
        for number, turn in enumerate(view.turns()):
            row, kind = self.past[number], turn.action.kind
            row["knocker"] = deal["knocker"]
            row["widow"] = [self.places[card] for card in turn.widow]
            passes = passes + 1 if kind == "pass" else 0
            if kind == "exchange":
                given, taken = turn.cards
                row["action"] = turn.action.take[0]
                row["given"], row["taken"] = self.places[given], self.places[taken]
                if turn.seat == view.seat:
                    shown = [card for card in shown if card != given] + [taken]
            else:
                row["action"] = self.words[kind]
            if kind == "knock":
                deal["knocker"] = order.index(turn.seat)
        deal["passes"] = passes
        deal["turn"] = len(view.turns())
        known = view.known
        for place, seat in enumerate(order):
            cards = view.hand if seat == view.seat else known[seat]
            for slot, card in enumerate(cards):
                deal["hands"][place][slot] = self.places[card]
                deal["known"][place][slot] = seat != view.seat or card in shown


class PounceSearcher:
    """The search of one seat at `pounce`: that of `lives` until somebody has pounced or may."""

    def __init__(self, info: Info) -> None:
        """Load the compiled search; raises as that of `lives`."""
        self.lives = LivesSearcher(info)
        self.lives.rules = variant("lives")

    def act(self, view: ExchangeView) -> Action | None:
        kinds = {view.legal[0].kind, *[event.action.kind for event in view.past]}
        return self.lives.act(view) if kinds <= TURNS else None


class ExchangeSearcher(BaseSearcher):
    """The search of one seat, for decisions of other games of the exchange family."""

    def __init__(self, info: Info) -> None:
        """Load the compiled search.

        Raises:
            ImportError: numpy is not installed.
            MissingPackage: numba is not installed.
        """
        from bots.exchange_search import CompiledSearch  # here: numba is slow to import

        super().__init__(info)
        self.new_search: Any = cache(partial(CompiledSearch, players=info.players))

    def act(self, view: ExchangeView) -> Action | None:
        if HIDDEN in view.hand:
            return None
        search = self.new_search(self.rules, len(view.order))
        self.write_deal(view, search)
        chosen: Action = search.choose(self.worlds, self.z, self.rng.getrandbits(64))
        return chosen

    def write_deal(self, view: ExchangeView, search: Any) -> None:
        """Write the tokens, the cards of a deal that the view allows, and the actions done in it."""
        deal: Any = view.sample(self.rng).deal
        hands = [card for seat in view.order for card in deal.dealt[seat]]
        cards = [self.places[card] for card in (*hands, *deal.table_dealt, *deal.stock.drawn)]
        tokens = view.opening.holdings.tokens or ()
        search.write([tokens[seat] for seat in view.order], cards, [turn.action for turn in view.turns()])


class PoolSearcher(ExchangeSearcher):
    """The search of one seat, for decisions of games whose widow grows."""

    def __init__(self, info: Info) -> None:
        """Load the compiled search.

        Raises:
            ImportError: numpy is not installed.
            MissingPackage: numba is not installed.
        """
        from bots.pool_search import MAX_SEARCHED_SEATS, CompiledSearch  # here: numba is slow to import

        BaseSearcher.__init__(self, info, POOL_WORLDS, POOL_STANDARD_ERRORS)
        self.new_search, self.max_seats = cache(CompiledSearch), MAX_SEARCHED_SEATS

    def act(self, view: ExchangeView) -> Action | None:
        if len(view.order) > self.max_seats or view.legal[0].kind not in TURNS:
            return None
        if HIDDEN in view.hand:
            widow = [self.places[card] for card in view.widow]
            blind: Action = self.new_search(self.rules, len(view.order)).choose_blind(view.legal, widow)
            return blind
        return super().act(view)


class FaceDownSearcher(BaseSearcher):
    """The search of one seat, for decisions of `bastard-brag` and `whisky-poker`."""

    def __init__(self, info: Info) -> None:
        """Load the compiled search.

        Raises:
            ImportError: numpy is not installed.
            MissingPackage: numba is not installed.
        """
        from bots.face_down_search import CompiledSearch  # here: numba is slow to import

        super().__init__(info, FACE_DOWN_WORLDS, FACE_DOWN_STANDARD_ERRORS)
        self.new_search: Any = cache(CompiledSearch)

    def act(self, view: ExchangeView) -> Action | None:
        search = self.new_search(self.rules, len(view.order))
        self.write_deal(view, search)
        number = search.choose(self.worlds, self.z, self.rng.getrandbits(64))
        return next(action for action in view.legal if search.find_number(action) == number)

    def write_deal(self, view: ExchangeView, search: Any) -> None:
        """Write a deal that the view allows, the actions done in it, and what the seat does not see."""
        order, places = view.order, self.places
        deal: Any = view.sample(self.rng).deal
        hands = [[places[card] for card in deal.dealt[seat]] for seat in order]
        actions = [event.action for event in deal.log if event.seat is not None]
        search.write(hands, [places[card] for card in deal.table_dealt], actions)
        known = [view.hand if seat == view.seat else view.known[seat] for seat in order]
        is_hidden = [
            [card not in cards for card in deal.hands[seat]] for seat, cards in zip(order, known, strict=True)
        ]
        seen = {*view.widow}.union(*known)
        unseen = [place for card, place in places.items() if card not in seen]
        search.write_hidden(is_hidden, [card is HIDDEN for card in view.widow], unseen)


class DrawSearcher(BaseSearcher):
    """The search of one seat, for decisions of the draw family."""

    def __init__(self, info: Info) -> None:
        """Load the compiled search.

        Raises:
            ImportError: numpy is not installed.
            MissingPackage: numba is not installed.
        """
        from bots.draw_search import CompiledSearch  # here: numba is slow to import

        super().__init__(info, DRAW_WORLDS, DRAW_STANDARD_ERRORS)
        self.new_search = cache(CompiledSearch)

    def act(self, view: DrawView) -> Action | None:
        drawn = sum(event.action is DRAW_STOCK for event in view.past)
        if view.stock_left + drawn + 3 * len(view.order) + 1 != len(self.places):
            return None  # discards were shuffled anew: what was drawn from them is not known so easily
        search = self.new_search(self.rules, len(view.order))
        self.write_deal(view, search)
        place = search.choose(self.worlds, self.z, self.rng.getrandbits(64))
        return view.legal[place]

    def write_deal(self, view: DrawView, search: Any) -> None:
        """Write what the seats hold, the actions done, and the cards that the seat knows."""
        places, order = self.places, view.order
        past = []
        for event in view.past:
            card = None if event.action is DRAW_STOCK else places[event.cards[0]] if event.cards else None
            past.append((order.index(event.seat or 0), event.action.kind, card))
        settlement = self.rules.settlement
        left = (settlement.deals or view.players) - view.deal - 1 if isinstance(settlement, KnockerPot) else 0
        search.write_holdings(view.holdings, order, left)
        search.write(places[view.upcard], past)
        hand = [places[card] for card in view.hand]
        search.write_hand(order.index(view.seat), hand, view.stock_left)


SEARCHERS: Final[dict[str, Callable[[Info], Searcher]]] = {
    "lives": LivesSearcher,
    "pounce": PounceSearcher,
    "bastard-brag": FaceDownSearcher,
    "whisky-poker": FaceDownSearcher,
}
"""Searches of single variants, with no options but `SERVED_OPTIONS`."""


def make_plain(info: Info) -> Player:
    """Return the best player of a game that needs no numba."""
    if info.variant in ROLLOUT_VARIANTS:
        return Rollout(msgspec.structs.replace(info, settings={}))
    if info.variant == "pool":
        return Retuned(info)
    if isinstance(info.rules, ExchangeRules):
        return Tuned(info)
    if isinstance(info.rules, CuckooRules):
        return CuccuPlayer(info)
    if cambio_play.is_served(info.rules):
        return cambio_play.make_player(info)
    if isinstance(info.rules, BarterRules):
        return barter_play.make_player(info)
    return Retuned(info)


def make_searcher(info: Info) -> Searcher | None:
    """Return the search for a game, None where there is none.

    Raises:
        ImportError: numpy is not installed.
        MissingPackage: numba is not installed.
    """
    if info.variant in SEARCHERS:
        new_searcher = SEARCHERS[info.variant]
        return new_searcher(info) if SERVED_OPTIONS.issuperset(info.options) else None
    if isinstance(info.rules, BarterRules):
        return make_barter_searcher(info)
    if isinstance(info.rules, DrawRules):
        from bots.draw_deals import is_served as serves_draws

        return DrawSearcher(info) if serves_draws(info.rules, info.players) else None
    if info.variant not in SERVED_VARIANTS:
        return make_pool_searcher(info)
    from bots.exchange_search import is_served as serves_exchanges

    return ExchangeSearcher(info) if serves_exchanges(info.rules) else None


def make_barter_searcher(info: Info) -> Searcher | None:
    """Return the search for a game of the barter family with an equilibrium, None where there is none.

    Raises:
        ImportError: numpy is not installed.
        MissingPackage: numba is not installed.
    """
    if not has_equilibrium(info):
        return None
    from bots.barter_search import BarterSearcher  # here: numba is slow to import

    return BarterSearcher(info)


def make_pool_searcher(info: Info) -> Searcher | None:
    """Return the search for a game of the exchange family whose widow grows, None where there is none.

    Raises:
        ImportError: numpy is not installed.
        MissingPackage: numba is not installed.
    """
    if not isinstance(info.rules, ExchangeRules) or not info.rules.widow.grows:
        return None
    from bots.pool_search import simplify

    return PoolSearcher(info) if simplify(info.rules) else None
