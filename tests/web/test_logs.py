"""Everything that the server says of itself is a line of JSON, short, and not too often."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from typing import Any

from pasch.web import logs

SCRIPT = """
import asyncio, logging, os, subprocess, sys, threading, warnings
from pasch.web import logs

async def loop_fails():
    asyncio.get_running_loop().set_exception_handler(logs.log_loop_failure)
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0.01)

class Fails:
    def __del__(self):
        raise ValueError("in del")

with logs.json_lines():
    logging.getLogger("pasch.table").info("info is logged")
    logging.getLogger("uvicorn.error").warning("of a library: %s", "x")
    logging.getLogger("some.library").error("of another\\nwith two lines")
    logging.getLogger("pasch.web").error("wrong %d", "arguments")
    warnings.warn("a warning", stacklevel=1)
    asyncio.run(loop_fails())
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    Fails()
    print("printed", file=sys.stderr, flush=True)
    os.write(2, b"by C\\xff code\\n")
    subprocess.run([sys.executable, "-c", "raise SystemExit('by a child')"])
    sys.excepthook(*(lambda e: (type(e), e, None))(RuntimeError("uncaught")))
print("plain again", file=sys.stderr)
"""


def test_whatever_is_said_is_a_line_of_json() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    *lines, last = done.stderr.splitlines()
    assert last == "plain again"
    reply = [json.loads(line) for line in lines]
    what = {(line["from"], line["what"]) for line in reply}
    assert {
        ("pasch.table", "info is logged"),
        ("uvicorn.error", "of a library: x"),
        ("some.library", "of another\nwith two lines"),
        ("pasch.web", "not logged"),
        ("pasch.web", "not caught in a thread"),
        ("pasch.web", "not caught"),
        ("stderr", "printed"),
        ("stderr", "by C\\xff code"),
        ("stderr", "by a child"),
    } <= what
    assert any(line["from"] == "py.warnings" and "a warning" in line["what"] for line in reply)
    traces = [line.get("trace", "") for line in reply]
    assert sum("ZeroDivisionError" in trace for trace in traces) == 2
    assert sum("in del" in trace for trace in traces) == 1


def test_a_crash_leaves_its_traceback() -> None:
    script = "import os; from pasch.web import logs\nwith logs.json_lines():\n    os.kill(os.getpid(), 11)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == -11
    assert "Fatal Python error: Segmentation fault" in done.stderr and "line 3" in done.stderr


def lines_of(stream: io.StringIO) -> list[Any]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def record(message: str, *args: Any, **fields: Any) -> logging.LogRecord:
    made = logging.LogRecord("pasch", logging.WARNING, "", 0, message, args, None)
    made.fields = fields
    return made


def test_so_many_lines_of_a_kind_a_minute_and_then_how_many_more() -> None:
    now, stream = 0.0, io.StringIO()
    handler = logs.BoundedHandler(stream, lambda: now)
    for number in range(1000):
        handler.handle(record("line %d", number))
    handler.handle(record("another"))
    assert [line["what"] for line in lines_of(stream)][-2:] == [f"line {logs.MAX_ALIKE - 1}", "another"]
    now = logs.MINUTE
    handler.handle(record("line %d", 1000))
    reply, last = lines_of(stream)[-2:]
    assert (reply["what"], reply["like"], reply["more"]) == ("left out", "line %d", 1000 - logs.MAX_ALIKE)
    assert last["what"] == "line 1000"


def test_so_many_lines_of_all_kinds() -> None:
    stream = io.StringIO()
    handler = logs.BoundedHandler(stream, lambda: 0.0)
    for number in range(5000):
        handler.handle(record(f"line {number}"))
    assert len(lines_of(stream)) <= logs.MAX_LINES
    assert len(handler._kinds) <= logs.MAX_KINDS + 1
    handler.close()
    assert sum(line.get("more", 0) for line in lines_of(stream)) + logs.MAX_KINDS + logs.MAX_ALIKE == 5000


def test_a_line_is_short_and_one_line() -> None:
    long = "x" * 100_000
    made = record("%s", long, problem=long, many=["y" * 1000] * 1000, odd="\u2028\ud800\n")
    try:
        raise ValueError(long)
    except ValueError as error:
        made.exc_info = (ValueError, error, error.__traceback__)
    line = logs.JsonLines().format(made)
    assert len(line) < 4 * (logs.MAX_TEXT + logs.MAX_TRACE) and len(line.splitlines()) == 1
    assert line.isascii() and json.loads(line)["odd"] == "\u2028\ud800\n"
