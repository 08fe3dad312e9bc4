"""Requests to the workers of the page: play a match, check and compare a bot, show a match, verify records.

Requests are answered one after another. What takes long is done in slices, between which the page shows
what there is, and can stop.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from heapq import nsmallest
from importlib import import_module
from io import BytesIO, StringIO
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from tempfile import mkdtemp
from time import monotonic
from typing import IO, Any, Final, NamedTuple

import msgspec

from arena.columns.number_format import format_count, to_percent
from arena.errors import ArenaError, RecordError
from arena.games import Deal, Match, Rules, variant
from arena.interactive.seated_match import SteppedMatch
from arena.interactive.session import MatchSeries, OutdatedStep
from arena.interactive.table_form import BotChoices, describe_setup, read_form
from arena.output.pages.replay_data import REPLAYS_START, replay_of_record, to_script_json
from arena.output.words.family_text import get_family_text
from arena.play import Info, LocalPlayer
from arena.play.bot import make_factory
from arena.play.conformance import InlineHost, check_bot
from arena.play.players import Fault
from arena.play.records.match_to_record import to_record
from arena.play.records.record_check import check_lines, replay_record
from arena.play.records.record_schema import MatchRecord, decode_record, encode_record
from arena.play.referee import play, raise_gc_threshold
from arena.playground.assets import inline_assets
from arena.plugins import BotSpec, check_supported, label_versions, parse_bot
from arena.plugins.manifest import name_of_file
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import VIRTUAL_SQUARES, compare_block_scores, is_decided
from arena.tournament.paired_blocks import compare_bots, pair_block, share_seats
from arena.tournament.schedule import Block, bot_seed, deal_seed, make_seed
from arena.tournament.setup.config import default_players

Json = dict[str, Any]
SLICE_S: Final = 0.25
"""Seconds of work between two answers."""
CHECK_MATCHES: Final = 3
"""Matches of the short check: at the usual table, the smallest and the largest."""
MAX_PRINTED_CHARS: Final = 4000
MAX_LOST: Final = 3
"""Matches listed that a bot lost most, for each opponent."""
SETUP: Final = "SETTINGS OF THE TABLE"
"""Text in the page of a table in whose place its settings are put."""


class Playground:
    """The state of a worker: a table and what is being verified, or a bot and its comparison.

    A bot can change anything in its worker, so that the page has another one, in which no bot of it runs:
    that one checks the records of its matches and makes their pages.

    Args:
        pages: Folder of the pages that frames show.
    """

    def __init__(self, pages: Path) -> None:
        self._pages = pages
        self._folder = Path(mkdtemp())
        self._bots = 0
        """Number of bots read so far: each has a file of its own, as Python keeps what it imports."""
        self._series: MatchSeries | None = None
        self._work: Iterator[Json] = iter(())
        """Answer to a request that takes long: yields what there is after each slice."""

    def handle(self, request: str, data: bytes = b"") -> str:
        """Answer a request in JSON, of a `kind` and with fields; an answer may be an `error` in words."""
        printed = StringIO()
        try:
            with redirect_stdout(printed), raise_gc_threshold():
                answer = self._answer(data, **msgspec.json.decode(request))
        except ArenaError as error:
            answer = {"error": self._shorten(str(error))}
        if text := printed.getvalue():
            answer["printed"] = text[:MAX_PRINTED_CHARS]
        return msgspec.json.encode(answer).decode()

    def _answer(self, data: bytes, kind: str, **fields: Any) -> Json:
        match kind:
            case "sit-down":
                return self._sit_down(**fields)
            case "state":
                return self._describe_table()
            case "answer":
                return self._take(**fields)
            case "records":
                return {"text": "".join([f"{record.decode()}\n" for record in self._list_records()])}
            case "replay":
                return {"page": self._show(self._list_records()[-1])}
            case "show":
                return {"page": self._show(fields["record"].encode())}
            case "check":
                return self._check(**fields)
            case "watch":
                return self._watch(**fields)
            case "compare":
                self._work = self._compare(**fields)
            case "verify":
                self._work = verify(fields["name"], data)
        return next(self._work)

    def _show(self, line: bytes) -> str:
        """Return the page of the viewer with a match whose record is right."""
        record = decode_record(line)
        deals = replay_record(record)
        before, start, rest = self._read_page("viewer").partition(REPLAYS_START)
        replay = to_script_json([replay_of_record(1, record, deals)])
        return f"{before}{start}{replay}{rest[rest.index('</script>') :]}"

    # --- table ---

    def _sit_down(self, fields: Sequence[tuple[str, str]]) -> Json:
        """Begin a series of matches as a form asks for, and return the page of its table."""
        setup = replace(read_form(fields, BotChoices(None, "auto")), match_class=SteppedMatch)
        self._series = MatchSeries(setup, make_seed(dict(fields).get("seed", "")))
        page = self._read_page(setup.rules.name).replace(SETUP, describe_setup(setup, ""))
        return {"page": inline_assets(page)}

    def _read_page(self, name: str) -> str:
        return (self._pages / f"{name}.html").read_text(encoding="utf-8")

    @property
    def _table(self) -> MatchSeries:
        if self._series is None:
            raise ArenaError("This table is closed. Sit down at another one.")
        return self._series

    def _take(self, answer: Json) -> Json:
        """Go on as an answer of the person says, and return the next state, or the hint asked for."""
        try:
            hint = self._table.take(**answer)
        except OutdatedStep as error:
            return {"state": self._describe_table(), "late": str(error)}
        return hint or self._describe_table()

    def _describe_table(self) -> Json:
        """Return the state once no bot is to act; once the match is over, the next call plays the rival."""
        session = self._table.session
        assert isinstance(session.match, SteppedMatch)
        if session.phase == "thinking" or session.describe_state().get("rival_plays"):
            session.match.advance()
        return self._table.describe()

    def _list_records(self) -> list[bytes]:
        if not (records := self._table.finished_records()):
            raise ArenaError("No match at this table is over yet.")
        return records

    # --- bot ---

    def _read_bot(self, name: str, code: str, rules: Rules) -> BotSpec:
        """Return the bot of the editor, whose file is called after it."""
        self._bots += 1
        path = self._folder / f"{self._bots}/{name_of_file(name) or 'bot'}.py"
        path.parent.mkdir()
        path.write_text(code, encoding="utf-8")
        spec = parse_bot(path.name, path.parent)  # as in the folder of the file: names decide the deals
        check_supported(spec.name, spec.source.variants(), [rules])
        return spec

    def _shorten(self, text: str) -> str:
        """Return a text in which the bot's file is named without its folder."""
        return text.replace(f"{self._folder}/{self._bots}/", "")

    def _check(self, name: str, code: str, game: str) -> Json:
        """Return what the short check of a bot finds: issues and, in a sentence, how much was played."""
        rules = variant(game)
        spec = self._read_bot(name, code, rules)
        host = InlineHost(make_factory(spec.source.load()), 0.0)
        usual = get_family_text(rules).recommended_bots(rules)[0]
        opponent = make_factory(parse_bot(usual, Path()).source.load())
        findings = check_bot([rules], host, opponent, matches=CHECK_MATCHES)
        issues: dict[tuple[str, str], int] = {}
        for issue in findings.issues:  # each once, with the deal where it was first
            issues.setdefault((issue.kind, self._shorten(issue.detail)), issue.deal + 1)
        matches = format_count(sum(game.matches for game in findings.games), "matches")
        decisions = format_count(findings.decisions, "decisions")
        return {
            "issues": [(*issue, deal) for issue, deal in issues.items()],
            "summary": f"{matches} of {rules}, {decisions}",
        }

    def _compare(
        self, name: str, code: str, game: str, against: list[str], blocks: int, seed: str
    ) -> Iterator[Json]:
        """Play blocks against each of several bots in turn; yield what there is after each slice."""
        rules, seed = variant(game), make_seed(seed)
        spec = self._read_bot(name, code, rules)
        duels = [Duel(rules, seed, spec, parse_bot(other, Path())) for other in against]
        end = monotonic() + SLICE_S
        for _ in zip_longest(*[duel.play_blocks(blocks) for duel in duels]):
            if monotonic() >= end:
                yield {"seed": seed, "done": False, "duels": [duel.describe() for duel in duels]}
                end = monotonic() + SLICE_S
        yield {"seed": seed, "done": True, "duels": [duel.describe() for duel in duels]}

    def _watch(
        self, name: str, code: str, game: str, against: str, seed: str, block: int, rotation: int
    ) -> Json:
        """Play a match of a comparison again; return its record and the deal that the bot lost most in."""
        rules = variant(game)
        duel = Duel(rules, seed, self._read_bot(name, code, rules), parse_bot(against, Path()))
        record, worst = duel.play_again(block, rotation)
        return {"record": encode_record(record).decode(), "deal": worst + 1}


