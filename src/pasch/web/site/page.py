"""The one page of a site, made of the server's page: relative addresses, the policy, hashes."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Final

from pasch.core.errors import PaschError
from pasch.core.texts import languages
from pasch.web.security import policy

#: the server for tables with friends is the one that serves the site
SELF: Final = "self"
_ORIGIN: Final = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?")
_LOADED: Final = re.compile(r'<(script|link)([^>]*?) (src|href)="/((?:static/|manifest\.)[^"]+)"')


def page(html: str, files: Mapping[str, bytes], server: str = "") -> bytes:
    """The page, for these files; `server` is where tables with friends are."""
    modules = {f"./{name}": integrity(data) for name, data in files.items() if name.endswith(".js")}
    imports = json.dumps({"integrity": modules}, separators=(",", ":"))

    def loaded(found: re.Match[str]) -> str:
        kind, before, attribute, path = found.groups()
        checked = (
            f' integrity="{integrity(files[path])}"' if kind == "script" or path.endswith(".css") else ""
        )
        return f'<{kind}{before} {attribute}="{path}"{checked}'

    html, count = _LOADED.subn(loaded, html)
    assert count > 0
    engine = integrity(files["engine/engine.json"])
    said = {"engine": "worker", "engine-hash": engine, "routes": "hash", "languages": " ".join(languages())}
    if server:
        said["server"] = server
    attributes = " ".join(f'data-{name}="{value}"' for name, value in said.items())
    allowed = policy(
        server="" if server == SELF else server,
        scripts=f"'wasm-unsafe-eval' '{integrity(imports.encode())}'",
    )
    html = html.replace("<html ", f"<html {attributes} ", 1)
    # the policy comes first, so that it holds for everything; the import map before the first module
    head = f'<meta http-equiv="content-security-policy" content="{allowed}">'
    html = html.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n    {head}', 1)
    html = html.replace(
        '<script type="module"',
        f'<script type="importmap">{imports}</script>\n    <script type="module"',
        1,
    )
    return html.encode()


def integrity(data: bytes) -> str:
    """A file's hash, as the attribute `integrity` and the policy write it."""
    return f"sha256-{b64encode(hashlib.sha256(data).digest()).decode()}"


def read_origin(written: str) -> str:
    """The origin as browsers write it."""
    origin = written.rstrip("/").lower()
    if not _ORIGIN.fullmatch(origin):
        raise PaschError("{written}: write it as https://pasch.example", written=written)
    return origin
