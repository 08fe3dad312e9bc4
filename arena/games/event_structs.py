"""Events as structs, where the rules are not compiled.

A compiled event is made in a fraction of the time of any other, and cannot be changed. In plain Python the
same class would be slow, and open to changes; a struct of msgspec is neither.
"""

from arena.games import events
from arena.games.frozen_attributes import make_struct

events.PrivateEvent = make_struct(events.PrivateEvent)  # type: ignore[misc]
events.Event = make_struct(events.Event)  # type: ignore[misc]
