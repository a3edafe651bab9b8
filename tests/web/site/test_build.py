"""The folder that `pasch site` writes: layout, hashes, policy, answers as files, refusals; sites beside a server."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pasch.cli import main
from pasch.core.errors import PaschError
from pasch.core.registry import find_game, game_ids
from pasch.solve.valuer import valuer
from pasch.web import answers
from pasch.web.files import MountedSite
from pasch.web.security import policy
from pasch.web.site import command, engine
from pasch.web.site.build import OWN, build, site_files
from pasch.web.site.bundle import bundle
from pasch.web.site.engine import Parts, find_parts
from pasch.web.site.page import read_origin
from pasch.web.site.values import quick
from tests.games_of_others.installing import PIG, beside, install
from tests.web.asgi import Browser, server
from tests.web.site.small_parts import TAGS, small_parts

GAME = game_ids()[0]


@pytest.fixture(autouse=True, scope="module")
def without_node() -> Iterator[None]:
    """Bytecode takes long to make, and no test here runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "find_node", lambda: None)
        yield


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    return find_parts(small_parts(tmp_path_factory.mktemp("parts")))


@pytest.fixture(scope="module")
def site(parts: Parts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("site") / "out", parts, values={"a.table": b"values"}).folder


def sha(data: bytes) -> str:
    return b64encode(hashlib.sha256(data).digest()).decode()


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def kept(folder: Path) -> dict[str, Any]:
    """What the service worker says it keeps."""
    found = re.match(r"self\.SITE = (.*);\n", (folder / "sw.js").read_text("utf-8"))
    assert found
    reply: dict[str, Any] = json.loads(found[1])
    return reply


def test_every_file_is_listed_with_its_hash(site: Path) -> None:
    files, reply = files_of(site), kept(site)
    assert {name.partition("/")[0] for name in files} == set(OWN)
    listed = reply["files"] | reply["later"]
    assert {name: [f"sha256-{sha(files[name])}", len(files[name])] for name in listed} == {
        name: info[:2] for name, info in listed.items()
    }
    others = {name for name in files if name not in listed}
    assert {name for name in others if not name.startswith("static/icons/")} == {
        "sw.js",
        "manifest.webmanifest",
    }
    assert set(reply["later"]) == {"values/a.table"}, "tables of values come when they are wanted"
    engine = json.loads(files["engine/engine.json"])
    for folder, list_ in (("engine", engine["files"]), ("values", engine["values"])):
        there = {name.partition("/")[2] for name in files if name.startswith(f"{folder}/")} - {
            "engine.json"
        }
        assert set(list_) == there
        for name, info in list_.items():
            data = files[f"{folder}/{name}"]
            assert info == {"sha256": sha(data), "size": len(data)}


def test_the_page_checks_what_it_loads_and_allows_only_webassembly_more(site: Path) -> None:
    html = (site / "index.html").read_text("utf-8")
    files = files_of(site)
    for path, hash_ in re.findall(r'(?:src|href)="([^"]+)" integrity="sha256-([^"]+)"', html):
        assert sha(files[path]) == hash_
    loaded = re.findall(r'<(?:script|link rel="stylesheet")[^>]*(?:src|href)="([^"]+)"([^>]*)>', html)
    assert loaded and all("integrity=" in rest for _, rest in loaded)
    imports = re.search(r'<script type="importmap">(.*?)</script>', html)
    assert imports
    modules = {name for name in files if name.endswith(".js") and name.startswith("static/")}
    assert {name.removeprefix("./") for name in json.loads(imports[1])["integrity"]} == modules
    stated = re.search(r'http-equiv="content-security-policy" content="([^"]*)"', html)
    assert stated
    # the map of modules stands in the page, so that its hash has to be named
    more = f"script-src 'self' 'wasm-unsafe-eval' 'sha256-{sha(imports[1].encode())}'"
    assert unescape(stated[1]) == policy().replace("script-src 'self'", more)
    assert not re.search(r'(?:src|href)="(?:/|https?:)', html), "a site may lie anywhere"
    assert f'data-engine-hash="sha256-{sha(files["engine/engine.json"])}"' in html


def test_answers_are_those_of_the_server(site: Path) -> None:
    assert (site / "data/rules" / f"{GAME}.de.json").read_bytes() == answers.rules(GAME, "de")
    assert (site / "data/i18n/de.first.json").read_bytes() == answers.catalogue("de", True)
    assert (site / "data/components" / f"{GAME}.json").read_bytes() == answers.components(GAME)
    assert (site / "static/games" / GAME / "chance.json").read_bytes() == answers.chance(GAME)
    reply = json.loads((site / "data/games/en.json").read_bytes())
    assert [game["id"] for game in reply] == list(game_ids())


