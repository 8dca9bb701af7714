#!/usr/bin/env python3
"""A test of the pictures that `episode-feed demo --serve` shows in headless Chromium."""

import os
import tempfile
import unittest

import png
from browser import Browser
from demo import Demo

# The rows in the viewport, with the rectangles of their parts.
LAYOUT = """
const grid = document.getElementById("list").getBoundingClientRect();
const rectangle = (node) => {
  const {left, top, right, bottom} = node.getBoundingClientRect();
  return {left, top, right, bottom};
};
const color = (name) => {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const result = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
  probe.remove();
  return result;
};
return {
  rows: [...document.querySelectorAll(".row[id]")].map((node) => ({
    title: node.querySelector(".title").textContent, row: rectangle(node),
    mark: node.querySelector(".mark").textContent, badge: rectangle(node.querySelector(".mark")),
    isMoving: node.classList.contains("moving"),
  })).filter(({row}) => row.top >= grid.top && row.bottom <= grid.bottom)
    .sort((a, b) => a.row.top - b.row.top),
  colors: Object.fromEntries(["surface", "background", "new-soft", "moved-soft", "flash"]
    .map((name) => [name, color(`--${name}`)])),
};
"""


class DemoTests(unittest.TestCase):
    def test_changed_rows_travel_and_are_marked(self):
        with Browser(800, 640) as browser, tempfile.TemporaryDirectory() as folder:
            demo = Demo(browser)
            self.addCleanup(demo.close)

            def layout(name):
                path = os.path.join(os.environ.get("MOHO_PAGE_SHOTS", folder), f"{name}.png")
                browser.screenshot(path)
                return browser.run(LAYOUT), path

            before, first = layout("demo-before")
            demo.wait_for_second_version()
            demo.seek(0)
            start, _ = layout("demo-start")
            demo.seek(120)
            middle, second = layout("demo-middle")
            demo.seek(440)
            end, last = layout("demo-end")

            first, second, last = (png.read(path) for path in (first, second, last))

            self.assertEqual(
                [row["title"] for row in before["rows"]][:2],
                ["The Seismograph", "Isostasy for Beginners"])
            self.assertEqual({row["mark"] for row in before["rows"]}, {""})
            self.assertEqual(first.pixel(5, 5), tuple(before["colors"]["background"]))

            # A row that moves and changes is at its old position, then between, then at the new one.
            title = "Two Blobs at the Core"
            tops = [self.row(state, title)["row"]["top"] for state in (start, middle, end)]
            self.assertGreater(tops[0], tops[1])
            self.assertGreater(tops[1], tops[2])
            travelling = self.row(middle, title)
            self.assertTrue(travelling["isMoving"])
            self.assertEqual(travelling["mark"], "Moved, changed")
            # It covers the rows below it: its background is opaque.
            row, surface = travelling["row"], tuple(middle["colors"]["surface"])
            area = (row["left"] + 60, row["top"] + 4, row["right"] - 200, row["bottom"] - 4)
            counts = second.colors(*area)
            self.assertEqual(max(counts, key=counts.get), surface)

            self.assertEqual([row["title"] for row in end["rows"]][:4], [
                "The Sound of the Sea Floor", "Glass from the Sky", title,
                "The Year Without a Summer"])
            self.assertEqual(
                [row["mark"] for row in end["rows"]][:4],
                ["New", "New", "Moved, changed", "Moved, changed"])
            # The rows do not overlap, and the badges have their colors.
            for one, next in zip(end["rows"], end["rows"][1:]):
                self.assertLessEqual(one["row"]["bottom"], next["row"]["top"] + 1)
            for row, name in zip(end["rows"], ["new-soft", "new-soft", "moved-soft", "moved-soft"]):
                badge = row["badge"]
                counts = last.colors(
                    badge["left"], badge["top"], badge["right"], badge["bottom"])
                self.assertEqual(max(counts, key=counts.get), tuple(end["colors"][name]))

    @staticmethod
    def row(state, title):
        return next(row for row in state["rows"] if row["title"] == title)


if __name__ == "__main__":
    unittest.main(verbosity=2)
