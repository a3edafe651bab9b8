"""The computer players of each game, from the weakest to the strongest, and how strong they are."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from pasch.core.registry import all_games, find_game
from pasch.players.levels import LADDER, STUDY, measured_loss, measured_wins
from pasch.terminal.language import number, t, word
from pasch.terminal.screen import console

#: with at least such a share of wins against the next level, one game says little
EVEN = 0.45


def level_name(name: str) -> str:
    """What a level is called."""
    names = {
        "easy": t("Beginner"),
        "medium": t("Regular"),
        "hard": t("Strong"),
        "perfect": t("Perfect for points"),
        "winner": t("Plays to win"),
    }
    return names.get(name, name)


def show_ladder(name: str | None) -> None:
    """Print the ladder of a game, or of every game."""
    screen = console(wide=True)
    for game in [find_game(name)] if name else all_games():
        agreed = game.agree(game.usual_players())
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in (t("name"), t("level"), t("wins"), t("points given away")):
            table.add_column(heading, no_wrap=True)
        for level in (*LADDER, STUDY):
            met, lost = measured_wins(agreed, level), measured_loss(agreed, level)
            wins = "–"
            if met is not None:
                share, error = number(100 * met.wins, 0), number(100 * met.error, 1)
                against = level_name(met.against)
                wins = t("{share} ± {error} % against {level}", share=share, error=error, level=against)
                if EVEN <= met.wins <= 1 - EVEN:
                    wins = f"{wins}; {t('one game says little')}"
            loss = "–" if lost is None else f"{number(lost.value, 1)} ± {number(lost.error, 2)}"
            table.add_row(level, level_name(level), wins, loss)
        screen.print(Text(word(game.title), style="bold"))
        screen.print(table)
    screen.print(
        t("Wins are of games for two, a shared win counting half. Perfect for points is for study.")
    )
