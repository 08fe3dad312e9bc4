"""Actions of the barter family."""

from __future__ import annotations

from typing import Final

from arena.games.action import HORSE, Action, LegalActions, action

HAND_SIZE: Final = 3
GIVE_ACTIONS: Final = {
    kind: tuple(action(kind, (slot,), template=f"{kind} %s") for slot in range(HAND_SIZE))
    for kind in ("trade", "barter", "give")
}
"""The actions that give a card, by kind and then by its position in the hand."""
PUBLIC_GIVE: Final = {kind: action(kind, template=f"{kind} %s") for kind in GIVE_ACTIONS}
"""The same actions in the events of other seats, to which the position is not known."""
STAND: Final = action("stand")
KNOCK: Final = action("knock")
DECLINE: Final = action("decline")
CONTINUE: Final = action("continue")
WORD_ACTIONS: Final[dict[str, Action]] = {each.kind: each for each in (STAND, KNOCK, DECLINE, CONTINUE)}
"""The actions without a card, by their notation."""
STAND_OR_CONTINUE: Final = LegalActions((STAND, CONTINUE), default=CONTINUE)
"""After one's own exchange, in games that let one stand then."""
OFFER_ACTIONS: Final = {each.kind: each for each in HORSE.actions}
"""The answers to the offer of a horse, by their notation."""