def test_without_values_only_players_are_offered_that_need_none() -> None:
    lines, crowns = find_game("lines"), find_game("crowns")
    tables = valuer(lines.agree(2, {"plans": [1, 2, 3]})).tables
    carried = {f"{name}.table" for name in tables}
    reply = quick(lines, carried)
    assert [level["name"] for level in reply["levels"]] == ["greedy"]
    assert (reply["usual"], reply["boxes"], reply["options"]) == (False, True, {"plans": [4]})
    assert quick(lines, ())["usual"], "the site was written without values"
    # one that needs none plays better
    reply = quick(crowns, carried)
    assert reply["usual"] is not valuer(crowns(2)).plain
    assert [level["name"] for level in reply["levels"]] == ["greedy", "learned"]
    assert reply["levels"][1]["lacks"] == {"boxes": True, "options": {"split": [True]}}


def test_the_same_sources_make_the_same_site(parts: Parts, site: Path) -> None:
    again = site_files(parts, "", {"a.table": b"values"})
    assert again == files_of(site)
    other = site_files(parts, "https://pasch.example", {"a.table": b"values"})
    assert {name for name in again if again[name] != other[name]} == {"index.html", "sw.js"}
    assert b"connect-src 'self' https://pasch.example wss://pasch.example;" in other["index.html"]
    assert b'data-server="https://pasch.example"' in other["index.html"]


def test_a_new_site_replaces_the_old_one_when_it_is_whole_and_leaves_what_lies_beside_it(
    parts: Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, link = tmp_path / "out", tmp_path / "public"
    build(folder, parts, values={"a.table": b"values"})
    (folder / ".git").mkdir()
    theirs = {".git/config": b"theirs", ".htaccess": b"theirs"}
    for name, data in theirs.items():
        (folder / name).write_bytes(data)
    link.symlink_to(folder)
    before = files_of(folder)
    write, count = Path.write_bytes, 0

    def full(self: Path, data: bytes) -> int:
        nonlocal count
        count += 1
        if count > 20:
            raise OSError(28, "No space left on device", str(self))
        return write(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space"):
            build(link, parts, server="https://pasch.example")
    assert files_of(folder) == before and {one.name for one in tmp_path.iterdir()} == {"out", "public"}
    build(link, parts)
    assert link.is_symlink() and link.resolve() == folder
    after = files_of(folder)
    assert theirs.items() <= after.items() and "index.html" in after and "values/a.table" not in after


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(main, ["site", *map(str, arguments)])


def test_other_peoples_files_are_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "me.jpg").write_bytes(b"")
    # this is said before anything that takes long
    monkeypatch.setattr(command, "value_files", lambda tell: pytest.fail("tables are built"))
    done = run(folder, "--parts", small_parts(tmp_path / "parts"))
    assert done.exit_code == 1 and "other files" in done.output and (folder / "me.jpg").exists()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("pyodide/pyodide.asm.wasm", None, "pyodide.asm.wasm is not there"),
        ("pyodide/package.json", '{"version": "0.28.0"}', "0.28.0, not 314"),
        (f"msgspec-9.9-{TAGS}.whl", None, f"msgspec-…-{TAGS}"),
    ],
)
def test_missing_parts_are_named_and_how_to_get_them(
    file: str, text: str | None, said: str, tmp_path: Path
) -> None:
    folder = small_parts(tmp_path / "parts")
    (folder / file).unlink()
    if text is not None:
        (folder / file).write_text(text)
    done = run(tmp_path / "out", "--parts", folder)
    assert done.exit_code == 1 and said in done.output
    assert "make site" in done.output and "--parts" in done.output
    assert "://" not in done.output and not (tmp_path / "out").exists()


def test_the_command_says_what_it_has_written(tmp_path: Path) -> None:
    done = run(tmp_path / "out", "--parts", small_parts(tmp_path / "parts"), "--no-values")
    assert done.exit_code == 0, done.output
    assert re.search(r"\d+ files, \d+\.\d MB, version [0-9a-f]{12}", done.output)
    assert "http.server" in done.output and "docs/site.md" in done.output


#: nothing that is not in the browser may be imported; this checks an archive
ALONE = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"babel", "click", "rich", "starlette", "uvicorn", "websockets", "numba", "numpy",
                                      "prometheus_client", "platformdirs", "asyncpg", "pebble", "sqlite3"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
sys.path.insert(0, sys.argv[1])
import pasch.web.worker, pasch.web.worker_helper, pasch
assert pasch.__file__.startswith(sys.argv[1]), pasch.__file__
from pasch.core.registry import all_games, find_part
for game in all_games():
    find_part(game.id, "beginner"), find_part(game.id, "show")
    if learned := find_part(game.id, "learned"):
        learned.weights()
    print(game.id, game(game.seats[0]).start().notation())
