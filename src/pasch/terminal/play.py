"""Plays a saved game in the terminal: prompts, boards, undo, and hiding hands on a shared screen."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from rich.text import Text

from pasch.core.atomic_file import atomic_text
from pasch.core.chance import KeyedGenerator, subkey
from pasch.core.errors import PaschError
from pasch.core.events import Event
from pasch.core.fair import commitment, rolled
from pasch.core.state import CHANCE, State
from pasch.players.base import player
from pasch.terminal.board import find_board
from pasch.terminal.ending import final_words, player_name, standings
from pasch.terminal.games import rules_page
from pasch.terminal.language import reason, t, tn, word
from pasch.terminal.menu import Menu
from pasch.terminal.saved import SavedGame, reveals
from pasch.terminal.screen import ask, console, wipe
from pasch.terminal.value import hint, ready_players
from pasch.terminal.words import seat_name

#: a seat, None for a spectator who sees no hidden hand, or one who sees everything
Viewer = int | None | Literal["all"]


class Leave(Exception):
    """The person quits; the game stays saved."""


class CannotUndo(PaschError):
    """There is nothing that may be taken back."""


def play_on(saved: SavedGame, record: Path | None = None, receipt: Path | None = None) -> None:
    """Play a game, new or saved, to its end or until the person leaves."""
    for path in (record, receipt):
        if path is not None and not path.absolute().parent.is_dir():
            raise PaschError("{folder}: there is no such folder", folder=path.absolute().parent)
    table = TerminalTable(saved)
    try:
        table.run()
    except (Leave, EOFError, KeyboardInterrupt):
        command = f"pasch play --continue {saved.id}"
        table.screen.print(f"\n{t('The game is saved. Continue it with: {command}', command=command)}")
        return
    kept = saved.finish()
    if record is not None:
        with atomic_text(record) as file:
            file.write(saved.match.record().to_json() + "\n")
    table.screen.print(t("The record is in {file}", file=record or kept), soft_wrap=True)
    if receipt is not None:
        from pasch.terminal.verify import receipt_of

        with atomic_text(receipt) as file:
            file.write(receipt_of(saved).to_json() + "\n")
        table.screen.print(t("The receipt is in {file}", file=receipt), soft_wrap=True)


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
        self.screen.print(standings(self.saved))
        self.screen.print(final_words(self.state))

    @property
    def _number(self) -> int:
        """The number of the next event, counted from 1."""
        return len(self.saved.match) + 1

    def _welcome(self) -> None:
        game = self.saved.match.game
        who = " · ".join(
            f"{seat_name(seat)}: {player_name(name)}" for seat, name in enumerate(self.saved.header.seats)
        )
        self.screen.print(Text(word(game.title), style="bold"))
        self.screen.print(who)
        if self.saved.header.dice == "pasch":
            # before the first roll, so that nobody can choose dice afterwards
            self.screen.print(t("Dice sealed as {seal}", seal=commitment(self.saved.seed)), soft_wrap=True)
        self.screen.print(f"{t('Type ? at any prompt for help.')}\n")
        if events := len(self.saved.match):
            so_far = tn("After {n} event:", "After {n} events. The last of them:", events)
            self.screen.print(Text(so_far, style="italic"))
            self._retell(self._common_viewer(), max(0, events - 5))

    # --- what happens -----------------------------------------------------------------------------

    def _happen(self, event: Event) -> None:
        """Save the event, then show it."""
        before = self.state
        self.saved.play(event)
        self._tell(before, event, self._common_viewer())

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
        if seat is not None and seat in self._people:
            self._hand_over(seat)
        while True:
            typed = ask(self.screen, self.board.prompt(self.state) + ":")
            try:
                done = self._command(typed, seat, anyone=True)
                if done == "no command":
                    self._happen(self.board.read_outcome(self.state, typed))
                    return
                if done == "undone":
                    return
            except PaschError as error:
                self._complain(error)

    def _person(self, seat: int) -> None:
        """Let a person choose a move, or undo."""
        self._hand_over(seat)
        menu = Menu(self.board, self.state.view(seat))
        self._draw(seat)
        self._offer(menu)
        while True:
            if len(self._people) == 1:
                question = t("Your choice ({choices}; ? help):", choices=menu.question())
            else:
                question = t(
                    "{name}, your choice ({choices}; ? help):",
                    name=seat_name(seat),
                    choices=menu.question(),
                )
            typed = ask(self.screen, question)
            try:
                done = self._command(typed, seat)
                if done == "no command":
                    move = menu.answer(typed)
                    if move is not None:
                        self._happen(move)
                        return
                if done == "undone":
                    return
            except PaschError as error:
                self._complain(error)
                continue
            if done == "no command" or typed.lower() == "b":
                self._offer(menu)

    # --- what is typed ----------------------------------------------------------------------------

    def _command(
        self, typed: str, seat: int | None, *, anyone: bool = False
    ) -> Literal["no command", "obeyed", "undone"]:
        """Run a command of the prompt. After `undone` the caller has to start its question again."""
        word = typed.lower()
        if word in {"q", "quit", "exit"}:
            raise Leave
        if word in {"u", "undo"}:
            self.saved.undo(undo_steps(self.saved, None if anyone else seat))
            self._last_shown = {s: min(last, len(self.saved.match)) for s, last in self._last_shown.items()}
            self.screen.print(t("Taken back."))
            return "undone"
        if word in {"?", "help"}:
            self.screen.print(_help())
        elif word in {"h", "hint"}:
            hint(self.screen, self.state, seat)
        elif word == "b":
            self._draw(seat)
        elif word == "r":
            self.screen.print(rules_page(self.saved.header.game))
        else:
            return "no command"
        return "obeyed"

    def _complain(self, error: PaschError) -> None:
        why = reason(error)
        self.screen.print(Text(f"{why[:1].upper()}{why[1:]}.", style="red"))

    # --- what is shown ----------------------------------------------------------------------------

    def _common_viewer(self) -> Viewer:
        """The viewer whose knowledge all at the screen may share; a seat called to it is alone there."""
        if self._at_screen is not None:
            return self._at_screen
        if not self._people:
            return "all"
        return self._people[0] if len(self._people) == 1 else None

    def _draw(self, seat: int | None) -> None:
        """The board as this seat may see it; without a seat, as the viewer at the screen may."""
        self.screen.print()
        viewer = self._common_viewer() if seat not in self._people else seat
        self.screen.print(self.board.draw(seen(self.state, viewer)))

    def _offer(self, menu: Menu) -> None:
        self.screen.print()
        self.screen.print(menu.draw())

    def _tell(self, before: State, event: Event, viewer: Viewer) -> None:
        if viewer != "all":
            event, before = event.view(viewer), before.view(viewer)
        self.screen.print(Text(self.board.tell(before, event)))

    def _retell(self, viewer: Viewer, start: int) -> None:
        match = self.saved.match
        for number in range(start, len(match)):
            self._tell(match.at(number), match.events[number], viewer)

    def _hand_over(self, seat: int) -> None:
        """Clear a shared screen and call the next person to it, if hands are hidden."""
        if len(self._people) < 2 or self.state.view(None) == self.state:
            return
        if self._at_screen != seat:
            wipe(self.screen)
            ask(self.screen, t("{name}, press Enter when it's you.", name=seat_name(seat)))
            wipe(self.screen)
            self._at_screen = seat
            self._retell(seat, self._last_shown[seat])
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


def seen(state: State, viewer: Viewer) -> State:
    """The state as the viewer may know it."""
    return state if viewer == "all" else state.view(viewer)


def undo_steps(saved: SavedGame, seat: int | None) -> int:
    """How many events are undone when `seat` (None: whoever moved last) takes a move back.

    The computer's moves after it go too. Never across a roll; only a roll that somebody typed in
    wrongly may be typed again.
    """
    match = saved.match
    for index in range(len(match) - 1, saved.fixed - 1, -1):
        mover = match.at(index).actor
        if mover in saved.people:
            if seat is not None and mover != seat:
                raise CannotUndo("{who} has moved since", who=seat_name(mover))
            return len(match) - index
    if saved.header.dice == "real" and 0 < saved.fixed <= len(match):
        return len(match) - saved.fixed + 1
    raise CannotUndo("there is no move of yours since the last roll or card; never across a roll")
