"""The games for people to read: lists of them and of saved ones, their rules, how strong their computer players are."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from pasch.core.errors import PaschError
from pasch.core.files import data_folder
from pasch.core.options import OptionSpec, option_specs
from pasch.core.registry import all_games, find_game
from pasch.core.texts import markdown_table, rendered, rules_markdown
from pasch.players.levels import LADDER, STUDY, measured_loss, measured_wins
from pasch.terminal.board import scores_line
from pasch.terminal.language import current, number, reason, t, word
from pasch.terminal.saved import SavedGame, saved_files
from pasch.terminal.screen import console, one_line, table


def list_games() -> None:
    """Print all games."""
    screen = console(wide=True)
    screen.print(games_menu([game.id for game in all_games()]))


def games_menu(marks: Sequence[str]) -> Group:
    """All games, each behind its mark: a number to choose it by, or its id."""
    lines: list[RenderableType] = []
    for mark, game in zip(marks, all_games(), strict=True):
        spans = (game.seats[0], game.seats[-1]), game.minutes
        players, minutes = (str(least) if least == most else f"{least}–{most}" for least, most in spans)
        facts = t("({players} players, {minutes} minutes)", players=players, minutes=minutes)
        lines.append(Text.assemble((f"{mark}  {word(game.title)}", "bold"), " ", facts))
        lines.append(Padding.indent(Text(word(game.pitch)), 4))
    return Group(*lines)


def list_saved() -> None:
    """Print the unfinished games, the one played last first."""
    screen = console(wide=True)
    files = saved_files()
    if not files:
        screen.print(t("There is no unfinished game."))
        return
    rows = []
    for path in files:
        try:
            saved = SavedGame.load(path)
        except (PaschError, OSError) as error:
            problem = reason(error) if isinstance(error, PaschError) else str(error)
            facts = "–", "–", t("unreadable: {problem}", problem=one_line(problem))
        else:
            facts = ",".join(saved.header.seats), str(len(saved.match)), scores_line(saved.state)
        rows.append((path.stem, *facts))
    head = t("id"), t("seats"), t("events"), t("scores")
    screen.print(table(*head, rows=rows, left=4, fixed=3))
    screen.print(t("Continue one with: {command}", command="pasch play --continue ID"))
    screen.print(t("They are kept in {folder}", folder=data_folder() / "games"), soft_wrap=True)


#: where a part of a box comes from
SOURCES = {
    "printed": "printed: the rulebook says so",
    "seen": "seen: read off a picture or a box",
    "reconstructed": "reconstructed: our best guess",
}


def show_rules(game: str) -> None:
    """Print the rules; into a pipe or a file as plain Markdown."""
    screen = console()
    if not screen.is_terminal:
        click.echo(rules_text(game))
        return
    from rich.markdown import Markdown

    screen.print(Markdown(rules_text(game)))


def rules_text(game: str) -> str:
    """The rules as Markdown, in the terminal's language."""
    found = find_game(game)

    def options_table(house: bool) -> list[str]:
        rows = [
            (spec.name, _option_values(spec), _option_default(spec), word(spec.explanation))
            for spec in option_specs(found.Options)
            if spec.house == house
        ]
        head = (t("option"), t("values"), t("default"), t("meaning"))
        return [markdown_table([head, *rows])] if rows else []

    options, house = options_table(house=False), options_table(house=True)
    data = [
        (rendered(what, current(), game), t(SOURCES[source]))
        for what, source in found.default_components().provenance()
    ]
    parts = [rules_markdown(game, current(), steps=True).rstrip(), f"## {t('Options')}"]
    parts += options or ([] if house else [t("This game has no options.")])
    if house:
        parts += [f"### {t('House rules')}", *house]
    if data:
        parts += [f"## {t('Where the data come from')}", markdown_table([(t("what"), t("source")), *data])]
    return "\n\n".join(parts)


def _option_values(spec: OptionSpec) -> str:
    """What an option may be, in words."""
    choices = ", ".join(map(str, spec.choices))
    if spec.kind == "choice":
        return choices
    if spec.kind == "switch":
        return "true, false"
    if spec.kind == "list":
        return t("{least} to {most} of {choices}", least=spec.least, most=spec.most, choices=choices)
    return t("{least} to {most}", least=spec.least, most=spec.most)


def _option_default(spec: OptionSpec) -> str:
    """The default, as it would be typed after `--option name=`."""
    return spec.default if isinstance(spec.default, str) else json.dumps(spec.default)


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


def show_ladder(game: str | None) -> None:
    """Print the ladder of a game, or of every game."""
    screen = console(wide=True)
    for kind in [find_game(game)] if game else all_games():
        configured = kind.agree(kind.usual_players())
        rows = []
        for level in (*LADDER, STUDY):
            met, lost = measured_wins(configured, level), measured_loss(configured, level)
            wins = "–"
            if met is not None:
                share, error = number(100 * met.wins, 0), number(100 * met.error, 1)
                against = level_name(met.against)
                wins = t("{share} ± {error} % against {level}", share=share, error=error, level=against)
            loss = "–" if lost is None else f"{number(lost.value, 1)} ± {number(lost.error, 2)}"
            rows.append((level, level_name(level), wins, loss))
        screen.print(Text(word(kind.title), style="bold"))
        head = t("name"), t("level"), t("wins"), t("points given away")
        screen.print(table(*head, rows=rows, left=4, fixed=4))
    screen.print(
        t("Wins are of games for two, a shared win counting half. Perfect for points is for study.")
    )
