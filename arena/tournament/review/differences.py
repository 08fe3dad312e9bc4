"""Origins of the difference between two bots: leads, different actions, lessons, near copies.

The lead breakdown uses the two parts before it. The three after it are separate: other bots asked about a
recorded match, the agreement of two bots' decisions, and the sampled matches of a run replayed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from statistics import fmean
from typing import Final, NamedTuple

from tqdm import tqdm

from arena.errors import ArenaError, ConfigError, InvalidNotation, StoreError, suggest_nearest
from arena.games import Deal, Match, Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play import Limits
from arena.play.actions_of_other_bots import Shadow, Suggestions, suggest_actions
from arena.play.faults import HostUnavailable
from arena.play.isolation import LevelSelector
from arena.play.records.action_codec import decode_actions, replay_match
from arena.plugins import BotSpec, check_supported, label_versions
from arena.plugins.sources import PREFIX
from arena.rating.student_t import MeanEstimate, estimate_mean
from arena.tournament.engine.cores import usable_cores
from arena.tournament.paired_blocks import compare_placings
from arena.tournament.results.results import seats_from_dealer
from arena.tournament.run import Run
from arena.tournament.schedule import Block, deal_seed
from arena.tournament.setup.command_line import parse_bot_with_settings
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game

# --- first different actions ---
# When two bots first acted differently on the same cards, with what hand, and how the deal went then.

CLOSING_KINDS: Final = frozenset({"knock", "cambio"})
"""Actions after which the others have their last turn."""
DECISIONS: Final = ("first decision", "second decision", "later decision")
AFTER_KNOCK: Final = "after a knock"

Choice = tuple[str, str, str]
"""A game, a kind of part (`phase`, `hand` or `actions`), and which."""


class DifferentDeal(NamedTuple):
    """A deal of the same cards in which the first difference was between the actions of two bots."""

    block: str
    seat: int
    """Seat from 0."""
    rotations: tuple[int, int]
    """The matches of the first and of the second in the block."""
    deal: int
    """Number of the deal in its match, from 0."""
    game: str
    phase: str
    hand: str
    """The category of the seat's hand, "" if the seat had not seen all of it."""
    actions: tuple[str, str]
    """Kinds of the two actions."""
    lead: float
    """Worth of the deal to the first bot less its worth to the second, in tokens, chips or points."""
    texts: tuple[str, str]
    """The two actions in notation."""

    def mirrored(self) -> DifferentDeal:
        """Return the same deal as the second bot compares it."""
        return self._replace(
            rotations=self.rotations[::-1],
            actions=self.actions[::-1],
            lead=-self.lead,
            texts=self.texts[::-1],
        )


class ChoiceLead(NamedTuple):
    """The lead of the first bot over the second in the deals of a part."""

    game: str
    part: str
    name: str
    deals: int
    lead: MeanEstimate
    """Per deal, by blocks."""


class ComparedSeats(NamedTuple):
    """A seat in two matches of a block, once with the first bot and once with the second."""

    seat: int
    rotations: tuple[int, int]


def find_different_deals(
    block: Block, result: BlockResult, pairings: list[ComparedSeats], rules: Rules, seed: str
) -> Iterator[DifferentDeal]:
    """Yield the deals of a block in which the two bots were the first whose actions differed.

    Deals count in which the same seats were in, with the same dealer: then all cards are the same. Where the
    seat of another bot acted otherwise first, nothing can be said.
    """
    deals: dict[int, list[Deal]] = {}
    for rotation in {rotation for pairing in pairings for rotation in pairing.rotations}:
        stored = result.matches[rotation].actions
        match = replay_match(rules, block.players, deal_seed(seed, block.address), stored)
        deals[rotation] = match.finished_deals
    for seat, rotations in pairings:
        first, second = (deals[rotation] for rotation in rotations)
        for number, (deal, other) in enumerate(zip(first, second, strict=False)):
            difference = _find_first_difference(rules, deal, other)
            if difference is None or difference[0].seat != seat:
                continue
            view, actions = difference
            yield DifferentDeal(
                block=block.address,
                seat=seat,
                rotations=rotations,
                deal=number,
                game=f"{block.variant}, {block.players} players",
                phase=_phase(view),
                hand=_hand_category(rules, view),
                actions=(actions[0].kind, actions[1].kind),
                lead=_value(rules, deal, seat) - _value(rules, other, seat),
                texts=(view.text(actions[0]), view.text(actions[1])),
            )


