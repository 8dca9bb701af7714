#!/usr/bin/env python3
"""Records the animated picture of the README from `episode-feed demo --serve`.

  Tests/BrowserTests/record_demo.py Examples/demo.png
"""

import os
import sys
import tempfile

import png
from browser import Browser
from demo import Demo

STEP = 44
# The end of the movement.
MOVED = 440


def main(path):
    frames = []
    with Browser(800, 560) as browser, tempfile.TemporaryDirectory() as folder:
        shot = os.path.join(folder, "shot.png")

        def record(duration):
            browser.screenshot(shot)
            frames.append((png.read(shot), duration))

        demo = Demo(browser)
        record(1600)
        demo.wait_for_second_version()
        for time in range(0, MOVED, STEP):
            demo.seek(time)
            record(STEP)
        for time in (MOVED, 800, 1200):
            demo.seek(time)
            record(400)
        demo.finish()
        record(3000)
        demo.close()
    png.write_animation(path, frames)
    print(f"{path}: {len(frames)} frames, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
