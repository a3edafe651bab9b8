"""A game under way whose chance follows from a key: what the environments have in common."""

from __future__ import annotations

from typing import Any

from pasch.core.chance import derive
from pasch.core.errors import IllegalMove
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.state import CHANCE, State
from pasch.lab.actions import actions


class Course:
    """Stops only where a seat has to choose, or at the end.

    The chance event with number n in the record is `derive(key, n, total)`, as in `pasch.players.arena`:
    the same key and the same choices give the same game here, there and at the table.
    """

    def __init__(self, game: Game[Any, Any], key: bytes) -> None:
        self.match = Match(game)
        self._key = key
        self._told = self.state.scores()
        self._roll()

    @property
    def state(self) -> State:
        return self.match.state

    def _roll(self) -> None:
        while self.state.actor == CHANCE:
            chance = self.state.chance()
            self.match.play(chance.pick(derive(self._key, len(self.match) + 1, chance.total)))

    def play(self, number: int) -> None:
        """Make the move with this number, and whatever chance brings then; IllegalMove changes nothing."""
        if self.state.over:
            raise IllegalMove("over", "the game is over")
        self.match.play(actions(self.match.game).move(number, self.state.actor))
        self._roll()

    def rewards(self) -> tuple[int, ...]:
        """What each seat has scored since this was last asked, what came before the first move included."""
        told, self._told = self._told, self.state.scores()
        return tuple(now - before for now, before in zip(self._told, told, strict=True))


def describe(state: State) -> str:
    """A position for people to read: one line for each thing that is known of it."""
    return "\n".join(f"{name}: {value}" for name, value in state.snapshot().items())
