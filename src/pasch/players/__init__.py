"""Computer players. They see only their seat's view."""
