"""Views of games with one card each, and samples of them. Sheet B10."""

from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal


def known(table: ScriptedDeal, seat: int) -> str:
    """Return the others' cards that a seat knows, by seat."""
    return " ".join([str(hand[0]) if hand else "-" for hand in table.deal.view(seat).known])


test_deals = scripted_cases("""
a card is known where it goes next
    cuccu | 9S / 4D / 2H / 7C
    1:swap, 2:swap -> knows 1: - / - / - / 4D; knows 2: - / 2H / - / 4D; knows 3: - / - / 7C / -
after the showdown all cards are known also that of a seat that kept last
    cuccu | 9S / 2H / 4D / 7C | 1:keep, 2:keep, 3:keep, 0:keep -> knows 1: 9S / - / 4D / 7C
a horse that passes is known to all and who swapped past it know each others
    cuccu horse_passes=True | 9S / 4D / QH / 7C
    1:swap -> knows 0: - / - / QH / -; knows 2: - / - / - / -; knows 1: - / - / QH / 4D;
        knows 3: - / 7C / QH / -
at the deal and by keeping nothing is known
    cuccu | 9S / 4D / 2H / 7C | -> knows 0 1 2 3: - / - / - / -
    1:keep -> knows 0: - / - / - / -
only the two seats of a swap know each others card
    cuccu | 9S / 4D / 2H / 7C
    1:swap -> knows 0 3: - / - / - / -; knows 1: - / - / 4D / -; knows 2: - / 2H / - / -; heard 0 3: 1:swap;
        heard 1 2: 1:swap 4D>2H
a refused king is known to all
    cuccu | 9S / 4D / KH / 7C | 1:swap -> knows 0 1: - / - / KH / -
the dealers card from the stock is his alone until the end
    cuccu | 9S / 4D / 2H / 7C | stock 5D
    1:swap, 2:swap, 3:keep, 0:swap -> cards 0: ?? ?? / ?? ?? / - / 9S 5D / 2H / 7C / 4D / 5D;
        cards 1: 4D 2H / ?? ?? / - / ?? ?? / 2H / 7C / 4D / 5D; heard 1: ... show 0 5D
a dealer who is dealt three is the only one to know the other two
    cuccu dealer_three=True | 9S / 4D / 2H | table JD AC | -> view further 0: JD AC; view further 1: ?? ??
""")
