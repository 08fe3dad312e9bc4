"""Names of the numbers in the table of coverage, and the shares that they should have."""

from typing import Final

BATCH: Final = 100
"""Repetitions that are computed at once."""
INTERVAL: Final = "Elo and its interval"
SEPARATED: Final = "equals separated"
ANYTIME: Final = "`--anytime`: LOS of two equals, at any look"
ANYTIME_ERROR: Final = "`--anytime`: `error`, at all looks"
OVERALL: Final = "`error`, overall"
OVERALL_ORDER: Final = "overall order of bots 100 Elo apart"
OVERALL_PRINTED: Final = "bots that have an overall ±"
EXTENDED_ERROR: Final = "Elo after three times the blocks, within `error`"
EXTENDED_BAR: Final = "the same within ±"
JOINED: Final = "moved by the hopeless by at most 5 Elo"
LEAGUE_LEVEL: Final = "Elo after 12 updates, within the first `error` of the truth"
MEAN: Final = "± of a mean over blocks"
NAMED: Final = "a pair is named below the ladder"
CYCLES: Final = "`--show exceptions` lists a pair"
COLLUSION: Final = "`--show fair-play` lists a pair"
PROFILE: Final = "`--variants` names a game of a bot"
GRADED: Final = "`arena grade` says that an equal is beaten"
GRADED_OFTEN: Final = "`arena league grade` passes a try"
WRONG: Final = "wrong answer"
SHOWN: Final = "true orders that the ranks show"
PROVISIONAL: Final = "± of a provisional Elo"
PLACE: Final = "place within its range"
AGREE: Final = "ranges of four hand-ins of one behaviour overlap"
BOUND: Final = "bound of an Elo"
PLANNED: Final = {
    "separated after the blocks of `arena plan`": 0.8,
    "separated at the lower end of its range": 0.1,
    "separated at the upper end of its range": 0.9,
}
NOMINAL_SHARES: Final = {
    SEPARATED: "≤ 5 %",
    ANYTIME: "≤ 5 %",
    ANYTIME_ERROR: "≥ 95 %",
    NAMED: "≤ 5 %",
    CYCLES: "≤ 5 %",
    COLLUSION: "≤ 5 %",
    PROFILE: "≤ 5 %",
    WRONG: "≤ 5 %",
    GRADED: "≤ 2.5 %",
    GRADED_OFTEN: "≤ 5 %",
    SHOWN: "–",
    PLACE: "≥ 95 %",
    AGREE: "≥ 95 %",
    BOUND: "≥ 97.5 %",
    EXTENDED_ERROR: "≥ 95 %",
    EXTENDED_BAR: "91 to 97 %",
    JOINED: "–",
    LEAGUE_LEVEL: "≥ 95 %",
    OVERALL_ORDER: "–",
    OVERALL_PRINTED: "–",
    "H1 accepted": "5 %",
    "H0 accepted": "5 %",
    "Elo above the truth": "50 %",
    **{name: f"{100 * probability:.0f} %" for name, probability in PLANNED.items()},
    "some bot is out": "–",
    "a given bot is out": "≤ 5 %",
}