def _find_first_difference(
    rules: Rules, deal: Deal, other: Deal
) -> tuple[View, tuple[Action, Action]] | None:
    """Return the first view at which the actions in two deals of the same cards differ, and both actions."""
    if (deal.opening.dealer, deal.opening.order) != (other.opening.dealer, other.opening.order):
        return None
    if deal.action_indices == other.action_indices:
        return None
    for (view, own), (_, its) in zip(rules.decisions(deal), rules.decisions(other), strict=False):
        if view.text(own) != view.text(its):
            return view, (own, its)
    return None


def _value(rules: Rules, deal: Deal, seat: int) -> float:
    return rules.value(deal.opening, deal.changes, seat)


def _phase(view: View) -> str:
    past = view.past
    if any(event.action.kind in CLOSING_KINDS for event in past):
        return AFTER_KNOCK
    own = sum(event.seat == view.seat for event in past)
    return DECISIONS[min(own, len(DECISIONS) - 1)]


def _hand_category(rules: Rules, view: View) -> str:
    if HIDDEN in view.hand:
        return ""
    try:
        return rules.rank(view.hand).category
    except InvalidNotation:  # one card too many, for example after a draw
        return ""


def _summarize_choices(blocks: list[list[DifferentDeal]]) -> list[ChoiceLead]:
    """Return the leads by phase, hand and actions, given the deals of each block."""
    values: defaultdict[Choice, list[list[float]]] = defaultdict(list)
    for deals in blocks:
        own: defaultdict[Choice, list[float]] = defaultdict(list)
        for deal in deals:
            parts = {"phase": deal.phase, "hand": deal.hand, "actions": " or ".join(deal.actions)}
            for part, name in parts.items():
                if name:
                    own[deal.game, part, name].append(deal.lead)
        for choice, leads in own.items():
            values[choice].append(leads)
    return [
        ChoiceLead(*choice, sum(map(len, blocks)), estimate_mean([fmean(leads) for leads in blocks]))
        for choice, blocks in values.items()
    ]


# --- lessons ---
# Situations in which other bots decided otherwise on the same cards, and what that was worth.
#
# A situation is a phase of the deal, a category of the hand, and the kinds of the two actions. Its deals are
# compared by blocks, as `arena why` compares them.

MIN_DEALS: Final = 8
"""Deals of a situation below which nothing is said of it."""
MAX_LESSONS: Final = 5
"""Situations shown of a bot in a game."""
MAX_EXAMPLES: Final = 2
"""Deals of a situation that are named: the costliest, one a block."""
SIGNIFICANCE: Final = 0.05


class Situation(NamedTuple):
    """The situation of a decision, and what was decided."""

    phase: str
    hand: str
    """Category of the hand, "" if the bot had not seen all of it."""
    actions: tuple[str, str]
    """Kinds of the bot's action and of the others'."""


class Lesson(NamedTuple):
    """A situation in which others decided otherwise."""

    game: str
    situation: Situation
    deals: int
    lead: MeanEstimate
    """The bot's deals less theirs, per deal in tokens, chips or points, by blocks.

    Its interval holds for all situations of the game together (Bonferroni).
    """
    examples: tuple[DifferentDeal, ...]

    @property
    def is_clear(self) -> bool:
        """True if the interval is below 0."""
        value, error = self.lead.value, self.lead.error
        return value is not None and error is not None and value + error < 0


def find_lessons(blocks: Iterable[Sequence[DifferentDeal]]) -> list[Lesson]:
    """Return the situations that cost a bot most for certain, by game.

    Args:
        blocks: By block, the deals in which the bot and another were the first to act differently; the
            bot is the first of the two.
    """
    by_game: defaultdict[str, defaultdict[Situation, list[list[DifferentDeal]]]]
    by_game = defaultdict(lambda: defaultdict(list))
    for deals in blocks:
        own: defaultdict[tuple[str, Situation], list[DifferentDeal]] = defaultdict(list)
        for deal in deals:
            own[deal.game, Situation(deal.phase, deal.hand, deal.actions)].append(deal)
        for (game, situation), alike in own.items():
            by_game[game][situation].append(alike)
    return [lesson for game, situations in sorted(by_game.items()) for lesson in _choose(game, situations)]


