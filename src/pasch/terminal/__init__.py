"""The terminal interface: playing, showing, checking and simulating games."""
