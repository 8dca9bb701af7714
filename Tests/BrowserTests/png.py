"""Reads screenshots, and writes animated pictures: PNG (https://www.w3.org/TR/png-3/)."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The number of colors of an animation; at most 255.
COLORS = 80


class Picture:
    """A picture with 24 bits for each pixel."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def pixel(self, x, y):
        """The red, green and blue of a pixel."""
        return tuple(self.rows[int(y)][3 * int(x):3 * int(x) + 3])

    def colors(self, left, top, right, bottom):
        """The number of pixels of each color in a rectangle."""
        counts = {}
        for row in self.rows[int(top):int(bottom)]:
            for x in range(int(left), int(right)):
                color = tuple(row[3 * x:3 * x + 3])
                counts[color] = counts.get(color, 0) + 1
        return counts


def read(path):
    """Reads a picture without interlacing, with 8 bits for each channel."""
    with open(path, "rb") as file:
        data = file.read()
    position, packed = len(SIGNATURE), b""
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        content = data[position + 8:position + 8 + length]
        position += length + 12
        if kind == b"IHDR":
            width, height, depth, color, *_, interlaced = struct.unpack(">IIBBBBB", content)
        elif kind == b"IDAT":
            packed += content
    if depth != 8 or color not in (2, 6) or interlaced:
        raise ValueError(f"{path}: unsupported kind of PNG")
    size = 3 if color == 2 else 4
    data, rows, above = zlib.decompress(packed), [], bytes(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        above = unfiltered(data[start], data[start + 1:start + 1 + width * size], above, size)
        rows.append(above if size == 3 else bytes(
            value for x in range(0, len(above), 4) for value in above[x:x + 3]))
    return Picture(width, height, rows)


def unfiltered(kind, row, above, size):
    result = bytearray(row)
    for x in range(len(row)):
        left = result[x - size] if x >= size else 0
        up = above[x]
        if kind == 1:
            result[x] = (row[x] + left) & 255
        elif kind == 2:
            result[x] = (row[x] + up) & 255
        elif kind == 3:
            result[x] = (row[x] + (left + up) // 2) & 255
        elif kind == 4:
            corner = above[x - size] if x >= size else 0
            estimate = left + up - corner
            distances = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
            result[x] = (row[x] + (left, up, corner)[distances.index(min(distances))]) & 255
    return bytes(result)


def write_animation(path, frames):
    """Writes pictures of one size with their durations in milliseconds.

    The pictures share a palette of the most frequent colors. A frame contains only the
    rectangle that differs from the previous frame, and unchanged pixels are transparent.
    """
    first = frames[0][0]
    indexes, palette = indexed([picture for picture, _ in frames])
    clear = len(palette)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", first.width, first.height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(bytes(color) for color in palette) + bytes(3)),
        (b"tRNS", b"\xff" * clear + b"\0"),
        (b"acTL", struct.pack(">II", len(frames), 0)),
    ]
    number, previous = 0, None
    for rows, (_, duration) in zip(indexes, frames):
        left, top, right, bottom = difference(previous, rows) if previous else (
            0, 0, first.width, first.height)
        chunks.append((b"fcTL", struct.pack(
            ">IIIIIHHBB", number, right - left, bottom - top, left, top, duration, 1000, 0, 1)))
        number += 1
        lines = []
        for y in range(top, bottom):
            row = rows[y][left:right]
            if previous:
                old = previous[y][left:right]
                row = bytes(clear if a == b else a for a, b in zip(row, old))
            lines.append(b"\0" + row)
        data = zlib.compress(b"".join(lines), 9)
        if previous:
            chunks.append((b"fdAT", struct.pack(">I", number) + data))
            number += 1
        else:
            chunks.append((b"IDAT", data))
        previous = rows
    chunks.append((b"IEND", b""))
    with open(path, "wb") as file:
        file.write(SIGNATURE)
        for kind, data in chunks:
            file.write(struct.pack(">I", len(data)) + kind + data)
            file.write(struct.pack(">I", zlib.crc32(kind + data)))


def difference(old, new):
    """The rectangle that contains all differences, with at least one pixel."""
    lines = [y for y, (a, b) in enumerate(zip(old, new)) if a != b] or [0]
    top, bottom = lines[0], lines[-1] + 1
    columns = [x for y in lines for x, (a, b) in enumerate(zip(old[y], new[y])) if a != b] or [0]
    return min(columns), top, max(columns) + 1, bottom


def indexed(pictures):
    """The rows of pictures as indexes into a palette, and the palette."""
    counts = {}
    for picture in pictures:
        for row in picture.rows:
            for x in range(0, len(row), 3):
                color = row[x:x + 3]
                counts[color] = counts.get(color, 0) + 1
    palette = sorted(counts, key=lambda color: -counts[color])[:COLORS]
    nearest = {color: index for index, color in enumerate(palette)}

    def index(color):
        if color not in nearest:
            nearest[color] = min(range(len(palette)), key=lambda i: sum(
                (a - b) ** 2 for a, b in zip(palette[i], color)))
        return nearest[color]

    return [[bytes(index(row[x:x + 3]) for x in range(0, len(row), 3)) for row in picture.rows]
            for picture in pictures], palette