def _choose(game: str, situations: Mapping[Situation, list[list[DifferentDeal]]]) -> list[Lesson]:
    """Return the situations of one game that have enough deals and cost something."""
    large = {
        situation: blocks
        for situation, blocks in situations.items()
        if sum(map(len, blocks)) >= MIN_DEALS and estimate_mean(_mean_leads(blocks)).error is not None
    }
    lessons = []
    for situation, blocks in large.items():
        lead = estimate_mean(_mean_leads(blocks), 1 - SIGNIFICANCE / len(large))
        worst = sorted(
            [min(deals, key=lambda deal: deal.lead) for deals in blocks], key=lambda deal: deal.lead
        )
        deals = sum(map(len, blocks))
        lessons.append(Lesson(game, situation, deals, lead, tuple(worst[:MAX_EXAMPLES])))
    costly = [lesson for lesson in lessons if (lesson.lead.value or 0) < 0]
    costly.sort(key=lambda lesson: ((lesson.lead.value or 0) + (lesson.lead.error or 0), lesson.situation))
    return costly[:MAX_LESSONS]


def _mean_leads(blocks: Sequence[Sequence[DifferentDeal]]) -> list[float]:
    return [fmean([deal.lead for deal in deals]) for deals in blocks]


# --- lead breakdown ---
# The lead of one bot over another, by games, seats, opponents, decisions and single deals.

MAX_SWINGS: Final = 10

Part = tuple[str, str]
"""A kind of part, `game`, `position` (from the first dealer's left neighbour, 1) or `opponent`, and which."""


class PartLead(NamedTuple):
    """The lead of the first bot over the second in a part of what they played on the same cards."""

    part: str
    name: str
    lead: MeanEstimate
    """Lead in score, -1 to 1."""


class Swing(NamedTuple):
    """One seat on the same cards, once of the first bot and once of the second."""

    block: str
    seat: int
    """Seat from 0."""
    rotations: tuple[int, int]
    """The matches of the first and of the second in the block."""
    scores: tuple[float, float]
    payoffs: tuple[int, int]

    @property
    def size(self) -> tuple[float, int]:
        """The differences of scores and payoffs, without signs."""
        return abs(self.scores[0] - self.scores[1]), abs(self.payoffs[0] - self.payoffs[1])


class Difference(NamedTuple):
    """The difference between two bots in parts, and the deals on which it was largest."""

    parts: list[PartLead]
    swings: list[Swing]
    """Largest first, one for each block, among the recorded matches."""
    choices: list[ChoiceLead]
    """Leads by phase, hand and actions where the bots first acted differently, in the recorded matches."""
    deals: list[DifferentDeal]
    """Deals with the largest leads, one for each block."""
    lessons: tuple[list[Lesson], list[Lesson]] = ([], [])
    """Situations that cost the first bot most against the second, and the second against the first."""

    def with_labels(self, labels: Mapping[str, str]) -> Difference:
        """Return it with short names of opponents."""
        parts = [
            part._replace(name=labels[part.name]) if part.part == "opponent" else part for part in self.parts
        ]
        return self._replace(parts=parts)


def explain_difference(
    run: Run, first: str, second: str, count: Callable[[int, int], None] = lambda *_: None
) -> Difference:
    """Return where the difference between two bots of a run comes from.

    Only blocks count in which both had the same seat, on the same cards, in different matches. Recorded
    matches are replayed; `count` is called with the blocks and matches done since the last call.
    """
    check_names(run, first, second)
    leads: defaultdict[Part, list[float]] = defaultdict(list)
    swings: list[Swing] = []
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    different: list[list[DifferentDeal]] = []
    matches = 0
    for block, result in run.played():
        pairs = list(_pair_matches(block, result, first, second))
        seed = block.seed or run.seed
        places = seats_from_dealer(rules[block.variant], block.players, deal_seed(seed, block.address))
        for part, values in _deal_leads(block, result, pairs, places).items():
            leads[part].append(fmean(values))
        matches += len(result.matches)
        count(1, len(result.matches))
        if pairs and matches <= run.config.replays:
            swings.append(max(pairs, key=lambda swing: swing.size))
            pairings = [ComparedSeats(swing.seat, swing.rotations) for swing in pairs]
            different.append(list(find_different_deals(block, result, pairings, rules[block.variant], seed)))
    if not leads:
        raise ConfigError(f"{first} and {second} never had the same seat on the same cards in this run")
    parts = [PartLead(*part, estimate_mean(values)) for part, values in leads.items()]
    largest = sorted(swings, key=lambda swing: swing.size, reverse=True)
    shown = [swing for swing in islice(largest, MAX_SWINGS) if any(swing.size)]
    mirrored = [[deal.mirrored() for deal in deals] for deals in different]
    lessons = find_lessons(different), find_lessons(mirrored)
    return Difference(parts, shown, _summarize_choices(different), _largest_leads(different), lessons)


