#!/usr/bin/env python3
"""Makes pictures of an editor small, in place: a screen of text has few colours.

shrink.py PICTURE…
"""

import os
import sys

from PIL import Image

# As many as a palette holds: tints at the edges of letters are many.
MOST_COLOURS = 256
# Rounds in which the palette is fitted to the picture.
ROUNDS = 3
# Bytes that a picture of a README may have.
MOST_BYTES = 200_000

for path in sys.argv[1:]:
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(MOST_COLOURS, kmeans=ROUNDS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    size = os.path.getsize(path)
    print(f"{os.path.basename(path)}: {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"{path} is too large")
