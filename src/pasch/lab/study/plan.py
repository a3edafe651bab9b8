"""What a study is made of: how many games of which kind, and everything that its numbers follow from."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

import msgspec

from pasch.core.game import Game
from pasch.core.record import FORMAT as RECORDS
from pasch.core.registry import AnyGame, find_game
from pasch.lab.simulation import simulated
from pasch.players.base import player
from pasch.players.levels import LEVELS, absurd, temperature
from pasch.solve.valuer import valuer

#: counts up when a study measures or shows something else
FORMAT: Final = "pasch-study/1"
#: the usual size and seed
GAMES: Final = 20_000
SEED: Final = "study"
#: what there is to measure, in the order of the page
PARTS: Final = ("start", "levels", "seats", "luck", "winning", "habits")

#: the players whose scores are shown, from the weakest to the strongest
PLAYERS: Final = ("random", "greedy", "easy", "medium", "hard", "perfect")
#: of these a seat of a mixed table is one, drawn anew for every game
MIXED: Final = ("easy", "medium", "hard", "perfect")
#: tables of which the ledger is kept: everybody plays like this
TABLES: Final = ("mixed", "greedy", "easy", "medium", "hard")

#: how many play, where it is not two: the values of Crowns are known best for one
SEATS: Final = {"crowns": 1}
#: by what the values of a game are slower than a look into a table
SLOW: Final = {"crowns": 4, "sixbysix": 4}


class Plan(msgspec.Struct, frozen=True):
    """The size of a study."""

    game: str
    #: how many play, unless something else is said
    players: int
    #: games of a simulation with players who look values up in tables
    simulated: int
    #: the same with players who have to work them out
    searched: int
    #: games of which the ledger is kept; of the mixed table twice as many
    ledgers: int
    #: games in which chances to win are worked out, which takes longest
    chances: int
    seed: str

    @classmethod
    def of(cls, game: str, games: int = GAMES, seed: str = SEED) -> Plan:
        """The usual proportions, for a study of this size."""
        slow = SLOW.get(game, 1)
        return cls(
            game,
            SEATS.get(game, 2),
            games,
            games if slow == 1 else max(4, games // (50 * slow)),
            max(4, games // (125 * slow)),
            max(4, games // (400 * slow)),
            seed,
        )

    def agreed(self, players: int | None = None) -> Game[Any, Any]:
        """The game with its usual options, for so many players."""
        return find_game(self.game).agree(players or self.players)

    def games_of(self, name: str) -> int:
        """How many games are simulated with this player."""
        if name == "winner":
            return self.chances
        return self.simulated if name in ("random", "greedy") else self.searched


def several(kind: AnyGame) -> range:
    """The numbers of players of a game with which there is somebody to beat."""
    return range(max(2, kind.seats[0]), kind.seats[-1] + 1)


def inputs(plan: Plan) -> dict[str, Any]:
    """Everything that the numbers of a study follow from, small enough to be looked at without playing.

    The rules and the greedy player are represented by a game: if that changes, so would the study.
    """
    game = plan.agreed()
    tables = {*valuer(game).tables, *valuer(plan.agreed(several(find_game(plan.game))[0])).tables}
    match = simulated(game, [player("greedy")] * game.players, plan.seed, 0)
    return {
        "format": FORMAT,
        "records": RECORDS,
        "plan": msgspec.to_builtins(plan),
        "rules_version": game.rules_version,
        "options": game.options.json(),
        "components": msgspec.to_builtins(game.components),
        "levels": {name: temperature(game, name) for name in LEVELS} | {"absurd": absurd(game)},
        "values": sorted(tables),
        "greedy": hashlib.sha256(match.record().to_json().encode()).hexdigest(),
    }


def fingerprint(plan: Plan) -> str:
    """The inputs in one word: two studies with the same have the same numbers."""
    written = json.dumps(inputs(plan), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
