"""Reading dice and cards off a real table: which values are asked for, and the outcome that they make."""

from __future__ import annotations

from collections.abc import Sequence

from pasch.core.chance import Chance, OneOf
from pasch.core.errors import IllegalOutcome
from pasch.core.events import Event


def parts(chance: Chance) -> tuple[str, ...]:
    """What has to be read, one word for each value: `die`, `card`, or the name of what is drawn."""
    kind = chance.described()["kind"]
    example = chance.pick(0)
    word = {"dice": "die", "cards": "card"}.get(kind) or next(iter(_fields(example)), "thing")
    return (word,) * len(chance.steps(example))


def readable(chance: Chance) -> tuple[int, ...]:
    """The values that the first part may have: faces, cards, or the numbers of the things not drawn yet."""
    return _numbers(chance) or tuple([value for value, _ in chance.step(())])


def outcome(chance: Chance, values: Sequence[int]) -> Event:
    """The outcome that the values read are; IllegalOutcome if they cannot lie there."""
    wanted = len(chance.steps(chance.pick(0)))
    if len(values) != wanted:
        template = "{expected} values are to be read, not {got}"
        raise IllegalOutcome("read", template, expected=wanted, got=len(values))
    numbers = _numbers(chance)
    prefix: tuple[int, ...] = ()
    for value in values:
        step = numbers.index(value) if value in numbers else value if not numbers else -1
        if step not in [possible for possible, _ in chance.step(prefix)]:
            raise _impossible(chance, value)
        prefix = (*prefix, step)
    return chance.finish(prefix)


def _impossible(chance: Chance, value: int) -> IllegalOutcome:
    """Why a value that was read cannot be right."""
    match chance.described():
        case {"kind": "dice"}:
            return IllegalOutcome("read", "{value} cannot lie there: a die shows 1 to 6", value=value)
        case {"kind": "cards", "pack": pack}:
            if left := dict(pack).get(value, 0):
                template = "{value} cannot lie there so often: of these cards {left} are not seen yet"
                return IllegalOutcome("read", template, value=value, left=left)
            return IllegalOutcome("read", "{value} cannot lie there: no such card is left", value=value)
        case _:
            return IllegalOutcome(
                "read", "{value} cannot lie there: it is not among what is left", value=value
            )


def _numbers(chance: Chance) -> tuple[int, ...]:
    """The numbers printed on the things of which one is drawn; empty if they have none of their own."""
    if not isinstance(chance, OneOf):
        return ()
    found = [tuple(_fields(event).values()) for event, _ in chance.outcomes()]
    numbers = tuple(value for values in found if len(values) == 1 for value in values if type(value) is int)
    return numbers if len(set(numbers)) == len(found) else ()


def _fields(event: Event) -> dict[str, object]:
    return {name: value for name, value in event.json().items() if name != "seat"}
