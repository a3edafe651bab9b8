"""The OpenAPI 3.1 description of the HTTP API, made of the table of endpoints: `GET /api/openapi.json`."""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import msgspec

from pasch.coach.puzzle_plan import DIFFICULTIES
from pasch.core import VERSION
from pasch.core.registry import game_ids
from pasch.core.texts import languages
from pasch.table import schema
from pasch.table.refusals import CODES, Code
from pasch.web.api import KIND, MAX_SEED
from pasch.web.endpoints import Endpoint, endpoints_of

_REF: Final = "#/components/schemas/{name}"


_TEXT: Final = {"type": "string"}
#: the type of each parameter
_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game": {**_TEXT, "enum": list(game_ids())},
    "table": _TEXT,
    "language": {**_TEXT, "enum": list(languages())},
    "from": {"type": "integer", "default": 0},
    "date": {**_TEXT, "format": "date"},
    "seed": {**_TEXT, "maxLength": MAX_SEED, "default": ""},
    "difficulty": {"enum": list(DIFFICULTIES)},
    "kind": {**_TEXT, "pattern": KIND.pattern},
    "coach": {"enum": ["no"]},
}


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    places = dict.fromkeys(re.findall(r"{(\w+)}", endpoint.path), "path")
    places |= dict.fromkeys(endpoint.query, "query")
    return [
        {"name": name, "in": place, "required": place == "path", "schema": _PARAMETERS[name]}
        for name, place in places.items()
    ]


def _answers(good: dict[int, Any], codes: tuple[Code, ...], of: dict[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": of[str(kind)]}},
        }
        for status, kind in good.items()
    }
    said: dict[int, list[Code]] = {}
    # any request may name no host, name a host that is not accepted, or exceed a limit
    for code in dict.fromkeys((*codes, "malformed", "not-yours", "too-fast")):
        said.setdefault(CODES[code][0], []).append(code)
    for status, because in sorted(said.items()):
        described[str(status)] = {
            "description": "; ".join(f"`{code}`: {CODES[code][1]}" for code in because),
            "content": {"application/json": {"schema": of[str(schema.Refused)]}},
        }
    return described


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    kinds: list[Any] = [schema.Refused]
    for endpoint in endpoints_of("server"):
        kinds += [kind for kind in (*endpoint.answers.values(), endpoint.body) if kind is not None]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    of = {str(kind): written for kind, written in zip(kinds, schemas, strict=True)}
    # the record also names its format, which is no field of the struct
    written = components["Record"]
    written["properties"]["format"] = {"const": "pasch/1"}
    written["required"].append("format")
    paths: dict[str, Any] = {}
    for endpoint in endpoints_of("server"):
        method, path = endpoint.method.lower(), endpoint.path
        operation = paths.setdefault(path, {})[method] = {
            "operationId": (method + path.translate(str.maketrans("/{}", "_  "))).replace(" ", ""),
            "summary": (endpoint.by.__doc__ or "").partition("\n")[0].rstrip("."),
            "parameters": _parameters(endpoint),
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
