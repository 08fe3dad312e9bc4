"""What a seat can do in a game of trade and barter."""

from __future__ import annotations

from typing import Final

from arena.games.action import Action, action
from arena.games.legal_actions import LegalActions

HAND_SIZE: Final = 3
GIVE_ACTIONS: Final = {
    kind: tuple(action(kind, (slot,), template=f"{kind} %s") for slot in range(HAND_SIZE))
    for kind in ("trade", "barter", "give")
}
"""The actions in which a card is given, by kind and then by the slot it comes from."""
PUBLIC_GIVE: Final = {kind: action(kind, template=f"{kind} %s") for kind in GIVE_ACTIONS}
"""The same as others hear of them: nobody else knows the slot, and few the card."""
STAND: Final = action("stand")
KNOCK: Final = action("knock")
DECLINE: Final = action("decline")
CONTINUE: Final = action("continue")
WORD_ACTIONS: Final[dict[str, Action]] = {one.kind: one for one in (STAND, KNOCK, DECLINE, CONTINUE)}
"""The actions that are a word alone."""
STAND_OR_CONTINUE: Final = LegalActions((STAND, CONTINUE), default=CONTINUE)
"""After one's own exchange, where one may stand then."""
