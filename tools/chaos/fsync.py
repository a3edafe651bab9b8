"""A disk that reports errors: from now on every fsync of this process fails (Linux, seccomp)."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from typing import Final, NamedTuple


class _Calls(NamedTuple):
    """The numbers of the system calls that are needed."""

    seccomp: int
    fsync: int
    fdatasync: int


_KNOWN: Final = {"x86_64": _Calls(317, 74, 75), "aarch64": _Calls(277, 82, 83)}
CAN_FAIL: Final = sys.platform == "linux" and platform.machine() in _KNOWN

_NO_NEW_PRIVILEGES: Final = 38
_SET_FILTER: Final = 1
_ALL_THREADS: Final = 1
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW: Final = 0x7FFF0000
_ERROR: Final = 0x00050000
#: where a filter finds the number of the call and its first argument
_NUMBER, _FIRST = 0, 16


class _Step(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("yes", ctypes.c_ubyte),
        ("no", ctypes.c_ubyte),
        ("value", ctypes.c_uint),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(_Step)))


def fail_fsync(file: int | None = None) -> None:
    """Let every fsync of this process fail for good, or only those of the open file with this number."""
    calls = _KNOWN[platform.machine()]
    of_file = [] if file is None else [_Step(_LOAD, 0, 0, _FIRST), _Step(_EQUAL, 0, 1, file)]
    written = [
        _Step(_LOAD, 0, 0, _NUMBER),
        _Step(_EQUAL, 1, 0, calls.fsync),
        _Step(_EQUAL, 0, 1 + len(of_file), calls.fdatasync),
        *of_file,
        _Step(_RETURN, 0, 0, _ERROR | errno.EIO),
        _Step(_RETURN, 0, 0, _ALLOW),
    ]
    steps = (_Step * len(written))(*written)
    program = _Program(len(written), steps)
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or library.syscall(
        calls.seccomp, _SET_FILTER, _ALL_THREADS, ctypes.byref(program)
    ):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
