"""Boxes of one's own: what is wrong with one is said with its place, and the rules follow a right one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from pasch.core.components import Components, check_printed_bounds, read_components
from pasch.core.errors import ComponentError, IllegalOutcome
from pasch.core.record import Record
from pasch.core.registry import find_game, game_ids
from pasch.core.rules import mask_of
from pasch.games.crowns.box import mask
from pasch.games.crowns.rules import score
from pasch.games.fiese15.rules import tile
from pasch.games.lines.rules import points
from pasch.games.sixbysix.events import Deal
from pasch.games.sixbysix.settling import settle
from tests.games.rulebook import play

BEYOND = [
    (game, path, wrong)
    for game in game_ids()
    for path, (least, most) in find_game(game).Components.bounds.items()
    for wrong in (least - 1, most and most + 1)
    if wrong is not None
]


def written_box(game: str) -> Any:
    """The box that ships with a game, as plain values to change."""
    return json.loads(msgspec.json.encode(find_game(game).default_components()))


def read(game: str, written: Any) -> Components:
    return read_components(find_game(game).Components, game, written)


def entries(written: Any, path: str, place: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Where a bound's numbers or lists stand: what holds each of them, its key in there, and its place."""
    step, _, rest = path.partition(".")
    name, _, which = step.removesuffix("]").partition("[")
    place = f"{place}.{name}".lstrip(".")
    found: list[tuple[Any, Any, str]] = [(written, name, place)]
    if step != name:
        numbers = [int(which)] if which else range(len(written[name]))
        found = [(written[name], number, f"{place}[{number}]") for number in numbers]
    for holder, key, where in found:
        yield from entries(holder[key], rest, where) if rest else [(holder, key, where)]


def size(found: Any) -> int:
    return len(found) if isinstance(found, list) else found


def box_with(game: str, path: str, number: int) -> tuple[Components, str]:
    """The printed box with this number, or as many entries, at the last place of a bound; and that place."""
    written = written_box(game)
    holder, key, place = [*entries(written, path)][-1]
    if isinstance(holder[key], dict):
        holder, key = holder[key], [*holder[key]][-1]
        place = f"{place}.{key}"
    holder[key] = (holder[key] * 50)[:number] if isinstance(holder[key], list) else number
    return read(game, written), place


@pytest.mark.parametrize(("game", "path", "wrong"), BEYOND)
def test_what_is_beyond_a_bound_is_refused_at_its_place(game: str, path: str, wrong: int) -> None:
    box, place = box_with(game, path, wrong)
    with pytest.raises(ComponentError, match=f"at (least|most) .* here, not {wrong}") as caught:
        box.check(2)
    assert caught.value.place == place


