"""Values of Würfel Joker 2: exact points of a turn from every position inside it.

A double may be forgone, so a roll can come up again and its value is the solution of an equation in
which it stands itself; the kernel of the turns solves it exactly.
"""

from __future__ import annotations

from typing import Any, Final

from pasch.games.joker2 import ALL
from pasch.solve.jokers import JokerValues

_PHASES: Final = {"roll": 0, "push": 1, "next": 2}
_FACES: Final = 7


class Values(JokerValues):
    """Values of Würfel Joker 2."""

    def key(self, state: Any) -> int:
        rolled = 0
        for face in state.rolled:
            rolled = rolled * _FACES + face
        key = (rolled * len(_PHASES) + _PHASES[state.phase]) * 2 + state.fivefold
        return int(key * (ALL + 1) + state.slides)
