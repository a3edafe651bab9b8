// @ts-check
// A worker in which the tests of every log (tests/store/contract.py) run against this browser's storage.
import { browserLog } from "./browser_log.js";
import { startPython } from "./python.js";

self.onmessage = async ({ data: { contract } }) => {
  try {
    const { python } = await startPython("", () => {});
    python.FS.writeFile("/pasch/contract.py", contract);
    const run = await python.runPythonAsync(`
import contract
from pyodide.ffi import to_js
from pasch.store.browser import BrowserStore
from pasch.web.worker import IndexedRows

async def run(open_log):
    problems = {}
    for name, promise in contract.PROMISES.items():
        try:
            await promise(lambda: BrowserStore(IndexedRows(open_log(name), to_js)))
        except Exception as error:
            problems[name] = repr(error)
    return to_js([len(contract.PROMISES), str(problems)])
run
`);
    self.postMessage(await run(browserLog));
  } catch (error) {
    self.postMessage([0, String(error)]);
  }
};
