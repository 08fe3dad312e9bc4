"""Six-card Golf and Skyjo: cards face down in columns, turned up and replaced; the lowest sum wins."""

from typing import Final

from arena.games.authoring import Family

FAMILY: Final = Family(
    package=__name__,
    variants=("golf-six", "skyjo"),
    parts={
        "constants": "heuristic:Constants",
        "heuristic": "heuristic:Columns",
        "encoding": "encoding",
        "text": "text:GridText",
    },
)
