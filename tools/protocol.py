"""`make docs`: docs/protocol.md and the client's types, both made of the message schema."""

from __future__ import annotations

import ast
import inspect as source
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from pasch.core.position import FieldKind
from pasch.core.words import Sentence
from pasch.table import schema
from pasch.table.refusals import CODES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "protocol.md"
TYPES = ROOT / "src" / "pasch" / "web" / "static" / "app" / "types.d.ts"

SHARED = (
    schema.StandIn,
    schema.Seat,
    FieldKind,
    schema.TableInfo,
    schema.Choice,
    schema.Ask,
    schema.Position,
    schema.Entry,
    schema.Step,
    Sentence,
    schema.Judgement,
)
FROM_BROWSER: tuple[type[msgspec.Struct], ...] = get_args(schema.FromBrowser)
FROM_SERVER: tuple[type[msgspec.Struct], ...] = get_args(schema.FromServer)
HTTP = (schema.SeatRequest, schema.NewTable, schema.MadeTable)
CHAPTERS = (
    ("What both sides talk about", SHARED),
    ("From the browser", FROM_BROWSER),
    ("From the server", FROM_SERVER),
    ("Bodies of HTTP requests and answers", HTTP),
)


def _comments() -> dict[tuple[str, str], str]:
    """The `#:` comment above each field of each struct."""
    text = source.getsource(schema)
    lines = text.splitlines()
    found = {}
    for node in ast.parse(text).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                at = field.lineno - 2
                said: list[str] = []
                while lines[at].strip().startswith("#:"):
                    said.insert(0, lines[at].strip().removeprefix("#:").strip())
                    at -= 1
                found[node.name, field.target.id] = " ".join(said)
    return found


def type_name(kind: inspect.Type) -> str:
    """A type as TypeScript writes it."""
    if isinstance(kind, inspect.Metadata):
        return type_name(kind.type)
    if isinstance(kind, inspect.StructType):
        return kind.cls.__name__
    if isinstance(kind, inspect.LiteralType):
        return "|".join(f'"{value}"' for value in sorted(map(str, kind.values)))
    if isinstance(kind, inspect.UnionType):
        return "|".join(map(type_name, kind.types))
    if isinstance(kind, inspect.VarTupleType):
        item = type_name(kind.item_type)
        return f"({item})[]" if "|" in item else f"{item}[]"
    if isinstance(kind, inspect.DictType):
        return f"Record<string, {type_name(kind.value_type)}>"
    names: dict[type[inspect.Type], str] = {
        inspect.IntType: "number",
        inspect.FloatType: "number",
        inspect.StrType: "string",
        inspect.BoolType: "boolean",
        inspect.NoneType: "null",
        inspect.AnyType: "any",
    }
    return names[type(kind)]


def _limits(kind: inspect.Type) -> str:
    """The bounds of a field, in words."""
    if isinstance(kind, inspect.Metadata):
        return _limits(kind.type)
    if isinstance(kind, inspect.UnionType):
        return ", ".join(filter(None, map(_limits, kind.types)))
    if isinstance(kind, inspect.IntType):
        least, most = kind.ge, kind.le
        return (
            f"{least} to {most}" if most is not None else f"at least {least}" if least is not None else ""
        )
    if isinstance(kind, inspect.StrType | inspect.VarTupleType):
        unit = "characters" if isinstance(kind, inspect.StrType) else "items"
        if kind.max_length is not None:
            return f"{kind.min_length or 0} to {kind.max_length} {unit}"
    return ""


def _info(cls: type[msgspec.Struct]) -> inspect.StructType:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    return info


def _comment(cls: type[Any], field: str, comments: dict[tuple[str, str], str]) -> str:
    owners = [c.__name__ for c in cls.__mro__ if (c.__name__, field) in comments]
    return comments[owners[0], field] if owners else ""


def page() -> str:
    """docs/protocol.md."""
    comments = _comments()
    lines = [
        "<!-- made by `make docs` from src/pasch/table/schema.py; edit that -->",
        "",
        "# The protocol between browser and server",
        "",
        *(source.getdoc(schema) or "").splitlines()[2:],
        "",
        f"A WebSocket per open table: `/ws/ID`. A message has at most {schema.MAX_MESSAGE_BYTES} bytes.",
        "What is asked over HTTP is described as OpenAPI 3.1 at `/api/openapi.json`.",
        "",
    ]
    for title, structs in CHAPTERS:
        lines += [f"## {title}", ""]
        for cls in structs:
            info = _info(cls)
            name = f"{cls.__name__} (`{info.tag}`)" if info.tag else cls.__name__
            lines += [f"### {name}", "", *(source.getdoc(cls) or "").splitlines(), ""]
            if not info.fields:
                continue
            lines += ["| field | type | meaning |", "|---|---|---|"]
            for field in info.fields:
                written = type_name(field.type).replace("|", " or ")
                said = [_comment(cls, field.name, comments), _limits(field.type)]
                optional = "" if field.required else " (may be left out)"
                meaning = "; ".join(filter(None, said)).replace("|", "\\|")
                lines.append(f"| `{field.name}`{optional} | {written} | {meaning} |")
            lines.append("")
    lines += ["## Why something is refused", "", "| code | meaning |", "|---|---|"]
    lines += [f"| `{code}` | {meaning} |" for code, (_, meaning) in CODES.items()]
    return "\n".join(lines) + "\n"


def types() -> str:
    """The client's types, as a declaration file."""
    comments = _comments()
    lines = ["// Made by `make docs` from src/pasch/table/schema.py; edit that.", ""]
    for _, structs in CHAPTERS:
        for cls in structs:
            info = _info(cls)
            lines += [
                "/**",
                *(f" * {line}".rstrip() for line in (source.getdoc(cls) or "").splitlines()),
                " */",
            ]
            lines.append(f"export interface {cls.__name__} {{")
            if info.tag:
                lines.append(f'  type: "{info.tag}";')
            received = structs is SHARED or structs is FROM_SERVER or cls is schema.MadeTable
            for field in info.fields:
                # the server writes every field, the browser may leave some out
                mark = "" if field.required or received else "?"
                if said := _comment(cls, field.name, comments):
                    lines.append(f"  /** {said} */")
                lines.append(f"  {field.name}{mark}: {type_name(field.type)};")
            lines += ["}", ""]
    for name, union in (("FromBrowser", FROM_BROWSER), ("FromServer", FROM_SERVER)):
        lines.append(f"export type {name} = {' | '.join(cls.__name__ for cls in union)};")
    return "\n".join(lines) + "\n"


def main() -> None:
    for path, text in ((PAGE, page()), (TYPES, types())):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
