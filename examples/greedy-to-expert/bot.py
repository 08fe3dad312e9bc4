"""Five bots for Cambio, each the one before it and one idea more: `examples/greedy-to-expert(step=3)`."""

from step_1 import Greedy
from step_2 import Curious
from step_3 import Powerful
from step_4 import Watchful
from step_5 import Caller

STEPS = (Greedy, Curious, Powerful, Watchful, Caller)


class Climber:
    """Plays as the bot of the step that its settings name."""

    def __init__(self, info):
        step = int(info.settings.get("step", len(STEPS)))
        if not 1 <= step <= len(STEPS):
            raise ValueError(f"there is no step {step}: they go from 1 to {len(STEPS)}")
        self.bot = STEPS[step - 1](info.rules, info.settings)

    def act(self, view):
        return self.bot.act(view)
