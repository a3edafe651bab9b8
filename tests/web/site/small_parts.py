"""Parts of a site that are no Python, but quick to handle: for tests that start no engine."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

TAGS = "cp314-cp314-pyemscripten_2026_0_wasm32"


def small_parts(folder: Path) -> Path:
    """A folder as `--parts` names it."""
    pyodide = folder / "pyodide"
    pyodide.mkdir(parents=True)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        (pyodide / name).write_text(f"// {name}")
    library = io.BytesIO()
    with zipfile.ZipFile(library, "w") as archive:
        for name in ("abc.py", "unittest/case.py", "encodings/utf_8.py", "encodings/cp1006.py"):
            archive.writestr(name, "")
    (pyodide / "python_stdlib.zip").write_bytes(library.getvalue())
    (pyodide / "package.json").write_text(json.dumps({"version": "314.0.1"}))
    info = {"python": "3.14.2", "abi_version": "2026_0", "arch": "wasm32"}
    (pyodide / "pyodide-lock.json").write_text(json.dumps({"info": info, "packages": {"numpy": {}}}))
    (folder / f"msgspec-9.9-{TAGS}.whl").write_bytes(b"a wheel")
    return folder
