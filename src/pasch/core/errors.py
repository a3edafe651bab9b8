"""The errors that Pasch raises for invalid input.

An error keeps its English sentence as a template beside the values filled in, so that the
browser table can say the same thing in another language.
"""

from __future__ import annotations

from typing import Any


class PaschError(Exception):
    """The root of all errors that a user of Pasch can cause.

    Details named `seat`, `turn` and `seats` are seats, counted from 0; the sentence counts them from 1. One named
    `detail` is for developers: the sentence is complete without it.
    """

    def __init__(self, template: str, **details: Any) -> None:
        self.template = template
        self.details = details
        said = template.format(**{name: _shown(name, value) for name, value in details.items()})
        super().__init__(f"{said} ({details['detail']})" if details.get("detail") else said)

    def __reduce__(self) -> Any:
        # pickle would call `__init__` with the sentence
        return _unpickled, (type(self), self.args, vars(self))

    @property
    def reason(self) -> str:
        """The sentence in English, with `detail` in brackets."""
        return str(self)


def _unpickled(kind: type[PaschError], sentence: tuple[str], attributes: dict[str, Any]) -> PaschError:
    error = kind.__new__(kind, *sentence)
    vars(error).update(attributes)
    return error


def _shown(name: str, value: Any) -> Any:
    """A detail as the English sentence has it."""
    from pasch.core.words import shown  # only when something is wrong: it takes a while to import

    if name == "seats" and isinstance(value, list | tuple):
        return shown([seat + 1 for seat in value])
    if name in ("seat", "turn") and isinstance(value, int):
        return f"seat {value + 1}"
    return shown(value) if isinstance(value, list | tuple) else value


class UnknownGame(PaschError):
    """No game has this name."""


class UnknownPlayer(PaschError):
    """No computer player has this name."""


class OptionError(PaschError):
    """An option of a game is unknown, missing or out of its bounds."""


class ArgumentError(OptionError):
    """An argument has the wrong type or is out of bounds."""


class ComponentError(PaschError):
    """A component file does not describe a box that the game can be played with.

    `place` says where in the file, for example ``strips[3].targets``.
    """

    def __init__(self, place: str, template: str, **details: Any) -> None:
        self.place = place
        super().__init__("{place}: " + template, place=place, **details)


class EventError(PaschError):
    """An event is not written as the record format demands."""


class PositionError(PaschError):
    """This is not written as a position of the game, or its numbers are out of their bounds."""


class Illegal(PaschError):
    """The rules forbid an event here. `rule` names the rule in one short word or two."""

    def __init__(self, rule: str, template: str, **details: Any) -> None:
        self.rule = rule
        super().__init__(template, **details)


class IllegalMove(Illegal):
    """A seat may not do this."""


class IllegalOutcome(Illegal):
    """Chance cannot bring this: wrong dice, cards that are not there, an impossible face."""


class RecordError(PaschError):
    """A record is not a complete, correct game.

    `event` counts from 1; it is None where no single event is to blame.
    """

    def __init__(self, template: str, *, event: int | None = None, **details: Any) -> None:
        self.event = event
        super().__init__(template, **details)
