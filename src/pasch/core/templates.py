"""Templates of rule functions: what compiled code calls for a kind of phase, with names to be filled in.

`bind` copies a function of this file with other names in it. The copy still has its file, so that its machine code can
be kept; the same copy runs plain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, TypeAlias

from pasch.core.rolls import roll_of_case

#: a rule function over the config `g` and the numbers `s` of a position
Rule: TypeAlias = Callable[..., Any]


def bind(pattern: Rule, attributes: Mapping[str, str] | None = None, **names: Any) -> Any:
    """A copy of a template in which attributes have other names, and global names stand for something else."""
    assert isinstance(pattern, FunctionType)
    code, attributes = pattern.__code__, attributes or {}
    code = code.replace(co_names=tuple([attributes.get(name, name) for name in code.co_names]))
    made = FunctionType(code, pattern.__globals__ | names, pattern.__name__, pattern.__defaults__)
    made.__module__ = pattern.__module__
    return made


# --- moves and chances ---------------------------------------------------------------------------------


def every_code(g: Any, s: Any, out: Any) -> int:
    for code in range(COUNT):
        out[code] = code
    return COUNT


def fixed_number(g: Any, s: Any) -> int:
    return COUNT


def field_number(g: Any, s: Any) -> int:
    return s.field_number


def dice_cases(g: Any, s: Any) -> int:
    return int(6 ** dice_rolled(g, s))


def dice_land(g: Any, s: Any, case: int) -> None:
    then(g, s, roll_of_case(dice_rolled(g, s), case))


def named_cases(g: Any, s: Any) -> int:
    found = 1
    for die in range(len(s.field_aside)):
        if s.field_aside[die] == 0:
            found *= 6
    return found


def named_land(g: Any, s: Any, case: int) -> None:
    for die in range(len(s.field_aside) - 1, -1, -1):
        s.field_rolled[die] = 0
        if s.field_aside[die] == 0:
            s.field_rolled[die] = case % 6 + 1
            case //= 6
    then(g, s)


def pile_cases(g: Any, s: Any) -> int:
    return len(g.field_of) - s.field_count


def pile_land(g: Any, s: Any, case: int) -> None:
    thing = 0
    while case > 0 or is_among(thing, s.field_drawn, s.field_count):
        if not is_among(thing, s.field_drawn, s.field_count):
            case -= 1
        thing += 1
    then(g, s, thing)


def is_among(thing: int, row: Any, count: int) -> bool:
    """Whether a number is one of the first `count` of a row."""
    for place in range(count):
        if row[place] == thing:
            return True
    return False


def turn_land(g: Any, s: Any, case: int) -> None:
    then(g, s, g.field_of[s.field_count % len(g.field_of)])


def cards_cases(g: Any, s: Any) -> int:
    left = 0
    for kind in range(len(s.field_pack)):
        left += s.field_pack[kind]
    return left


def cards_land(g: Any, s: Any, case: int) -> None:
    card = 1
    while case >= s.field_pack[card - 1]:
        case -= s.field_pack[card - 1]
        card += 1
    give(g, s, receiver(g, s), card)
    s.field_given += 1
    if s.field_given == wanted(g, s):
        s.field_given = 0
        then(g, s)


# --- all phases of a game ------------------------------------------------------------------------------


def by_phase(pattern: Rule, words: Sequence[str], rules: Mapping[str, Rule]) -> Rule:
    """One function that asks the rule of the phase: a chain of copies; it does nothing if no phase has such a rule."""
    *others, last = [word for word in words if word in rules] or [""]
    made = rules.get(last, nothing)
    for word in reversed(others):
        made = bind(pattern, PHASE=words.index(word), here=rules[word], otherwise=made)
    return made


def cases_in(g: Any, s: Any) -> int:
    if s.phase == PHASE:
        return here(g, s)
    return otherwise(g, s)


def rule_in(g: Any, s: Any, more: Any) -> Any:
    if s.phase == PHASE:
        return here(g, s, more)
    return otherwise(g, s, more)


def nothing(g: Any, s: Any, more: Any = None) -> int:
    return 0


def row_scores(g: Any, s: Any, out: Any) -> None:
    """Write each seat's score, which stands in a field by seat."""
    for seat in range(g.players):
        out[seat] = s.field_scores[seat]


# --- names in the templates that `bind` fills in -----------------------------------------------------------

COUNT = PHASE = 0


def _never(*_: Any) -> Any:
    raise NotImplementedError


here = otherwise = dice_rolled = then = wanted = receiver = give = _never
