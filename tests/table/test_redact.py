"""The messages to a client do not depend on what it must not know; tokens are long and kept as hashes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pasch.core.registry import find_game
from pasch.games.sixbysix.events import Card, Deal, Draw
from pasch.table import tokens
from pasch.table.log import Agreement, Chair, LiveTable
from pasch.table.redact import Redactor, Viewer, visible_judgements
from pasch.table.schema import Entry, Judgement, Position


def live_table(game: str, players: int, dice: str = "pasch", **options: Any) -> LiveTable:
    chairs = tuple(Chair(kind="here", name=f"P{seat}") for seat in range(players))
    agreement = Agreement(
        game=game, options=options, chairs=chairs, coach="off", dice=dice, made=0, watch="", maker=""  # type: ignore[arg-type]
    )  # fmt: skip
    live = LiveTable("t", agreement)
    # everybody has added to the dice
    live.current = msgspec.structs.replace(live.current, contributions=("",) * players).begun()
    return live


def view(live: LiveTable, viewer: Viewer, since: int = 0) -> tuple[tuple[Entry, ...], Position]:
    redactor = Redactor(live)
    return redactor.page(viewer, since).entries, redactor.position(viewer)


def read(encoded: Any) -> Any:
    """Parts of a message are made once and kept encoded."""
    return msgspec.json.decode(encoded)


def deal() -> LiveTable:
    live = live_table("sixbysix", 3)
    live.apply(live.play(Deal(((3, 9), (1, 4), (5, 6)))))
    return live


def test_round_one_screen_the_view_is_that_of_whose_turn_it_is() -> None:
    live = deal()
    entries, position = view(live, Viewer((0, 1)))
    assert position.as_seat == 0
    # of the deal only what all may know: the other person may be looking
    assert read(entries[0].body) == {"deal": [[None, None]] * 3}
    live.apply(live.play(Card(0, 9, 6)))
    live.apply(live.play(Draw(0, (1, 2))))
    assert Redactor(live).position(Viewer((0, 1))).as_seat == 1
    live.apply(live.play(Card(1, 4, 6)))
    live.apply(live.play(Draw(1, (1, 2))))
    # now it is the turn of a person elsewhere: no hand is open
    _, position = view(live, Viewer((0, 1)))
    assert position.as_seat is None and position.moves == ()
    assert b"5" not in bytes(msgspec.json.encode(read(position.snapshot)["hands"]))


def test_only_the_seat_to_choose_is_offered_moves() -> None:
    live = live_table("joker1", 2)
    live.apply(live.play(live.game.read_event({"seat": 0, "roll": [1, 2, 4]})))
    assert Redactor(live).position(Viewer((0,))).moves
    for viewer in (Viewer((1,)), Viewer(), Viewer((), True)):
        assert Redactor(live).position(viewer).moves == ()
    live.apply(live.change("computer", seat=0, level="greedy"))
    assert Redactor(live).position(Viewer((0,))).moves == ()


def test_of_moves_that_do_the_same_only_the_first_is_offered() -> None:
    live = live_table("lines", 2, plans=[1])
    game = find_game("lines")
    for event in ({"plan": 1}, {"seat": 0, "roll": [1, 2, 3]}):
        live.apply(live.play(game.read_event(event)))
    _, position = view(live, Viewer((0,)))
    tokens = [tuple(choice["tokens"]) for choice in read(position.moves)]
    assert len(tokens) == len(set(tokens)) < len(live.state.moves()) + 1


@pytest.mark.parametrize(("game", "open_to_all"), [("sixbysix", False), ("joker1", True)])
def test_what_the_coach_says_of_a_hidden_hand_is_for_its_seat_alone(game: str, open_to_all: bool) -> None:
    judgement = Judgement(1, 0, "move", 1.0, {"seat": 0, "card": 9, "field": 1})
    live = live_table(game, 2)
    assert visible_judgements(live, Viewer((0,)), [judgement])
    for viewer in (Viewer((1,)), Viewer(), Viewer((0, 1))):
        assert bool(visible_judgements(live, viewer, [judgement])) is open_to_all
    live.apply(live.change("adjudicate", winners=[0], by="scores", value=None, win=None))
    assert visible_judgements(live, Viewer(), [judgement])


def test_only_the_token_itself_fits() -> None:
    token = tokens.new_token()
    assert token != tokens.new_token() and tokens.TOKEN_BYTES * 8 >= 128
    kept = tokens.hash_token(token)
    assert token not in kept
    assert tokens.matches(tokens.hash_tokens(["x" * 20, token]), kept)
    assert not tokens.matches(tokens.hash_tokens([token[:-1], token + "x", ""]), kept)
    assert not tokens.matches(tokens.hash_tokens([token]), None)
    assert not tokens.matches((), kept)


def test_a_seat_token_follows_from_key_invitation_and_command_alone() -> None:
    follows = (b"key", "invitation", "command")
    made = tokens.seat_token(*follows)
    assert made == tokens.seat_token(*follows)
    for place, other in enumerate((b"yek", "invitatiom", "commamd")):
        changed: Any = (*follows[:place], other, *follows[place + 1 :])
        assert tokens.seat_token(*changed) != made
