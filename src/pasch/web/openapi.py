"""The OpenAPI 3.1 description of the HTTP API, made of the table of endpoints: `GET /api/openapi.json`."""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import msgspec

from pasch.coach.puzzle_plan import DIFFICULTIES
from pasch.core.languages import languages
from pasch.core.registry import game_ids
from pasch.core.version import VERSION
from pasch.table import schema
from pasch.table.refusals import CODES, Code
from pasch.table.replay import PAGE
from pasch.web.api import KIND, MAX_SEED
from pasch.web.endpoints import ENDPOINTS, Endpoint
from pasch.web.http import STATUS

_REF: Final = "#/components/schemas/{name}"


def _parameter(
    name: str, kind: dict[str, Any], description: str = "", where: str = "query"
) -> dict[str, Any]:
    said = {"description": description} if description else {}
    needed = {"required": True} if where == "path" else {}
    return {"name": name, "in": where, **needed, **said, "schema": kind}


_TEXT: Final = {"type": "string"}
_PARAMETERS: Final = {
    parameter["name"]: parameter
    for parameter in (
        _parameter("game", {**_TEXT, "enum": list(game_ids())}, where="path"),
        _parameter("table", _TEXT, where="path"),
        _parameter("language", {**_TEXT, "enum": list(languages())}),
        _parameter(
            "from",
            {"type": "integer", "default": 0},
            f"a position on the page, of which each has {PAGE}; -1: the last position",
        ),
        _parameter(
            "date",
            {**_TEXT, "format": "date"},
            "a day from 2000-01-01 to 2199-12-31; without it the server's day in UTC",
        ),
        _parameter(
            "seed", {**_TEXT, "maxLength": MAX_SEED, "default": ""}, "the same seed gives the same puzzle"
        ),
        _parameter("difficulty", {"enum": list(DIFFICULTIES)}),
        _parameter(
            "kind",
            {**_TEXT, "pattern": KIND.pattern},
            "the slug of a kind of mistake, as a puzzle's `habit` has it",
        ),
        _parameter("coach", _TEXT, "`no`: without the coach's numbers, so without waiting for them"),
    )
}


def described() -> list[Endpoint]:
    """The endpoints of a server."""
    return [endpoint for endpoint in ENDPOINTS if endpoint.where != "device"]


def _answers(good: dict[int, Any], codes: tuple[Code, ...], of: dict[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": of[str(kind)]}},
        }
        for status, kind in good.items()
    }
    said: dict[int, list[Code]] = {}
    # any request may name no host, come under a name that the server does not answer to, or be one too many
    for code in dict.fromkeys((*codes, "malformed", "not-yours", "too-fast")):
        said.setdefault(STATUS[code], []).append(code)
    for status, because in sorted(said.items()):
        described[str(status)] = {
            "description": "; ".join(f"`{code}`: {CODES[code]}" for code in because),
            "content": {"application/json": {"schema": of[str(schema.Refused)]}},
        }
    return described


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    kinds: list[Any] = [schema.Refused]
    for endpoint in described():
        kinds += [kind for kind in (*endpoint.answers.values(), endpoint.body) if kind is not None]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    of = {str(kind): written for kind, written in zip(kinds, schemas, strict=True)}
    # the record also says its format, which is no field of the struct
    written = components["Record"]
    written["properties"]["format"] = {"const": "pasch/1"}
    written["required"].append("format")
    paths: dict[str, Any] = {}
    for endpoint in described():
        method, path = endpoint.method.lower(), endpoint.path
        names = (*re.findall(r"{(\w+)}", path), *endpoint.query)
        operation = paths.setdefault(path, {})[method] = {
            "operationId": (method + path.translate(str.maketrans("/{}", "_  "))).replace(" ", ""),
            "summary": endpoint.summary,
            "parameters": [_PARAMETERS[name] for name in names],
            "responses": _answers(endpoint.answers, endpoint.codes, of),
        }
        if endpoint.body is not None:
            content = {"application/json": {"schema": of[str(endpoint.body)]}}
            operation["requestBody"] = {"required": True, "content": content}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pasch", "version": VERSION, "description": __doc__ or ""},
        "paths": paths,
        "components": {"schemas": components},
    }


def by_path() -> dict[str, list[Endpoint]]:
    """The endpoints of a server by their paths."""
    found: dict[str, list[Endpoint]] = {}
    for endpoint in described():
        found.setdefault(endpoint.path, []).append(endpoint)
    return found


@cache
def encoded() -> bytes:
    """The document as it is sent."""
    return msgspec.json.encode(document())