#: what a printed box is changed to, by place, and how that is refused
LINES = written_box("lines")["plans"][0]["lines"]
DECK = [{"card": card, "number": 20} for card in (1, 2, 1)]
TILES = {"players": 2, "values": [1, 3]}
MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("crowns", {"rows[1].value": 1}, "rows[1].value: there are two rows of"),
    ("crowns", {"rows[4].provenance": ["seen"]}, "rows[4].provenance: one word for the row or six"),
    ("joker1", {"combinations[1].name": "Parade"}, "Parade is there twice"),
    ("joker1", {"combinations[0].name": " "}, "combinations[0].name: a name has 1 to 40 letters"),
    ("joker1", {"combinations[0].name": "a\nb"}, "combinations[0].name: a name has 1 to 40 letters"),
    ("joker1", {"combinations[0].slides": [1, 1]}, "combinations[0].slides: a slide is named twice"),
    ("fiese15", {"rounds": 16}, "strips: 16 strips are drawn, but there are only 15"),
    ("fiese15", {"strips[3].front.red": 5}, "strips[3].front: the targets must add up to 15, not"),
    ("fiese15", {"strips[3].provenance": ["seen"]}, "strips[3].provenance: one word for the strip or"),
    ("fiese15", {"tiles": []}, "tiles: there are no tiles for 2 players"),
    ("fiese15", {"tiles": [TILES | {"values": [1]}]}, "tiles[0].values: 2 players need as many tiles"),
    ("fiese15", {"tiles": [TILES | {"values": [3, 1]}]}, "tiles[0].values: the tiles have to be in"),
    ("fiese15", {"tiles": [TILES, TILES]}, "tiles[1]: there are tiles for 2 players already"),
    ("sixbysix", {"deck": DECK}, "deck[2].card: 1 is there twice"),
    ("sixbysix", {"deck": [{"card": 1, "number": 23}]}, "deck: 24 cards are needed, not 23"),
    ("lines", {"plans[3].dice": 4}, "plans[3].numbers: with these dice the highest number is 1 to 24"),
    ("lines", {"plans[0].numbers": 0}, "plans[0].numbers: with these dice the highest number is 1 to 18"),
    ("lines", {"plans[0].numbers": 13}, "plans[0].tips: the numbers 1 to 13 must be drawn"),
    ("lines", {"plans[2].numbers": 15}, "plans[2].square: the numbers 1 to 15 must be drawn"),
    ("lines", {"plans[0].sum": 27}, "plans[0].lines[0]: the line must add up to 27, not 26"),
    ("lines", {"plans[0].lines": LINES[1:]}, "plans[0].lines: there have to be 6 lines, not 5"),
    (
        "lines",
        {"plans[0].lines": [*LINES, LINES[0]], "plans[0].line_count": 7},
        "plans[0].lines: a line is there twice",
    ),
    ("lines", {"plans[3].line_length": 4}, "plans[3].lines[0]: a line has 4 numbers, not 5"),
    ("lines", {"plans[0].lines[1]": [12, 4, 3, 7]}, "the drawing has the line 4 5 6 11 too"),
    ("lines", {"plans[0].lines[1]": [9, 2, 4, 11]}, "the drawing has no line 2 4 9 11"),
    ("lines", {"plans[0].tips": [1, 5, 12, 6, 7]}, "a star has at least 5 tips and as many inner numbers"),
    ("lines", {"plans[0].inner": []}, "a star has at least 5 tips and as many inner numbers"),
    ("lines", {"plans[0].step": 3}, "plans[0].step: a step is 2 to 2, not 3"),
    ("lines", {"plans[0].square": [[1]]}, "plans[0]: a plan is drawn either as a square or as a star"),
    ("lines", {"plans[2].square": []}, "plans[2]: a plan is drawn either as a square or as a star"),
    ("lines", {"plans[2].square[3]": [4, 15, 14]}, "plans[2].square: a square has as many columns as rows"),
    ("lines", {"plans[2].square[0]": [13, 2, 3, 16]}, "plans[2].lines: the drawing has no line"),
]


@pytest.mark.parametrize(("game", "changes", "said"), MISTAKES)
def test_a_box_that_is_not_right_is_refused_at_its_place(
    game: str, changes: dict[str, Any], said: str
) -> None:
    written = written_box(game)
    for path, value in changes.items():
        for holder, key, _ in entries(written, path):
            holder[key] = value
    with pytest.raises(ComponentError) as caught:
        read(game, written).check(2)
    assert said in caught.value.reason


def agree(game: str, players: int, **changes: Any) -> Any:
    """A game with another box and, of the other keywords, options."""
    written = written_box(game)
    box = {name: changes.pop(name) for name in [*changes] if name in written}
    return find_game(game).agree(players, {"components": written | box, **changes})


# --- the rules follow -----------------------------------------------------------------------------------


def test_crowns_follows_its_box() -> None:
    rows = written_box("crowns")["rows"][::-1]
    rows[4] = {"value": 2, "crowns": [7, 0, 0, 0, 0, 20]}
    game = agree("crowns", 1, rows=rows, chips={"number": 2})
    state = play(game.start(), "roll:6,6,5,5,3,2; place:2,6")
    assert (state.scores(), state.left) == ((20,), (1,))
    assert play(state, "roll:6,6,5,5,3,2; place:2,1").over
    assert score(game.config, mask(tuple((2, count) for count in range(1, 6)))) == 7
    assert Record.of(game, (), state).options["components"]["chips"]["number"] == 2


def test_joker1_follows_its_box() -> None:
    one = {"name": "Einer", "slides": [1], "value": 3}
    state = agree("joker1", 1, dice=2, jokers=1, combinations=[one], rounds=1).start()
    assert state.chance().total == 36
    state = play(state, "roll:1,1; push:1")
    assert state.combination == ("Einer", 3)
    assert play(state, "next:jokers; roll:1").totals == (6,)


def test_joker2_follows_its_box() -> None:
    start = agree("joker2", 1, slides=[2] * 9, bonus=50, factor=3, rounds=1).start()
    assert play(start, "roll:6,2; push:8 how:6+2; next:stop").totals == (-16,)
    helped = msgspec.structs.replace(start, slides=0b110111111, fivefold=True)
    assert play(helped, "roll:4,1").totals == (-3 * (2 + 4 + 1),)
    assert play(helped, "roll:4,2; push:7 how:4-2+5").totals == (50,)


