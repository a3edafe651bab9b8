"""The web app manifest, by which a phone installs Pasch: names, icons, pictures."""

from __future__ import annotations

import json
from typing import Any, Final

#: pictures that show the app before it is installed: file, size, form
_PICTURES: Final = (
    ("home-phone", "360x640", "narrow", "What shall we play?"),
    ("table-phone", "360x640", "narrow", "A game on a phone"),
    ("home-desktop", "1280x800", "wide", "What shall we play?"),
    ("table-desktop", "1280x800", "wide", "A game on a computer"),
)


def manifest(root: str = "./") -> bytes:
    """The manifest of an app whose files lie at `root`; addresses in it count from where it lies itself."""
    icons: list[dict[str, Any]] = [
        {"src": f"{root}static/icon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"}
    ]
    for kind, purpose in (("icon", "any"), ("maskable", "maskable")):
        for size in (192, 512):
            file = f"{root}static/icons/{kind}-{size}.png"
            icons.append({"src": file, "type": "image/png", "sizes": f"{size}x{size}", "purpose": purpose})
    pictures = [
        {
            "src": f"{root}static/icons/{name}.png",
            "type": "image/png",
            "sizes": size,
            "form_factor": form,
            "label": label,
        }
        for name, size, form, label in _PICTURES
    ]
    return json.dumps(
        {
            "id": root,
            "name": "Pasch",
            "short_name": "Pasch",
            "description": "Small games of dice and cards: alone, with others, or against the computer.",
            "start_url": root,
            "scope": root,
            "display": "standalone",
            "background_color": "#f5f1ea",
            "theme_color": "#f5f1ea",
            "categories": ["games"],
            "icons": icons,
            "screenshots": pictures,
        },
        indent=1,
    ).encode()
