"""`episode-feed demo --serve` in a browser: stops the movement of the rows at any time."""

import os
import signal
import subprocess
import tempfile

from browser import TIMEOUT
from server import PROGRAM

# Stops all animations when the second version of the feed arrives, before the first frame,
# and leaves the marks of changed rows.
STOP = """
window.setTimeout = () => 0;
window.isStopped = false;
const grid = document.getElementById("list");
new MutationObserver((_, observer) => {
  for (const animation of document.getAnimations()) animation.pause();
  observer.disconnect();
  window.isStopped = true;
}).observe(grid, {attributes: true, attributeFilter: ["data-version"]});
"""

# Shows the animations at a time, and pauses those that have begun since.
SEEK = """
for (const animation of document.getAnimations()) {
  animation.pause();
  animation.currentTime = arguments[0];
}
"""


class Demo:
    """The demo, opened in a browser."""

    def __init__(self, browser):
        self.browser = browser
        self._folder = tempfile.TemporaryDirectory(prefix="browser-tests-")
        self._process = subprocess.Popen(
            [PROGRAM, "demo", "--serve", "--port", "0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, "TMPDIR": self._folder.name})
        url = self._process.stdout.readline().strip()
        browser.open(f"{url}?sections=season")
        browser.wait(lambda: browser.run(
            'return document.getElementById("list").dataset.version'), "the list is shown")

    def wait_for_second_version(self):
        """Waits until the second version arrives, and stops the movement at its beginning."""
        self.browser.run(STOP)
        self.browser.wait(lambda: self.browser.run("return window.isStopped"), "a change")

    def seek(self, milliseconds):
        self.browser.run(SEEK, milliseconds)

    def finish(self):
        """Shows the list after the movement."""
        self.browser.run("for (const animation of document.getAnimations()) animation.finish();")

    def close(self):
        """Ends the demo, which deletes its store."""
        self._process.send_signal(signal.SIGINT)
        status = self._process.wait(TIMEOUT)
        self._process.stdout.close()
        files = os.listdir(self._folder.name)
        self._folder.cleanup()
        if status != 0 or files:
            raise RuntimeError(f"the demo ended with status {status}, and left {files}")
