"""The server's own log on stderr: JSON lines for an operator, plain lines at home; bounded in length and number.

It contains everything that Pasch and its libraries log, warnings and uncaught exceptions. It contains no tokens.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import logging
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from typing import Any, Final, TextIO

#: characters of a message, of each field, and of a traceback, of which the end is kept
MAX_TEXT: Final = 2_000
MAX_TRACE: Final = 8_000
#: lines per minute of one kind; omitted lines are counted and reported
MAX_ALIKE: Final = 30
MINUTE: Final = 60.0
#: kinds of lines that are counted separately; further kinds are counted together
MAX_KINDS: Final = 20

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


class PlainLines(logging.Formatter):
    """Formats message, fields and exception as one line for people at home."""

    def format(self, record: logging.LogRecord) -> str:
        details = [f"{name}: {value}" for name, value in getattr(record, "fields", {}).items()]
        if record.exc_info and record.exc_info[1] is not None:
            details.append("".join(traceback.format_exception_only(record.exc_info[1])).strip())
        line = record.getMessage() + (f" ({', '.join(details)})" if details else "")
        return str(_short(f"pasch: {' '.join(line.split())}"))


def _short(value: Any) -> Any:
    return value if len(text := str(value)) <= MAX_TEXT else f"{text[:MAX_TEXT]} …"


class BoundedHandler(logging.StreamHandler[TextIO]):
    """Limits the lines of each kind per minute, and reports the number of omitted ones."""

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        formatter: logging.Formatter | None = None,
    ) -> None:
        super().__init__(stream)
        self.setFormatter(formatter or JsonLines())
        self._clock = clock
        self._since = clock()
        #: the records of this minute by kind
        self._kinds: Counter[tuple[str, str]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record unless a limit is reached; the caller holds the lock."""
        if self._clock() - self._since >= MINUTE:
            self._begin_minute()
        kind = (record.name, str(record.msg)[:100])
        if kind not in self._kinds and len(self._kinds) >= MAX_KINDS:
            kind = ("", "")
        self._kinds[kind] += 1
        if self._kinds[kind] <= MAX_ALIKE:
            super().emit(record)

    def _begin_minute(self) -> None:
        """Report the lines omitted in the last minute."""
        for (name, message), count in self._kinds.items():
            if count > MAX_ALIKE:
                summary = logging.LogRecord(name, logging.WARNING, "", 0, "lines omitted", (), None)
                summary.fields = {"like": message, "more": count - MAX_ALIKE}
                super().emit(summary)
        self._kinds.clear()
        self._since = self._clock()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Write only the name of a record that cannot be formatted, not a traceback."""
        failed = logging.LogRecord(record.name, logging.ERROR, "", 0, "failed to format a record", (), None)
        with suppress(Exception):
            self.stream.write(f"{self.format(failed)}\n")

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
    """Log an exception that no task awaited."""
    problem = context.get("exception")
    fields = {name: str(value) for name, value in context.items() if name not in ("message", "exception")}
    what = context.get("message") or "failed in the event loop"
    logging.getLogger("asyncio").error(what, exc_info=problem, extra={"fields": fields})


def _log_unhandled(failed: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
    """Log an exception that ends a thread, or that Python cannot raise."""
    logger.critical("uncaught exception", exc_info=failed.exc_value)


@contextmanager
def captured(home: bool = False) -> Iterator[None]:
    """Write all log records to stderr as JSON lines; at home only warnings and errors, as plain lines."""
    handler = BoundedHandler(sys.stderr, formatter=PlainLines() if home else JsonLines())
    root = logging.getLogger()
    before = root.handlers[:], root.level
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("pasch").setLevel(logging.WARNING if home else logging.INFO)
    logging.captureWarnings(True)
    logging.getLogger("uvicorn.error").addFilter(drop_trace_of_bad_text)
    hooks = threading.excepthook, sys.unraisablehook
    threading.excepthook = sys.unraisablehook = _log_unhandled
    if not faulthandler.is_enabled():
        faulthandler.enable()
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = hooks
        logging.captureWarnings(False)
        root.handlers[:], root.level = before
        handler.close()
