"""Computer players. They see only their seat's view."""

import pasch.players.levels  # noqa: F401 - registers the levels
