"""Commerce with a widow: turns, and what ends them. Rulings W7-W15, W26-W28, R1, R6, R8, R31; sheet B1."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from arena.errors import InvalidNotation
from arena.games import variant
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

THREE = ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"]
FOUR = [*THREE, "AS 7D 3S"]
WIDOW = "JS 9D 3C"
Hands = Sequence[str | None] | None


def lives(seats: int = 3, hands: Hands = None, table: str = WIDOW, **options: Any) -> ScriptedDeal:
    return ScriptedDeal("lives", hands or FOUR[:seats], table, **options)


def pool(seats: int = 4, hands: Hands = None, table: str = WIDOW, **options: Any) -> ScriptedDeal:
    return ScriptedDeal("pool", hands or FOUR[:seats], table, **{"stock": "2C 2S 2D"} | options)


DEALS = """
# the dealer's exchange before he looks: W7, W8, R1
w7 the dealer is asked first and does not see his hand
    pool dealer=2 | TD 6C 2H / 9H 9C 4D / KS QS 5H / AS 7D 3S | table JS 9D 3C
    -> asked 2; view hand 2: ?? ?? ??
    2:pass -> asked 3; view hand 2: KS QS 5H
    tokens,no-pair-or-point dealer=2 | TD 6C 2H / 9H 9C 4D / KS QS 5H / AS 7D 3S | table JS 9D 3C
    -> asked 2; view hand 2: ?? ?? ??
    2:pass -> asked 3; view hand 2: KS QS 5H
w7 there is no such exchange in the games of s004
    lives dealer=2 | TD 6C 2H / 9H 9C 4D / KS QS 5H / AS 7D 3S | table JS 9D 3C | -> asked 3
    pounce,extended dealer=2 | TD 6C 2H / 9H 9C 4D / KS QS 5H / AS 7D 3S | table JS 9D 3C | -> asked 3
w8 who has exchanged all three has no more exchanges but may pass or knock
    pool | 0:*, 1:pass, 2:pass, 3:pass -> hand 0: JS 9D 3C; asked 0; kinds knock, pass
w8 holds for every player and for three of a larger widow
    pool | 0:pass, 1:*, 2:pass, 3:pass, 0:pass -> asked 1; legal pass, knock
    1:pass, 2:KS,QS,5H>9H,9C,2C, 3:pass, 0:pass, 1:pass -> asked 2; legal pass, knock
w8 two cards lock nobody
    pool | 0:#1,#2>9D,3C, 1:9H,9C>JS,6C, 2:pass, 3:pass, 0:pass -> asked 1; kinds exchange, knock, pass
r6 lives with three exchanges locks nobody
    lives max_exchange=3 | 1:*, 2:pass, 0:pass -> asked 1; kinds exchange, knock, pass
# a turn: W9, W10, W12
w9 what is taken keeps the place of what was given
    pool | 0:pass, 1:9H,4D>9D,3C -> hand 1: 9D 9C 3C; table JS 9H 4D
    2:QS>JS -> hand 2: KS JS 5H; table QS 9H 4D
w9 a card cannot be given or taken twice
    pool | 0:pass -> unread 9H,9H>JS,9D, 9H,9C>JS,JS, 9H,9H>JS,JS, 9H>JS,9D, 9H>, >JS, 9H>9D>3C, ,
w9 one card in lives up to three in pool and tokens
    lives | -> count 11; may 9H>JS
    lives max_exchange=2 | -> count 20; may 9H,9C>JS,9D
    pool | 0:pass -> count 21; may *
    tokens | TD 6C 2H / 9H 9C 4D / KS QS 5H / AS 7D 3S | table JS 9D 3C | 0:pass -> count 21; may *
w10 who passes may exchange later
    lives | 1:pass, 2:pass, 0:pass -> asked 1; kinds exchange, knock, pass
    pool seats=3 | 0:pass, 1:pass, 2:pass, 0:pass -> asked 1; kinds exchange, knock, pass
w12 a knock is the whole turn and may be the first
    lives | 1:knock -> asked 2
    pool | 0:pass, 1:knock -> asked 2
w12 in the last turns nobody can knock
    lives | 1:knock -> kinds exchange, pass; illegal knock
# the knock: W11, W28; sheet B1 test 9
w11 in pool two knocks end it at once in the middle of a round
    # Sheet B1, test 9.
    pool | 0:pass, 1:knock, 2:KS>9D, 3:knock -> over
w11 the first knocker has no more turns
    pool | 0:pass, 1:knock, 2:pass, 3:pass, 0:pass -> asked 2
w11 in lives one knock gives each other one more turn
    lives seats=4 | 1:pass, 2:knock, 3:AS>JS, 0:pass -> asked 1
    1:pass -> over
