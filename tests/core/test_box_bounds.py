"""How large a box from a stranger may be: each game states it, at most three times what is printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from pasch.core.components import Components, check_printed_bounds, read_components
from pasch.core.errors import ComponentError
from pasch.core.registry import find_game, game_ids

BOUNDS = [
    (game, place, most)
    for game in game_ids()
    for place, most in find_game(game).Components.printed_bounds.items()
]


def written_box(game: str) -> Any:
    """The box that ships with a game, as plain values to change."""
    return json.loads(msgspec.json.encode(find_game(game).default_components()))


def read(game: str, written: Any) -> Components:
    return read_components(find_game(game).Components, game, written)


def entries(written: Any, path: str) -> Iterator[tuple[Any, Any]]:
    """Where a bound's numbers or lists stand: what holds each of them, and its key in there."""
    step, _, rest = path.partition(".")
    name, _, which = step.removesuffix("]").partition("[")
    found: list[tuple[Any, Any]] = [(written, name)]
    if step != name:
        numbers = [int(which)] if which else range(len(written[name]))
        found = [(written[name], number) for number in numbers]
    for holder, key in found:
        yield from entries(holder[key], rest) if rest else [(holder, key)]


def size(found: Any) -> int:
    return len(found) if isinstance(found, list) else found


@pytest.mark.parametrize("game", game_ids())
def test_the_printed_box_is_within_the_bounds(game: str) -> None:
    assert find_game(game).Components.printed_bounds
    check_printed_bounds(find_game(game).default_components())


@pytest.mark.parametrize(("game", "path", "most"), BOUNDS)
def test_a_bound_is_at_most_three_times_what_is_printed(game: str, path: str, most: int) -> None:
    printed = max(size(holder[key]) for holder, key in entries(written_box(game), path))
    assert printed <= most <= 3 * printed


@pytest.mark.parametrize(("game", "path", "most"), BOUNDS)
@pytest.mark.parametrize("over", [0, 1])
def test_what_is_larger_is_refused_with_its_place(game: str, path: str, most: int, over: int) -> None:
    written = written_box(game)
    holder, key = [*entries(written, path)][-1]
    found = holder[key]
    holder[key] = (found * 50)[: most + over] if isinstance(found, list) else most + over
    box = read(game, written)
    if not over:
        check_printed_bounds(box)
        return
    with pytest.raises(ComponentError, match=f"at most {most} here, not {most + 1}") as caught:
        check_printed_bounds(box)
    assert caught.value.place.rpartition(".")[2].partition("[")[0] == path.rpartition(".")[2].removesuffix(
        "[]"
    )


def test_a_large_box_of_ones_own_can_still_be_played_with() -> None:
    """Old logs and local files keep the bounds they had."""
    written = written_box("joker1") | {"dice": 4}
    for combination in written["combinations"]:
        combination["value"] = 1000
    box = read("joker1", written)
    box.check(2)
    with pytest.raises(ComponentError, match=r"combinations\[0\].value: a box may have at most 63 here"):
        check_printed_bounds(box)
