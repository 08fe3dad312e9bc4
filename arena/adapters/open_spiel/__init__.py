"""The games as games of OpenSpiel (extra `open-spiel`): importing this module registers them.

See docs/adapters.md.

>>> import pyspiel
>>> import arena.adapters.open_spiel
>>> game = pyspiel.load_game("commerce_lives(players=3,tokens=1)")
>>> state = game.new_initial_state()
>>> state.chance_outcomes()[0], state.action_to_string(0)
((0, 0.3333333333333333), 'dealer 0')
"""

from arena.errors import import_optional

import_optional("pyspiel", "open-spiel")
from arena.adapters.open_spiel.game import (  # noqa: E402
    CommerceGame,
    CommerceState,
    game_name,
    register_games,
)
from arena.adapters.open_spiel.information import Observer  # noqa: E402

register_games()

__all__ = ["CommerceGame", "CommerceState", "Observer", "game_name", "register_games"]
