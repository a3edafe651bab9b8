"""A game's id stands in its own folder and nowhere else: everything outside is a mechanism for any game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).parents[1] / "src" / "pasch"
GAMES: Final = tuple(sorted(path.parent.name for path in (SOURCE / "games").glob("*/rules.py")))
#: the ids as words, or as parts of a name such as `crowns_kernel` or `SixBySix`
WORDS: Final = re.compile(
    rf"(?<![a-z])(?:{'|'.join(game for game in GAMES if game != 'lines')})(?![a-z0-9])", re.IGNORECASE
)
#: an ordinary word counts only alone in quotes, in a path to a game's file, or as a class of a style sheet
ORDINARY: Final = re.compile(r"""["'`]lines["'`]|games[./]lines\b|/lines\.\w|^\s*\.lines\b""", re.M)


# --- Python -------------------------------------------------------------------------------------------


class _WithoutDocumentation(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        # examples of the command line name a game as people do
        return ast.Constant("") if str(node.value).startswith("pasch ") else node


def code(path: Path) -> str:
    """A module without comments, documentation and examples of commands."""
    return ast.unparse(_WithoutDocumentation().visit(ast.parse(path.read_text("utf-8"))))


# --- everything else ----------------------------------------------------------------------------------


def without_comments(path: Path) -> str:
    text = path.read_text("utf-8")
    if path.suffix in {".js", ".mjs", ".css"}:
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    if path.suffix in {".js", ".mjs"}:
        text = re.sub(r"(?<![:\"'`])//.*", "", text)
    return re.sub(r"^#.*", "", text, flags=re.MULTILINE) if path.suffix == ".toml" else text


def named_in(path: Path) -> Iterator[str]:
    """The places of a file that name a game, its own name included."""
    said = code(path) if path.suffix == ".py" else without_comments(path)
    for text in [repr(path.stem), *said.splitlines()]:
        if WORDS.search(text) or ORDINARY.search(text):
            yield f"{path.relative_to(SOURCE)}: {text.strip()}"


def outside() -> list[Path]:
    """The files that must name no game."""
    files = [p for p in SOURCE.rglob("*") if p.suffix in {".py", ".js", ".mjs", ".css", ".toml", ".html"}]
    return sorted(path for path in files if path.relative_to(SOURCE).parts[0] != "games")


@pytest.mark.parametrize("package", sorted({path.relative_to(SOURCE).parts[0] for path in outside()}))
def test_no_game_is_named_outside_its_folder(package: str) -> None:
    files = [path for path in outside() if path.relative_to(SOURCE).parts[0] == package]
    named = list(dict.fromkeys(place for path in files for place in named_in(path)))
    assert not named, "\n".join(named)
