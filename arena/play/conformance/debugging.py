"""Play the match of an issue again in this process, with its failed decision under a debugger."""

from __future__ import annotations

from bdb import BdbQuit
from collections.abc import Callable
from pdb import Pdb
from traceback import print_exception
from typing import Any

from arena.play.bot import BotFactory
from arena.play.conformance.bot_hosts import InlineHost
from arena.play.conformance.checks import Findings, Issue, MatchPlan
from arena.play.faults import FAULT_KINDS
from arena.play.players import Player
from arena.play.referee import play


def find_debuggable(findings: Findings) -> Issue | None:
    """Return the first issue that is a fault in a match; None if there is none."""
    return next(
        (issue for issue in findings.issues if issue.kind in FAULT_KINDS and not issue.is_sampled), None
    )


def debug_match(
    plan: MatchPlan, decision: int, factory: BotFactory, opponent: BotFactory, debugger: Pdb
) -> bool:
    """Play a match of a check again, and let the user debug the bot where it failed.

    The bot runs in this process, with all the rights of the user.

    Args:
        plan: The match, with the bot's seat.
        decision: The number of the bot's decision that is run under the debugger, from 1; 0 for none.
            Whatever the bot raises before or elsewhere is shown in the debugger, too.
        factory: Makes the bot.
        opponent: Makes the bots in the other seats.
        debugger: Runs the decision.

    Returns:
        Whether the debugger was entered: the bot may play otherwise in this process.
    """
    session = _Session(debugger, decision)
    host = InlineHost(session.watch_constructor(factory), 0.0)
    bot = host.join(plan.info(plan.seat), lambda kind, deal, answer: None)
    session.watch(bot)
    others = plan.others(opponent)
    play(plan.match(), [*others[: plan.seat], bot, *others[plan.seat :]])
    return session.entered


class _Session:
    """Watches the calls of a bot, and enters the debugger at most once."""

    def __init__(self, debugger: Pdb, decision: int) -> None:
        self.entered = False
        self._debugger, self._decision, self._decisions = debugger, decision, 0

    def watch_constructor(self, factory: BotFactory) -> BotFactory:
        return lambda info: self._call(factory, info)

    def watch(self, player: Player) -> None:
        for method in ("act", "observe", "deal_over"):
            if (call := getattr(player, method)) is not None:
                setattr(player, method, self._watched(player, method, call))

    def _watched(self, player: Player, method: str, call: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def watched(argument: Any) -> Any:
            self._decisions += method == "act"
            is_failed = method == "act" and self._decisions == self._decision
            answer = self._run(call, argument) if is_failed else self._call(call, argument)
            if self.entered:
                player.retire()  # the rest of the match is of no interest
            return answer

        return watched

    def _call(self, call: Callable[[Any], Any], argument: Any) -> Any:
        """Call the bot; enter the debugger at what it raises."""
        try:
            return call(argument)
        except Exception as error:
            self._show(error)
            raise

    def _run(self, call: Callable[[Any], Any], argument: Any) -> Any:
        """Call the bot under the debugger, from its first line on."""
        self.entered = True
        try:
            return self._debugger.runcall(call, argument)
        except BdbQuit:
            return argument.legal[0]
        except Exception as error:
            self.entered = False
            self._show(error)
            raise

    def _show(self, error: Exception) -> None:
        """Show the bot's frames at an exception in the debugger, the innermost first."""
        if self.entered:
            return
        self.entered = True
        print_exception(error, file=self._debugger.stdout)
        self._debugger.reset()
        self._debugger.interaction(None, error.__traceback__)
