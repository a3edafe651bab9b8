"""Sets up a game before the first roll: seats, options, or a saved game to continue."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast

from rich.console import Console

from pasch.core.errors import PaschError
from pasch.core.fair import SEED_BYTES
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.players.base import player
from pasch.terminal.board import find_board
from pasch.terminal.games import games_menu, how_long_ago
from pasch.terminal.language import t, word
from pasch.terminal.saved import SavedGame, find_saved, saved_files
from pasch.terminal.screen import ask, console


def resume(name: str) -> SavedGame:
    """The saved game with this name, loaded and repaired."""
    saved = SavedGame.load(find_saved(name))
    saved.mend()
    return saved


def begin(
    game: str | None,
    seats: tuple[str, ...],
    options: Mapping[str, Any],
    components: Path | None,
    dice: str,
    new: bool,
) -> SavedGame | None:
    """A new game, or an unfinished one if the person would rather; None if they leave."""
    screen = console()
    agreed = bool(seats or options or components or dice != "pasch")
    try:
        chosen = find_game(game) if game else _choose_game(screen)
        if chosen is None:
            return None
        if not (new or agreed):
            unfinished = _unfinished(screen, chosen.id)
            if unfinished:
                return unfinished
    except (EOFError, KeyboardInterrupt):
        screen.print(f"\n{t('No game was begun.')}")
        return None
    who = list(seats) or default_seats(chosen)
    for name in who:
        check_seat(name)
    agreement = chosen.agree(len(who), options, components=components)
    find_board(chosen.id)
    return SavedGame.create(
        agreement, who, cast(Literal["pasch", "real"], dice), secrets.token_bytes(SEED_BYTES)
    )


def default_seats(game: AnyGame) -> list[str]:
    """The default seats: one person and as few computer players as the game needs for a contest."""
    return ["me", *["medium"] * (max(2, game.seats[0]) - 1)]


def check_seat(name: str) -> None:
    """Raise PaschError unless there is a player of this name."""
    if name != "me":
        try:
            player(name)
        except PaschError as error:
            raise PaschError("{problem}; a person is `me`", problem=error) from None


def _choose_game(screen: Console) -> AnyGame | None:
    games = all_games()
    screen.print(games_menu())
    while True:
        typed = ask(screen, t("Which game (1-{n}; q leaves)?", n=len(games))).lower()
        if typed in {"q", "quit", "exit"}:
            return None
        for number, game in enumerate(games, 1):
            if typed in {str(number), game.id, game.title.lower(), word(game.title).lower()}:
                return game
        screen.print(t("Type the number or the name of a game."))


def _unfinished(screen: Console, game: str) -> SavedGame | None:
    """The game of this kind that was left last, if there is one and the person wants to go on with it."""
    for path in saved_files():
        if not path.name.startswith(f"{game}-"):
            continue
        try:
            saved = SavedGame.load(path)
        except PaschError:
            continue  # `pasch saved` says what is wrong with it
        screen.print(t("You left {game} unfinished {when}.", game=saved.id, when=how_long_ago(path)))
        if ask(screen, t("Continue it (y/n)?")).lower() in {"y", "yes", t("y"), t("yes"), ""}:
            saved.mend()
            return saved
        return None
    return None
