"""A game that an environment plays, with its chance events drawn from a key."""

from __future__ import annotations

from typing import Any

from pasch.core.errors import IllegalMove
from pasch.core.game import Game
from pasch.core.match import Match
from pasch.core.philox import Stream
from pasch.core.state import CHANCE, State
from pasch.lab.actions import actions


class Episode:
    """One game that stops only where a seat has to choose, and at the end.

    Chance draws from stream 0 of the key, as in `pasch.players.arena`: the same key and the same choices give the
    same game here and there.
    """

    def __init__(self, game: Game[Any, Any], key: bytes) -> None:
        self.match = Match(game)
        self._dice = Stream(key, 0)
        #: the scores that `rewards` has reported
        self._reported = self.state.scores()
        self._play_chance()

    @property
    def state(self) -> State:
        return self.match.state

    def _play_chance(self) -> None:
        while self.state.actor == CHANCE:
            self.match.play(self.state.chance().sample(self._dice))

    def play(self, number: int) -> None:
        """Make the move with this action number and play the chance events after it.

        IllegalMove changes nothing.
        """
        if self.state.over:
            raise IllegalMove("over", "the game is over")
        self.match.play(actions(self.match.game).move(number, self.state.actor))
        self._play_chance()

    def rewards(self) -> tuple[int, ...]:
        """What each seat has scored since the last call, or since before the first event."""
        before, self._reported = self._reported, self.state.scores()
        return tuple(now - then for now, then in zip(self._reported, before, strict=True))


def describe(state: State) -> str:
    """A position as readable text, one line for each field of its snapshot."""
    return "\n".join(f"{name}: {value}" for name, value in state.snapshot().items())
