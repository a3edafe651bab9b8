"""Tournaments: every player against every other in every seat, with common dice.

Players who meet play in every order of the seats with the same dice (`pasch.lab.common_dice`), so that
no player has better ones. A *deal* is every seating once. Other groups of players have other dice: the
same ones would add little information about a player. For every game the coach's ledger gives the luck of
each seat. Deals are independent and are the units of work: one process or many give the same results.
`pasch.lab.tournament_statistics` evaluates them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any, Final

import msgspec

from pasch.coach.ledger import keep_ledger
from pasch.core.chance import seed_key, subkey
from pasch.core.errors import OptionError, PaschError
from pasch.core.game import Game
from pasch.core.philox import Stream
from pasch.core.registry import find_part
from pasch.lab.checkpoint import code_version
from pasch.lab.common_dice import play_with_common_dice
from pasch.players.arena import Who, as_player, player_name
from pasch.players.base import Player
from pasch.players.bots import BotPlayer, is_bot

#: the most games in a deal
MAX_SEATINGS: Final = 2000


class Entrant(msgspec.Struct, frozen=True):
    """A player of a tournament."""

    #: the name that is shown
    name: str
    #: the name for `pasch.players.base.player`, valid in any working directory, or the player itself
    found_as: Any
    #: the hash of the file of a user's own player
    sha256: str | None = None

    @classmethod
    def of(cls, who: Who, names: Sequence[str]) -> Entrant:
        """This one of the players with these names; shown without its folder, if that tells it from the others."""
        made, name = as_player(who), player_name(who)  # raises early if there is no such player
        if not isinstance(who, str) or not is_bot(name):
            return cls(name, name if isinstance(who, str) else made)
        short = [Path(one).name for one in names]
        file, _, wanted = name.rpartition(":")
        path = Path(file).expanduser().resolve()
        shown = Path(name).name
        return cls(shown if short.count(shown) == 1 else name, f"{path}:{wanted}", _hash(path))

    def player(self) -> Player:
        """The player; those with a name are created for every game, so that no game depends on another."""
        if self.sha256 is not None:
            path = Path(self.found_as.rpartition(":")[0])
            if path.is_file() and _hash(path) != self.sha256:
                raise OptionError("{name}: the file has changed since the tournament began", name=self.name)
        made = as_player(self.found_as)
        if isinstance(made, BotPlayer):
            made.logs = False  # failures are part of the results
        return made


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class PlayedGame(msgspec.Struct, frozen=True, array_like=True):
    """One game: everything by seat."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    #: points that the dice gave; None where luck is not measured
    luck: tuple[float, ...] | None
    #: points that moves gave away
    costs: tuple[float, ...] | None
    #: by seat: the message of a user's player that failed, so that `greedy` finished the game
    failed: dict[int, str]


#: the games of a deal, in the order of the seatings
Deal = tuple[PlayedGame, ...]


class Tournament(msgspec.Struct, frozen=True):
    """The parameters that results depend on, except the number of deals."""

    game: Game[Any, Any]
    entrants: tuple[Entrant, ...]
    seed: str
    #: whether luck and costs are measured
    luck: bool
    #: the ways to seat the players, each as the number of the player in every seat
    seatings: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, game: Game[Any, Any], players: Sequence[Who], seed: str, luck: bool = True) -> Tournament:
        """The tournament of these players, names or objects; PaschError if there can be none."""
        if len(players) < 2 or game.players < 2:
            raise PaschError("a tournament needs at least two players, and games for two")
        names = [player_name(who) for who in players]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise PaschError("{name} is named twice", name=twice)
        entrants = tuple(Entrant.of(who, names) for who in players)
        # estimates by playouts would take longer than the games
        luck = luck and find_part(game.id, "values") is not None
        return cls(game, entrants, seed, luck, _seatings(len(entrants), game.players))

    def run(self) -> dict[str, Any]:
        """The parameters that a checkpoint must match, as JSON values."""
        return {
            "game": self.game.id,
            "players at a table": self.game.players,
            "options": self.game.options.json(),
            "players": [[entrant.name, entrant.sha256] for entrant in self.entrants],
            "seed": self.seed,
            "luck": self.luck,
            "version": code_version(),
        }

    def deal(self, number: int) -> Deal:
        """All games of the deal with this number, counted from 0."""
        return tuple(self._play(number, seating) for seating in self.seatings)

    def _play(self, number: int, seating: Sequence[int]) -> PlayedGame:
        game = self.game
        entrants = [self.entrants[place] for place in seating]
        # the dice depend on these players only, not on who else takes part
        names = [entrant.name for entrant in entrants]
        key = subkey(seed_key(self.seed), "deal", number, json.dumps(sorted(names)))
        drawing = subkey(key, "players", json.dumps(names))
        generators = [Stream(drawing, seat + 1) for seat in range(game.players)]
        players = [entrant.player() for entrant in entrants]
        match = play_with_common_dice(game, players, generators, key)
        failed = {
            seat: bot.failed
            for seat, bot in enumerate(players)
            if isinstance(bot, BotPlayer) and bot.failed is not None
        }
        luck = costs = None
        if self.luck:
            ledger = keep_ledger(match)
            luck = tuple(float(entry.account.luck) for entry in ledger.seats)
            costs = tuple(float(entry.account.costs) for entry in ledger.seats)
        return PlayedGame(match.state.scores(), match.state.winners(), luck, costs, failed)


def _seatings(players: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """All ways to seat players; if there are fewer than seats they sit in several, each in at least one."""
    if players >= seats:
        ways: Iterator[tuple[int, ...]] = permutations(range(players), seats)
    else:
        ways = (way for way in product(range(players), repeat=seats) if len(set(way)) == players)
    found = tuple(islice(ways, MAX_SEATINGS + 1))
    if len(found) > MAX_SEATINGS:
        raise PaschError(
            "{players} players can sit in {seats} seats in more than {most} ways; choose fewer",
            players=players,
            seats=seats,
            most=MAX_SEATINGS,
        )
    return found
