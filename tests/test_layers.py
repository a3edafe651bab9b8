"""Imports point downwards only, only the loader imports by name, and `import pasch` is cheap."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "pasch"

#: each package and the packages below it, which it may import from
BELOW = {
    "core": set(),
    "solve": {"core"},
    "players": {"core", "solve"},
    "coach": {"core", "solve", "players"},
    "store": {"core"},
    "table": {"core", "solve", "players", "coach", "store"},
    "web": {"core", "solve", "players", "coach", "store", "table"},
    "lab": {"core", "solve", "players", "coach"},
    "terminal": {"core", "solve", "players", "coach", "lab"},
}
#: the files of a game by their role, and what each may import beside its own game's rules
ROLES = {
    "rules": {"core", "box", "events", "settling", "ways"},
    "events": {"core", "box", "settling"},
    "box": {"core", "settling"},
    "settling": set(),
    "ways": {"core", "box"},
    "beginner": {"core"},
    "coach": {"core", "solve", "coach.reasons"},
    "learned": {"core"},
    "worlds": {"core"},
    "show": {"core"},
    "values": {"core", "solve", "learned"},
    "terminal": {"core", "terminal.board", "terminal.language"},
}
#: what every file of a game may import of its own game
RULES = {"rules", "box", "events", "settling", "ways"}
#: the modules that import by name: games and players, what a command runs, the package's public names
LOADERS = {"core/registry.py", "cli/options.py", "__init__.py"}


def name_of(path: Path) -> str:
    """`core.state` for src/pasch/core/state.py."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> dict[str, tuple[Path, ast.Module]]:
    return {name_of(path): (path, ast.parse(path.read_text("utf-8"))) for path in SOURCE.rglob("*.py")}


@cache
def _imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """The imports of a module, at its top or later, without those for types only."""
    found: list[ast.Import | ast.ImportFrom] = []
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        elif isinstance(node, ast.stmt | ast.Module | ast.ExceptHandler | ast.match_case) and not (
            isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        ):
            left += ast.iter_child_nodes(node)
    return found


def imported(tree: ast.Module, known: set[str]) -> Iterator[str]:
    """The modules of Pasch that a module imports."""
    for node in _imports(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("pasch.") for alias in node.names if _ours(alias.name))
        elif node.module and _ours(node.module):
            base = node.module.removeprefix("pasch").removeprefix(".")
            for alias in node.names:
                full = f"{base}.{alias.name}".removeprefix(".")
                yield full if full in known else base


def _ours(name: str) -> bool:
    return name == "pasch" or name.startswith("pasch.")


def problem(importer: str, other: str) -> str | None:
    """Why `importer` must not import `other`; None if it may."""
    layer, _, rest = importer.partition(".")
    if layer not in BELOW and layer != "games":
        return None  # the command line and `pasch` itself
    if not other:
        return "import from the package, not from `pasch` itself"
    if layer != "games":
        target = other.partition(".")[0]
        return None if target == layer or target in BELOW[layer] else f"{layer} is not above {target}"
    game, _, role = rest.partition(".")
    role = role.partition(".")[0]
    if not role:
        return None
    if other.startswith("games."):
        own, _, part = other.removeprefix("games.").partition(".")
        part = part.partition(".")[0]
        if own != game:
            return "a game does not know another one"
        allowed = {role} | ROLES[role] | (set() if role in RULES else RULES)
        return None if part in allowed else f"{role} is not above {part}"
    if any(other == below or other.startswith(f"{below}.") for below in ROLES[role]):
        return None
    return f"{role} is not above {other}"


def test_imports_point_downwards() -> None:
    every = modules()
    wrong = []
    for importer, (path, tree) in every.items():
        for node in _imports(tree):
            assert not (isinstance(node, ast.ImportFrom) and node.level), f"{path}: a relative import"
        for other in imported(tree, set(every)):
            if why := problem(importer, other):
                wrong.append(f"{importer} imports {other}: {why}")
    assert not wrong, "\n".join(wrong)


def test_no_module_leads_back_to_itself() -> None:
    every = modules()
    after = {name: set(imported(tree, set(every))) & set(every) for name, (_, tree) in every.items()}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " → ".join([*path[path.index(name) :], name])
        if name not in done:
            for other in sorted(after[name] - {name}):
                visit(other, (*path, name))
            done.add(name)

    for name in sorted(every):
        visit(name, ())


def test_only_the_loaders_import_by_name_and_every_module_explains_itself() -> None:
    by_name = re.compile(r"\b(import_module|__import__|find_spec|resolve_name)\b")
    for name, (path, tree) in modules().items():
        assert ast.get_docstring(tree), f"{name} does not say what it is"
        if path.relative_to(SOURCE).as_posix() not in LOADERS:
            assert not by_name.search(path.read_text("utf-8")), name


def test_rules_and_help_import_no_compiler() -> None:
    script = (
        "import sys, pasch, pasch.cli; [pasch.find_game(g) for g in pasch.game_ids()];"
        "print(*{'numba', 'numpy', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
