"""Gymnasium: the games that can be played alone.

    import gymnasium
    import pasch.lab.gymnasium_env

    env = gymnasium.make("pasch/fiese15-v0", gambler=True)

An action is the number of a move (`pasch.lab.actions`), an observation a vector (`pasch.lab.observations`),
the reward what the score has grown by. Dice are rolled by the environment: `reset(seed=s)` plays the dice
that the key `seed_key(s)` stands for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from pasch.core.chance import seed_key
from pasch.core.errors import IllegalMove, OptionError
from pasch.core.game import Game
from pasch.core.registry import all_games, find_game
from pasch.lab.actions import Mask, actions
from pasch.lab.course import Course, describe
from pasch.lab.observations import Vector, bounds, observe

#: the one seat
SEAT = 0


def solo_game(game: str, components: str | Path | None, options: dict[str, Any]) -> Game[Any, Any]:
    """The game as agreed with one player; OptionError if it cannot be played alone."""
    if game not in solo_games():
        find_game(game)
        raise OptionError(
            "{game} cannot be played alone; these can: {names}",
            game=game,
            names=", ".join(solo_games()),
        )
    own = None if components is None else Path(components)
    return find_game(game).agree(1, options, components=own)


def solo_games() -> tuple[str, ...]:
    """The names of the games that one can play alone."""
    return tuple(game.id for game in all_games() if 1 in game.seats)


class PaschEnv(gymnasium.Env[Vector, np.int64]):
    """One game for one player; `options` are the game's own.

    An action that is no legal move now changes nothing and is rewarded with minus `penalty`;
    `info["illegal"]` says why. `info["action_mask"]` and `action_masks()` tell the legal ones.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        components: str | Path | None = None,
        penalty: float = 0.0,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError("render_mode: expected ansi, not {got!r}", got=render_mode)
        self.game = solo_game(game, components, options)
        self.render_mode = render_mode
        self._penalty = penalty
        self._actions = actions(self.game)
        self.action_space = spaces.Discrete(len(self._actions))
        self.observation_space = spaces.Box(*bounds(self.game), dtype=np.float32)
        self.course = Course(self.game, seed_key(0))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Begin a new game. Without a seed its key is drawn from `np_random`."""
        super().reset(seed=seed)
        key = seed_key(seed) if seed is not None else self.np_random.bytes(32)
        self.course = Course(self.game, key)
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Vector, SupportsFloat, bool, bool, dict[str, Any]]:
        """Make a move and roll until there is something to choose again."""
        illegal: dict[str, str] = {}
        penalty = 0.0
        try:
            self.course.play(int(action))
        except IllegalMove as error:
            illegal, penalty = {"illegal": error.reason}, self._penalty
        reward = self.course.rewards()[SEAT] - penalty
        over = self.course.state.over
        return self._observation(), float(reward), over, False, self._info() | illegal

    def action_masks(self) -> Mask:
        """A one for each action that is a legal move now."""
        return self._actions.mask(self.course.state)

    def render(self) -> str | None:
        """The position in words, if that was asked for."""
        return describe(self.course.state) if self.render_mode == "ansi" else None

    def _observation(self) -> Vector:
        return observe(self.course.state, SEAT)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "score": self.course.state.scores()[SEAT]}


def register_envs() -> None:
    """Make the environments known to `gymnasium.make`; importing this module does it."""
    for game in solo_games():
        name = f"pasch/{game}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:PaschEnv",
                vector_entry_point="pasch.lab.vector_env:PaschVectorEnv",
                kwargs={"game": game},
            )


register_envs()
