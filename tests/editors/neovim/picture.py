#!/usr/bin/env python3
"""Draws a terminal's screen, as `tmux capture-pane -e` prints it, as a PNG.

    picture.py SCREEN PICTURE

The colours are those that the program set; only where it set none, those below. Blocks
are drawn as rectangles that fill their part of a cell, since bars made of a font's own
have gaps. Text is in DejaVu Sans Mono, of the Debian package fonts-dejavu-core.
"""

import collections
import re
import sys

from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono"
SIZE = 15
MARGIN = 6
# Colours of the picture in the end: enough for every tint of text that is drawn.
MOST_COLOURS = 96

FOREGROUND = (0xE0, 0xE2, 0xEA)
BACKGROUND = (0x14, 0x16, 0x1B)
SIXTEEN = [
    (0x1C, 0x1C, 0x1C),
    (0xD7, 0x5F, 0x5F),
    (0x5F, 0xAF, 0x5F),
    (0xD7, 0xAF, 0x5F),
    (0x5F, 0x87, 0xD7),
    (0xAF, 0x5F, 0xAF),
    (0x5F, 0xAF, 0xAF),
    (0xC6, 0xC6, 0xC6),
    (0x76, 0x76, 0x76),
    (0xFF, 0x87, 0x87),
    (0x87, 0xD7, 0x87),
    (0xFF, 0xD7, 0x87),
    (0x87, 0xAF, 0xFF),
    (0xD7, 0x87, 0xD7),
    (0x87, 0xD7, 0xD7),
    (0xFF, 0xFF, 0xFF),
]
SEQUENCE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\][^\x1b]*\x1b\\|\x0f|\x0e")


class Style:
    """How the next cells look."""

    def __init__(self):
        self.foreground = FOREGROUND
        self.background = BACKGROUND
        self.bold = self.italic = self.underlined = self.reversed = False

    def colours(self):
        pair = (self.foreground, self.background)
        return pair[::-1] if self.reversed else pair

    def take(self, sequence):
        """Applies the numbers of one `ESC [ … m`."""
        numbers = [int(word.split(":")[0] or 0) for word in sequence.split(";")]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.__init__()
            elif number == 1:
                self.bold = True
            elif number == 3:
                self.italic = True
            elif number == 4:
                self.underlined = True
            elif number == 7:
                self.reversed = True
            elif number == 22:
                self.bold = False
            elif number == 23:
                self.italic = False
            elif number == 24:
                self.underlined = False
            elif number == 27:
                self.reversed = False
            elif number in (38, 48, 58):
                colour = extended(numbers)
                if number == 38:
                    self.foreground = colour
                elif number == 48:
                    self.background = colour
            elif number == 39:
                self.foreground = FOREGROUND
            elif number == 49:
                self.background = BACKGROUND
            elif 30 <= number < 38 or 90 <= number < 98:
                self.foreground = SIXTEEN[number % 10 + (8 if number >= 90 else 0)]
            elif 40 <= number < 48 or 100 <= number < 108:
                self.background = SIXTEEN[number % 10 + (8 if number >= 100 else 0)]


def extended(numbers):
    """The colour behind 38 or 48: `2;R;G;B` or `5;N`."""
    if numbers.pop(0) == 2:
        red, green, blue = numbers[:3]
        del numbers[:3]
        return (red, green, blue)
    index = numbers.pop(0)
    if index < 16:
        return SIXTEEN[index]
    if index >= 232:
        return (8 + 10 * (index - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    index -= 16
    return (steps[index // 36], steps[index // 6 % 6], steps[index % 6])


def cells(line, style):
    """The characters of a line, each with its style's properties. The style goes on."""
    place = 0
    row = []
    for sequence in SEQUENCE.finditer(line):
        row += [
            (letter, *style.colours(), style.bold, style.italic, style.underlined)
            for letter in line[place : sequence.start()]
        ]
        if sequence.group(1) is not None:
            style.take(sequence.group(1))
        place = sequence.end()
    row += [(letter, *style.colours(), style.bold, style.italic, style.underlined) for letter in line[place:]]
    return row


def block(letter):
    """The part of a cell that a block fills, as left, top, right, bottom of 8; or None."""
    code = ord(letter)
    if 0x2581 <= code <= 0x2588:
        return (0, 8 - (code - 0x2580), 8, 8)
    if 0x2589 <= code <= 0x258F:
        return (0, 0, 8 - (code - 0x2588), 8)
    return None


def draw(lines, picture):
    fonts = {
        (bold, italic): ImageFont.truetype(f"{FONTS}{name}.ttf", SIZE)
        for (bold, italic), name in {
            (False, False): "",
            (True, False): "-Bold",
            (False, True): "-Oblique",
            (True, True): "-BoldOblique",
        }.items()
    }
    width = round(fonts[False, False].getlength("M"))
    ascent, descent = fonts[False, False].getmetrics()
    height = ascent + descent
    style = Style()
    rows = [cells(line, style) for line in lines]
    columns = max(len(row) for row in rows)
    size = (columns * width + 2 * MARGIN, len(rows) * height + 2 * MARGIN)
    grounds = collections.Counter(cell[2] for row in rows for cell in row)
    image = Image.new("RGB", size, grounds.most_common(1)[0][0])
    pen = ImageDraw.Draw(image)
    for number, row in enumerate(rows):
        top = MARGIN + number * height
        for column, (letter, fore, back, bold, italic, underlined) in enumerate(row):
            left = MARGIN + column * width
            pen.rectangle((left, top, left + width - 1, top + height - 1), fill=back)
            part = block(letter)
            if part:
                pen.rectangle(
                    (
                        left + part[0] * width // 8,
                        top + part[1] * height // 8,
                        left + part[2] * width // 8 - 1,
                        top + part[3] * height // 8 - 1,
                    ),
                    fill=fore,
                )
            elif letter != " ":
                pen.text((left, top), letter, font=fonts[bold, italic], fill=fore)
            if underlined:
                pen.line((left, top + height - 2, left + width - 1, top + height - 2), fill=fore)
    image.quantize(MOST_COLOURS).save(picture, optimize=True)


def main(screen, picture):
    with open(screen, encoding="utf-8") as text:
        lines = text.read().rstrip("\n").split("\n")
    if not any(SEQUENCE.sub("", line).strip() for line in lines):
        sys.exit(f"{screen}: nothing is on it")
    draw(lines, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
