"""What an operator reads: JSON lines, plain lines at home, bounded in number; metrics without personal data."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from pasch.web import logs
from tests.web.asgi import Browser

SCRIPT = """
import asyncio, logging, threading, warnings
from pasch.web import logs

async def loop_fails():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0.01)

class Fails:
    def __del__(self):
        raise ValueError("in del")

logs.capture()
logging.getLogger("pasch.table").info("info is logged")
logging.getLogger("uvicorn.error").warning("of a library: %s", "x")
logging.getLogger("some.library").error("of another\\nwith two lines")
warnings.warn("a warning", stacklevel=1)
asyncio.run(loop_fails())
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
Fails()
"""


def test_all_output_is_json_lines() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    reply = [json.loads(line) for line in done.stderr.splitlines()]
    what = {(line["from"], line["what"]) for line in reply}
    assert {
        ("pasch.table", "info is logged"),
        ("uvicorn.error", "of a library: x"),
        ("some.library", "of another\nwith two lines"),
        ("pasch.web", "uncaught exception"),
    } <= what
    assert any(line["from"] == "py.warnings" and "a warning" in line["what"] for line in reply)
    traces = [line.get("trace", "") for line in reply]
    assert sum("ZeroDivisionError" in trace for trace in traces) == 2
    assert sum("in del" in trace for trace in traces) == 1


def test_at_home_there_are_only_warnings_and_errors_as_plain_lines() -> None:
    script = SCRIPT.replace("capture()", "capture(home=True)")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert all(line.startswith("pasch: ") for line in lines)
    assert "info is logged" not in done.stderr and "Traceback" not in done.stderr
    assert {
        "pasch: of another with two lines",
        "pasch: uncaught exception (ZeroDivisionError: division by zero)",
    } <= set(lines)


def lines_of(stream: io.StringIO) -> list[Any]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def record(message: str, *args: Any, **fields: Any) -> logging.LogRecord:
    made = logging.LogRecord("pasch", logging.WARNING, "", 0, message, args, None)
    made.fields = fields
    return made


def test_lines_of_a_logger_and_level_are_limited_and_omitted_ones_counted() -> None:
    now, stream = 0.0, io.StringIO()
    handler = logs.BoundedHandler(stream, lambda: now)
    for number in range(1000):
        handler.handle(record(f"line {number}"))
    handler.handle(logging.LogRecord("pasch", logging.ERROR, "", 0, "an error", (), None))
    assert [line["what"] for line in lines_of(stream)][-2:] == [f"line {logs.MAX_ALIKE - 1}", "an error"]
    now = logs.MINUTE
    for message in ("first", "second"):
        handler.handle(record(message))
    assert [line.get("omitted") for line in lines_of(stream)][-2:] == [1000 - logs.MAX_ALIKE, None]


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


async def numbers(browser: Browser) -> dict[str, float]:
    """Every sample, by its name and labels."""
    answer = await browser.get("/metrics")
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        sample.name + "".join(f" {label}" for label in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }


async def test_what_happens_is_counted(browser: Browser) -> None:
    before = await numbers(browser)
    _, player = await browser.alone("joker1", "here", "here")
    assert (await player.ask("roll"))["type"] == "accepted"
    assert (await player.ask("roll", version=0))["code"] == "old-version"
    after = await numbers(browser)

    def more(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert more("pasch_events_total") == 1
    assert more("pasch_refusals_total old-version") == 1
    # the contribution to the dice, and the roll
    assert more("pasch_command_seconds_count") == 2
    assert more("pasch_command_seconds_bucket +Inf") == 2
    assert after["pasch_tables open"] == 1 and after["pasch_tables idle"] == 0
    assert after["pasch_connections here"] == 1 and after["pasch_connections elsewhere"] == 0
    for quiet in ("waiting_jobs long", "unsent_bytes", "log_writes", "log_lag_seconds"):
        assert after[f"pasch_{quiet}"] == 0
    await player.vanish()
    assert (await numbers(browser))["pasch_tables idle"] == 1


async def test_nobodys_name_token_or_table_is_in_it(browser: Browser) -> None:
    made, player = await browser.alone("joker1", "here", "link")
    await player.ask("name", seat=0, name="Marjorie")
    text = (await browser.get("/metrics")).body.decode()
    secrets = [made["id"], made["watch"], made["maker"], *made["seats"].values(), "Marjorie"]
    assert not any(secret in text for secret in (*secrets, *made["invitations"].values()))
