"""Compiled functions: numba's decorator with types, and plain functions compiled together with all they call.

Only modules that are imported lazily import this one, because importing the compiler takes long. numba caches
machine code as long as a function's own file is unchanged; code that depends on other files has a digest of them in
its name.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final, ParamSpec, TypeVar, cast

import numba

from pasch.core.rules import kernel_allocates
from pasch.solve.tables import code_folder

# beside the tables, because the folder of the package may be read-only, or gone after the next update
numba.config.CACHE_DIR = str(code_folder())  # type: ignore[attr-defined]

#: maximum size, in bytes of bytecode, of functions that are inlined into their callers
INLINED: Final = 1200

#: attributes of a function to be compiled: the files that it depends on, and whether it allocates
SOURCES, ALLOCATES = "sources", "allocates"
#: of functions that only compiled code calls
UNWRAPPED: Final = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

#: numba's own types know no `_nrt`
_njit: Any = numba.njit

P = ParamSpec("P")
R = TypeVar("R")


def compiled(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function on its first call and cache the machine code."""
    return cast(Callable[[Callable[P, R]], Callable[P, R]], numba.njit(cache=True, **options))


def compile_plain(
    function: Callable[..., Any], *, replace: Mapping[str, Callable[..., Any]] | None = None, name: str = ""
) -> Any:
    """A plain function compiled together with all functions of Pasch and of games that it calls.

    `replace` overrides global names of its module. The machine code is cached under `name` and a digest of all
    sources. Functions marked `kernel` (see `pasch.core.rules`) are compiled and cached separately.
    """
    return _Compilation(function.__module__, replace or {}).kept(cast(FunctionType, function), name)[0]


@cache
def _separate(function: FunctionType) -> tuple[Any, frozenset[str]]:
    """A separately compiled function for compiled callers, and the files that it depends on."""
    made, sources = _Compilation(function.__module__, {}).kept(function, "kernel")
    return _unwrapped(made), sources


@cache
def _unwrapped(wrapped: Any) -> Any:
    """A function for callers that are compiled: without wrappers, which take longer to compile than what they wrap."""
    if not hasattr(wrapped, "py_func"):  # numba is switched off
        return wrapped
    known = wrapped.py_func
    made = FunctionType(known.__code__, known.__globals__, known.__name__, known.__defaults__)
    made.__module__, made.__qualname__ = known.__module__, f"{known.__qualname__}_inner"
    vars(made).update(vars(known))
    return _njit(cache=True, nogil=True, _nrt=vars(known)[ALLOCATES], **UNWRAPPED)(made)


class _Compilation:
    """Functions compiled for one purpose, each once."""

    def __init__(self, module: str, replace: Mapping[str, Callable[..., Any]]) -> None:
        self._module, self._replace = module, replace
        self._done: dict[tuple[FunctionType, bool], tuple[Any, frozenset[str]]] = {}

    def kept(self, function: FunctionType, name: str) -> tuple[Any, frozenset[str]]:
        """The compiled function, whose machine code is cached, and the files that it depends on."""
        allocates = kernel_allocates(function) or False
        made, sources = self._bound(function, allocates)
        # the types of arguments may come from other modules: numba cannot read code whose types are gone
        files = sorted({file for source in sources for file in Path(source).parent.glob("*.py")})
        digest = hashlib.sha256(b"".join(file.read_bytes() for file in files))
        made.__qualname__ = f"{function.__name__}_{name}_{digest.hexdigest()[:16]}"
        vars(made)[ALLOCATES] = allocates
        return _njit(cache=True, nogil=True, _nrt=allocates, no_cfunc_wrapper=True)(made), sources

    def _inner(self, function: FunctionType, allocates: bool) -> tuple[Any, frozenset[str]]:
        """A function that is called by another one, compiled."""
        if kernel_allocates(function) is not None:
            return _separate(function)
        if (function, allocates) not in self._done:
            made, sources = self._bound(function, allocates)
            # inline small functions into their callers; without `_nrt=False` numba counts references to arrays, which
            # takes most of the time in short loops
            small = len(function.__code__.co_code) <= INLINED
            options = {"_nrt": allocates, "forceinline": small and not allocates}
            self._done[function, allocates] = _njit(nogil=True, **options, **UNWRAPPED)(made), sources
        return self._done[function, allocates]

    def _bound(self, function: FunctionType, allocates: bool) -> tuple[FunctionType, frozenset[str]]:
        """The function with compiled ones in place of those that it calls, and the files that it depends on."""
        sources, names = {function.__code__.co_filename}, dict(function.__globals__)
        if function.__module__ == self._module:
            names |= self._replace
        for used in global_names(function):
            thing = names.get(used)
            if isinstance(thing, FunctionType) and _ours(thing):
                names[used], more = self._inner(thing, allocates)
                sources |= more
            elif thing is not None and hasattr(thing, "py_func"):
                # compiled already: depends on all files in its SOURCES, or only on its own (`compiled`)
                sources |= vars(thing.py_func).get(SOURCES, {thing.py_func.__code__.co_filename})
                if SOURCES in vars(thing.py_func):
                    names[used] = _unwrapped(thing)
        made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        made.__module__ = function.__module__
        vars(made)[SOURCES] = frozenset(sources)
        return made, frozenset(sources)


@cache
def global_names(function: FunctionType) -> frozenset[str]:
    """The global names that a function reads."""
    return frozenset(
        instruction.argval
        for instruction in dis.get_instructions(function)
        if instruction.opname == "LOAD_GLOBAL"
    )


def _ours(function: FunctionType) -> bool:
    """Whether a function is part of Pasch or of a game, and no library's."""
    return function.__module__.partition(".")[0] not in sys.stdlib_module_names | {"numba", "numpy"}
