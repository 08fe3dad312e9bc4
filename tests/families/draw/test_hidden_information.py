"""Views where cards are drawn and discarded, and samples of them. Sheet B5."""

from collections import Counter
from random import Random

from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal


def dealt(mine: str = "AC 7C 6C", theirs: str = "KD 9D 4S", stock: str = "") -> ScriptedDeal:
    return ScriptedDeal("thirty-one", ["TH 8H 3C", mine, theirs], "2S", stock=stock)


DEALS = """
at the deal a seat knows its hand and the upcard
    dealt
    -> view hand 2: KD 9D 4S; view discard 2: 2S; knows 2: - / - / -; heard 2: -; view stock_left 2: 42
a card from the discard is known to all while it is held
    dealt | 1:draw discard, 1:discard 7C -> knows 0 2: - / 2S / -; knows 1: - / - / -
    dealt
    1:draw discard, 1:discard 7C, 2:draw discard, 2:discard 4S, 0:draw discard, 0:discard 3C,
        1:draw discard, 1:discard 2S -> knows 2: 4S / 3C / -
a card from the stock is its drawers alone
    dealt | stock JD
    1:draw stock -> view hand 1: AC 7C 6C JD; heard 0 1: 1:draw stock; cards 0: ??; cards 1: JD
a discard shows its card but not its position
    thirty-one | TH 8H 3C / AC 7C 4S / KD 9D 6C | table 2S | stock 5S
    1:draw stock, 1:discard 4S -> heard 0: 1:draw stock, 1:discard 4S; cards 0: ?? / 4S; slots 0 1: - / -
a 31 is shown and no other hand is
    thirty-one | TH 8H 3C / AC KC 6C / KD 9D 4S | table 2S | stock QC
    1:draw stock, 1:discard 6C -> shown 0: TH 8H 3C / AC KC QC / ?? ?? ??
at a showdown all hands are shown
    dealt | stock 5D 6H
    1:knock, 2:draw stock, 2:discard 5D, 0:draw stock, 0:discard 6H -> shown 0: TH 8H 3C / AC 7C 6C / KD 9D 4S
a knock shows nothing else
    dealt | 1:knock -> heard 0: 1:knock; knows 0: - / - / -
a bot can see what hand an action would leave it
    dealt | -> leaves AC 7C 6C ?? / AC 7C 6C 2S / AC 7C 6C
    1:draw discard -> leaves 7C 6C 2S / AC 6C 2S / AC 7C 2S
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


# --- imagined deals ---


def test_no_sampled_hand_is_a_31() -> None:
    """Seat 1 has taken AH and KH: its third card can be any but QH, JH and TH."""
    hands = ["2C 3C 4C", "9S 8S 7S", "AH KH 5C"]
    told = ScriptedDeal("thirty-one", hands, "2S", dealer=1)
    told.play("2:draw discard", "2:discard AH", "0:draw discard", "0:discard 2C", "1:draw discard")
    told.play("1:discard 9S", "2:draw discard", "2:discard KH", "0:draw discard", "0:discard AH")
    told.play("1:draw discard", "1:discard 8S", "2:draw discard", "2:discard 9S", "0:draw discard")
    told.play("0:discard KH", "1:draw discard", "1:discard 2C")
    view = told.deal.view(0)
    assert sorted(map(str, view.known[1])) == ["AH", "KH"]
    rng = Random(3)
    thirds = Counter([str(card) for _ in range(1000) for card in view.sample(rng).deal.hands[1]])
    assert thirds["AH"] == thirds["KH"] == 1000
    assert {"QH", "JH", "TH"} & thirds.keys() == set()
    assert len(thirds) > 30
