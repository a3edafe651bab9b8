"""The parts of a site that other projects make: Python for the browser, and msgspec built for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from pasch.core.errors import PaschError

#: the files of the npm package `pyodide` that a browser loads; the lock is rewritten, see `lock`
LIBRARY: Final = "python_stdlib.zip"
PYODIDE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY)
LOCK: Final = "pyodide-lock.json"
#: the series of pyodide that Pasch is tested with: the first number is the version of Python
SERIES: Final = "314"
#: a checkout of Pasch has the parts here, put there by `make site`
CHECKOUT: Final = Path(__file__).parents[4] / "node_modules"


class PartsMissing(PaschError):
    """The folder of parts is incomplete, or has parts of another version."""


class Parts(NamedTuple):
    """Where the parts are."""

    pyodide: Path
    wheel: Path

    def lock(self) -> bytes:
        """The list of packages for pyodide: msgspec alone, with its hash, to be loaded from beside this list."""
        from hashlib import sha256

        name, version, *_ = self.wheel.name.split("-")
        package = {
            "name": name,
            "version": version,
            "file_name": self.wheel.name,
            "install_dir": "site",
            "sha256": sha256(self.wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": [name],
            "depends": [],
            "unvendored_tests": False,
        }
        return json.dumps({"info": _info(self.pyodide), "packages": {name: package}}).encode()


def find_parts(folder: Path | None = None) -> Parts:
    """The parts in a folder that has `pyodide/` and the wheel of msgspec; without one, those of the checkout."""
    found = folder or CHECKOUT
    pyodide = found / "pyodide"
    missing = [name for name in ("package.json", LOCK, *PYODIDE_FILES) if not (pyodide / name).is_file()]
    if missing:
        raise _missing(found, "pyodide/{file} is not there", file=missing[0])
    version = str(_read(pyodide / "package.json").get("version"))
    if version.partition(".")[0] != SERIES:
        raise _missing(found, "pyodide is {version}, not {series}", version=version, series=SERIES)
    info = _info(pyodide)
    python = "".join(str(info["python"]).split(".")[:2])
    tags = f"cp{python}-cp{python}-pyemscripten_{info['abi_version']}_{info['arch']}"
    wheels = sorted(found.glob(f"msgspec-*-{tags}.whl"))
    if not wheels:
        raise _missing(found, "msgspec-…-{tags}.whl is not there", tags=tags)
    return Parts(pyodide, wheels[-1])


def _read(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_bytes())
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise PartsMissing("{file} is damaged", file=str(file))
    return read


def _info(pyodide: Path) -> dict[str, Any]:
    info = _read(pyodide / LOCK).get("info")
    if not isinstance(info, dict) or not {"python", "abi_version", "arch"} <= set(info):
        raise PartsMissing("{file} is damaged", file=str(pyodide / LOCK))
    return info


def _missing(folder: Path, what: str, **details: str) -> PartsMissing:
    said = (
        "a site needs Python for the browser, and in {folder} "
        + what
        + ". In a checkout of Pasch `make site` gets it. Elsewhere: npm install pyodide@{wanted}; "
        "pip download --no-deps --only-binary :all: --python-version 3.14 --platform pyemscripten_2026_0_wasm32 "
        "--dest node_modules msgspec; pasch site DIR --parts node_modules"
    )
    return PartsMissing(said, folder=str(folder), wanted=SERIES, **details)