def _largest_leads(different: list[list[DifferentDeal]]) -> list[DifferentDeal]:
    """Return the deals of the largest leads, largest first, one for each block."""
    largest = [max(deals, key=lambda deal: abs(deal.lead)) for deals in different if deals]
    largest.sort(key=lambda deal: abs(deal.lead), reverse=True)
    return [deal for deal in largest[:MAX_SWINGS] if deal.lead]


def check_names(run: Run, *bots: str) -> None:
    """Refuse bots that are not in a run, or only one."""
    names = [bot.name for bot in run.config.bots]
    for bot in bots:
        if bot not in names:
            raise ConfigError(f"no bot of this run is called {bot!r}; {suggest_nearest(bot, names)}")
    if bots[0] == bots[1]:
        raise ConfigError(f"{bots[0]} cannot be compared with itself: name two bots")


def _pair_matches(block: Block, result: BlockResult, first: str, second: str) -> Iterator[Swing]:
    """Yield for each seat every pair of matches in which the two bots had it."""
    for seat in range(block.players):
        own = [rotation for rotation, bots in enumerate(block.seatings) if bots[seat] == first]
        other = [rotation for rotation, bots in enumerate(block.seatings) if bots[seat] == second]
        for mine in own:
            for its in other:
                matches = result.matches[mine], result.matches[its]
                yield Swing(
                    block=block.address,
                    seat=seat,
                    rotations=(mine, its),
                    scores=(_score(block, result, mine, seat), _score(block, result, its, seat)),
                    payoffs=(matches[0].payoffs[seat], matches[1].payoffs[seat]),
                )


def _score(block: Block, result: BlockResult, rotation: int, seat: int, opponent: str = "") -> float:
    """Return the mean points of a seat against the seats of other bots, or of one of them."""
    bots, placings = block.seatings[rotation], result.matches[rotation].placings
    return fmean(
        compare_placings(placings[seat], placings[other])
        for other, bot in enumerate(bots)
        if bot != bots[seat] and opponent in ("", bot)
    )


def _deal_leads(
    block: Block, result: BlockResult, pairs: list[Swing], places: list[int]
) -> dict[Part, list[float]]:
    """Return the leads of a block by part; `places` are those of its seats, from the dealer's left."""
    leads: defaultdict[Part, list[float]] = defaultdict(list)
    for swing in pairs:
        lead = swing.scores[0] - swing.scores[1]
        leads["game", f"{block.variant}, {block.players} players"].append(lead)
        leads["position", str(places[swing.seat] + 1)].append(lead)
        both = [set(block.seatings[rotation]) for rotation in swing.rotations]
        playing = {block.seatings[rotation][swing.seat] for rotation in swing.rotations}
        for opponent in sorted(both[0] & both[1] - playing):
            own, other = (
                _score(block, result, rotation, swing.seat, opponent) for rotation in swing.rotations
            )
            leads["opponent", opponent].append(own - other)
    return leads


# --- shadow bots ---
# Bots that are asked what they would have done in a recorded match.

SILENT_S = 2.0
"""Seconds before progress is shown."""


def choose_shadows(texts: Iterable[str], rules: Rules, isolation: str) -> list[Shadow]:
    """Return the bots that texts name, each with the isolation level it will run at.

    A text names several bots separated by commas, or one that is a command or has settings. Their code is
    not run; one that is not built in is never loaded into the arena's process.
    """
    names = [name for text in texts for name in _split(text)]
    selector, shadows = LevelSelector(), {}
    for bot in label_versions([parse_bot_with_settings(name) for name in names]):
        check_supported(bot.name, bot.source.variants(), [rules])
        level = selector.select(bot.source.kind, isolation)
        if level == "inline" and bot.source.kind != "built-in":
            raise ConfigError(
                f"{bot.name} is not built in: --shadow runs it in a process of its own; "
                "leave out --isolation inline"
            )
        shadows[bot.name] = Shadow(bot, level)
    return list(shadows.values())


def choose_playout_bot(text: str, rules: Rules) -> BotSpec:
    """Return the built-in bot that a text names, which plays playouts of a game in this process."""
    bot = parse_bot_with_settings(text)
    check_supported(bot.name, bot.source.variants(), [rules])
    if bot.source.kind != "built-in":
        raise ConfigError(
            f"{bot.name} is not built in: playouts are played in the arena's process; name a built-in bot"
        )
    return bot


