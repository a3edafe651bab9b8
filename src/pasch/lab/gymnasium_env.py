"""Gymnasium: all games, alone or against computer players, one by one or many side by side.

    import gymnasium
    import pasch.lab.gymnasium_env

    env = gymnasium.make("pasch/fiese15-v1", gambler=True)
    race = gymnasium.make("pasch/fiese15-v1", opponents=("greedy", "easy"))
    envs = gymnasium.make_vec("pasch/fiese15-v1", num_envs=1024)

An action is the number of a move, an observation a vector (`pasch.lab.spaces`),
the reward the increase of the score, or a win. The environment rolls the dice and moves the opponents: `reset(seed=s)`
derives them from the key `seed_key(s)`. Games for one player side by side are compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pasch.core import drawing
from pasch.core.chance import seed_key
from pasch.core.errors import IllegalMove, OptionError
from pasch.core.philox import KEY_BYTES, Stream
from pasch.core.registry import find_game, game_ids
from pasch.core.state import OVER
from pasch.lab.batch import NoBatch, compiled_loop
from pasch.lab.episode import Episode, check_reward
from pasch.lab.loop import Rows
from pasch.lab.spaces import ByDie, Ints, Mask, Vector, actions, bounds, observe, observe_records, regrets
from pasch.players.arena import Who, as_player
from pasch.solve.records import arrays, records
from pasch.solve.valuer import valuer

Bools = NDArray[np.bool_]

#: of the environments; it counts up when observations or actions change
VERSION = 1
#: the seat that learns; opponents have the others
SEAT = 0
#: after this number of illegal actions in a row an episode is truncated
ILLEGAL_LIMIT = 100
#: in place of an action of compiled games: restart the game
RESTART = -1


class PaschEnv(gymnasium.Env[Vector, np.int64]):
    """One game for one seat; `options` are the game's own.

    `opponents` are computer players for the other seats, by name or as objects: by default none, or greedy
    ones where the game needs them. `reward`: `points`, or `win` at the end, zero-sum. `by_die`: where a set of dice is
    chosen, that takes several actions (`pasch.lab.spaces.ByDie`). `regret`: `info["regret"]` is what each action
    gives away, infinity if it is not legal, and `info["exact"]` whether these numbers are exact.

    An illegal action changes nothing and is rewarded with minus `penalty`; `info["illegal"]` is the reason. After
    `illegal_limit` of them in a row the episode is truncated, and `info["truncated"]` is set.
    `info["action_mask"]` and `action_masks()` give the legal ones.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        components: str | Path | None = None,
        penalty: float = 0.0,
        opponents: Sequence[Who] | None = None,
        reward: Literal["points", "win"] = "points",
        illegal_limit: int = ILLEGAL_LIMIT,
        by_die: bool = False,
        regret: bool = False,
        **options: Any,
    ) -> None:
        if isinstance(opponents, str):
            raise OptionError(
                "opponents: expected a list of players, as in ('greedy',), got {got!r}", got=opponents
            )
        if illegal_limit < 1:
            raise OptionError("illegal_limit: expected 1 or more, got {got}", got=illegal_limit)
        found = find_game(game)
        others = ("greedy",) * (found.seats[0] - 1) if opponents is None else tuple(opponents)
        self.game = found.agree(1 + len(others), options, components=components)
        self._opponents = [as_player(who) for who in others]
        self._win = check_reward(reward, self.game.players)
        self.render_mode = render_mode
        self.penalty, self.illegal_limit, self._regret = penalty, illegal_limit, regret
        self._actions = actions(self.game)
        self.by_die = ByDie(self.game) if by_die else None
        self.action_space = spaces.Discrete(len(self.by_die or self._actions))
        low, high = bounds(self.game)
        if self.by_die is not None:
            low, high = np.append(low, [0] * self.by_die.dice), np.append(high, [1] * self.by_die.dice)
        self.observation_space = spaces.Box(low.astype(np.float32), high.astype(np.float32))
        self._begin(seed_key(0))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Begin a new game. Without a seed its key is drawn from `np_random`."""
        super().reset(seed=seed)
        self._begin(seed_key(seed) if seed is not None else self.np_random.bytes(32))
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Vector, SupportsFloat, bool, bool, dict[str, Any]]:
        """Make a move, and let dice and opponents act until the next decision."""
        extra: dict[str, Any] = {}
        penalty = 0.0
        try:
            self._play(int(action))
            self._illegal = 0
        except IllegalMove as error:
            extra, penalty = {"illegal": error.reason}, self.penalty
            self._illegal += 1
        reward = self.episode.rewards()[SEAT] - penalty
        over = self.episode.state.over
        cut = not over and self._illegal >= self.illegal_limit
        if cut:
            extra["truncated"] = f"{self._illegal} illegal actions in a row"
        return self._observation(), reward, over, cut, self._info() | extra

    def _begin(self, key: bytes) -> None:
        self.episode = Episode(self.game, key, win=self._win)
        self._illegal = 0
        #: the dice picked so far, as a bit mask
        self._picked = 0
        # as in `pasch.players.arena`: no seat disturbs another's luck
        self._luck = [Stream(key, seat + 1) for seat in range(self.game.players)]
        self._let_others_play()

    def _play(self, action: int) -> None:
        """Make a move, or with actions by die a part of one; IllegalMove changes nothing."""
        if self.by_die is not None:
            if not 0 <= action < len(self.by_die) or not self.action_masks()[action]:
                raise IllegalMove("number", "this is not possible now: action {number}", number=action)
            move, self._picked = self.by_die.choose(action, self._picked)
            if move is None:
                return
            action = move
        self.episode.play(action)
        self._let_others_play()

    def _let_others_play(self) -> None:
        while (seat := self.episode.state.actor) > SEAT:
            move = self._opponents[seat - 1].choose(self.episode.state.view(seat), self._luck[seat])
            self.episode.play(self._actions.number(move))

    def action_masks(self) -> Mask:
        """A one for each action that is a legal move now."""
        flat = self._actions.mask(self.episode.state, SEAT)
        return flat if self.by_die is None else self.by_die.mask(flat, self._picked)

    def render(self) -> Any:
        """The board as text in the render mode `ansi`, as pixels in the mode `rgb_array`."""
        return render(self.episode.state.view(SEAT), self.render_mode)

    def _observation(self) -> Vector:
        seen = observe(self.episode.state, SEAT)
        return seen if self.by_die is None else self.by_die.observe(seen, self._picked)

    def _info(self) -> dict[str, Any]:
        state = self.episode.state
        info = {"action_mask": self.action_masks(), "score": state.scores()[SEAT]}
        if self._regret:
            mine = state.actor == SEAT
            lost = regrets(state, win=self._win) if mine else np.full(len(self._actions), np.inf)
            if self.by_die is not None:
                lost = self.by_die.spread(lost, self._picked, np.inf)
            exact = valuer(self.game).exact
            info |= {"regret": lost, "exact": exact.win if self._win else exact.value}
        return info


def render(view: Any, mode: str | None) -> Any:
    """A position in one of Gymnasium's render modes; None in those that we do not have."""
    if mode == "rgb_array":
        return drawing.find_drawer().pixels(view)
    return str(view) if mode == "ansi" else None


