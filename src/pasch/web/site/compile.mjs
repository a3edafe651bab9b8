// Run by compiled.py with Node: makes bytecode of the Python files of an archive, with the Python that will read it.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, source, target, level] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.writeFile("/source.zip", new Uint8Array(readFileSync(source)));
python.runPython(`
import importlib.util
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

with zipfile.ZipFile("/source.zip") as source, zipfile.ZipFile("/target.zip", "w") as target:
    for info in source.infolist():
        if info.is_dir():
            continue
        name, data = info.filename, source.read(info)
        if name.endswith(".py"):
            # pyodide's own modules read their docstrings
            level = 0 if name.startswith(("pyodide/", "_pyodide/")) else ${Number(level)}
            code = compile(data, name, "exec", dont_inherit=True, optimize=level)
            # never compared with a source, which is not there
            name, data = name + "c", bytes(_code_to_hash_pyc(code, importlib.util.source_hash(data), False))
        target.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
`);
writeFileSync(target, python.FS.readFile("/target.zip"));
