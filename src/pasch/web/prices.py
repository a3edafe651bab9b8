"""What a stranger's requests cost, in milliseconds of the server process's time.

Everything is taken from the one budget of its address (`Limits.address`) before it is done. The prices are measured
ones, rounded up; what takes long is measured each time, and the difference is charged afterwards.
"""

from __future__ import annotations

from typing import Final

#: any request over HTTP: a file, a page, a refusal
REQUEST: Final = 1.0
#: opening a WebSocket
HANDSHAKE: Final = 3.0
#: a message over a WebSocket
MESSAGE: Final = 0.5
#: a sign of life asked for over a WebSocket, which every page that is looked at does every two seconds
PING: Final = 0.1
#: a welcome, on top of its message: the whole position is made for this client
WELCOME: Final = 4.0
#: messages for which a welcome counts
WELCOME_MESSAGES: Final = 8
#: a KiB of a request's body: read, checked, decoded
BODY: Final = 0.03
#: making a table, on top of its body
TABLE: Final = 5.0
#: checking a box for every number of players
BOX: Final = 20.0
#: a puzzle, which a helper process makes: asking it and passing its answer on
PUZZLE: Final = 5.0
#: an event of a game that is gone through: loaded, replayed, written down
EVENT: Final = 0.02
#: a position of a replay
POSITION: Final = 0.05
#: a KiB of an answer that is kept ready
ANSWER: Final = 0.01
