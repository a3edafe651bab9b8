"""The wheel in an environment of its own, away from the sources: everything is in it, and it plays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import pasch

ROOT: Final = Path(__file__).parents[1]
PIP: Final = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
OFFLINE: Final = ("--no-deps", "--no-index")

pytestmark = pytest.mark.slow

Run = Callable[..., str]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [*PIP, "wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)], check=True
    )
    (built,) = folder.glob("pasch-*.whl")
    return built


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment that holds the wheel and borrows the libraries of this one."""
    folder = tmp_path_factory.mktemp("home")
    venv.create(folder / "env", symlinks=True, with_pip=False)
    python = folder / "env" / "bin" / "python"
    subprocess.run([*PIP, "--python", str(python), "install", *OFFLINE, str(wheel)], check=True)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    # such a line adds a folder, but not what that folder's own .pth files add: no sources come in
    libraries = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (site / "libraries.pth").write_text("\n".join(libraries))
    return folder


@pytest.fixture(scope="module")
def environment(home: Path) -> dict[str, str]:
    """Nothing of this process but where programs are."""
    folders = {f"PASCH_{name}": str(home / name.lower()) for name in ("DATA", "CACHE")}
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONUNBUFFERED": "1", **folders}


@pytest.fixture(scope="module")
def run(home: Path, environment: dict[str, str]) -> Run:
    """Run a program of the environment in its folder; what it prints."""

    def run(program: str, *arguments: str) -> str:
        command = [str(home / "env" / "bin" / program), *arguments]
        done = subprocess.run(
            command, check=False, cwd=home, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_wheel_holds_everything_that_the_sources_hold(wheel: Path) -> None:
    source = ROOT / "src"
    there = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if ".dist-info/" not in name}
    assert held == there
    assert {"pasch/py.typed", "pasch/web/static/index.html", "pasch/locale/de.po"} <= held


def test_it_is_the_wheel_that_lists_plays_and_reports(home: Path, run: Run) -> None:
    where = run("python", "-c", "import pasch; print(pasch.__file__)")
    assert Path(where.strip()).is_relative_to(home)
    assert (
        run("pasch", "--version")
        == f"pasch {pasch.__version__}\n"
        == run("python", "-m", "pasch", "--version")
    )
    listed = run("pasch", "games")
    assert all(name in listed for name in ("crowns", "joker1", "joker2", "lines", "fiese15", "sixbysix"))
    game = ("lines", "--seats", "random,random", "--option", "plans=[1]")
    played, _, record = run("pasch", "play", *game).strip().rpartition("The record is in ")
    assert "win" in played
    assert run("pasch", "verify", record).startswith("ok: ")
    report = run("pasch", "report", record)
    assert "Shut the Lines" in report and "luck" in report.lower()


def test_serve(home: Path, environment: dict[str, str]) -> None:
    command = [str(home / "env" / "bin" / "pasch"), "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"localhost:\d+", server.stdout.readline())
            assert found is not None
            for path, held in (
                ("/", "<!doctype html>"),
                ("/api/games", "sixbysix"),
                ("/static/games/lines/board.js", "export"),
            ):
                with urllib.request.urlopen(f"http://{found[0]}{path}", timeout=60) as answer:
                    assert held in answer.read().decode().lower()
        finally:
            server.terminate()
