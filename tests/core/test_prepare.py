"""Types are prepared before threads share them: msgspec crashes when two threads do that at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pasch.core.prepare import prepare_types
from pasch.core.registry import AnyGame, all_games
from pasch.store.sqlite import SqliteStore
from pasch.table import schema
from pasch.table.lobby import Lobby
from pasch.table.log import Agreement


async def test_a_server_prepares_types_before_threads_read_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[bool] = []
    monkeypatch.setattr("pasch.table.lobby.prepare_types", lambda: prepared.append(True))
    lobby = Lobby(SqliteStore(tmp_path / "log.sqlite"))
    await lobby.open()
    assert prepared
    await lobby.close()


def structs(kind: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs of which a type consists."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
    for part in get_args(kind):
        yield from structs(part)


def shared_types(game: AnyGame) -> set[type[msgspec.Struct]]:
    """What threads of a server read for a game."""
    return {game.Options, game.Components, *game.events, game.Position}


def test_every_type_that_threads_share_is_prepared() -> None:
    messages = {
        *structs(schema.FromBrowser),
        *structs(schema.FromServer),
        schema.NewTable,
        schema.MadeTable,
    }
    assert len(messages) > 30
    prepared = prepare_types()
    assert messages | {Agreement} <= prepared
    for game in all_games():
        assert shared_types(game) <= prepared, game.id