w28 the knocker gains and loses nothing by it
    lives | 1:knock, 2:pass, 0:pass -> tokens -1 0 0
    lives | 1:pass, 2:pass, 0:knock, 1:pass, 2:pass -> tokens -1 0 0
# rounds and the widow: W13, W15, R8, R31
w13 the rounds are those of the players dealt in
    pool | TD 6C 2H / - / KS QS 5H / - | table JS 9D 3C | stock 2C
    0:pass, 2:pass, 0:pass, 2:pass, 0:pass -> over
w13 the fresh card is told and can be taken at once
    pool
    0:pass, 1:pass, 2:pass, 3:pass, 0:pass -> heard 1: ... widow 2C; table JS 9D 3C 2C; may 4D>2C; may not *
# a deadlock: W14; sheet B1 test 10
s004 w14 by the option a deadlock gives everybody a last turn as a knock would
    lives deadlock_final_turn=True | KS 6D 4C / QH 5C 2D / JC 7D 3S | table KH 6S 2C
    1:pass, 2:pass, 0:pass, 1:pass, 2:pass, 0:pass -> asked 1; may pass
    1:QH>KH, 2:pass -> asked 0; may not knock
    0:pass -> over; knocker -
    pounce,trentuno deadlock_final_turn=True | KS 6D 4C / QH 5C 2D / JC 7D 3S | table KH 6S 2C
    1:pass, 2:pass, 0:pass, 1:pass, 2:pass, 0:pass -> asked 1; may pass
    1:QH>KH, 2:pass -> asked 0; may not knock
    0:pass -> over; knocker -
    extended deadlock_final_turn=True | KS 6D 4C / QH 5C 2D / JC 7D 3S | table KH 6S 2C
    1:pass, 2:pass, 0:pass -> asked 1; may pass
    1:QH>KH, 2:pass -> asked 0; may not knock
    0:pass -> over; knocker -
w14 the last turns after a deadlock begin with the next player wherever it came
    lives deadlock_final_turn=True | KS 6D 4C / QH 5C 2D / JC 7D 3S | table KH 6S 2C
    1:QH>KH, 2:pass, 0:pass, 1:pass, 2:pass, 0:pass, 1:pass -> asked 2; may not knock
    2:pass, 0:pass, 1:pass -> over
r8 a deadlock in the last round has its last turns
    lives rounds=2 deadlock_final_turn=True | KS 6D 4C / QH 5C 2D | table KH 6S 2C
    1:pass, 0:pass, 1:pass, 0:pass, 1:pass, 0:pass -> over
r8 a knock in the last round still has its last turns
    lives rounds=2 | 1:9H>JS, 2:KS>9H, 0:TD>KS, 1:JS>TD, 2:9H>JS, 0:knock, 1:pass -> asked 2
    2:pass -> over
w14 r3 who has pounced has no last turn after a deadlock
    pounce deadlock_final_turn=True | KS 6D 4C / QH QC QD / JC 7D 3S | table QS 6S 2C | stock 4H
    1:pounce, 2:pass, 0:pass, 2:pass, 0:pass -> asked 2; may not knock
    2:pass, 0:pass -> over
w14 all passing twice in a row ends it with no last turn
    lives | 1:pass, 2:pass, 0:pass, 1:pass, 2:pass, 0:pass -> over
w14 an exchange begins the count anew
    lives | 1:pass, 2:pass, 0:pass, 1:4D>9D, 2:pass, 0:pass, 1:pass, 2:pass, 0:pass -> asked 1
    1:pass -> over
w14 a knock breaks the row so nobody loses his last turn
    lives | 1:pass, 2:pass, 0:pass, 1:pass, 2:pass, 0:knock, 1:pass -> asked 2
    2:pass -> over
w14 the count is of those still in
    lives | TD 6C 2H / - / KS QS 5H / - | table JS 9D 3C | 2:pass, 0:pass, 2:pass, 0:pass -> over
w14 is no rule of pool
    pool
    0:pass, 1:pass, 2:pass, 3:pass, 0:pass, 1:pass, 2:pass, 3:pass, 0:pass, 1:pass, 2:pass, 3:pass,
        0:pass -> asked 1
# extended: W26
w26 in extended all declining in turn end it at once
    extended | TD 6C 2H / 9H 9C 4D / KS QS 5H | table JS 9D 3C
    1:pass, 2:pass, 0:2H>3C, 1:pass, 2:pass -> asked 0
    0:pass -> over
w26 in extended a knock still gives the others their last turn
    extended | TD 6C 2H / 9H 9C 4D / KS QS 5H | table JS 9D 3C | 1:pass, 2:pass, 0:knock, 1:pass -> asked 2
    2:KS>9D -> over
