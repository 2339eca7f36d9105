"""Makes a screenshot smaller: a PNG with a palette of its 256 most frequent colors has a third of the size."""

import struct
import zlib
from collections import Counter


def with_palette(png):
    """Returns the picture with a palette, and replaces each other color by the nearest one of the palette.

    The picture has 8-bit RGB colors, as Chromium writes it.
    """
    width, height, rows = read(png)
    pixels = [[row[x:x + 3] for x in range(0, len(row), 3)] for row in rows]
    counts = Counter(pixel for row in pixels for pixel in row)
    palette = [color for color, _ in counts.most_common(256)]
    indices = {color: index for index, color in enumerate(palette)}
    for color in counts.keys() - indices.keys():
        indices[color] = min(range(len(palette)), key=lambda index: distance(palette[index], color))
    data = b"".join(bytes([0, *(indices[pixel] for pixel in row)]) for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"PLTE", b"".join(palette)), (b"IDAT", zlib.compress(data, 9)), (b"IEND", b"")]
    return png[:8] + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks)


def distance(color, other):
    return sum((a - b) ** 2 for a, b in zip(color, other))


def read(png):
    """Returns the width, the height and the rows of a picture, after undoing the PNG filters."""
    place, data = 8, b""
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        if name == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        elif name == b"IDAT":
            data += body
        place += length + 12
    data, size = zlib.decompress(data), 3 * width + 1
    rows, above = [], bytes(size - 1)
    for start in range(0, len(data), size):
        row = bytearray(data[start + 1:start + size])
        for x, up in enumerate(above):
            left, corner = (row[x - 3], above[x - 3]) if x >= 3 else (0, 0)
            nearest = min(left, up, corner, key=lambda value: abs(left + up - corner - value))
            row[x] = (row[x] + (0, left, up, (left + up) // 2, nearest)[data[start]]) & 255
        rows.append(bytes(row))
        above = row
    return width, height, rows