"""


def test_the_archive_is_enough_and_has_added_games(tmp_path: Path) -> None:
    with beside(install(PIG, tmp_path / "site-packages")):
        (tmp_path / "pasch.zip").write_bytes(bundle())
    with zipfile.ZipFile(tmp_path / "pasch.zip") as archive:
        names = archive.namelist()
    assert "pasch_pig/rules.py" in names
    assert not [name for name in names if name.endswith((".po", ".js"))]
    assert [name for name in names if name.endswith(".npz")] == ["pasch/games/crowns/values/race.npz"]
    assert "pasch/cli/__init__.py" not in names and "pasch/web/serve.py" not in names
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "pasch.zip")],
        capture_output=True,
        text=True,
        env={},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {line.split()[0] for line in done.stdout.splitlines()} == {*game_ids(), "pig"}


def test_the_library_loses_what_is_never_imported(parts: Parts) -> None:
    library = engine.trimmed((parts.pyodide / "python_stdlib.zip").read_bytes())
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        assert archive.namelist() == ["abc.py", "encodings/utf_8.py"]


def test_the_manifest_names_pictures_that_are_there(site: Path) -> None:
    reply = json.loads((site / "manifest.webmanifest").read_bytes())
    # what browsers ask for before they install
    assert reply["name"] and reply["start_url"] == "./" and reply["display"] == "standalone" and reply["id"]
    sizes = {(icon["purpose"], icon["sizes"]) for icon in reply["icons"]}
    assert {(purpose, size) for purpose in ("any", "maskable") for size in ("192x192", "512x512")} <= sizes
    for one in (*reply["icons"], *reply["screenshots"]):
        assert (site / one["src"]).is_file()
    assert {one["form_factor"] for one in reply["screenshots"]} == {"narrow", "wide"}


# --- a server and a site of another origin, and a site that a server serves itself --------------------

SITE = "https://games.example"
WISH = {"game": "crowns", "seats": [{"kind": "here"}]}


@pytest.mark.settings(sites=[SITE])
async def test_only_a_site_that_the_server_names_may_ask(browser: Browser) -> None:
    ours, theirs = {"origin": SITE}, {"origin": "https://evil.example"}
    wants = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    asked = await browser.request("OPTIONS", "/api/tables", headers={**ours, **wants})
    assert asked.status == 200 and asked.headers["access-control-allow-origin"] == SITE
    made = await browser.post("/api/tables", WISH, headers=ours)
    assert made.status == 201 and made.headers["access-control-allow-origin"] == SITE
    assert made.headers["vary"] == "Origin" and "access-control-allow-credentials" not in made.headers
    socket = browser.open(made.json["id"], headers=ours)
    assert (await socket.hello(made.json["watch"]))["type"] == "welcome"
    refused = await browser.get("/api/tables/none/record", headers=ours)
    assert refused.status == 404 and refused.headers["access-control-allow-origin"] == SITE, (
        "it can say why"
    )

    for method, path in (("OPTIONS", "/api/tables"), ("POST", "/api/tables")):
        answer = await browser.request(method, path, headers={**theirs, **wants})
        assert answer.status == 403 and "access-control-allow-origin" not in answer.headers
    assert "access-control-allow-origin" not in (await browser.get("/api/games", headers=theirs)).headers
    # nothing but the tables is for sites
    for path in ("/", "/metrics", "/healthz"):
        assert "access-control-allow-origin" not in (await browser.get(path, headers=ours)).headers


def test_origins_are_written_as_browsers_write_them() -> None:
    for written, origin in (
        ("https://Pasch.example/", "https://pasch.example"),
        ("http://localhost:8615", "http://localhost:8615"),
        ("http://[::1]:8615", "http://[::1]:8615"),
    ):
        assert read_origin(written) == origin
    paths = ("pasch.example", "https://pasch.example/x", "https://u@h", "https://a b", "ftp://x")
    for wrong in ("", "*", *paths):
        with pytest.raises(PaschError):
            read_origin(wrong)


async def test_a_server_serves_a_site_for_those_without_a_network(parts: Parts, tmp_path: Path) -> None:
    folder = build(tmp_path / "out", parts, server="self").folder
    async with server(tmp_path, offline=MountedSite(folder)) as browser:
        page = await browser.get("/app/")
        assert page.body == (folder / "index.html").read_bytes()
        # a worker's policy is what its own answer says
        path = f"/app/{next(folder.rglob('worker.js')).relative_to(folder).as_posix()}"
        worker = await browser.get(path)
        assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
        assert worker.headers["content-security-policy"].endswith("frame-ancestors 'none'")
        wasm = await browser.get("/app/engine/pyodide.asm.wasm")
        assert wasm.headers["content-type"] == "application/wasm"
        for missing in ("/app/none.js", "/app/../secret", "/app/static"):
            assert (await browser.get(missing)).status == 404
        home = await browser.get("/")
        assert b'data-app="/app/"' in home.body
        assert "unsafe" not in home.headers["content-security-policy"]


async def test_every_server_has_a_manifest_and_a_service_worker(browser: Browser) -> None:
    assert (await browser.get("/manifest.webmanifest")).headers[
        "content-type"
    ] == "application/manifest+json"
    assert (await browser.get("/sw.js")).headers["content-type"].startswith("text/javascript")
    assert (await browser.get("/static/offline.html")).status == 200
    assert b"data-app" not in (await browser.get("/")).body and (await browser.get("/app/")).status == 404


def test_what_is_no_site_is_not_served(site: Path, tmp_path: Path) -> None:
    with pytest.raises(PaschError, match="no site"):
        MountedSite(tmp_path)
    with pytest.raises(PaschError, match="--server self"):
        MountedSite(site)