def _split(text: str) -> list[str]:
    is_single = text.startswith(PREFIX) or "(" in text
    return [text] if is_single else [name.strip() for name in text.split(",")]


def ask_shadows(
    deals: Sequence[Deal], shadows: Sequence[Shadow], limits: Limits | None = None
) -> list[Suggestions]:
    """Return by deal what bots would have done in a match; if it takes long, a terminal shows progress."""
    actions = sum(len(deal.action_indices) for deal in deals)
    with tqdm(
        total=actions * len(shadows),
        desc="asking the shadow bots",
        unit=" actions",
        delay=SILENT_S,
        disable=None,  # shown on a terminal only
        leave=False,
        dynamic_ncols=True,
    ) as bar:
        try:
            return suggest_actions(deals, shadows, limits or Limits(), usable_cores(), bar.update)
        except HostUnavailable as error:
            raise ArenaError(str(error)) from error


# --- decision agreement ---
# In a block the same cards are played several times, with other bots in the seats. As long as all actions
# were the same, the bots in one seat saw the same view, so their decisions can be compared without asking
# them again.

AGREEMENT_BLOCKS: Final = 5_000
"""The first blocks of a game, which are compared."""


class Agreement(NamedTuple):
    """Decisions of two bots on the same views, where there was a choice."""

    game: Game
    bot: str
    other: str
    """Later in the alphabet."""
    blocks: int
    decisions: int
    alike: int

    @property
    def share(self) -> float:
        """Share of decisions that were the same, 0 to 1."""
        return self.alike / self.decisions


def count_agreements(
    played: Iterable[tuple[Block, BlockResult]], rules: Mapping[str, Rules], seed: str
) -> list[Agreement]:
    """Return the agreement of each two bots of a game that ever saw the same; the most alike first.

    Args:
        played: Blocks with their actions, in schedule order.
        rules: Rules by variant as printed.
        seed: The run's seed.
    """
    counts: defaultdict[tuple[Game, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    blocks: defaultdict[Game, int] = defaultdict(int)
    for block, result in played:
        game = (block.variant, block.players)
        blocks[game] += 1
        if blocks[game] > AGREEMENT_BLOCKS:
            continue
        match = rules[block.variant].match(block.players, deal_seed(block.seed or seed, block.address))
        seen: set[tuple[str, str]] = set()
        try:
            for bot, other, alike in compare_rotations(match, block.seatings, result):
                count = counts[game, bot, other]
                count[0] += (bot, other) not in seen
                count[1] += 1
                count[2] += alike
                seen.add((bot, other))
        except (IndexError, RuntimeError) as error:
            raise StoreError(
                f"block {block.index} ({block.address}) does not fit its deal; "
                "`arena verify` shows all damage"
            ) from error
    agreements = [Agreement(*pair, *count) for pair, count in counts.items()]
    return sorted(
        agreements,
        key=lambda agreement: (-agreement.share, -agreement.decisions, agreement.bot, agreement.other),
    )


def compare_rotations(
    match: Match, seatings: Sequence[Sequence[str]], result: BlockResult
) -> Iterator[tuple[str, str, bool]]:
    """Yield two bots that saw the same and had a choice, and whether they chose alike.

    Args:
        match: The block's match, in which nothing has been played.
        seatings: The bot of each seat, by rotation.
        result: The played block, with actions.
    """
    chosen = [list(decode_actions(match.actions)) for match in result.matches]
    groups = [(match, 0, list(range(len(chosen))))]
    while groups:
        match, at, rotations = groups.pop()
        seat = match.seat_to_act
        if seat is None or len(rotations) < 2:
            continue
        legal = match.deal.legal_actions.actions
        if len(legal) > 1:
            for first, second in combinations(rotations, 2):
                bot, other = sorted((seatings[first][seat], seatings[second][seat]))
                if bot != other:
                    yield bot, other, chosen[first][at] == chosen[second][at]
        same: defaultdict[int, list[int]] = defaultdict(list)
        for rotation in rotations:
            same[chosen[rotation][at]].append(rotation)
        for index, group in sorted(same.items()):
            if len(group) > 1:
                after = match.copy() if len(same) > 1 else match
                after.apply(legal[index])
                groups.append((after, at + 1, group))
