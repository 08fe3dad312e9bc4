"""Actions of seats and of the table. Places are numbered down the columns, from the left."""

from typing import Final

from arena.games.authoring import Action, action

MAX_HAND: Final = 12
MAX_SEATS: Final = 8

DRAW_STOCK: Final = action("draw", template="draw stock")
DRAW_DISCARD: Final = action("draw", template="draw discard")
DISCARD: Final = action("discard")
SKIP: Final = action("skip")
PLACES: Final = tuple(
    [action("place", give=(slot,), template=f"place {slot + 1}") for slot in range(MAX_HAND)]
)
TURNS: Final = tuple([action("turn", give=(slot,), template=f"turn {slot + 1}") for slot in range(MAX_HAND)])

LAID: Final = action("laid", template="laid %s")
"""A card lies on the discard pile."""
RESHUFFLED: Final = action("reshuffle")
"""The discards below the top card are shuffled and become the stock; the event has them."""
FACES: Final = tuple(
    [
        tuple([action("face", template=f"face {seat}:{slot + 1} %s") for slot in range(MAX_HAND)])
        for seat in range(MAX_SEATS)
    ]
)
"""Table events by seat and slot: the card there lies face up now."""
FACE_SPOTS: Final[dict[Action, tuple[int, int]]] = {
    face: (seat, slot) for seat, faces in enumerate(FACES) for slot, face in enumerate(faces)
}
REMOVALS: Final = tuple(
    [
        tuple([action("column", template=f"column {seat}:{slot + 1} %s %s %s") for slot in range(MAX_HAND)])
        for seat in range(MAX_SEATS)
    ]
)
"""Table events by seat and first slot: a column of three equal cards goes to the discard pile."""
REMOVAL_SPOTS: Final[dict[Action, tuple[int, int]]] = {
    removal: (seat, slot) for seat, removals in enumerate(REMOVALS) for slot, removal in enumerate(removals)
}
