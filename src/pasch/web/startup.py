"""What a server is started with: the operator's bots, and perhaps a first table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from pasch.core.registry import find_game
from pasch.players.bots import is_bot
from pasch.table.bots import name_bots
from pasch.table.lobby import Lobby
from pasch.table.schema import DiceMode, NewTable, SeatRequest


class Startup(msgspec.Struct, frozen=True):
    """The programs of bots by their names, and the table that is made at once."""

    bots: dict[str, str] = {}
    wish: NewTable | None = None

    async def run(self, lobby: Lobby, address: str) -> str:
        """Check that every bot can be loaded, make the table, and return the URL to open in the browser."""
        await lobby.bots.check()
        if self.wish is None:
            return address
        made = await lobby.make(self.wish, large_boxes=True)
        # an invitation works once, so it may be visible in a list of processes
        links = [f"{address}t/{made.id}#invite={invitation}" for invitation in made.invitations.values()]
        watch = f"{address}t/{made.id}#watch={made.watch}"
        for link in links:
            click.echo(f"Sit down at {link}")
        click.echo(f"Watch at {watch}")
        return links[0] if links else watch


def start_with_bots(programs: Sequence[str]) -> Startup:
    """A server with these bots."""
    return Startup(name_bots(tuple(programs)))


def start_with_table(
    game: str, seats: Sequence[str], options: Mapping[str, Any], components: Path | None, dice: str
) -> Startup:
    """A server with a first table as the command line describes it; `me` gets an invitation."""
    chosen = find_game(game)
    agreed = chosen.agree(len(seats), options, components=components)
    bots = name_bots(tuple(dict.fromkeys(filter(is_bot, seats))))
    names = {program: name for name, program in bots.items()}
    wishes = tuple(
        SeatRequest("link") if who == "me" else SeatRequest("computer", level=names.get(who, who))
        for who in seats
    )
    mode: DiceMode = "real" if dice == "real" else "pasch"
    return Startup(bots, NewTable(chosen.id, wishes, agreed.options.json(), dice=mode))
