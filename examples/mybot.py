"""A player of your own for Fiese 15: keep what comes close to its target, and stop with five dice.

pasch play fiese15 --seats me,examples/mybot.py:MyBot
"""

from typing import Any

from pasch.games.fiese15.rules import COLOURS


class MyBot:
    """`view` is the position as your seat may know it; answer with one of its moves."""

    def choose(self, view: Any, generator: Any) -> Any:
        if view.phase == "next":
            roll, stop = view.moves()
            return stop if view.kept.count(0) <= 1 else roll
        gain = {c: view.rolled[i] - 0.7 * view.targets[i] for i, c in enumerate(COLOURS)}
        return max(view.moves(), key=lambda move: sum(gain[colour] for colour in move.keep))
