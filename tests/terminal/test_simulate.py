"""Many games: the same seed is the same file, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from pasch.core.chance import derive, seed_key, subkey
from pasch.core.errors import OptionError
from pasch.core.record import Record
from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE
from pasch.players import arena
from pasch.players.base import player
from pasch.terminal import simulate
from tests.terminal.conftest import Pasch

SHORT = ("simulate", "joker1", "--option", "rounds=2", "--seats", "random,greedy", "--games", "5")


def test_the_same_seed_gives_the_same_bytes(pasch: Pasch, tmp_path: Path) -> None:
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        assert pasch(*SHORT, "--seed", seed, "--records", tmp_path / name).exit_code == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_a_game_does_not_depend_on_how_many_are_played(pasch: Pasch, tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    pasch(*SHORT, "--records", few)
    pasch(*SHORT, "--games", "8", "--records", many)
    assert many.read_bytes().startswith(few.read_bytes())


def test_records_are_right(pasch: Pasch, tmp_path: Path) -> None:
    pasch(*SHORT, "--records", tmp_path / "r.jsonl")
    assert pasch("verify", tmp_path / "r.jsonl").stdout == "ok: 5 games\n"


def test_records_to_stdout_stand_alone_there(pasch: Pasch, tmp_path: Path) -> None:
    pasch(*SHORT, "--records", tmp_path / "r.jsonl")
    done = pasch(*SHORT, "--records", "-")
    assert done.stdout == (tmp_path / "r.jsonl").read_text("utf-8")
    assert "win share" in done.stderr


def test_summary(pasch: Pasch) -> None:
    done = pasch(*SHORT)
    for words in ("mean score", "standard error", "win share", "5 games in", "greedy"):
        assert words in done.stdout
    assert "–" in pasch(*SHORT, "--games", "1").stdout


def test_tally_counts_by_hand() -> None:
    tally = simulate.Tally()
    for score, win in ((1, 1.0), (3, 0.5), (5, 0.0)):
        tally.add(score, win)
    # the variance of 1 3 5 is 4, so the standard error is the root of 4/3
    assert tally.mean == 3 and tally.wins == 1.5
    assert tally.error == pytest.approx((4 / 3) ** 0.5)


def test_an_interrupted_run_leaves_no_half_file(
    pasch: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[object] = []

    def interrupted(*arguments: object) -> object:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(arena.play_game(*arguments))  # type: ignore[arg-type]
        return played[-1]

    monkeypatch.setattr(simulate, "play_game", interrupted)
    done = pasch(*SHORT, "--records", tmp_path / "r.jsonl")
    assert done.exit_code == 130
    assert "interrupted after 3 of 5 games" in done.stderr and "No file was written" in done.stderr
    assert list(tmp_path.glob("*r.jsonl*")) == []


def test_a_target_that_cannot_be_written_is_one_line(pasch: Pasch, tmp_path: Path) -> None:
    done = pasch(*SHORT, "--records", tmp_path / "nowhere" / "r.jsonl")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1 and "No such file" in done.stderr


def test_nobody_can_sit_in_for_a_person(pasch: Pasch) -> None:
    done = pasch("simulate", "joker1", "--seats", "me")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", game_ids())
def test_chance_follows_from_the_key_and_the_number_of_the_event(name: str) -> None:
    game = find_game(name).agree(2)
    key = subkey(seed_key("s"), "game", 0)
    match = arena.play_game(game, [player("random")] * 2, key)
    for number, event in enumerate(match.events, 1):
        before = match.at(number - 1)
        if before.actor == CHANCE:
            chance = before.chance()
            assert event == chance.pick(derive(key, number, chance.total))
    assert match.state.over
    Record.from_json(match.record().to_json()).verify()


def test_a_seat_needs_a_player() -> None:
    with pytest.raises(OptionError):
        arena.play_game(find_game("joker1").agree(2), [player("random")], bytes(32))
