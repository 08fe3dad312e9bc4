"""The players made for one family each: their choices, and what they win against random play."""

from math import ceil
from typing import Any

import pytest

from arena.families.barter.heuristic import Thrifty
from arena.games import variant
from arena.play import Info, play_match
from arena.plugins import InstalledBot
from tests.games.support.scripted_cases import Case, build_deals, read_cases

CHOICES = """
cautious swaps low cards
    cuccu | 9S / AC / 8D | -> swap
    cuccu | 9S / 4C / 8D | -> swap
    cuccu | 9S / 7C / 8D | -> keep
    cuccu | 9S / KC / 8D | -> keep
cautious keeps a low card that is higher than one it knows
    cuccu | 9S / 3C / 2D | 1:swap -> keep
    cuccu | 9S / 2C / 3D | 1:swap -> swap
thirty draws what makes its total higher and knocks on enough
    thirty-one | TH 8H 3C / AC 7C 6C | table 2S | -> draw stock
    thirty-one | TH 8H 3C / AC 7C 7D | table 6C | -> draw discard
    thirty-one | TH 8H 3C / AC KC 4D | table 2C | -> draw discard
    thirty-one | TH 8H 3C / AC KC 4C | table TC | -> knock
thirty throws what counts least
    thirty-one | TH 8H 3C / AC 7C 7D | table 6C | 1:draw discard -> discard 7D
thirty draws again on its last turn
    thirty-one | TH 8H 3C / AC KC 4C | table 2S | 1:knock -> draw stock
thrifty stands on a good hand and else gives what promises least
    ready-money | 8S 7S 2D / AH AD AC / QC 9D 4D | -> stand
    ready-money | 8S 7S 2D / KH KD 3C / QC 9D 4D | -> stand
    ready-money | 8S 7S 2D / KH QH 3C / QC 9D 4D | -> barter 3C
    trade-and-barter | 8S 7S 2D / 9H 5H 3C / QC 9D 4D | -> barter 3C
    trade-and-barter-tokens | 8S 7S 2D / AH 4S 2C / QC 9D 4D | -> trade 2C
    trade-and-barter-consent | 8S 7S 2D / AH KH QH / QC 9D 4D | -> knock
thrifty buys for nothing as the dealer and never for a chip it plays for
    trade-and-barter | AH 4C 2S / 8S 7S 2D | stock 2H | 1:trade 2D -> trade 2S
    ready-money-extended | 8S 7S 2D / AH 4C 2S | 1:barter 2S, 0:stand -> stand
thrifty declines only with a hand it would knock on
    trade-and-barter-consent | 8S 7S 2D / QC 9D 4C / AH KH QH | 1:barter 4C -> decline
    trade-and-barter-consent | 8S 7S 2D / QC 9D 4C / AH KD 3C | 1:barter 4C -> give 3C
thrifty goes on after an exchange that was no use
    ready-money | 8S 7S 2D / 9H 7H 3C | stock 4D | 1:trade 3C -> continue
"""


@pytest.mark.parametrize("case", read_cases(CHOICES), ids=lambda case: case.name)
def test_choices(case: Case) -> None:
    bot = InstalledBot(case.name.split()[0]).load()
    for fields, (step,) in case.deals:
        for deal in build_deals(fields, {}):
            actions, _, choice = f" {step}".partition(" -> ")
            view = deal.play(*filter(None, actions.strip().split(", "))).view
            info = Info(variant=deal.rules.name, options={}, seat=view.seat, players=view.players, key="")
            assert view.text(bot(info).act(view)) == choice, step


BARTER = (
    *("ready-money", "ready-money-extended"),
    *("trade-and-barter", "trade-and-barter-tokens", "trade-and-barter-consent"),
)
WINS: list[tuple[str, str, dict[str, Any], int, int]] = [
    ("cautious", "cuccu", {}, 2, 22),
    *[("thirty", name, {}, 2, 25) for name in ("thirty-one", "trentuno-draw", "stop-the-bus-31")],
    *[("thirty", name, {}, 2, 25) for name in ("schwimmen", "trentuno")],
    *[("thrifty", name, {}, players, 39 // players) for name in BARTER for players in (2, 4)],
    ("rememberer", "cambio", {"snap": True}, 4, 20),
    ("rememberer", "cambio", {"call_after": True, "swaps": "any", "king": "any"}, 4, 20),
    ("rememberer", "cambio", {"scoring": "won", "values": "11-12-20"}, 4, 20),
    ("rememberer", "cambio", {"scoring": "lives", "jokers": False}, 4, 20),
]
"""A bot, a game, its options, the players and how many of 30 matches it wins at least."""


@pytest.mark.parametrize(("bot", "name", "options", "players", "least"), WINS)
def test_wins(bot: str, name: str, options: dict[str, Any], players: int, least: int) -> None:
    wins = 0
    for number in range(30):
        record = play_match(variant(name, **options), [bot, *["random"] * (players - 1)], seed=str(number))
        assert record["faults"] == []
        wins += record["placings"][0] == 1
    assert wins > least


@pytest.mark.parametrize("bot", ["cautious", "thirty", "thrifty"])
@pytest.mark.parametrize("name", ["lives", "cuccu", "thirty-one"])
def test_they_play_other_games_without_a_fault(bot: str, name: str) -> None:
    for number in range(3):
        assert play_match(variant(name), [bot, "random"], seed=str(number))["faults"] == []


@pytest.mark.parametrize("name", ["ready-money", "trade-and-barter", "trade-and-barter-tokens"])
def test_thrifty_values_a_slot_by_the_worst_of_the_best_quarter_of_the_unseen_cards(name: str) -> None:
    rules = variant(name)
    match = rules.match(4, "values")
    bot = Thrifty(rules)
    decisions = 0
    while not match.is_over and decisions < 60:
        assert match.seat_to_act is not None
        view = match.view(match.seat_to_act)
        seen = {*view.hand}.union(*view.known)
        unseen = [card for card in rules.whole_pack.cards if card not in seen]
        expected = []
        for slot in range(3):
            hands = [(*view.hand[:slot], card, *view.hand[slot + 1 :]) for card in unseen]
            made = sorted([rules.strengths[a.number][b.number][c.number] for a, b, c in hands])
            expected.append(made[-ceil(len(unseen) / 4)])
        assert bot.evaluate(view) == expected
        match.apply(view.legal[decisions % len(view.legal)])
        decisions += 1
    assert decisions > 10
