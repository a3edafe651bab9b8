"""The server's own log: JSON lines on stderr, without tokens, bounded in length and number.

Everything goes this way: what Pasch and its libraries log, warnings, exceptions that nobody caught, and whatever
is written to stderr by anybody, helper processes included.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import logging
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from typing import Any, Final, TextIO

#: characters of a message, of each field, and of a traceback, of which the end is kept
MAX_TEXT: Final = 2_000
MAX_TRACE: Final = 8_000
#: lines per minute of one kind, and of all; what is left out is counted and reported
MAX_ALIKE: Final = 60
MAX_LINES: Final = 600
MINUTE: Final = 60.0
#: kinds of lines that are counted separately; what comes beyond them is counted together
MAX_KINDS: Final = 256

logger = logging.getLogger("pasch.web")


class JsonLines(logging.Formatter):
    """Formats time, level, message, and the fields given as `extra={"fields": {...}}`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": _short(record.getMessage()),
            **{name: _short(value) for name, value in getattr(record, "fields", {}).items()},
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = "".join(traceback.format_exception(record.exc_info[1]))[-MAX_TRACE:]
        # in ASCII, so that no character in it ends a line for anybody
        return json.dumps(line, default=lambda value: _short(str(value)))


def _short(value: Any) -> Any:
    if isinstance(value, (list, tuple, dict)):
        value = str(value) if len(str(value)) > MAX_TEXT else value
    return f"{value[:MAX_TEXT]} …" if isinstance(value, str) and len(value) > MAX_TEXT else value


class BoundedHandler(logging.StreamHandler[TextIO]):
    """Limits the lines per minute, of each kind and of all, and reports how many were left out."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self.setFormatter(JsonLines())
        self._clock = clock
        self._since = clock()
        self._lines = 0
        #: the kinds of lines of this minute: how many came, and how many were written
        self._kinds: dict[tuple[str, str], list[int]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless there are too many; the caller holds the lock."""
        if self._clock() - self._since >= MINUTE:
            self._begin_minute()
        kind = (record.name, str(record.msg)[:100])
        if kind not in self._kinds and len(self._kinds) >= MAX_KINDS:
            kind = ("", "")
        counts = self._kinds.setdefault(kind, [0, 0])
        counts[0] += 1
        if counts[1] < MAX_ALIKE and self._lines < MAX_LINES:
            counts[1] += 1
            self._lines += 1
            super().emit(record)

    def _begin_minute(self) -> None:
        """Say what was left out of the minute that has passed."""
        kinds, self._kinds, self._lines, self._since = self._kinds, {}, 0, self._clock()
        for (name, message), (came, written) in kinds.items():
            if came > written:
                summary = logging.LogRecord(name, logging.WARNING, "", 0, "left out", (), None)
                summary.fields = {"like": message, "more": came - written}
                super().emit(summary)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Write only the name of a record that cannot be formatted, not a traceback in plain text."""
        with suppress(Exception):
            self.stream.write(
                json.dumps({"level": "error", "from": record.name, "what": "not logged"}) + "\n"
            )

    def close(self) -> None:
        with self.lock or nullcontext():
            self._begin_minute()
        super().close()


def drop_trace_of_bad_text(record: logging.LogRecord) -> bool:
    """Leave uvicorn's traceback out where a stranger has sent text that is no UTF-8."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


def log_loop_failure(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What the event loop does with an exception that nobody waited for."""
    problem = context.get("exception")
    fields = {name: str(value) for name, value in context.items() if name not in ("message", "exception")}
    what = context.get("message") or "failed in the event loop"
    logging.getLogger("asyncio").error(what, exc_info=problem, extra={"fields": fields})


def _log_uncaught(kind: type[BaseException], error: BaseException | None, trace: Any) -> None:
    if isinstance(error, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    elif error is not None:
        logger.critical("not caught", exc_info=error)


def _log_uncaught_in_thread(failed: threading.ExceptHookArgs) -> None:
    logger.critical("not caught in a thread", exc_info=failed.exc_value)


def _log_unraisable(failed: sys.UnraisableHookArgs) -> None:
    logger.error("not raised: %s", failed.err_msg or "", exc_info=failed.exc_value)


@contextmanager
def json_lines(level: int = logging.INFO) -> Iterator[None]:
    """Write everything that is logged or written to stderr as lines of JSON, for as long as the block lasts."""
    sys.stderr.flush()
    terminal = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace")
    handler = BoundedHandler(terminal)
    root = logging.getLogger()
    before = root.handlers[:], root.level
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("pasch").setLevel(level)
    logging.captureWarnings(True)
    logging.getLogger("uvicorn.error").addFilter(drop_trace_of_bad_text)
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    sys.excepthook, threading.excepthook = _log_uncaught, _log_uncaught_in_thread
    sys.unraisablehook = _log_unraisable
    reader, writer = os.pipe()
    os.dup2(writer, 2)
    os.close(writer)
    lines = threading.Thread(target=_log_lines, args=(reader,), name="stderr", daemon=True)
    lines.start()
    # nobody reads the pipe any more when the process crashes
    crashes = not faulthandler.is_enabled()
    if crashes:
        faulthandler.enable(terminal)
    try:
        yield
    finally:
        if crashes:
            faulthandler.disable()
        sys.stderr.flush()
        os.dup2(terminal.fileno(), 2)
        # a helper process that is just ending may still hold the other end
        lines.join(0.2)
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
        logging.captureWarnings(False)
        root.handlers[:], root.level = before
        handler.close()
        terminal.flush()


def _log_lines(reader: int) -> None:
    """Log what libraries and helper processes write to stderr, line by line."""
    stderr = logging.getLogger("stderr")
    with os.fdopen(reader, encoding="utf-8", errors="backslashreplace") as lines:
        # never more than so much of a line that does not end
        while line := lines.readline(MAX_TEXT):
            if line.strip():
                stderr.warning("%s", line.rstrip())