# --- comparison ---


class _Played(NamedTuple):
    """A match that was played, and its players."""

    match: Match
    players: list[LocalPlayer]

    @property
    def placings(self) -> Sequence[int]:
        return self.match.placings

    @property
    def payoffs(self) -> Sequence[int]:
        return self.match.payoffs

    @property
    def faults(self) -> list[Fault]:
        return [fault for player in self.players for fault in player.faults]


class Duel:
    """A comparison of two bots on the same cards, to the figures of `arena compare --fixed`."""

    def __init__(self, rules: Rules, seed: str, *bots: BotSpec) -> None:
        self._rules, self._seed, self._players = rules, seed, default_players(rules)
        self._against = bots[1].name
        specs = label_versions(bots)
        self._first, self._second = (spec.name for spec in specs)
        self._factories = {spec.name: make_factory(spec.source.load()) for spec in specs}
        self._scores: list[float] = []
        self._losses: list[tuple[float, int, int, list[int]]] = []
        """The worst matches of the first bot: its payoff, the block, the rotation and its seats."""
        self._matches = self._faults = 0
        self._reason = ""
        """The first fault, in words."""

    def play_blocks(self, number: int) -> Iterator[None]:
        """Play blocks; yield after each match."""
        for index in range(number):
            block = self._block(index)
            played = []
            for rotation in range(len(block.seatings)):
                played.append(self._play(block, rotation))
                yield
            compared = compare_bots(block.seatings, played, self._first, self._second, in_field=False)
            self._scores.append(compared.score)
            self._matches += len(played)
            self._faults += compared.faults[0]
            for rotation, match in enumerate(played):
                own = self._own_seats(block, rotation)
                self._losses.append((fmean(match.payoffs[seat] for seat in own), index, rotation, own))
                reasons = [reason for seat in own for reason in match.players[seat].reasons]
                self._reason = self._reason or "".join(reasons[:1])
            self._losses = nsmallest(MAX_LOST, self._losses)

    def describe(self) -> Json:
        """Return the result so far; shares in percent."""
        result = compare_block_scores(
            self._scores, CONFIDENCE, virtual_squares=VIRTUAL_SQUARES, is_skewed=True
        )
        return {
            "bot": self._second,
            "against": self._against,
            "blocks": result.blocks,
            "matches": self._matches,
            "score": to_percent(result.score),
            "error": to_percent(result.error),
            "elo": result.elo,
            "low": result.low,
            "high": result.high,
            "resolved": is_decided(result, CONFIDENCE, VIRTUAL_SQUARES, is_skewed=True),
            "faults": self._faults,
            "reason": self._reason,
            "losses": self._losses,
        }

    def play_again(self, block: int, rotation: int) -> tuple[MatchRecord, int]:
        """Return the record of a match, and the number of the deal that cost the first bot most."""
        again = self._block(block)
        played, own = self._play(again, rotation), self._own_seats(again, rotation)
        record = to_record(
            played.match,
            bots=again.seatings[rotation],
            seed=deal_seed(self._seed, again.address),
            block=again.address,
            rotation=rotation,
            faults=played.faults,
        )
        deals = played.match.finished_deals
        worst = min(deals, key=lambda deal: sum(_change(deal, seat) for seat in own))
        return record, worst.opening.number

    def _block(self, index: int) -> Block:
        seatings = share_seats(self._first, self._second, self._players, adjacent=bool(index % 2))
        return pair_block(index, str(self._rules), self._players, list(seatings))

    def _own_seats(self, block: Block, rotation: int) -> list[int]:
        return [seat for seat, bot in enumerate(block.seatings[rotation]) if bot == self._first]

    def _play(self, block: Block, rotation: int) -> _Played:
        """Play a match of a block with the seeds that every comparison of these bots has."""
        match = self._rules.match(self._players, deal_seed(self._seed, block.address))
        players = []
        for seat, bot in enumerate(block.seatings[rotation]):
            key = bot_seed(self._seed, block.address, rotation, seat)
            info = Info.of(self._rules, seat=seat, players=self._players, key=key)
            players.append(LocalPlayer(self._factories[bot], info, bot))
        play(match, players)
        return _Played(match, players)


