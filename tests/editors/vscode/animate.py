#!/usr/bin/env python3
"""Makes one moving picture of a folder of pictures.

animate.py FOLDER PICTURE

The pictures are shown in the order of their names, each for as many milliseconds as the number
that ends its name: `03-350.png`.
"""

import os
import sys
from pathlib import Path

from PIL import Image

# Bytes that the moving picture of a README may have.
MOST_BYTES = 600_000

folder, path = Path(sys.argv[1]), sys.argv[2]
names = sorted(folder.glob("*-*.png"))
durations = [int(name.stem.split("-")[1]) for name in names]
frames = [Image.open(name).convert("RGB") for name in names]
first, rest = frames[0], frames[1:]
# Text stays sharp without loss; what did not change costs nothing.
first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, lossless=True, quality=100, method=6)
size = os.path.getsize(path)
print(f"{os.path.basename(path)}: {len(frames)} pictures, {size} bytes")
if size > MOST_BYTES:
    sys.exit(f"{path} is too large")
