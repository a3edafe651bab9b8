"""Many games: the same seed is the same file, byte for byte."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pasch.core.philox import Stream, game_key
from pasch.core.record import Record
from pasch.core.registry import find_game, game_ids
from pasch.core.state import CHANCE
from pasch.lab import simulation
from pasch.players import arena
from pasch.players.base import player
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


def test_records_to_stdout_stand_alone_there(pasch: Pasch, tmp_path: Path) -> None:
    pasch(*SHORT, "--records", tmp_path / "r.jsonl")
    done = pasch(*SHORT, "--records", "-")
    assert done.stdout == (tmp_path / "r.jsonl").read_text("utf-8")
    assert "win share" in done.stderr


@pytest.mark.slow
def test_summary(pasch: Pasch) -> None:
    done = pasch(*SHORT)
    assert "win share" in done.stdout and "5 games of" in done.stdout and "█" in done.stdout
    assert "–" in pasch(*SHORT, "--games", "1").stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def stats(pasch: Pasch, *arguments: str | Path) -> dict[str, Any]:
    done = pasch(*SHORT, "--json", *arguments)
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_it_says_which_engine_played(pasch: Pasch, tmp_path: Path) -> None:
    assert "compiled engine" in pasch(*SHORT).stdout
    assert "ordinary engine (for records" in pasch(*SHORT, "--records", tmp_path / "r").stdout
    with_winner = pasch(*SHORT, "--seats", "winner,random").stdout
    assert "ordinary engine (winner plays no batches" in " ".join(with_winner.split())
    assert stats(pasch, "--engine", "ordinary")["engine"] == "ordinary"
    refused = pasch(*SHORT, "--engine", "compiled", "--records", tmp_path / "r")
    assert refused.exit_code == 1 and "no records" in refused.stderr


def test_the_summary_is_that_of_the_records(pasch: Pasch, tmp_path: Path) -> None:
    done = stats(pasch, "--records", tmp_path / "r")
    records = [Record.from_json(line) for line in (tmp_path / "r").read_text("utf-8").splitlines()]
    for seat in range(2):
        scores = [record.scores[seat] for record in records]
        wins = sum((seat in record.winners) / len(record.winners) for record in records)
        seats = done["seats"]
        assert seats[seat]["mean"] == pytest.approx(sum(scores) / 5)
        assert seats[seat]["win_share"] == pytest.approx(wins / 5)
        assert (seats[seat]["least"], seats[seat]["most"]) == (min(scores), max(scores))
    assert done == stats(pasch, "--engine", "ordinary")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["compiled", "ordinary"])
def test_the_number_of_workers_changes_nothing(
    pasch: Pasch, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    # so that there is something to share out
    monkeypatch.setattr("pasch.lab.batch.PART", 2)
    alone = stats(pasch, "--games", "11", "--engine", engine, "--workers", "1")
    assert stats(pasch, "--games", "11", "--engine", engine, "--workers", "2") == alone


def _csv(path: Path) -> list[tuple[float, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["game", "score_0", "score_1", "win_0", "win_1"]
    return [tuple(map(float, row)) for row in rows]


def _parquet(path: Path) -> list[tuple[float, ...]]:
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        assert file.num_row_groups > 1
        return [tuple(row.values()) for row in file.read().to_pylist()]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "read"), [("t.csv", _csv), ("t.parquet", _parquet)])
def test_tables_hold_every_game(
    pasch: Pasch,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    read: Callable[[Path], list[tuple[float, ...]]],
) -> None:
    monkeypatch.setattr("pasch.lab.results_file.ROW_GROUP", 4)
    done = stats(pasch, "--games", "12", "--out", tmp_path / name, "--engine", "ordinary", "--workers", "1")
    rows = read(tmp_path / name)
    assert [row[0] for row in rows] == list(range(12))
    for seat, seats in enumerate(done["seats"]):
        assert sum(row[1 + seat] for row in rows) == pytest.approx(12 * seats["mean"])
        assert sum(row[3 + seat] for row in rows) == pytest.approx(12 * seats["win_share"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p.svg", "p.png"])
def test_plots(pasch: Pasch, tmp_path: Path, name: str) -> None:
    pasch(*SHORT, "--plot", tmp_path / name)
    first = (tmp_path / name).read_bytes()
    assert b"greedy" in first if name.endswith("svg") else first.startswith(b"\x89PNG")
    pasch(*SHORT, "--plot", tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.slow
@pytest.mark.parametrize(("option", "name"), [("--plot", "p.gif"), ("--out", "t.xlsx")])
def test_other_files_are_refused_before_anything_is_played(
    pasch: Pasch, tmp_path: Path, option: str, name: str
) -> None:
    done = pasch(*SHORT, option, tmp_path / name)
    assert done.exit_code == 1 and "has to end in" in done.stderr and not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_interrupted_run_leaves_no_half_file(
    pasch: Pasch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[object] = []

    def interrupted(*arguments: object) -> object:
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(arena.play_game(*arguments))  # type: ignore[arg-type]
        return played[-1]

    monkeypatch.setattr(simulation, "play_game", interrupted)
    files = ("--records", tmp_path / "r.jsonl", "--out", tmp_path / "t.parquet")
    done = pasch(*SHORT, "--games", "9", *files, "--workers", "1")
    assert done.exit_code == 130
    assert "interrupted after 5 of 9 games" in done.stderr and "No file was written" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_target_that_cannot_be_written_is_one_line(pasch: Pasch, tmp_path: Path) -> None:
    done = pasch(*SHORT, "--records", tmp_path / "nowhere" / "r.jsonl")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1 and "No such file" in done.stderr


def test_nobody_can_sit_in_for_a_person(pasch: Pasch) -> None:
    done = pasch("simulate", "joker1", "--seats", "me")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", game_ids())
def test_chance_follows_from_stream_0_of_the_key(name: str) -> None:
    game = find_game(name).agree(2)
    key = game_key("s", 0)
    match = arena.play_game(game, [player("random")] * 2, key)
    dice = Stream(key, 0)
    for number, event in enumerate(match.events, 1):
        before = match.at(number - 1)
        if before.actor == CHANCE:
            assert event == before.chance().sample(dice)
    assert match.state.over
    Record.from_json(match.record().to_json()).verify()
