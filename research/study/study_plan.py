"""The size of a study: how many games of which kind are played."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from pasch.core.game import Game
from pasch.core.registry import AnyGame, find_data, find_game

#: counts up when a study measures or shows something else
FORMAT: Final = "pasch-study/2"
#: the usual size and seed
GAMES: Final = 20_000
SEED: Final = "study"
#: what is measured, in the order of the page
PARTS: Final = ("start", "levels", "seats", "luck", "winning", "habits")

#: the players whose scores are shown, from the weakest to the strongest
PLAYERS: Final = ("random", "greedy", "easy", "medium", "hard", "perfect")
#: the players of a mixed table; each seat's is drawn for every game
MIXED: Final = ("easy", "medium", "hard", "perfect")
#: the tables whose games get a ledger; at all but the first everybody plays alike
TABLES: Final = ("mixed", "greedy", "easy", "medium", "hard")


class StudyPlan(msgspec.Struct, frozen=True):
    """The numbers of games of a study."""

    game: str
    #: players at the table, unless something else is said
    players: int
    #: games of a simulation with players who look values up in tables
    simulated: int
    #: the same with players who search
    searched: int
    #: games with a ledger; twice as many at the mixed table
    ledgers: int
    #: games in which chances to win are computed, which takes longest
    chances: int
    seed: str

    @classmethod
    def of(cls, game: str, games: int = GAMES, seed: str = SEED, players: int | None = None) -> StudyPlan:
        """The usual proportions for a study of this size, for this many players or as many as is usual.

        A game's study.toml may name the number of `players` (usually two) and by what factor its values
        are slower than a look into a table (`slowness`).
        """
        data = find_data(game, "study.toml")
        slowness = data.get("slowness", 1)
        return cls(
            game,
            players or usual_players(game),
            games,
            games if slowness == 1 else max(4, games // (50 * slowness)),
            max(4, games // (125 * slowness)),
            max(4, games // (400 * slowness)),
            seed,
        )

    @property
    def searches(self) -> bool:
        """Whether good players have to search, so that they play fewer games."""
        return self.searched < self.simulated

    def new_game(self, players: int | None = None) -> Game[Any, Any]:
        """The game with its default options, for this number of players."""
        return find_game(self.game).agree(players or self.players)

    def games_of(self, name: str) -> int:
        """How many games are simulated with this player."""
        if name == "winner":
            return self.chances
        return self.simulated if name in ("random", "greedy") else self.searched


def usual_players(game: str) -> int:
    """For how many players a game is studied unless something else is said."""
    return int(find_data(game, "study.toml").get("players", 2))


def several(kind: AnyGame) -> range:
    """The numbers of players with which there is an opponent."""
    return range(max(2, kind.seats[0]), kind.seats[-1] + 1)
