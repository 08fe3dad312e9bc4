"""Observations of a view by feature, for checks that compare what two views show."""

from __future__ import annotations

from collections.abc import Mapping

from arena.adapters.action_space import get_action_space
from arena.adapters.observation import get_encoder
from arena.games import View


def observe_view(view: View) -> Mapping[str, object]:
    """Return the observation of a view and its mask of legal actions, by the names of features.

    At tables of other sizes than the smallest nothing is returned: observations take their time to set up.
    """
    rules, players = view.opening.rules, view.players
    if players != rules.players[0]:
        return {}
    encoder = get_encoder(rules, players)
    vector = encoder.encode(view).tolist()
    facts: dict[str, object] = {
        f"observation[{name!r}]": tuple(vector[place]) for name, place in encoder.layout.items()
    }
    facts["action_mask"] = tuple(get_action_space(rules, players).mask(view).tolist())
    return facts
