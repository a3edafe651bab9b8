"""The Python that runs in the browser, as one archive: Pasch, and the packages of added games."""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from pasch.core.registry import GROUP, find_game, find_part, packages
from pasch.solve.keys import DIGESTS, source_digest
from pasch.web.answers import GAME_FILES

#: the modules by which the browser's workers begin, and the one that `pasch` imports by its name; what they import, at
#: once or later, comes along
ENTRIES: Final = ("pasch.web.worker", "pasch.web.worker_helper", "pasch.games", "pasch.core.notation")
#: parts of a game that the page gets as files of the site, that only developers need, or that need a library
LEFT_OUT: Final = frozenset(
    (*GAME_FILES, "__pycache__", "terminal.py", "study.toml", "scenes.toml", "py.typed")
)
#: texts are part of the answers that the page has as files; of numpy's files only one that a game reads itself is read
NOT_READ: Final = (".pyc", ".po", ".md", ".npz")
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def bundle() -> bytes:
    """A zip archive to put on Python's path; the same files make the same bytes."""
    games = [package for package in packages().values() if package.startswith("pasch.")]
    files: dict[str, bytes] = {}
    for game, package in packages().items():
        if package in games:
            files.update(_files(resources.files(package), package.replace(".", "/")))
        if learned := find_part(game, "learned"):
            path = f"{package.replace('.', '/')}/{learned.WEIGHTS}"
            files[path] = resources.files(package).joinpath(learned.WEIGHTS).read_bytes()
    added = {game: package for game, package in packages().items() if package not in games}
    for package in sorted({package.partition(".")[0] for package in added.values()}):
        files.update(_files(resources.files(package), package))
    _add_imports(files)
    digests = {game: source_digest(find_game(game)) for game in packages()}
    files[f"pasch/solve/{DIGESTS}"] = json.dumps(digests).encode()
    if added:
        files |= _entry_points(added)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return packed.getvalue()


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """All files of a game's folder that the browser needs, by their path."""
    for one in folder.iterdir():
        if one.name in LEFT_OUT or one.name.endswith(NOT_READ):
            continue
        inside = f"{path}/{one.name}"
        if one.is_dir():
            yield from _files(one, inside)
        else:
            yield inside, one.read_bytes()


def _add_imports(files: dict[str, bytes]) -> None:
    """Add the modules of Pasch that the workers and these files import, with the packages that they lie in."""
    wanted = [*ENTRIES, *(name for path, data in files.items() for name in _imports(path, data))]
    while wanted:
        module = wanted.pop()
        for path in (f"{module.replace('.', '/')}.py", f"{module.replace('.', '/')}/__init__.py"):
            file = resources.files("pasch").joinpath(path.removeprefix("pasch/"))
            if path not in files and file.is_file():
                files[path] = file.read_bytes()
                wanted += [*_imports(path, files[path]), module.rpartition(".")[0]]


def _imports(path: str, source: bytes) -> Iterator[str]:
    """What a module may import of Pasch, wherever it says so; parts of modules are among the names."""
    if not path.endswith(".py"):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] == "pasch")


def _entry_points(games: dict[str, str]) -> dict[str, bytes]:
    """What an installation would say of these games' packages, so that they are found."""
    folder = "pasch_added_games-0.dist-info"
    entries = "".join(f"{game} = {package}\n" for game, package in games.items())
    return {
        f"{folder}/METADATA": b"Metadata-Version: 2.1\nName: pasch-added-games\nVersion: 0\n",
        f"{folder}/entry_points.txt": f"[{GROUP}]\n{entries}".encode(),
    }
