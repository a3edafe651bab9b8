"""Many games: the same seed is the same file, byte for byte."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from pasch.core.record import Record
from pasch.lab import simulation
from pasch.players import arena
from tests.terminal.conftest import Pasch

SHORT = ("simulate", "joker1", "--option", "rounds=2", "--seats", "random,greedy", "--games", "5")


def test_the_same_seed_gives_the_same_bytes_however_many_games_there_are(
    pasch: Pasch, tmp_path: Path
) -> None:
    for name, more in (("a", ()), ("b", ("--games", "8")), ("c", ("--seed", "8"))):
        assert pasch(*SHORT, "--seed", "7", *more, "--records", tmp_path / name).exit_code == 0
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert b.startswith(a) and a != c


def stats(pasch: Pasch, *arguments: str | Path) -> dict[str, Any]:
    done = pasch(*SHORT, "--json", *arguments)
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_it_says_which_engine_played(pasch: Pasch, tmp_path: Path) -> None:
    done = pasch(*SHORT).stdout
    assert "compiled engine" in done and "win share" in done and "5 games of" in done
    assert all(len(line) <= 80 for line in done.splitlines())
    assert "–" in pasch(*SHORT, "--games", "1").stdout
    assert "ordinary engine (for records" in pasch(*SHORT, "--records", tmp_path / "r").stdout
    with_winner = pasch(*SHORT, "--seats", "winner,random").stdout
    assert "ordinary engine (winner plays no batches" in " ".join(with_winner.split())
    assert stats(pasch, "--engine", "ordinary")["engine"] == "ordinary"
    refused = pasch(*SHORT, "--engine", "compiled", "--records", tmp_path / "r")
    assert refused.exit_code == 1 and "no records" in refused.stderr


def test_the_summary_is_that_of_the_records(pasch: Pasch, tmp_path: Path) -> None:
    done = stats(pasch, "--records", tmp_path / "r")
    records = [Record.from_json(line) for line in (tmp_path / "r").read_text("utf-8").splitlines()]
    for seat, shown in enumerate(done["seats"]):
        scores = [record.scores[seat] for record in records]
        assert shown["mean"] == pytest.approx(sum(scores) / 5)
        assert (shown["least"], shown["most"]) == (min(scores), max(scores))
    assert done == stats(pasch, "--engine", "ordinary", "--out", tmp_path / "t.csv")
    head, *rows = csv.reader((tmp_path / "t.csv").read_text("utf-8").splitlines())
    assert head == ["game", "score_0", "score_1", "win_0", "win_1"]
    for number, (row, record) in enumerate(zip(rows, records, strict=True)):
        shares = [(seat in record.winners) / len(record.winners) for seat in range(2)]
        assert list(map(float, row)) == pytest.approx([number, *record.scores, *shares])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p.svg", "p.png"])
def test_plots(pasch: Pasch, tmp_path: Path, name: str) -> None:
    pasch(*SHORT, "--plot", tmp_path / name)
    first = (tmp_path / name).read_bytes()
    assert b"greedy" in first if name.endswith("svg") else first.startswith(b"\x89PNG")
    pasch(*SHORT, "--plot", tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.slow
def test_other_files_are_refused_before_anything_is_played(pasch: Pasch, tmp_path: Path) -> None:
    for option, name in (("--plot", "p.gif"), ("--out", "t.xlsx")):
        assert "has to end in" in pasch(*SHORT, option, tmp_path / name).stderr
    assert not list(tmp_path.iterdir())


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
    files = ("--records", tmp_path / "r.jsonl", "--out", tmp_path / "t.csv")
    done = pasch(*SHORT, "--games", "9", *files, "--workers", "1")
    assert done.exit_code == 130
    assert "pasch: interrupted after 5 of 9 games; no file was written\n" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == []
