"""Five bots for Cambio, each the one before it and one idea more: `examples/greedy-to-expert(step=3)`."""

from step_1 import Greedy
from step_2 import Curious
from step_3 import Powerful
from step_4 import Watchful
from step_5 import Caller

STEPS = (Greedy, Curious, Powerful, Watchful, Caller)
SETTINGS = ("step", "knowledge", "harm", "public")


class Climber:
    """Plays as the bot of the step that its settings name."""

    def __init__(self, info):
        unknown = [name for name in info.settings if name not in SETTINGS]
        if unknown:
            raise ValueError(f"unknown setting {unknown[0]!r}; the settings are {', '.join(SETTINGS)}")
        step = info.settings.get("step", len(STEPS))
        if step not in range(1, len(STEPS) + 1):
            raise ValueError(f"step is a whole number from 1 to {len(STEPS)}, not {step!r}")
        self.bot = STEPS[int(step) - 1](info.rules, info.settings)

    def act(self, view):
        return self.bot.act(view)
