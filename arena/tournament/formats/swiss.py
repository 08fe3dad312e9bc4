"""Swiss: round by round those meet who stand close together, and nobody twice as long as it can be helped."""

import numpy as np

from arena.tournament.formats.base import Played, Scoreboard, Stage
from arena.tournament.formats.participants import Participants, Round
from arena.tournament.formats.tiebreaks import BotScores, ScoreTotals
from arena.tournament.matchmaking.table_assignment import assign, max_tables, select_seated
from arena.tournament.matchmaking.tables import PairHistory
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.setup.config import Config

COLUMNS = ("place", "bot", "rounds", "score", "elo", "buchholz", "sonneborn-berger", "payoff")


class Swiss:
    """The course of a Swiss tournament: a stage is a round, in which each table plays its blocks.

    The first round is random. A later one parts the bots so that as few as can be meet again, and then so
    that the squared distances between their scores add up to least. Where bots are left over when all
    tables are full, those who have played most sit out, of them the last; as scores are means, that counts
    for nothing. Bots are ranked by the fields of `BotScores` in order, equals in the order of the config,
    and withdrawn bots after all others.
    """

    def __init__(self, config: Config, seed: str) -> None:
        self._field = Participants(config, seed)
        self._seed = seed
        self._rounds, self._blocks = config.rounds, config.blocks
        self._decided = self._finished = 0  # rounds
        self._end = 0  # of the stages decided
        self._tables: list[list[int]] = []  # of the round decided last
        self._meetings = PairHistory(self._field.teams)
        self._scores = ScoreTotals(self._field.names, self._field.size)

    @property
    def total(self) -> int:
        """What is decided, and the rounds after it with the bots that are left."""
        teams = [self._field.teams[bot] for bot in self._here()]
        tables = max_tables(teams, self._field.size) * (self._rounds - self._decided)
        return self._end + tables * self._blocks * len(self._field.variants)

    @property
    def status(self) -> str:
        """The round."""
        return f"round {self._decided}"

    def next_stage(self) -> Stage | None:
        """The next round; None after the last, or when those left fill no table."""
        if self._decided == self._rounds:
            return None
        self._tables = self._paired()
        if not self._tables:
            return None
        repetitions = range(self._decided * self._blocks, (self._decided + 1) * self._blocks)
        stage = self._field.stage(self._end, [Round(self._tables, repetitions)])
        self._decided += 1
        self._end = stage.indices.stop
        return stage

    def observe(self, played: Played) -> None:
        """Counts a round."""
        for block, result in played:
            self._scores.add(block, result)
        self._meetings.add(self._tables)
        self._finished += 1

    def scoreboard(self) -> Scoreboard:
        """The standings; of the means all are in percent, but for the payoff of a match."""
        merits = self._scores.merits()
        here = self._here()
        gone = [bot for bot in range(len(merits)) if bot not in here]
        order = _by_merit(here, merits) + _by_merit(gone, merits)
        order.sort(key=lambda bot: not self._meetings.played[bot])  # who has not played has earned no place
        rows = [self._row(place, bot, merits[bot]) for place, bot in enumerate(order, 1)]
        return Scoreboard(f"Swiss after {self._finished} of {self._rounds} rounds", COLUMNS, rows)

    def _here(self) -> list[int]:
        return self._field.here(range(len(self._field.names)), self._end)

    def _paired(self) -> list[list[int]]:
        """The tables of the next round."""
        merits, here = self._scores.merits(), self._here()
        order = _by_merit(here, merits)
        if not self._decided:
            order = schedule_rng(self._seed, "swiss").sample(here, len(here))
        by_play = sorted(order, key=lambda bot: int(self._meetings.played[bot]))
        sitting = set(select_seated(by_play, self._field.size, self._field.teams))
        scores = np.rint([1000 * own.score for own in merits]).astype(np.int64)
        return assign(
            [bot for bot in order if bot in sitting],
            self._field.size,
            self._field.teams,
            self._meetings.met,
            (scores[:, None] - scores) ** 2,
        )

    def _row(self, place: int, bot: int, own: BotScores) -> tuple[str, ...]:
        rounds, name = int(self._meetings.played[bot]), self._field.names[bot]
        if not rounds:
            return "", name, "0", *[""] * (len(COLUMNS) - 3)
        shares = (own.score, own.buchholz, own.sonneborn_berger)
        score, buchholz, sonneborn_berger = [f"{share:.1%}" for share in shares]
        elo, payoff = f"{own.elo:.1f}", f"{own.payoff:z.2f}"
        return str(place), name, str(rounds), score, elo, buchholz, sonneborn_berger, payoff


def _by_merit(bots: list[int], merits: list[BotScores]) -> list[int]:
    return sorted(bots, key=lambda bot: ([-merit for merit in merits[bot]], bot))
