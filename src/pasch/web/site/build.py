"""Writing the folder: the page, the client's files, answers as files, the engine, the service worker."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pasch.core.errors import PaschError
from pasch.core.lesson import has_lesson
from pasch.core.registry import all_games, game_ids
from pasch.core.texts import languages
from pasch.table.lesson import encoded_lesson
from pasch.web import answers
from pasch.web.files import MANIFEST, STATIC, static_files, version_of
from pasch.web.http import kind_of
from pasch.web.site.engine import Parts, engine_files
from pasch.web.site.page import integrity, page
from pasch.web.site.values import quick

#: a folder with this file was written by `pasch site`, and may be overwritten
MARK: Final = "engine/engine.json"
#: what lies in the folder of a site
OWN: Final = ("index.html", "static", "data", "engine", "values", "sw.js", MANIFEST)
#: pages and service workers of the server, of which the site has its own, and what lies beside the page
OTHERS: Final = ("index.html", "offline.html", "sw.js", "server_sw.js", MANIFEST)
#: what no page shows: icons and pictures for installing the app
NOT_KEPT: Final = ("static/icons/", MANIFEST)


class Site(NamedTuple):
    """What was written."""

    folder: Path
    version: str
    #: sizes of files in bytes, by path
    sizes: Mapping[str, int]

    @property
    def size(self) -> int:
        return sum(self.sizes.values())


def build(
    folder: Path,
    parts: Parts,
    server: str = "",
    values: Mapping[str, bytes] | None = None,
) -> Site:
    """Write a site into a folder, which must be new, empty or a site; the old one stays whole until all is there.

    What people have put beside an old site (a `.git`, a `.htaccess`) stays. `server` is where tables with friends are,
    `values` are tables by file name.
    """
    folder = writable(folder)
    files = site_files(parts, server, values or {})
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
        new, old = Path(scratch) / "new", Path(scratch) / "old"
        for name, data in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if folder.exists():
            folder.replace(old)
        new.replace(folder)
        for beside in old.iterdir() if old.exists() else ():
            if beside.name not in OWN:
                beside.replace(folder / beside.name)
        shutil.rmtree(old, ignore_errors=True)
    version = version_of({name: data for name, data in files.items() if name != "sw.js"})
    return Site(folder, version, {name: len(data) for name, data in files.items()})


def writable(folder: Path) -> Path:
    """The folder itself, where a link leads to it; PaschError if it has other things in it than a site."""
    folder = folder.resolve()
    if folder.exists() and (
        not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).is_file())
    ):
        raise PaschError("{folder} has other files in it; name a new or empty folder", folder=str(folder))
    return folder


def site_files(parts: Parts, server: str, values: Mapping[str, bytes]) -> dict[str, bytes]:
    """All files of a site by their path; the same sources make the same bytes."""
    # the client, as the server serves it below /static
    files = {f"static/{name}": body for name, body in static_files(STATIC).items() if name not in OTHERS}
    files |= data_files(values)
    engine = engine_files(parts)
    files |= {f"engine/{name}": data for name, data in engine.items()}
    files |= {f"values/{name}": data for name, data in values.items()}
    listed = {
        "files": {name: described(data) for name, data in engine.items()},
        "values": {name: described(data) for name, data in values.items()},
    }
    files["engine/engine.json"] = json.dumps(listed, indent=1).encode()
    files[MANIFEST] = (STATIC / MANIFEST).read_bytes()
    files["index.html"] = page((STATIC / "index.html").read_text("utf-8"), files, server)
    files["sw.js"] = service_worker((STATIC / "sw.js").read_bytes(), files)
    return files


def service_worker(program: bytes, files: Mapping[str, bytes]) -> bytes:
    """The service worker, with the files that it keeps: tables of values when wanted, all others at once."""

    def listed(names: Iterable[str]) -> dict[str, tuple[str, int, str]]:
        return {name: (integrity(files[name]), len(files[name]), kind_of(name)) for name in names}

    later = [name for name in files if name.startswith("values/")]
    at_once = [name for name in files if name not in later and not name.startswith(NOT_KEPT)]
    site = {"version": version_of(files), "files": listed(at_once), "later": listed(later)}
    return f"self.SITE = {json.dumps(site, separators=(',', ':'))};\n".encode() + program


def data_files(values: Collection[str]) -> dict[str, bytes]:
    """The server's answers that are the same for everybody, in every language.

    Games come with what the players lack.
    """
    lacks = {game.id: quick(game, values) for game in all_games()}
    files = {}
    for language in languages():
        files[f"data/games/{language}.json"] = json.dumps(
            [game | {"quick": lacks[game["id"]]} for game in json.loads(answers.games((), language))]
        ).encode()
        files[f"data/i18n/{language}.json"] = answers.catalogue(language, False)
        files[f"data/i18n/{language}.first.json"] = answers.catalogue(language, True)
        for game in game_ids():
            files[f"data/rules/{game}.{language}.json"] = answers.rules(game, language)
            if has_lesson(game):
                files[f"data/lessons/{game}.{language}.json"] = encoded_lesson(game, language)
    return files | {f"data/components/{game}.json": answers.components(game) for game in game_ids()}


def described(data: bytes) -> dict[str, Any]:
    """A file's hash, in Base64 as browsers want it, and size."""
    return {"sha256": integrity(data).removeprefix("sha256-"), "size": len(data)}
