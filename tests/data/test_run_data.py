"""The rows of a run: each agrees with the run's own files, records and rule book."""

import csv
from collections import Counter
from collections.abc import Callable
from itertools import groupby, islice, permutations
from pathlib import Path

import msgspec
import pytest

from arena import ConfigError, Rows, RunData, StoreError, load_run, run_tournament, variant
from arena.tournament.store.codec import BlockResult, MatchResult, pack
from tests.data.conftest import GAMES

pytestmark = pytest.mark.xdist_group("exported run")  # played once


def test_a_run_says_what_was_played(run: RunData, run_folder: Path) -> None:
    assert (run.path, run.seed, run.format) == (run_folder, "any text", "round-robin")
    assert run.bots == ("random", "other", "stand-pat")
    assert [(name.partition("(")[0], players) for name, players in run.games] == [
        (name, players) for name in GAMES for players in (2, 3)
    ]
    assert 'seed = "any text"' in run.config
    assert "numpy" in run.versions
    assert run.standings == []


def test_ratings_are_those_of_the_table(run: RunData, run_folder: Path) -> None:
    with (run_folder / "elo.csv").open(encoding="utf-8", newline="") as file:
        printed = [(row["variant"], row["bot"], row["matches"]) for row in csv.DictReader(file)]
    assert [(row.variant, row.bot, str(row.matches)) for row in run.ratings] == printed


def test_matches_are_the_lines_of_matches_csv(run: RunData, run_folder: Path) -> None:
    with (run_folder / "matches.csv").open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    assert tuple(header) == run.matches.columns
    assert [[str(value) for value in row] for row in run.matches] == lines


def test_tallies_count_the_placings_of_the_matches(run: RunData) -> None:
    points: Counter[tuple[str, int, str, str]] = Counter()
    pairs: Counter[tuple[str, int, str, str]] = Counter()
    for _, seats in groupby(run.matches, lambda row: (row.block, row.rotation)):
        for first, other in permutations(seats, 2):
            key = (first.variant, first.players, first.bot, other.bot)
            points[key] += 2 * (first.placing < other.placing) + (first.placing == other.placing)
            pairs[key] += 1
    tallies = {(row.variant, row.players, row.bot, row.other): row for row in run.tallies}
    assert tallies.keys() == pairs.keys()
    for key, row in tallies.items():
        assert (row.points, row.pairs) == (points[key] / 2, pairs[key])
        assert row.score == pytest.approx(100 * row.points / row.pairs)


def test_blocks_name_their_first_seating_and_the_seed_of_their_cards(run: RunData) -> None:
    matches = {(row.block, row.seat): row.bot for row in run.matches if row.rotation == 0}
    first_deals = {(row.block, row.seat): row.hand for row in run.deals if (row.rotation, row.deal) == (0, 0)}
    names = {str(variant(name)): name for name in GAMES}
    for number, row in enumerate(run.blocks):
        assert row.number == number
        assert list(row.bots) == [matches[row.block, seat] for seat in range(row.players)]
        assert row.matches == row.players
        if row.variant in names:
            match = variant(row.variant).match(row.players, row.seed)
            assert " ".join(map(str, match.deal.dealt[0])) == first_deals[row.block, 0]


def test_deals_have_the_cards_and_results_of_the_records(run: RunData) -> None:
    rows = iter(run.deals)
    for record in run.records():
        for number, deal in enumerate(record["deals"]):
            seats = list(islice(rows, record["players"]))
            assert {(row.block, row.rotation, row.deal) for row in seats} == {
                (record["block"], record["rotation"], number)
            }
            assert [row.hand for row in seats] == deal["hands"]
            assert [row.bot for row in seats] == record["bots"]
            assert {(row.table, row.dealer) for row in seats} == {(deal["table"], deal["dealer"])}
            for unit in ("tokens", "chips", "points"):
                changes = [getattr(row, unit) for row in seats]
                assert changes == deal["result"].get(unit, [None] * len(seats))
            assert sum(row.actions for row in seats) == len(deal["actions"])
    assert next(rows, None) is None


