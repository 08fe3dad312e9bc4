"""Records are replayed, and the first error is reported with its place."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from arena.errors import RecordError
from arena.games import VARIANTS, Rules, variant
from arena.play import play_match
from arena.play.records.record_check import CheckedTotals, check_lines, check_record
from arena.play.records.record_schema import MAX_RECORD_BYTES
from tests.play.simple_bots import Anything, Quiet

Record = dict[str, Any]
Edit = Callable[[Record], object]

BY_HAND: Record = {
    "v": 1,
    "variant": "lives",
    "options": {},
    "players": 3,
    "deals": [
        {
            "dealer": 0,
            "hands": ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"],
            "table": "JS 9D 3C",
            "stock": "",
            "actions": ["1:4D>9D", "2:5H>JS", "0:2H>4D", "1:knock", "2:pass", "0:4D>5H"],
            "result": {"tokens": [-1, 0, 0]},
        }
    ],
    "payoffs": [-1, 0, 0],
    "placings": [3, 1, 1],
    "faults": [],
}


POOL: Record = {
    "v": 1,
    "variant": "pool",
    "options": {"tokens": 1},
    "players": 3,
    "deals": [
        {
            "dealer": 2,
            "hands": ["JS AD QD", "9D 3H 2S", "JC 7D KS"],
            "table": "4S 5D TH",
            "stock": "TC JD",
            "actions": [
                *("2:#3>5D", "0:JS,QD>KS,TH", "1:2S>QD", "2:5D>2S", "0:AD,TH>4S,JS", "1:9D,3H>AD,TH"),
                *("2:JC,7D>3H,5D", "0:KS,4S,JS>9D,7D,JD", "1:AD,TH,QD>JC,TC,JS", "2:3H,5D,2S>AD,4S,QD"),
                "2:horse",
            ],
            "result": {"tokens": [0, 0, 0], "chips": [3, 0, -4], "pool": 37},
        },
        {
            "dealer": 0,
            "hands": ["8H JH 5H", "KH JD 4H", "7S TH 8S"],
            "table": "AH 5D 7C",
            "stock": "KS QD",
            "actions": [
                *("0:pass", "1:JD,4H>5D,7C", "2:7S,8S>AH,JD", "0:8H,JH>7S,4H", "1:KH,5D,7C>8H,8S,JH"),
                *("2:AH,TH>5D,KS", "0:4H>7C", "1:knock", "2:5D,KS,JD>AH,TH,QD", "0:7C>JD"),
            ],
            "result": {"tokens": [-1, 0, 0], "chips": [0, 3, 0], "pool": 34},
        },
        {
            "dealer": 1,
            "hands": [None, "9C AC AH", "6D KC 6C"],
            "table": "JS 9H 2C",
            "stock": "8S",
            "actions": ["1:#1,#3>JS,9H", "2:pass", "1:JS>AH", "2:6C>8S", "1:AH,AC>9C,6C"],
            "result": {"tokens": [0, 0, -1], "chips": [0, 34, 0], "pool": 0},
        },
    ],
    "payoffs": [-9, 25, -16],
    "placings": [2, 1, 3],
}
"""Three deals with a counter each: after the first the last seat buys a horse."""


def record_of_match(name: str, players: int, seed: str, **options: Any) -> Record:
    """A record of random play, as it is read back from its JSON."""
    record = play_match(variant(name, **options), [Anything] * players, seed)
    read: Record = json.loads(json.dumps(record))
    assert read == record
    return read


def without(record: Record, *keys: str) -> Record:
    return {key: value for key, value in record.items() if key not in keys}


def line(record: Record) -> bytes:
    return json.dumps(record).encode() + b"\n"


# --- what is true ---


def test_handmade_record_passes() -> None:
    assert check_record(BY_HAND) == CheckedTotals(matches=1, deals=1, actions=6)


def test_handmade_record_may_omit_optional_fields() -> None:
    bare = without(BY_HAND, "payoffs", "placings", "faults")
    assert check_record(bare).deals == 1


def sizes(rules: Rules) -> list[int]:
    last = rules.players[-1]
    return sorted({2, min(3, last), min(5, last), last})


@pytest.mark.parametrize(
    ("rules", "players"), [(rules, n) for rules in VARIANTS for n in sizes(rules)], ids=str
)
def test_records_of_matches_pass(rules: Rules, players: int) -> None:
    for seed in ("one", "two"):
        record = play_match(rules, [Anything] * players, seed)
        deals, actions = len(record["deals"]), sum(len(deal["actions"]) for deal in record["deals"])
        assert check_record(record) == CheckedTotals(1, deals, actions)


def test_records_need_no_seed() -> None:
    record = record_of_match("pool", 4, "any text")
    assert check_record(without(record, "seed", "bots", "block", "rotation")) == check_record(record)


def test_a_record_may_stop_after_any_deal() -> None:
    for deals in (1, 2, 3):
        short = without(POOL, "payoffs", "placings") | {"deals": POOL["deals"][:deals]}
        assert check_record(short).deals == deals


def test_a_record_may_use_an_alias() -> None:
    """Ruling R23."""
    assert check_record(BY_HAND | {"variant": "commerce"}).matches == 1


def test_cards_may_be_in_any_order_and_in_long_notation() -> None:
    deal = BY_HAND["deals"][0] | {
        "actions": ["1:4D,9H>JS,9D", "2:pass", "0:2H,TD,6C>9H,3C,4D", "1:knock", "2:pass", "0:*"],
        "result": {"tokens": [-1, 0, 0]},
    }
    record = without(BY_HAND, "payoffs", "placings") | {"options": {"max_exchange": 3}, "deals": [deal]}
    assert check_record(record).actions == 6


def test_other_start_holdings() -> None:
    started = BY_HAND | {"start": {"tokens": [1, 2, 3]}, "placings": [3, 2, 1]}
    assert check_record(started).matches == 1


def test_seats_without_tokens_at_the_start_are_out() -> None:
    deal = BY_HAND["deals"][0] | {
        "hands": ["TD 6C 2H", None, "KS QS 5H"],
        "actions": ["2:pass", "0:knock", "2:pass"],
    }
    started = BY_HAND | {"start": {"tokens": [2, 0, 2]}, "deals": [deal], "placings": [2, 3, 1]}
    assert check_record(started).matches == 1


def test_no_horse_if_a_seat_is_out_at_the_start() -> None:
    deal = {
        "dealer": 0,
        "hands": ["TD 6C 2H", None, "KS KD 5H"],
        "table": "JS 9D 3C",
        "stock": "",
        "actions": ["0:pass", "2:knock", "0:knock"],
        "result": {"tokens": [-1, 0, 0], "chips": [0, 0, 36], "pool": 0},
    }
    record = BY_HAND | {"variant": "pool", "start": {"tokens": [1, 0, 2]}, "deals": [deal]}
    assert check_record(record | {"payoffs": [-12, -12, 24], "placings": [2, 2, 1]}).deals == 1


def test_a_file_is_counted() -> None:
    lines = [line(BY_HAND), b"\n", line(POOL)]
    actions = 6 + sum(len(deal["actions"]) for deal in POOL["deals"])
    assert check_lines("matches.jsonl", lines) == CheckedTotals(2, 1 + len(POOL["deals"]), actions)


# --- what is not ---


def put(*path: Any) -> Edit:
    """Puts the last of these where the others lead."""

    def edit(record: Record) -> None:
        *way, key, value = path
        inner: Any = record
        for step in way:
            inner = inner[step]
        inner[key] = value

    return edit


def deal(number: int, key: str, value: Any) -> Edit:
    return put("deals", number, key, value)


def act(number: int, place: int, text: str) -> Edit:
    return put("deals", number, "actions", place, text)


BY_HAND_TAMPERED: dict[str, tuple[Edit, str]] = {
    "other version": (put("v", 2), r"not a record: .* 2 - at `\$.v`"),
    "unknown field": (put("winner", 1), "not a record: .*unknown field `winner`"),
    "unknown field of a deal": (deal(0, "time", 3), r"not a record: .*`time` - at `\$.deals"),
    "missing field": (lambda r: r.pop("players"), "not a record: .*missing required field `players`"),
    "wrong type": (put("players", "3"), "not a record: .*Expected `int`"),
    "number with a point": (deal(0, "dealer", 0.0), "not a record: .*Expected `int`"),
    "no deals": (put("deals", []), "not a record: .*length >= 1"),
    "unknown variant": (put("variant", "livs"), "variant: no variant 'livs': the nearest is 'lives'"),
    "unknown option": (put("options", {"token": 5}), "variant: no option 'token': .*'tokens'"),
    "option that is a field": (put("options", {"name": "x"}), "variant: no option 'name'"),
    "option out of bounds": (put("options", {"tokens": 0}), "variant: tokens is from 1"),
    "too many players": (put("players", 17), "variant: lives is for 2 to 16 players, not 17"),
    "too few players": (put("players", 1), "variant: lives is for 2 to 16 players, not 1"),
    "start of another size": (put("start", {"tokens": [1, 2]}), "start: tokens: 2 for 3 seats"),
    "start in chips": (put("start", {"chips": [1, 2, 3]}), "start: lives is not played for chips"),
    "start at the end": (put("start", {"tokens": [0, 2, 0]}), r"start: with tokens \[0, 2, 0\] the match is"),
    "too few hands": (lambda r: r["deals"][0]["hands"].pop(), "deal 1: hands: 2 for 3 seats"),
    "no hand": (deal(0, "hands", ["TD 6C 2H", None, "KS QS 5H"]), "deal 1: the hand of seat 1: it is in"),
    "short hand": (put("deals", 0, "hands", 2, "KS QS"), "deal 1: the hand of seat 2: 2 cards, not 3"),
    "no card": (put("deals", 0, "hands", 2, "KS QS 1H"), "deal 1: the hand of seat 2: '1H' is no card"),
    "hidden card": (
        put("deals", 0, "hands", 2, "KS QS ??"),
        r"deal 1: the hand of seat 2: '\?\?' is no card",
    ),
    "card twice": (put("deals", 0, "hands", 2, "KS QS TD"), "deal 1: the hand of seat 2: TD has been dealt"),
    "card twice in a hand": (put("deals", 0, "hands", 0, "TD TD 2H"), "seat 0: TD has been dealt already"),
    "no table": (lambda r: r["deals"][0].pop("table"), "deal 1: the table: 0 cards, not 3"),
    "card twice on the table": (deal(0, "table", "JS 9D TD"), "deal 1: the table: TD has been dealt already"),
    "short table": (deal(0, "table", "JS 9D"), "deal 1: the table: 2 cards, not 3"),
    "no card in the stock": (deal(0, "stock", "XX"), "deal 1: the stock: 'XX' is no card"),
    "stock not drawn": (deal(0, "stock", "AS"), "deal 1: the stock: nothing came from it"),
    "dealer who is not there": (deal(0, "dealer", 3), "deal 1: seat 3 cannot deal"),
    "other dealer": (deal(0, "dealer", 1), "deal 1: action 1, '1:4D>9D': it is for seat 2 to act"),
    "roles": (deal(0, "roles", {"retailer": 0}), "deal 1: roles: there are none"),
    "other seat": (act(0, 0, "2:5H>JS"), "deal 1: action 1, '2:5H>JS': it is for seat 1 to act"),
    "no seat": (act(0, 0, "4D>9D"), "deal 1: action 1, '4D>9D': it is for seat 1 to act"),
    "seat in words": (act(0, 0, "01:4D>9D"), "deal 1: action 1, '01:4D>9D': it is for seat 1"),
    "card not in hand": (act(0, 0, "1:5D>9D"), "deal 1: action 1, '1:5D>9D': '5D' is not in the hand"),
    "card not in the widow": (act(0, 0, "1:4D>8D"), "deal 1: action 1, '1:4D>8D': '8D' is not in the widow"),
    "two for one": (act(0, 0, "1:4D,9C>9D"), "deal 1: action 1, .*gives 2 and takes 1"),
    "illegal exchange": (act(0, 0, "1:4D,9C>9D,3C"), "deal 1: action 1, .*is not legal now"),
    "second knock": (act(0, 4, "2:knock"), "deal 1: action 5, '2:knock': .*not legal now"),
    "gibberish": (act(0, 1, "2:%s{}"), "deal 1: action 2, '2:%s{}': "),
    "action too many": (lambda r: r["deals"][0]["actions"].append("1:pass"), "action 7, .*deal was over"),
    "action too few": (lambda r: r["deals"][0]["actions"].pop(), "deal 1: it is not over .*seat 0 is to act"),
    "other result": (deal(0, "result", {"tokens": [0, 0, -1]}), r"deal 1: the result is .*\[-1, 0, 0\]"),
    "other key": (deal(0, "result", {"chips": [-1, 0, 0]}), "deal 1: the result is"),
    "key too many": (deal(0, "result", {"tokens": [-1, 0, 0], "pool": 0}), "deal 1: the result is"),
    "other payoffs": (put("payoffs", [0, 0, 0]), r"the payoffs are \[-1, 0, 0\], not \[0, 0, 0\]"),
    "other placings": (put("placings", [3, 1, 2]), r"the placings are \[3, 1, 1\], not \[3, 1, 2\]"),
    "bots for other seats": (put("bots", ["a", "b"]), "bots: 2 for 3 seats"),
    "fault of nobody": (
        put("faults", [{"seat": 3, "kind": "crash", "deal": 0}]),
        "faults: there is no deal 0 with a seat 3",
    ),
    "fault without a name": (put("faults", [{"seat": 0, "kind": "bad", "deal": 0}]), "not a record: .*'bad'"),
}


@pytest.mark.parametrize("name", BY_HAND_TAMPERED)
def test_a_tampered_record_is_refused_with_place_and_reason(name: str) -> None:
    edit, reason = BY_HAND_TAMPERED[name]
    twin = deepcopy(BY_HAND)
    edit(twin)
    with pytest.raises(RecordError, match=reason):
        check_record(twin)


POOL_TAMPERED: dict[str, tuple[Edit, str]] = {
    "card dealt already comes": (deal(0, "stock", "JS JD"), "deal 1: action 4, .*JS cannot be the next card"),
    "stock too short": (
        deal(0, "stock", "TC"),
        "deal 1: action 7, .*the record names fewer cards than come from the stock",
    ),
    "stock too long": (deal(0, "stock", "TC JD 2D"), "deal 1: the stock: TC JD came from it"),
    "dealer out of turn": (deal(1, "dealer", 1), "deal 2: it is for seat 0 to deal, not for seat 1"),
    "hand for nobody": (put("deals", 2, "hands", 0, "2D 3D 4D"), "deal 3: the hand of seat 0: it is not in"),
    "horse assert_refused": (act(0, -1, "2:no-horse"), "deal 1: the result is"),
    "horse for another": (act(0, -1, "0:horse"), "deal 1: action 11, '0:horse': it is for seat 2 to act"),
    "no word of the horse": (lambda r: r["deals"][0]["actions"].pop(), "deal 1: it is not over"),
    "pool left out": (lambda r: r["deals"][1]["result"].pop("pool"), "deal 2: the result is .*'pool': 34"),
    "other prize": (put("deals", 1, "result", "pool", 30), "deal 2: the result is"),
    "deal too many": (lambda r: r["deals"].append(r["deals"][0]), "deal 4: the match was over before it"),
    "deals in another order": (lambda r: r["deals"].reverse(), "deal 1: the hand of seat 0: it is in"),
    "deal left out": (lambda r: r["deals"].pop(1), "deal 2: it is for seat 0 to deal"),
    "last deal left out": (lambda r: r["deals"].pop(), "the payoffs are"),
}


@pytest.mark.parametrize("name", POOL_TAMPERED)
def test_a_match_of_several_deals_is_refused_where_it_was_tampered_with(name: str) -> None:
    edit, reason = POOL_TAMPERED[name]
    twin = deepcopy(POOL)
    edit(twin)
    with pytest.raises(RecordError, match=reason):
        check_record(twin)


# --- what the seed does not deal ---


def assert_refused(twin: Record, reason: str) -> None:
    """It is assert_refused for its seed, and for nothing else."""
    assert check_record(without(twin, "seed")).matches == 1
    with pytest.raises(RecordError, match=reason):
        check_record(twin)


def test_another_seed_is_refused() -> None:
    record = record_of_match("pool", 3, "x")
    assert_refused(record | {"seed": "y"}, "deal 1: the (hand of seat 0: the )?seed (deals|makes)")


def test_another_first_dealer_is_refused() -> None:
    """Nobody exchanges, so that the result is the same whoever deals."""
    record = play_match(variant("lives", deals=1), [Quiet, Quiet], "x")
    deal = record["deals"][0]
    deal["dealer"] = 1 - deal["dealer"]
    deal["actions"] = [f"{1 - int(told[0])}{told[1:]}" for told in deal["actions"]]
    assert_refused(record, "deal 1: the seed makes seat . the dealer")


def test_other_cards_are_refused() -> None:
    """A card that nothing hangs on is changed for one that nobody has: in a hand, the widow or the stock."""
    places = set()
    for seed in range(100):
        record = without(record_of_match("pool", 3, str(seed), deals=1), "payoffs", "placings")
        deal = record["deals"][0]
        cards = " ".join([*deal["hands"], deal["table"], deal["stock"]]).split()
        spare = next(str(card) for card in variant("pool").whole_pack.cards if str(card) not in cards)
        for place in ("hands", "table", "stock"):
            for card in " ".join([deal[place]] if isinstance(deal[place], str) else deal[place]).split():
                twin = json.loads(json.dumps(record).replace(card, spare))
                try:
                    check_record(without(twin, "seed"))
                except RecordError:
                    continue  # it mattered to the result
                places.add(place)
                with pytest.raises(RecordError, match=r"deal 1: .*the seed deals"):
                    check_record(twin)
        if len(places) == 3:
            return
    raise AssertionError(f"only {places} were tried")


BAD_LINES = {
    "empty object": (b"{}", "not a record: .*missing required field `v`"),
    "list": (b"[1, 2]", "not a record: Expected `object`, got `array`"),
    "half a line": (line(BY_HAND)[:200], "not JSON: Input data was truncated"),
    "two in a line": (line(BY_HAND)[:-1] * 2, "not JSON: .*trailing characters"),
    "no text": (b"\xff\xfe\x00", "not JSON"),
    "broken text": (line(BY_HAND).replace(b"lives", b"liv\xff"), "not JSON: .*(?i:utf-8)"),
    "half a sign": (line(BY_HAND).replace(b"lives", b"\\ud800"), "not JSON"),
    "not a number": (line(BY_HAND).replace(b'"players": 3', b'"players": NaN'), "not JSON"),
    "huge number": (line(BY_HAND).replace(b'"players": 3', b'"players": ' + b"9" * 5000), "out of range"),
    "deep": (line(BY_HAND).replace(b'"options": {}', b'"options": {"a":' + b"[" * 100_000), "got `array`"),
    "deep and unknown": (b'{"x":' + b"[" * 1_000_000, "unknown field `x`"),
    "many options": (line(BY_HAND | {"options": {str(i): 0 for i in range(65)}}), "length <= 64"),
    "long": (b'"' + b"x" * MAX_RECORD_BYTES + b'"', "longer than"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_named_by_file_and_line(name: str) -> None:
    bad, reason = BAD_LINES[name]
    with pytest.raises(RecordError, match=rf"^replays\.jsonl, line 3: .*{reason}"):
        check_lines("replays.jsonl", [line(BY_HAND), line(POOL), bad, line(POOL)])


def test_a_bad_deal_is_named_by_file_line_deal_and_action() -> None:
    twin = deepcopy(POOL)
    twin["deals"][1]["actions"][3] = "0:8H,JH>7S,4D"
    with pytest.raises(RecordError) as caught:
        check_lines("a/b.jsonl", [line(POOL), line(twin)])
    assert str(caught.value) == (
        "a/b.jsonl, line 2: deal 2: action 4, '0:8H,JH>7S,4D': '4D' is not in the widow (7S 8S 4H)"
    )


@pytest.mark.parametrize("bad", [{"v": {1, 2}, "x": object()}, {"seed": "\ud800"}, {}])
def test_values_that_json_cannot_represent_are_refused(bad: Record) -> None:
    with pytest.raises(RecordError, match="not a record"):
        check_record(bad)


def test_recursive_record_is_refused() -> None:
    loop = dict(BY_HAND)
    loop["options"] = {"a": loop}
    with pytest.raises(RecordError, match="not a record"):
        check_record(loop)
