"""Gymnasium: many games for one player side by side, compiled.

    import gymnasium
    import pasch.lab.gymnasium_env

    envs = gymnasium.make_vec("pasch/fiese15-v1", num_envs=1024)

Everything is as in a `SyncVectorEnv` of environments of `pasch.lab.gymnasium_env`: actions,
observations, rewards, masks, and the dice of every seed. The games are played compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from pasch.core.chance import seed_key
from pasch.core.errors import OptionError
from pasch.core.philox import KEY_BYTES
from pasch.core.state import OVER
from pasch.lab.batch import NoBatch, compiled_loop
from pasch.lab.gymnasium_env import PaschEnv
from pasch.lab.spaces import actions, observe_records, phase_offsets
from pasch.players.arena import Who
from pasch.solve.records import arrays, records

Matrix = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: in place of an action: restart the game
RESTART = -1


class PaschVectorEnv(VectorEnv[Matrix, Ints, npt.NDArray[Any]]):
    """Games of one kind side by side; arguments as in `PaschEnv`.

    `infos["action_mask"]` and `action_masks()` give the legal actions. An illegal action changes nothing and is
    rewarded with minus `penalty`; `infos["illegal"]` marks these games. A game that is over or truncated restarts
    with the next step, which ignores its action. NoBatch if these games cannot be compiled.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        opponents: Sequence[Who] | None = None,
        regret: bool = False,
        **asked: Any,
    ) -> None:
        one = PaschEnv(game, opponents=opponents, **asked)
        for wanted, why in (
            (render_mode, "games side by side are not drawn"),
            (opponents, "opponents are not compiled"),
            (regret, "regrets are not compiled"),
            (one.game.players > 1, "this game needs opponents"),
        ):
            if wanted:
                raise NoBatch(why)
        self.game, self._by_die = one.game, one.by_die
        self._penalty, self._illegal_limit = one.penalty, one.illegal_limit
        self._advance = compiled_loop("advance", type(self.game))
        self._config = arrays(self.game.config)
        self._start = records(self.game, 1)
        self.num_envs = num_envs
        self.single_action_space, self.single_observation_space = one.action_space, one.observation_space
        self.action_space = batch_space(one.action_space, num_envs)
        self.observation_space = batch_space(one.observation_space, num_envs)
        self._rows = self._new_rows()
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        #: the score already paid out in rewards
        self._rewarded = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        #: the dice picked so far, and the illegal actions in a row
        self._picked, self._illegal = np.zeros(num_envs, np.int64), np.zeros(num_envs, np.int64)

    def _new_rows(self) -> Any:
        from pasch.lab.loop import Rows

        n = self.num_envs
        return Rows(
            states=records(self.game, n),
            keys=np.zeros((n, 4), np.int64),
            blocks=np.zeros((n, 1), np.int64),
            left=np.zeros((n, 1), np.int64),
            words=np.zeros((n, 1, 4), np.int64),
            offsets=phase_offsets(self.game),
            menu=np.zeros((n, len(actions(self.game))), np.int64),
            score=np.zeros(n, np.int64),
            refused=np.zeros(n, np.bool_),
            codes=np.zeros(self.game.max_moves, np.int64),
        )

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Matrix, dict[str, Any]]:
        """Restart all games; with an integer as seed, game i gets `seed + i`."""
        seeds: Sequence[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            seeds = [int(seed) + row for row in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise OptionError("seed: {got} seeds for {wanted} games", got=len(seeds), wanted=self.num_envs)
        for row, own in enumerate(seeds):
            if own is not None:
                self._generators[row], _ = seeding.np_random(own)
            self._take_key(row, None if own is None else seed_key(own))
        self._rewarded[:] = self._picked[:] = self._illegal[:] = 0
        self._advance(self._config, self._start, self._rows, np.full(self.num_envs, RESTART))
        # a game that is over before the first choice is reported at the next step
        self._over = np.zeros(self.num_envs, np.bool_)
        return self._observations(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(self, actions: Any) -> tuple[Matrix, npt.NDArray[Any], Bools, Bools, dict[str, Any]]:
        """Make a move in every game and roll until the next decision."""
        fresh, given = self._over, np.asarray(actions, np.int64)
        nothing, picks = len(self._rows.menu[0]), np.zeros(self.num_envs, np.bool_)
        if self._by_die is not None:
            there = np.clip(given, 0, len(self._by_die) - 1)
            legal = (given == there) & (self.action_masks()[np.arange(self.num_envs), there] > 0) & ~fresh
            moves, picked = self._by_die.choose(there, self._picked)
            picks, self._picked = (
                legal & (moves < 0),
                np.where(fresh, 0, np.where(legal, picked, self._picked)),
            )
            given = np.where(legal, moves, nothing)
        # a negative action is illegal here, although the kernel takes it as a restart
        chosen = np.where(fresh, RESTART, np.where(given < 0, nothing, given))
        for row in np.flatnonzero(fresh):
            self._take_key(int(row), None)
        self._rewarded[fresh] = 0
        self._advance(self._config, self._start, self._rows, chosen)
        refused = self._rows.refused & ~picks
        self._illegal = np.where(refused, self._illegal + 1, 0)
        rewards = np.where(fresh, 0, self._rows.score - self._rewarded) - refused * self._penalty
        self._rewarded[~fresh] = self._rows.score[~fresh]
        over = (self._rows.states["actor"] == OVER) & ~fresh
        cut = (self._illegal >= self._illegal_limit) & ~over
        self._over = over | cut
        return self._observations(), rewards, over, cut, self._infos(refused)

    def action_masks(self) -> npt.NDArray[np.int8]:
        """By game a one for each action that is a legal move now."""
        legal: npt.NDArray[np.bool_] = self._rows.menu > 0
        return legal.astype(np.int8) if self._by_die is None else self._by_die.mask(legal, self._picked)

    def _take_key(self, row: int, key: bytes | None) -> None:
        """Set the key of the dice of the next game in a row; without a key, draw one."""
        if key is None:
            generator = self._generators[row]
            if generator is None:
                generator, _ = seeding.np_random(None)
                self._generators[row] = generator
            key = generator.bytes(32)
        self._rows.keys[row] = np.frombuffer(key[:KEY_BYTES], "<u4")

    def _observations(self) -> Matrix:
        seen: Matrix = observe_records(self.game, self._rows.states, 0)
        return seen if self._by_die is None else self._by_die.observe(seen, self._picked)

    def _infos(self, refused: Bools) -> dict[str, Any]:
        """As Gymnasium's vectors have them: beside each entry, in which games it is there."""
        infos = {"action_mask": self.action_masks(), "score": self._rows.score.copy(), "illegal": refused}
        return infos | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}


def make_vector(game: str, num_envs: int = 1, **asked: Any) -> VectorEnv[Any, Any, Any]:
    """Games side by side for `gymnasium.make_vec`: compiled if possible, otherwise one by one, with one warning."""
    try:
        return PaschVectorEnv(game, num_envs, **asked)
    except NoBatch as missing:
        _say_once(f"pasch/{game}: these environments are played one by one, not compiled: {missing.reason}")
    return SyncVectorEnv([lambda: PaschEnv(game, **asked)] * num_envs)


@cache
def _say_once(sentence: str) -> None:
    gymnasium.logger.warn(sentence)