def test_decisions_are_the_chosen_actions_of_the_records(run: RunData) -> None:
    actions = {
        (record["block"], record["rotation"], deal, number): action
        for record in run.records()
        for deal, played in enumerate(record["deals"])
        for number, action in enumerate(played["actions"])
    }
    outcomes = {(row.block, row.rotation, row.seat): (row.placing, row.payoff) for row in run.matches}
    keys = set()
    for row in run.decisions:
        key = (row.block, row.rotation, row.deal, row.number)
        keys.add(key)
        if "#" not in row.text and "??" not in row.text:  # the seat does not see its cards
            assert actions[key] == f"{row.seat}:{row.text}"
        assert 0 <= row.legal_index < row.legal
        assert row.legal > 1
        assert (row.placing, row.payoff) == outcomes[row.block, row.rotation, row.seat]
    assert keys < actions.keys()
    assert {row.variant.partition("(")[0] for row in run.decisions} == set(GAMES)


def test_rows_can_be_read_again(run: RunData) -> None:
    for rows in (run.matches, run.deals, run.decisions, run.blocks, run.tallies):
        assert isinstance(rows, Rows)
        assert list(islice(rows, 5)) == list(islice(rows, 5))
        assert repr(rows).startswith(f"<rows of {rows.row_type.__name__}: {rows.columns[0]}, ")


def test_standings_are_those_of_the_format(tmp_path: Path) -> None:
    config = {
        "bots": ["random", "stand-pat"],
        "variants": [{"name": "cuccu", "players": 2}],
        "format": "swiss",
        "rounds": 1,
        "blocks": 1,
        "seed": "any text",
    }
    run_tournament(config, tmp_path / "swiss")
    standings = load_run(tmp_path / "swiss").standings
    with (tmp_path / "swiss/standings.csv").open(encoding="utf-8", newline="") as file:
        assert [row["bot"] for row in csv.DictReader(file)] == [row["bot"] for row in standings]


def test_without_a_folder_it_is_the_latest_run(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="no run in results/ yet: name its folder"):
        load_run()
    (tmp_path / "results").mkdir()
    (tmp_path / "results/first").symlink_to(run_folder)
    assert load_run().path == Path("results/first")


# --- folders of strangers ---


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="holds no run"):
        load_run(tmp_path)


def test_no_code_of_a_bot_runs(tmp_path: Path) -> None:
    source = "from pathlib import Path\nclass Bot:\n    def act(self, view): return view.legal[0]\n"
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    config = {
        "bots": [f"{tmp_path}/mine.py:Bot", "random"],
        "variants": [{"name": "cuccu", "players": 2}],
        "blocks": 1,
        "isolation": "inline",
        "seed": "any text",
    }
    run_tournament(config, tmp_path / "run")
    (tmp_path / "mine.py").write_text("raise SystemExit('a bot was loaded')\n", encoding="utf-8")
    run = load_run(tmp_path / "run")
    for rows in (run.ratings, run.tallies, run.blocks, run.matches, run.deals, run.decisions):
        assert list(rows)


@pytest.mark.parametrize("matches", [1, 3])
def test_matches_that_do_not_fit_their_seatings_are_an_error(
    matches: int, changed: Callable[..., RunData]
) -> None:
    result = MatchResult((1, 2), (0, -1), (), b"")
    packed = pack("any", BlockResult(0, (result,) * matches))
    values = packed.outcome, packed.actions, packed.digest
    run = changed("UPDATE block SET outcome = ?, actions = ?, digest = ? WHERE place = 0", *values)
    for rows in (run.matches, run.deals, run.decisions):
        with pytest.raises(StoreError, match="its matches do not fit its seatings"):
            list(rows)


def test_illegal_actions_are_an_error(changed: Callable[..., RunData]) -> None:
    run = changed(
        """UPDATE block SET actions = other.actions, digest = digest(block.outcome, other.actions)
           FROM block AS other WHERE block.place = 0 AND other.place = 1"""
    )
    assert list(run.matches)
    for rows in (run.deals, run.decisions):
        with pytest.raises(StoreError, match=r"block 0 \(.*\) is damaged: .*`arena verify`"):
            list(rows)


def test_a_name_that_is_a_formula_is_an_error(run_folder: Path, changed: Callable[..., RunData]) -> None:
    config = load_run(run_folder).config.replace("other", "=1+1")
    with pytest.raises(ConfigError, match="cannot be a name: a spreadsheet"):
        changed("UPDATE fact SET value = ? WHERE name = 'config'", msgspec.json.encode(config).decode())
