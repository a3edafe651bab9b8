"""Pictures of few colours take little room: a screenshot as a PNG with a palette.

The browser that took the picture also reads it, so nothing else has to be installed for it.
"""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Final

from playwright.sync_api import Page

#: the picture in at most 256 colours: the most frequent ones, to which all others are rounded
REDUCE: Final = """
async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const cell = (at) => ((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3);
  const found = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const key = cell(at);
    const sum = found.get(key) ?? [0, 0, 0, 0];
    sum[0] += 1;
    for (const part of [0, 1, 2]) sum[part + 1] += data[at + part];
    found.set(key, sum);
  }
  const colours = [...found.values()].sort((a, b) => b[0] - a[0]).slice(0, 256)
    .map(([n, ...sums]) => sums.map((sum) => Math.round(sum / n)));
  const nearest = new Map();
  for (const [key, [n, ...sums]] of found) {
    let best = 0;
    let least = Infinity;
    colours.forEach((colour, place) => {
      const far = colour.reduce((all, part, which) => all + (part - sums[which] / n) ** 2, 0);
      if (far < least) [best, least] = [place, far];
    });
    nearest.set(key, best);
  }
  let dots = "";
  for (let at = 0; at < data.length; at += 4) dots += String.fromCharCode(nearest.get(cell(at)));
  return { width: image.width, height: image.height, colours: colours.flat(), dots: btoa(dots) };
}
"""


def with_palette(page: Page, picture: bytes) -> bytes:
    """The picture as a PNG with a palette; `page` is any page of a browser."""
    read = page.evaluate(REDUCE, base64.b64encode(picture).decode())
    width, height = read["width"], read["height"]
    dots = base64.b64decode(read["dots"])
    # each row begins with the number of its filter: none is best for flat colours
    rows = b"".join(b"\0" + dots[row * width : (row + 1) * width] for row in range(height))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(read["colours"])),
            _chunk(b"IDAT", zlib.compress(rows, 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