def _change(deal: Deal, seat: int) -> int:
    """Return what a deal brought a seat."""
    assert deal.changes is not None
    return sum(counts[seat] for counts in deal.changes.by_unit().values())


# --- records ---

RECORDS: Final = (".jsonl", ".jsonl.zst")
MAX_UNPACKED_BYTES: Final = 256 << 20
ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"


def verify(name: str, data: bytes) -> Iterator[Json]:
    """Replay the records of a file or of a published run; yield how many there were after each slice.

    Raises:
        RecordError: At the first thing that is wrong, or if there are no records.
    """
    name, content = _find_records(name, data)
    totals, end = (0, 0, 0), monotonic() + SLICE_S
    first_lines: dict[tuple[Any, ...], int] = {}
    for number, line in enumerate(BytesIO(content), 1):
        checked = check_lines(name, [line], number)
        if checked.matches:
            record = decode_record(line)
            address = (record.variant, record.seed, record.block, record.rotation, *(record.bots or ()))
            if (first := first_lines.setdefault(address, number)) != number:
                raise RecordError(f"{name}, line {number}: the match of line {first} again")
        totals = (totals[0] + checked.matches, totals[1] + checked.deals, totals[2] + checked.actions)
        if monotonic() >= end:
            yield {"done": False, "matches": totals[0]}
            end = monotonic() + SLICE_S
    if not totals[0]:
        raise RecordError(f"{name} has no records")
    matches, deals, actions = map(format_count, totals, ("matches", "deals", "actions"))
    yield {
        "done": True,
        "summary": f"{name}: replayed {matches}, {deals} and {actions}; cards, actions and results are "
        "right. Tables, names and completeness of the run are not checked: `arena verify`.",
    }


