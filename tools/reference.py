"""`make docs`: docs/reference.md, every public name of `pasch`, made of signatures and docstrings.

The source is read, not run. Attributes have the `#:` comment above them, if there is one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Final, NamedTuple

import pasch

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference.md"

#: the chapters, and the modules whose public names they hold
CHAPTERS: Final = {
    "Games": "core.registry core.match core.game core.options core.components",
    "States": "core.state",
    "Events": "core.events",
    "Positions": "core.position core.nodes",
    "Chance": "core.chance core.shapes core.rolls",
    "Records and receipts": "core.record core.receipt",
    "Values": "solve solve.valuer coach.ledger",
    "Players": "players.base players.arena core.philox",
    "Simulations": "lab.simulation lab.score_statistics lab.batch lab.tournament_statistics lab.work",
    "Games as numbers": "lab.spaces",
    "Errors": "core.errors",
}

INTRODUCTION: Final = """\
<!-- made by `make docs` from the docstrings in src/pasch; edit those -->

# Reference

Everything that `import pasch` offers; each name is imported when it is first used. What belongs to one game (its
events, its state's fields) stands in its module, such as `pasch.games.joker1.rules`. The adapters to Gymnasium,
PettingZoo and OpenSpiel are modules of `pasch.lab` ([lab.md](lab.md)).

A state prints as the terminal draws it (`print(state)`), an event as a sentence, and notebooks show both as pictures.
Neither is drawn in the core: `pasch/__init__.py` tells `pasch.core.drawing` to use `pasch.terminal.drawing`, which asks
the game's `terminal.py`, or shows the fields as labelled values, and is imported at the first drawing."""


class Entry(NamedTuple):
    """A public name, or a member of a public class."""

    name: str
    signature: str
    text: str
    #: whether it may do without words: attributes, whose names and types often say enough
    plain: bool = False
    members: tuple[Entry, ...] = ()


# --- reading ----------------------------------------------------------------------------------------


class Module:
    """The source of a module: what is defined at its top, and the comments."""

    def __init__(self, source: str) -> None:
        self._lines = source.splitlines()
        self.defined: dict[str, ast.stmt] = {}
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.defined[node.name] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self.defined[node.target.id] = node

    def comment(self, node: ast.stmt) -> str:
        """The `#:` comment above a statement, on one line."""
        said: list[str] = []
        at = node.lineno - 2
        while at >= 0 and (line := self._lines[at].strip()).startswith("#:"):
            said.insert(0, line.removeprefix("#:").strip())
            at -= 1
        return " ".join(said)


@cache
def read_module(home: str) -> Module:
    """The module with this name below `pasch`."""
    path = ROOT.joinpath("src", "pasch", *home.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return Module(file.read_text("utf-8"))


def public(module: Module, name: str) -> Entry:
    """The entry of a name of a module."""
    node = module.defined[name]
    if isinstance(node, ast.FunctionDef):
        return Entry(name, f"{name}{_call(node)}", _docstring(node))
    if isinstance(node, ast.ClassDef):
        bases = _public_bases(node, module)
        signature = f"class {name}({', '.join(bases)})" if bases else f"class {name}"
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                signature += f"\n{name}({_parameters(one, bound=True)})"
        inherited = {member for base in bases for member in _member_names(base)}
        members: dict[str, Entry] = {}
        for member in _members(node, module):
            if member.name not in inherited:
                members.setdefault(member.name, member)
        return Entry(name, signature, _docstring(node), members=tuple(members.values()))
    assert isinstance(node, ast.AnnAssign) and node.value is not None
    said = module.comment(node)
    return Entry(
        name,
        f"{name} = {ast.unparse(node.value).replace(chr(39), chr(34))}",
        said and f"{said[0].upper()}{said[1:]}.",
    )


def _public_bases(node: ast.ClassDef, module: Module) -> list[str]:
    """The bases that have an entry of their own, also those of private bases; `Game` for `Game[Any, Any]`."""
    found = []
    for base in node.bases:
        name = ast.unparse(base).partition("[")[0]
        private = module.defined.get(name) if name.startswith("_") else None
        if isinstance(private, ast.ClassDef):
            found += _public_bases(private, module)
        elif name in pasch.homes():
            found.append(name)
    return found


def _member_names(name: str) -> Iterator[str]:
    """The members of a public class, also of its public bases."""
    module = read_module(pasch.homes()[name].removeprefix("pasch."))
    node = module.defined[name]
    assert isinstance(node, ast.ClassDef)
    yield from (member.name for member in _members(node, module))
    for base in _public_bases(node, module):
        yield from _member_names(base)


def _members(node: ast.ClassDef, module: Module) -> Iterator[Entry]:
    """The public members that a class defines, in their order."""
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            if not one.target.id.startswith("_"):
                yield _attribute(one.target.id, one.annotation, module.comment(one))
        elif isinstance(one, ast.FunctionDef) and one.name == "__init__":
            yield from _assigned(one, module)
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            kinds = {ast.unparse(decorator) for decorator in one.decorator_list}
            said = " ".join(_docstring(one).partition("\n\n")[0].split())
            if "property" in kinds:
                yield _attribute(one.name, one.returns, said)._replace(plain=False)
            else:
                call = f"{one.name}{_call(one, bound=True)}"
                yield Entry(one.name, f"classmethod {call}" if "classmethod" in kinds else call, said)


def _assigned(init: ast.FunctionDef, module: Module) -> Iterator[Entry]:
    """The public attributes that `__init__` sets."""
    types = {argument.arg: argument.annotation for argument in [*init.args.args, *init.args.kwonlyargs]}
    for one in ast.walk(init):
        if not isinstance(one, ast.Assign | ast.AnnAssign):
            continue
        target = one.targets[0] if isinstance(one, ast.Assign) else one.target
        if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
            given = types.get(one.value.id) if isinstance(one.value, ast.Name) else None
            kind = one.annotation if isinstance(one, ast.AnnAssign) else given
            yield _attribute(target.attr, kind, module.comment(one))


def _attribute(name: str, kind: ast.expr | None, said: str) -> Entry:
    return Entry(name, name if kind is None else f"{name}: {ast.unparse(kind)}", said, plain=True)


def _call(function: ast.FunctionDef, *, bound: bool = False) -> str:
    answer = "" if function.returns is None else f" -> {ast.unparse(function.returns)}"
    return f"({_parameters(function, bound=bound)}){answer}"


def _parameters(function: ast.FunctionDef, *, bound: bool) -> str:
    """The parameters as they are written; `bound`: without `self` or `cls`."""
    # spaces around the sign of a default that follows a type, which `unparse` leaves out
    source = re.sub(r"(: [^=]+?)=", r"\1 = ", ast.unparse(function.args))
    return re.sub(r"^(self|cls)(, )?", "", source) if bound else source


def _docstring(node: ast.FunctionDef | ast.ClassDef) -> str:
    """A docstring without its examples."""
    return (ast.get_docstring(node) or "").partition(">>>")[0].rstrip()


# --- writing ----------------------------------------------------------------------------------------


def entries(names: Mapping[str, str]) -> dict[str, list[Entry]]:
    """The entries of each chapter; `names` are the public names of each module."""
    return {
        title: [public(read_module(home), name) for home in homes.split() for name in names[home].split()]
        for title, homes in CHAPTERS.items()
    }


def public_names() -> dict[str, str]:
    """The public names by the module they come from."""
    found: dict[str, list[str]] = {}
    for name, home in pasch.homes().items():
        found.setdefault(home.removeprefix("pasch."), []).append(name)
    return {home: " ".join(names) for home, names in found.items()}


def undocumented(found: list[Entry]) -> list[str]:
    """The names, methods and properties without a docstring."""
    missing = [entry.name for entry in found if not entry.text]
    members = [(entry, member) for entry in found for member in entry.members]
    return missing + [f"{entry.name}.{m.name}" for entry, m in members if not (m.text or m.plain)]


def page() -> str:
    """The whole page."""
    lines = [INTRODUCTION]
    for title, found in entries(public_names()).items():
        lines.append(f"\n## {title}")
        for entry in found:
            lines += [f"\n### {entry.name}\n", f"{indent(entry.signature, ' ' * 4)}\n", entry.text]
            if entry.members:
                lines.append("")
            for member in entry.members:
                lines.append(f"- `{member.signature}`" + (f": {member.text}" if member.text else ""))
    return "\n".join(lines) + "\n"


def main() -> None:
    PAGE.write_text(page(), "utf-8")
    print(PAGE.relative_to(ROOT))


if __name__ == "__main__":
    main()
