"""What a server is started with: players that the user has written, and perhaps a table to begin at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from pasch.core.registry import find_game
from pasch.players.bots import is_bot
from pasch.table.bots import Bots, named
from pasch.table.hall import Hall
from pasch.table.schema import DiceMode, NewTable, SeatWish


class Opening(msgspec.Struct, frozen=True):
    """Programs by their names, and the table that is made at once."""

    bots: dict[str, str] = {}
    wish: NewTable | None = None

    def seated(self) -> Bots:
        return Bots(self.bots)

    async def begin(self, hall: Hall, address: str) -> str:
        """See that every program can play, make the table, and return where the browser is to open."""
        await hall.bots.check()
        if self.wish is None:
            return address
        made = await hall.make(self.wish)
        # a link to sit down with works once, so that it does no harm in a list of processes
        links = [f"{address}t/{made.id}#invite={invitation}" for invitation in made.invitations.values()]
        watch = f"{address}t/{made.id}#watch={made.watch}"
        for link in links:
            click.echo(f"Sit down at {link}")
        click.echo(f"Watch at {watch}")
        return links[0] if links else watch


def open_with(programs: Sequence[str]) -> Opening:
    """A server at which these players can be chosen."""
    return Opening(named(tuple(programs)))


def open_table(
    game: str, seats: Sequence[str], options: Mapping[str, Any], components: Path | None, dice: str
) -> Opening:
    """A server that begins with a table as the command line names it; `me` comes by a link."""
    chosen = find_game(game)
    agreed = chosen.agree(len(seats), options, components=components)
    bots = named(tuple(dict.fromkeys(filter(is_bot, seats))))
    names = {program: name for name, program in bots.items()}
    wishes = tuple(
        SeatWish("link") if who == "me" else SeatWish("computer", level=names.get(who, who))
        for who in seats
    )
    mode: DiceMode = "real" if dice == "real" else "pasch"
    return Opening(bots, NewTable(chosen.id, wishes, agreed.options.json(), dice=mode))