def test_fiese15_follows_its_box() -> None:
    strips = written_box("fiese15")["strips"]
    strips.append({"front": strips[0]["front"], "back": strips[0]["back"] | {"blue": 2, "green": 5}})
    strips[0]["front"] |= {"red": 1, "blue": 5}
    box = {"rounds": 1, "strips": strips, "tiles": [{"players": 2, "values": [2, 6]}]}
    start = agree("fiese15", 2, **box).start()
    assert start.chance().total == 16 and play(start, "strip:0").targets == (1, 5, 1, 1, 1, 6)
    handicap = agree("fiese15", 2, handicap=True, **box)
    assert play(handicap.start(), "strip:15").targets == (5, 2, 1, 1, 1, 5)
    assert [tile(handicap.config, (4, 9), 1, seat) for seat in (0, 1)] == [6, 2]


def test_lines_follows_its_box() -> None:
    plans = written_box("lines")["plans"]
    star = [[1, 4, 14, 11], [3, 14, 6, 7], [13, 6, 2, 9], [11, 2, 12, 5], [7, 12, 10, 1], [9, 10, 8, 3]]
    tips, inner = [1, 3, 13, 11, 7, 9, 5], [4, 14, 6, 2, 12, 10, 8]
    plans[1] |= {"tips": tips, "inner": inner, "step": 3, "lines": [*star, [5, 8, 4, 13]]}
    game = agree("lines", 1, plans=plans)
    assert points(game.plans[1].lines, mask_of((1, 4, 11, 14))) == 1
    assert points(agree("lines", 1).plans[1].lines, mask_of((1, 4, 11, 14))) == 0


def test_sixbysix_follows_its_box() -> None:
    deck = [{"card": card, "number": 6} for card in (1, 2, 3, 9)]
    state = agree("sixbysix", 2, start={"chips": 30}, bonus={"chips": 7}, deck=deck).start()
    assert (state.unseen, state.chips) == ((6, 6, 6, 0, 0, 0, 0, 0, 6), (30, 30))
    with pytest.raises(IllegalOutcome):
        state.apply(Deal(((4, 1), (2, 2))))
    chips = [*state.chips]
    settle(False, state.game.config.bonus, [(1,) * 6, (9, 2, 2, 2, 2, 9)], (0, 1), 2, chips, 0)
    assert chips[1] == state.chips[1] + 7


# --- the boxes that come with the games ---------------------------------------------------------------------


def test_a_box_adds_up_to_what_a_real_one_shows() -> None:
    said = [str(one) for one in find_game("crowns").default_components().totals()]
    assert said[0].startswith("crowns in the rows of 5 to 1: 20 ") and said[0].endswith(" 3")
    assert said[1].startswith("crowns in the columns 1× to 5×: 3 ") and said[1].endswith(" 20")
    assert said[2] == "crowns on the diagonals from 1×1 and from 5×1: 12 10"
    assert list(map(str, find_game("sixbysix").default_components().totals())) == ["84 cards in all"]


# --- how large a box from a stranger may be: at most three times what is printed -----------------------------

BOUNDS = [
    (game, place, most)
    for game in game_ids()
    for place, most in find_game(game).Components.printed_bounds.items()
]


@pytest.mark.parametrize(("game", "path", "most"), BOUNDS)
def test_what_is_larger_is_refused_with_its_place(game: str, path: str, most: int) -> None:
    printed = max(size(holder[key]) for holder, key, _ in entries(written_box(game), path))
    assert printed <= most <= 3 * printed
    check_printed_bounds(box_with(game, path, most)[0])
    box, place = box_with(game, path, most + 1)
    with pytest.raises(ComponentError, match=f"at most {most} here, not {most + 1}") as caught:
        check_printed_bounds(box)
    assert caught.value.place == place


def test_a_large_box_of_ones_own_can_still_be_played_with() -> None:
    """Old logs and local files keep the bounds they had."""
    written = written_box("joker1") | {"dice": 4}
    for combination in written["combinations"]:
        combination["value"] = 1000
    box = read("joker1", written)
    box.check(2)
    with pytest.raises(ComponentError, match=r"combinations\[0\].value: a box may have at most 63 here"):
        check_printed_bounds(box)