def _find_records(name: str, data: bytes) -> tuple[str, bytes]:
    """Return the name and the lines of the records in a file, which may be compressed or a zip archive."""
    try:
        if zipfile.is_zipfile(BytesIO(data)):
            with zipfile.ZipFile(BytesIO(data)) as archive:
                inside = next((path for path in archive.namelist() if path.endswith(RECORDS)), None)
                if inside is None:
                    raise RecordError(f"{name} has no file of records, such as replays.jsonl.zst")
                with archive.open(inside) as file:
                    name, data = f"{name}, {inside}", _read_limited(file)
        if data.startswith(ZSTD_MAGIC):
            with import_module("compression.zstd").open(BytesIO(data)) as file:  # Python 3.14, as in the page
                data = _read_limited(file)
    except RecordError:
        raise
    except Exception as error:  # of several modules, for what is damaged or was made to look so
        raise RecordError(f"{name} cannot be unpacked: {str(error) or type(error).__name__}") from None
    return name, data


def _read_limited(file: IO[bytes]) -> bytes:
    """Return what a compressed file holds, which may be far more than its own size."""
    content = file.read(MAX_UNPACKED_BYTES + 1)
    if len(content) > MAX_UNPACKED_BYTES:
        raise ValueError(f"it holds more than {MAX_UNPACKED_BYTES >> 20} MB; use `arena replay verify`")
    return content
