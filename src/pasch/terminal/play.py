"""Games in the terminal: setting one up, prompts, boards, undo, and hiding hands on a shared screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.text import Text

from pasch.core.chance import KeyedGenerator, subkey
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.fair import rolled
from pasch.core.registry import AnyGame, all_games, find_game
from pasch.core.state import CHANCE, State
from pasch.players.base import player
from pasch.terminal.board import find_board, result_line, seat_name
from pasch.terminal.games import games_menu, show_rules
from pasch.terminal.language import t, tn, word
from pasch.terminal.menu import LEAVING, Menu, ask_until
from pasch.terminal.saved import SavedGame, reveals
from pasch.terminal.screen import ask, console, wipe
from pasch.terminal.value import hint, ready_players

#: a seat, None for a spectator who sees no hidden hand, or one who sees everything
Viewer = int | None | Literal["all"]


def play_on(saved: SavedGame) -> None:
    """Play a game, new or saved, to its end or until the person leaves."""
    seat = TerminalTable(saved)
    try:
        seat.run()
    except (EOFError, KeyboardInterrupt):
        command = f"pasch play --continue {saved.id}"
        seat.screen.print(f"\n{t('The game is saved. Continue it with: {command}', command=command)}")
        return
    seat.screen.print(t("The record is in {file}", file=saved.finish()), soft_wrap=True)


class TerminalTable:
    """One screen at which a game is played."""

    def __init__(self, saved: SavedGame) -> None:
        self.saved = saved
        self.board = find_board(saved.header.game)
        self.screen = console()
        self._computers = {seat: player(who) for seat, who in enumerate(saved.header.seats) if who != "me"}
        self._people = saved.people
        #: the seat at the screen, when hands are hidden and several people share it
        self._at_screen: int | None = None
        #: the number of events that each seat has been shown
        self._last_shown = dict.fromkeys(range(saved.header.players), 0)

    @property
    def state(self) -> State:
        return self.saved.state

    def run(self) -> None:
        """Play until the game is over."""
        self._welcome()
        ready_players(self.saved.match.game, self.saved.header.seats)
        while not self.state.over:
            actor = self.state.actor
            if actor == CHANCE:
                self._chance()
            elif actor in self._computers:
                generator = KeyedGenerator(subkey(self.saved.key, "player", actor, self._number))
                self._happen(self._computers[actor].choose(self.state.view(actor), generator))
            else:
                self._person(actor)
        self.screen.print()
        self.screen.print(self.board.draw(self.state))
        self.screen.print(Text(result_line(self.state), style="bold"))

    @property
    def _number(self) -> int:
        """The number of the next event, counted from 1."""
        return len(self.saved.match) + 1

    def _welcome(self) -> None:
        game = self.saved.match.game
        names = [t("you") if name == "me" else name for name in self.saved.header.seats]
        self.screen.print(Text(word(game.title), style="bold"))
        self.screen.print(" · ".join(f"{seat_name(seat)}: {name}" for seat, name in enumerate(names)))
        self.screen.print(f"{t('Type ? at any prompt for help.')}\n")
        if events := len(self.saved.match):
            so_far = tn("After {n} event:", "After {n} events. The last of them:", events)
            self.screen.print(Text(so_far, style="italic"))
            self._retell(max(0, events - 5))

    # --- what happens -----------------------------------------------------------------------------

    def _happen(self, event: Event) -> None:
        """Save the event, then show it."""
        self.saved.play(event)
        self._retell(len(self.saved.match) - 1)

    def _chance(self) -> None:
        chance = self.state.chance()
        if not reveals(self.state):
            self._happen(chance.pick(0))
        elif self.saved.header.dice == "pasch":
            self._happen(rolled(self.saved.key, self._number, chance))
        else:
            self._ask_for_outcome(chance.pick(0).seat)

    def _ask_for_outcome(self, seat: int | None) -> None:
        """Ask for the outcome of real dice or cards."""
        if seat in self._people:
            self._hand_over(seat)

        def read(typed: str) -> Event:
            return self.board.read_outcome(self.state, typed)

        self._ask(None, lambda: self.board.prompt(self.state) + ":", read, self._draw)

    def _person(self, seat: int) -> None:
        """Let a person choose a move, or undo."""
        self._hand_over(seat)
        menu = Menu(self.board, self.state.view(seat))

        def question() -> str:
            choices, name = menu.question(), seat_name(seat)
            if len(self._people) == 1:
                return t("Your choice ({choices}; ? help):", choices=choices)
            return t("{name}, your choice ({choices}; ? help):", name=name, choices=choices)

        def list_moves() -> None:
            self.screen.print()
            self.screen.print(menu.draw())

        def read(typed: str) -> Event | None:
            move = menu.answer(typed)
            if move is None:
                list_moves()
            return move

        def show() -> None:
            self._draw()
            list_moves()

        show()
        self._ask(seat, question, read, show)

    def _ask(
        self,
        seat: int | None,
        question: Callable[[], str],
        read: Callable[[str], Event | None],
        show: Callable[[], None],
    ) -> None:
        """Ask a seat for its move, or (None) for real dice, until an event has happened or one was taken back."""

        def answer(typed: str) -> bool | None:
            event = read(typed)
            if event is None:
                return None
            self._happen(event)
            return True

        def undo() -> bool:
            self.saved.undo(undo_steps(self.saved, seat))
            self._last_shown = {s: min(last, len(self.saved.match)) for s, last in self._last_shown.items()}
            self.screen.print(t("Taken back."))
            return True

        commands: dict[str, Callable[[], bool | None]] = {
            **LEAVING,
            "u": undo,
            "?": lambda: self.screen.print(_help()),
            "h": lambda: hint(self.screen, self.state, seat),
            "b": show,
            "r": lambda: show_rules(self.saved.header.game),
        }
        ask_until(self.screen, question, answer, commands)

    # --- what is shown ----------------------------------------------------------------------------

    @property
    def _viewer(self) -> Viewer:
        """The viewer whose knowledge all at the screen may share; a seat called to it is alone there."""
        if self._at_screen is not None:
            return self._at_screen
        if not self._people:
            return "all"
        return self._people[0] if len(self._people) == 1 else None

    def _seen(self, thing: Any) -> Any:
        """A state or an event as the viewer may know it."""
        viewer = self._viewer
        return thing if viewer == "all" else thing.view(viewer)

    def _draw(self) -> None:
        self.screen.print()
        self.screen.print(self.board.draw(self._seen(self.state)))

    def _retell(self, start: int) -> None:
        """The events after the first `start` ones."""
        match = self.saved.match
        for number in range(start, len(match)):
            before, event = self._seen(match.at(number)), self._seen(match.events[number])
            self.screen.print(Text(self.board.tell(before, event)))

    def _hand_over(self, seat: int) -> None:
        """Clear a shared screen and call the next person to it, if hands are hidden."""
        if len(self._people) < 2 or self.state.view(None) == self.state:
            return
        if self._at_screen != seat:
            wipe(self.screen)
            ask(self.screen, t("{name}, press Enter when it's you.", name=seat_name(seat)))
            wipe(self.screen)
            self._at_screen = seat
            self._retell(self._last_shown[seat])
        self._last_shown[seat] = len(self.saved.match)


def _help() -> str:
    lines = (
        (t("a number"), t("choose from the list")),
        (t("words"), t("list only the moves that contain them; 0 lists all again")),
        ("h", t("a hint: the best moves and what they are worth")),
        ("b", t("show the board again")),
        ("r", t("read the rules")),
        ("u", t("take back your last move (never across a roll)")),
        ("q", t("leave; the game is saved")),
        ("?", t("this help")),
    )
    wide = max(len(typed) for typed, _ in lines)
    return "\n".join(f"  {typed.ljust(wide)}  {meaning}" for typed, meaning in lines)


def undo_steps(saved: SavedGame, seat: int | None) -> int:
    """How many events are undone when `seat` (None: the person who moved last) takes a move back.

    The computer's moves after it go too. Never across a roll; only a roll that was typed in
    wrongly may be typed again.
    """
    match = saved.match
    for index in range(len(match) - 1, saved.fixed - 1, -1):
        mover = match.at(index).actor
        if mover in saved.people:
            if seat is not None and mover != seat:
                raise PaschError("{who} has moved since", who=seat_name(mover))
            return len(match) - index
    if saved.header.dice == "real" and 0 < saved.fixed <= len(match):
        return len(match) - saved.fixed + 1
    raise PaschError("there is no move of yours since the last roll or card; never across a roll")


# --- before the first roll -------------------------------------------------------------------------


def begin(
    game: str | None,
    seats: tuple[str, ...],
    options: Mapping[str, Any],
    components: Path | None,
    dice: Literal["pasch", "real"],
) -> SavedGame | None:
    """A new game; None if the person leaves without choosing one."""
    screen = console()
    try:
        chosen = find_game(game) if game else _choose_game(screen)
    except (EOFError, KeyboardInterrupt):
        screen.print(f"\n{t('No game was begun.')}")
        return None
    # by default one person and the minimum number of computer players for a contest
    who = list(seats) or ["me", *["medium"] * (max(2, chosen.seats[0]) - 1)]
    for name in who:
        try:
            if name != "me":
                player(name)
        except PaschError as error:
            raise PaschError("{problem}; a person is `me`", problem=error) from None
    return SavedGame.create(chosen.agree(len(who), options, components=components), who, dice)


def _choose_game(screen: Console) -> AnyGame:
    """The game that the person chooses; EOFError if they leave."""
    games = all_games()
    screen.print(games_menu([str(number) for number in range(1, len(games) + 1)]))
    question = t("Which game (1-{n}; q to leave)?", n=len(games))

    def read(typed: str) -> AnyGame | None:
        for number, game in enumerate(games, 1):
            if typed.lower() in {str(number), game.id, game.title.lower(), word(game.title).lower()}:
                return game
        screen.print(t("Type the number or the name of a game."))
        return None

    return ask_until(screen, lambda: question, read, LEAVING)