# --- side by side ---------------------------------------------------------------------------------


class PaschVectorEnv(VectorEnv[Vector, Ints, NDArray[Any]]):
    """Games of one kind side by side; arguments as in `PaschEnv`, and everything as in a `SyncVectorEnv` of these.

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
            (one.by_die, "actions by die are not compiled"),
            (one.game.players > 1, "this game needs opponents"),
        ):
            if wanted:
                raise NoBatch(why)
        self._one, self.num_envs, numbered = one, num_envs, actions(one.game)
        self._advance = compiled_loop("advance", type(one.game))
        self._config, self._start = arrays(one.game.config), records(one.game, 1)
        self.single_action_space, self.single_observation_space = one.action_space, one.observation_space
        self.action_space = batch_space(one.action_space, num_envs)
        self.observation_space = batch_space(one.observation_space, num_envs)
        self._rows = Rows(
            states=records(one.game, num_envs),
            keys=np.zeros((num_envs, 4), np.int64),
            blocks=np.zeros((num_envs, 1), np.int64),
            left=np.zeros((num_envs, 1), np.int64),
            words=np.zeros((num_envs, 1, 4), np.int64),
            offsets=np.array([numbered.first.get(phase, 0) for phase in one.game.phases]),
            menu=np.zeros((num_envs, len(numbered)), np.int64),
            score=np.zeros(num_envs, np.int64),
            refused=np.zeros(num_envs, np.bool_),
            codes=np.zeros(one.game.max_moves, np.int64),
        )
        #: their generators draw the keys of games without a seed
        self._sources: list[gymnasium.Env[Any, Any]] = [gymnasium.Env() for _ in range(num_envs)]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Restart all games; with an integer as seed, game i gets `seed + i`."""
        rows = range(self.num_envs)
        if isinstance(seed, int | np.integer):
            seed = [int(seed) + row for row in rows]
        seeds = [None] * self.num_envs if seed is None else seed
        if len(seeds) != self.num_envs:
            raise OptionError("seed: {got} seeds for {wanted} games", got=len(seeds), wanted=self.num_envs)
        for row in rows:
            self._take_key(row, seeds[row])
        #: the score already paid out in rewards, and the illegal actions in a row
        self._rewarded, self._illegal = np.zeros((2, self.num_envs), np.int64)
        # a game that is over before the first choice is reported at the next step
        self._over = np.zeros(self.num_envs, np.bool_)
        self._advance(self._config, self._start, self._rows, np.full(self.num_envs, RESTART))
        return self._results()

    def step(self, actions: Any) -> tuple[Vector, NDArray[Any], Bools, Bools, dict[str, Any]]:
        """Make a move in every game and roll until the next decision."""
        fresh, given = self._over, np.asarray(actions, np.int64)
        # a negative action is illegal here, although the kernel takes it as a restart
        chosen = np.where(fresh, RESTART, np.where(given < 0, self._rows.menu.shape[1], given))
        for row in np.flatnonzero(fresh):
            self._take_key(int(row))
        self._advance(self._config, self._start, self._rows, chosen)
        refused = self._rows.refused
        self._illegal = np.where(refused, self._illegal + 1, 0)
        rewards = np.where(fresh, 0, self._rows.score - self._rewarded) - refused * self._one.penalty
        self._rewarded = np.where(fresh, 0, self._rows.score)
        over = (self._rows.states["actor"] == OVER) & ~fresh
        cut = (self._illegal >= self._one.illegal_limit) & ~over
        self._over = over | cut
        seen, infos = self._results()
        return seen, rewards, over, cut, infos

    def action_masks(self) -> Mask:
        """By game a one for each action that is a legal move now."""
        return (self._rows.menu > 0).astype(np.int8)

    def _take_key(self, row: int, seed: int | None = None) -> None:
        """Set the key of the dice of the next game in a row; without a seed, draw one."""
        gymnasium.Env.reset(self._sources[row], seed=seed)
        key = self._sources[row].np_random.bytes(32) if seed is None else seed_key(seed)
        self._rows.keys[row] = np.frombuffer(key[:KEY_BYTES], "<u4")

    def _results(self) -> tuple[Vector, dict[str, Any]]:
        """Observations, and infos as Gymnasium's vectors have them: beside each entry, in which games it is there."""
        rows = self._rows
        infos = {
            "action_mask": self.action_masks(),
            "score": rows.score.copy(),
            "illegal": rows.refused.copy(),
        }
        infos |= {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}
        return observe_records(self._one.game, rows.states, SEAT), infos


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


def register_envs() -> None:
    """Register the environments with `gymnasium.make`; importing this module does it."""
    for game in game_ids():
        name = f"pasch/{game}-v{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:PaschEnv",
                vector_entry_point=f"{__name__}:make_vector",
                kwargs={"game": game},
            )


register_envs()
