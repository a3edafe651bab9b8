"""Gymnasium: all games, alone or against computer players.

    import gymnasium
    import pasch.lab.gymnasium_env

    env = gymnasium.make("pasch/fiese15-v1", gambler=True)
    race = gymnasium.make("pasch/fiese15-v1", opponents=("greedy", "easy"))

An action is the number of a move, an observation a vector (`pasch.lab.spaces`),
the reward the increase of the score, or a win. The environment rolls the dice and moves the opponents: `reset(seed=s)`
derives them from the key `seed_key(s)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from pasch.core import drawing
from pasch.core.chance import seed_key
from pasch.core.errors import IllegalMove, OptionError
from pasch.core.philox import Stream
from pasch.core.registry import find_game, game_ids
from pasch.lab.episode import Episode, check_reward
from pasch.lab.spaces import ByDie, Mask, Vector, actions, bounds, observe, regrets
from pasch.players.arena import Who, as_player
from pasch.solve.valuer import valuer

#: of the environments; it counts up when observations or actions change
VERSION = 1
#: the seat that learns; opponents have the others
SEAT = 0
#: after this number of illegal actions in a row an episode is truncated
ILLEGAL_LIMIT = 100


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
            none, every = np.array([0]), np.array([(1 << self.by_die.dice) - 1])
            low, high = self.by_die.observe(low[None], none)[0], self.by_die.observe(high[None], every)[0]
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
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
        penalty, before = 0.0, self.episode.state.over
        try:
            self._play(int(action))
            self._illegal = 0
        except IllegalMove as error:
            extra, penalty = {"illegal": error.reason}, self.penalty
            self._illegal += 1
        reward = (0.0 if self._win and before else self.episode.rewards()[SEAT]) - penalty
        over = self.episode.state.over
        cut = not over and self._illegal >= self.illegal_limit
        if cut:
            extra["truncated"] = f"{self._illegal} illegal actions in a row"
        return self._observation(), float(reward), over, cut, self._info() | extra

    def _begin(self, key: bytes) -> None:
        self.episode = Episode(self.game, key, win=self._win)
        #: the dice picked so far, as a bit mask
        self._picked = self._illegal = 0
        # as in `pasch.players.arena`: no seat disturbs another's luck
        self._luck = [Stream(key, seat + 1) for seat in range(self.game.players)]
        self._let_others_play()

    def _play(self, action: int) -> None:
        """Make a move, or with actions by die a part of one; IllegalMove changes nothing."""
        if self.by_die is not None:
            if not 0 <= action < len(self.by_die) or not self.action_masks()[action]:
                raise IllegalMove("number", "this is not possible now: action {number}", number=action)
            moves, picked = self.by_die.choose(np.array([action]), np.array([self._picked]))
            self._picked, action = int(picked[0]), int(moves[0])
            if action < 0:
                return
        self.episode.play(action)
        self._let_others_play()

    def _let_others_play(self) -> None:
        while (seat := self.episode.state.actor) > SEAT:
            move = self._opponents[seat - 1].choose(self.episode.state.view(seat), self._luck[seat])
            self.episode.play(self._actions.number(move))

    def action_masks(self) -> Mask:
        """A one for each action that is a legal move now."""
        flat = self._actions.mask(self.episode.state, SEAT)
        return flat if self.by_die is None else self.by_die.mask(flat[None], np.array([self._picked]))[0]

    def render(self) -> Any:
        """The board as text in the render mode `ansi`, as pixels in the mode `rgb_array`."""
        return render(self.episode.state.view(SEAT), self.render_mode)

    def _observation(self) -> Vector:
        seen = observe(self.episode.state, SEAT)
        return seen if self.by_die is None else self.by_die.observe(seen[None], np.array([self._picked]))[0]

    def _info(self) -> dict[str, Any]:
        state = self.episode.state
        info = {"action_mask": self.action_masks(), "score": state.scores()[SEAT]}
        if self._regret:
            mine = state.actor == SEAT
            lost = regrets(state, win=self._win) if mine else np.full(len(self._actions), np.inf)
            if self.by_die is not None:
                lost = self.by_die.spread(lost[None], np.array([self._picked]), np.inf)[0]
            exact = valuer(self.game).exact
            info |= {"regret": lost, "exact": exact.win if self._win else exact.value}
        return info


def render(view: Any, mode: str | None) -> Any:
    """A position in one of Gymnasium's render modes; None in those that we do not have."""
    if mode == "rgb_array":
        return drawing.find_drawer().pixels(view)
    return str(view) if mode == "ansi" else None


def register_envs() -> None:
    """Register the environments with `gymnasium.make`; importing this module does it."""
    for game in game_ids():
        name = f"pasch/{game}-v{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:PaschEnv",
                vector_entry_point="pasch.lab.vector_env:make_vector",
                kwargs={"game": game},
            )


register_envs()
