"""Values of Würfel Joker 1: exact points of a turn from every position inside it."""

from __future__ import annotations

from typing import Any, Final

from pasch.games.joker1 import ALL
from pasch.solve.jokers import JokerValues

_PHASES: Final = {"roll": 0, "push": 1, "next": 2, "joker roll": 3, "joker next": 4}
#: more than the dice a turn can begin with, than the jokers, and than the faces of a die
_DICE: Final = 5
_JOKERS: Final = 7
_FACES: Final = 7


class Values(JokerValues):
    """Values of Würfel Joker 1."""

    def key(self, state: Any) -> int:
        rolled = 0
        for face in state.rolled:
            rolled = rolled * _FACES + face
        key = (rolled * len(_PHASES) + _PHASES[state.phase]) * _DICE + state.dice
        return int((key * _JOKERS + state.jokers) * (ALL + 1) + state.slides)
