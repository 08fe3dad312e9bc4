"""Words on whether the ratings of a game explain its results."""

from arena.rating.model_fit import MAX_FALSE_ALARMS
from arena.tournament.results.run_results import GameResults


def describe_model_fit(game: GameResults) -> str:
    """Return a sentence on the fit of the ratings: fine, or the worst pair; empty where nothing is tested."""
    found = game.model_fit
    if found is None:
        return ""
    tested = f"of {found.pairs} pairs" if found.pairs > 1 else "of the one pair with enough blocks"
    if not found.is_rejected:
        return f"Fit: fine; the ratings explain the results {tested}."
    bots, score, expected = (found.bot, found.other), found.score, found.expected
    if score < 0.5:
        bots, score, expected = bots[::-1], 1 - score, 1 - expected
    bot, other = (game.fit.bots[number] for number in bots)
    return (
        f"Fit: {bot} beats {other} in {score:.0%} (a tie is half); the ratings say {expected:.0%}. "
        f"The worst {tested}; one is named by chance in at most {MAX_FALSE_ALARMS:.0%} of ladders."
    )
