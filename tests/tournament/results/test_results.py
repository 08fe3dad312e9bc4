"""A run's data is collected in one pass: its sample of matches, and the value of its seats."""

from pathlib import Path
from typing import Any

import pytest

from arena.games import variant
from arena.output.tables.breakdowns import play_control
from arena.rating.mean_intervals import ClusteredMeans
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.results import results
from arena.tournament.results.results import SeatMeans, measure_seats
from arena.tournament.run import Run, replay_sample
from arena.tournament.schedule import Block, RoundRobin, deal_seed
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import BlockResult, MatchResult
from tests.tournament.made_runs import play_run
from tests.tournament.tallies import tally_blocks


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Forty blocks of a game that is over soon, twenty of another."""
    folder = tmp_path_factory.mktemp("results") / "run"
    games = [{"name": "cuccu", "players": 2, "tokens": 1}, {"name": "lives", "players": 3, "tokens": 1}]
    return play_run(folder, ["greedy", "random", "stand-pat"], games, blocks=20)


def test_it_counts_what_the_tallies_count(run: Run) -> None:
    results = run.read_results()
    assert results.matches == sum(len(result.matches) for _, result in run.outcomes())
    names = tuple(bot.name for bot in run.config.bots)
    for game, tally in tally_blocks(run.outcomes(), names).items():
        same = results.games[game].pair_counts
        assert same.points().tolist() == tally.pair_counts().points().tolist()


def test_of_many_matches_some_are_picked_evenly_from_every_game(run: Run) -> None:
    picked = run.read_results(sample_size=24).sample
    assert len(picked) <= 24
    games = [str(sampled.rules) for sampled in replay_sample(run, picked)]
    assert {game: games.count(game) for game in set(games)} == {"cuccu(tokens=1)": 12, "lives(tokens=1)": 12}
    places = [match.place for match in picked]
    assert max(places) - min(places) > 40  # of 80


def test_of_few_matches_all_are_picked(run: Run) -> None:
    results = run.read_results(sample_size=2000)
    assert [sampled.number for sampled in results.sample] == list(range(1, results.matches + 1))


def test_a_picked_match_is_the_one_of_its_number(run: Run) -> None:
    records = list(run.records())
    for sampled, _, deals in replay_sample(run, run.read_results(sample_size=20).sample):
        assert sampled.address.encode() in records[sampled.number - 1]
        assert f'"rotation":{sampled.rotation}'.encode() in records[sampled.number - 1]
        assert all(f'"{bot}"'.encode() in records[sampled.number - 1] for bot in sampled.bots)
        assert len(deals) == records[sampled.number - 1].count(b'"dealer"')


def test_the_first_faults_are_among_those_picked(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, view):\n        raise ValueError\n")
    games = [{"name": "cuccu", "players": 2, "tokens": 1}]
    bots = ["bad.py:Bad", "random", "greedy"]
    bad = play_run(tmp_path / "run", bots, games, blocks=10, isolation="inline")
    results = bad.read_results(sample_size=20)
    records = list(bad.records())
    faulty = [number for number, record in enumerate(records, 1) if b'"faults":[]' not in record]
    assert set(faulty[:2]) <= {sampled.number for sampled in results.sample}
    assert set(results.faults) == {("bad.py:Bad", "crash")}
    assert results.faults.total() == sum(record.count(b'"kind":"crash"') for record in records)
    assert len(results.sample) in (19, 20)  # one may be drawn that is there already


CONFIG = make_config(
    {
        "bots": ["greedy", "random", "stand-pat"],
        "variants": [{"name": "lives", "players": 3, "tokens": 1}, {"name": "pool", "players": 3}],
        "blocks": 8,
    },
    base=Path(),
    where="test",
)
PLAYER = BlockPlayer(RunPlan.from_config(CONFIG, "run"))


def eldest_wins(block: Block) -> BlockResult:
    """Whoever sits left of the first dealer comes first, the dealer last."""
    dealer = variant("lives").match(3, deal_seed("run", block.address)).deal.opening.dealer
    places = [(seat - dealer - 1) % 3 for seat in range(3)]
    match = MatchResult(tuple(place + 1 for place in places), tuple(-place for place in places), (), b"")
    return BlockResult(block.index, (match,) * 3)


def test_seats_are_counted_from_the_first_dealers_left() -> None:
    means = SeatMeans(variant("lives"), 3)
    for block in RoundRobin(CONFIG, "run"):
        means.add(block.index, block.address, eldest_wins(block).matches, "run")
    assert [(placing.value, payoff.value) for placing, payoff in means.means()] == [(1, 0), (2, -1), (3, -2)]
    assert {placing.error for placing, _ in means.means()} == {None}  # nothing ever differs


def test_each_game_has_means_of_its_own_and_every_seat_the_same_number_of_matches() -> None:
    blocks = list(RoundRobin(CONFIG, "run"))
    played = ((block.index, block.address, PLAYER.play(block).matches) for block in blocks)
    effects = measure_seats(played, PLAYER.rules, lambda _: "run")
    assert list(effects) == [("lives(tokens=1)", 3), ("pool", 3)]
    for means in effects.values():
        assert [placing.blocks for placing, _ in means.means()] == [8, 8, 8]


def test_blocks_are_counted_in_batches_to_the_same_means(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [(block.index, block.address, PLAYER.play(block).matches) for block in RoundRobin(CONFIG, "run")]
    calls: list[int] = []
    add = ClusteredMeans.add

    def count(means: ClusteredMeans, blocks: Any, groups: Any, values: Any) -> None:
        calls.append(len(values))
        add(means, blocks, groups, values)

    monkeypatch.setattr(ClusteredMeans, "add", count)
    at_once = [seat.means() for seat in measure_seats(played, PLAYER.rules, lambda _: "run").values()]
    assert calls == [24] * 4  # placings and payoffs of the matches of two games
    monkeypatch.setattr(results, "BATCH_MATCHES", 4)
    assert [seat.means() for seat in measure_seats(played, PLAYER.rules, lambda _: "run").values()] == at_once
    assert calls[4:] == [6] * 16


def test_in_a_control_run_one_bot_has_all_seats_and_the_same_seed_plays_the_same() -> None:
    engine = Engine(CONFIG, "run", {}, RunOptions())
    once, again = (list(play_control(engine, ("lives(tokens=1)", 3), "random", 5)) for _ in range(2))
    assert [[match.actions for match in matches] for _, _, matches in once] == [
        [match.actions for match in matches] for _, _, matches in again
    ]
    assert [[len(match.placings) for match in matches] for _, _, matches in once] == [[3]] * 5
    assert len({deal_seed("run", address) for _, address, _ in once}) == 5
