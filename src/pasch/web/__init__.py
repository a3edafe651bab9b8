"""The browser table: ASGI application, message schema, and the client in `static/`."""
