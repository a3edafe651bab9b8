"""A game's id stands in its own folder and nowhere else: everything outside is a mechanism for any game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).parents[1] / "src" / "pasch"
GAMES: Final = tuple(sorted(path.parent.name for path in (SOURCE / "games").glob("*/rules.py")))
#: an id that is an ordinary word counts only where it can mean nothing else
ORDINARY: Final = ("lines",)


@cache
def words(games: tuple[str, ...] = GAMES) -> re.Pattern[str]:
    """The ids as words, or as parts of a name such as `crowns_kernel` or `SixBySix`."""
    named = "|".join(game for game in games if game not in ORDINARY)
    return re.compile(rf"(?<![a-z])(?:{named})(?![a-z0-9])", re.IGNORECASE)


@cache
def ordinary() -> re.Pattern[str]:
    """An ordinary word alone in quotes, in a path to a game's file, or as a class of a style sheet."""
    word = "|".join(ORDINARY)
    return re.compile(
        rf"""["'`](?:{word})["'`]|games[./](?:{word})\b|/(?:{word})\.\w|^\s*\.(?:{word})\b""", re.M
    )


# --- Python -------------------------------------------------------------------------------------------


def _docstrings(tree: ast.Module) -> set[int]:
    """The constants that are documentation."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr):
            found.add(id(node.body[0].value))
    return found


def names_in_python(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that are no documentation, identifiers and imports, each with its line."""
    documentation = _docstrings(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in documentation:
                yield line, repr(node.value)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            yield from ((line, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Name | ast.Attribute | ast.FunctionDef | ast.ClassDef | ast.arg):
            yield line, getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "name", "")


# --- everything else ----------------------------------------------------------------------------------


def without_comments(path: Path) -> str:
    text = path.read_text("utf-8")
    if path.suffix in {".js", ".mjs", ".css"}:
        # line numbers stay right
        text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    if path.suffix in {".js", ".mjs"}:
        text = re.sub(r"(?<![:\"'`])//.*", "", text)
    return re.sub(r"^#.*", "", text, flags=re.MULTILINE) if path.suffix == ".toml" else text


def named_in(path: Path) -> Iterator[str]:
    """The places of a file that name a game, its own name included."""
    if path.suffix == ".py":
        said = list(names_in_python(ast.parse(path.read_text("utf-8"))))
        # examples of the command line name a game as people do
        said = [(line, text) for line, text in said if not text.startswith("'pasch ")]
    else:
        said = list(enumerate(without_comments(path).splitlines(), 1))
    for line, text in [(0, repr(path.stem)), *said]:
        found = words().search(text) or ordinary().search(text)
        if found:
            yield f"{path.relative_to(SOURCE)}:{line}: {found[0]}"


def outside() -> list[Path]:
    """The files that must name no game."""
    files = [p for p in SOURCE.rglob("*") if p.suffix in {".py", ".js", ".mjs", ".css", ".toml", ".html"}]
    return sorted(path for path in files if path.relative_to(SOURCE).parts[0] != "games")


@pytest.mark.parametrize("package", sorted({path.relative_to(SOURCE).parts[0] for path in outside()}))
def test_no_game_is_named_outside_its_folder(package: str) -> None:
    files = [path for path in outside() if path.relative_to(SOURCE).parts[0] == package]
    named = list(dict.fromkeys(place for path in files for place in named_in(path)))
    assert not named, "\n".join(named)