# what is seen: W27
w27 both cards of an exchange are seen by all
    lives seats=4 | 1:4D>9D, 2:5H>JS -> heard 0 1 2 3: 1:4D>9D, 2:5H>JS
s004 w27 by the option the card taken is named to its taker alone
    lives seats=3 private_take=True
    1:4D>9D -> heard 1: 1:4D>9D, widow JS 4D 3C; heard 0 2: 1:4D>??, widow JS 4D 3C; knows 0 2: - / - / -;
        log 1:4D>9D
w27 with open hands nothing taken is private
    lives seats=3 private_take=True open_hands=True | 1:4D>9D -> heard 0: 1:4D>9D
w27 what was taken is known until it is given away
    pool
    0:pass, 1:9H,4D>9D,3C, 2:pass, 3:pass, 0:pass, 1:3C>9H -> knows 2: - / 9D 9H / - / -;
        knows 1: - / - / - / -
w27 what the dealer takes unseen is seen by all and his other cards by nobody
    pool | -> view hand 0: ?? ?? ??
    0:#2>9D -> table JS 6C 3C; heard 1 2 3: 0:#2>9D; knows 1 2 3: 9D / - / - / -
r3 who pounces is known to hold all of the rank
    pounce | TD 6C 2H / 9H 9C 9D / 9S QS 5H | table JS 4D 3C | stock 2C
    1:pass, 2:9S>4D, 1:pounce -> knows 0: - / 9S 9H 9D 9C / 4D; knows 2: - / 9S 9H 9D 9C / -
# the dealer's exchange, an impossible knock, open hands
r1 the dealer names places of his hand and cards of the widow
    pool | -> legal #1>JS ...; legal ... *, pass; may #1,#2>9D,3C; count 20
    0:#1,#3>JS,3C -> hand 0: JS 6C 3C; table TD 9D 2H
b1 example nine is impossible in lives
    lives seats=4 | 1:knock, 2:KS>9D -> asked 3; illegal knock
with open hands everybody sees all
    # S004, "For young children".
    lives open_hands=True | 1:4D>9D -> knows 2: TD 6C 2H / 9H 9C 9D / -
    lives | -> knows 2: - / - / -
"""
test_deals = scripted_cases(DEALS, lives=lives, pool=pool)


# --- the dealer's exchange before he looks: W7, W8, R1 ---


def test_r1_what_names_no_place_of_the_hand_is_no_action() -> None:
    for text in ("#4>JS", "#0>JS", "#>JS", "#1,#1>JS,9D", f"#{'9' * 5000}>JS", "TD>JS"):
        with pytest.raises(InvalidNotation):
            pool().view.parse(text)


# --- rounds and the widow: W13, W15, R8, R31 ---


def test_w13_there_are_as_many_rounds_as_players_and_a_card_before_each_but_the_first() -> None:
    """Sheet B1, test 10."""
    table = pool().play("0:pass")
    sizes = []
    while table.asked is not None:
        sizes.append(len(table.widow.split()))
        table.play(f"{table.asked}:pass")
    assert sizes == [3] * 4 + [4] * 4 + [5] * 4 + [6] * 4


def test_w13_in_lives_the_widow_is_always_of_three() -> None:
    table = lives()
    for turn in range(30):
        view = table.view
        assert len(view.table) == 3
        table.play(f"{table.asked}:{view.text(view.legal[turn % 9])}")


def test_w15_r31_after_twenty_rounds_the_hands_are_shown() -> None:
    table = lives()
    turns = 0
    while table.asked is not None:
        table.play(f"{table.asked}:{table.legal[0]}")
        turns += 1
    assert turns == 20 * 3
    assert lives(rounds=2).play(*exchanges(lives(), 6)).asked is None


def exchanges(table: ScriptedDeal, count: int) -> list[str]:
    """So many first exchanges in turn."""
    done = []
    for _ in range(count):
        done.append(f"{table.asked}:{table.legal[0]}")
        table.play(done[-1])
    return done


# --- what is seen: W27 ---


def test_s004_w27_who_watches_the_widow_can_tell_what_was_taken_and_sampling_does() -> None:
    view = lives(3, private_take=True).play("1:4D>9D", "2:5H>4D").view
    for number in range(5):
        deal = view.sample(Random(number)).deal
        assert {str(card) for card in deal.hands[1]} >= {"9D"}
        assert {str(card) for card in deal.hands[2]} >= {"4D"}


def test_a_hand_that_was_shown_is_known() -> None:
    match = variant("pool").match(2, "h0")
    rng = Random(0)
    while all(action.kind != "horse" for action in match.view(match.seat_to_act or 0).legal):
        match.apply(rng.choice(match.view(match.seat_to_act or 0).legal))
    for seat, other in ((0, 1), (1, 0)):
        assert match.view(seat).known[other] == match.deal.hands[other]
