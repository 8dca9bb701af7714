"""A small WebDriver client (https://www.w3.org/TR/webdriver2/) for chromedriver."""

import base64
import faulthandler
import json
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {
    "Enter": "\ue007", "Escape": "\ue00c", "Delete": "\ue017", "ArrowUp": "\ue013",
    "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014",
    "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011",
    "Tab": "\ue004", "Space": " ",
}

# The seconds after which a script, a request or a wait fails. There are many, because other tests
# may use all processors.
TIMEOUT = 180

# Ends a run after 45 minutes, and prints where it waits.
faulthandler.dump_traceback_later(2700, exit=True)

# Processes that Swift starts can inherit blocked signals, and would pass them on to the driver.
signal.pthread_sigmask(signal.SIG_SETMASK, [])


class WebDriverError(Exception):
    pass


class Browser:
    """A headless Chromium. The methods act on its current tab."""

    def __init__(self, width=1200, height=800, dark=False, reduced_motion=False):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._base = f"http://127.0.0.1:{port}"
        self._profile = tempfile.mkdtemp(prefix="browser-tests-")
        self._driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self._wait_for_driver()
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--force-color-profile=srgb", "--lang=en-US",
            f"--window-size={width},{height}", f"--user-data-dir={self._profile}",
        ]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        if reduced_motion:
            arguments.append("--force-prefers-reduced-motion")
        capabilities = {
            "browserName": "chrome", "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        answer = self._request("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._session = f"/session/{answer['sessionId']}"
        self._call("POST", "timeouts", {
            "script": TIMEOUT * 1000, "pageLoad": TIMEOUT * 1000, "implicit": 0})
        self.set_size(width, height)

    def close(self):
        try:
            self._call("DELETE", "")
        except (WebDriverError, OSError):
            pass
        self._driver.terminate()
        self._driver.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def set_size(self, width, height):
        """Sets the size of the viewport."""
        self.command("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    @property
    def tabs(self):
        """The names of all tabs."""
        return self._call("GET", "window/handles")

    def new_tab(self):
        """Opens a tab, makes it the current one, and returns its name."""
        tab = self._call("POST", "window/new", {"type": "tab"})["handle"]
        self.switch_to(tab)
        return tab

    def switch_to(self, tab):
        self._call("POST", "window", {"handle": tab})

    def close_tab(self, tab):
        """Closes a tab, and makes another one the current one."""
        self.switch_to(tab)
        self.switch_to(self._call("DELETE", "window")[0])

    def open(self, url):
        self._call("POST", "url", {"url": url})

    def run(self, script, *arguments):
        """Runs the body of a function in the page, and returns its result."""
        return self._call("POST", "execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """Runs the body of an async function in the page."""
        return self._call("POST", "execute/async", {
            "script": "const done = arguments[arguments.length - 1];"
            "const run = async (...args) => {" + script + "};"
            "run(...Array.prototype.slice.call(arguments, 0, -1))"
            ".then(done, (error) => done({error: String(error.stack)}));",
            "args": list(arguments)})

    def click(self, selector):
        self._call("POST", f"element/{self._find(selector)}/click", {})

    def type(self, *keys):
        """Presses keys: names such as `Enter`, or single characters."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._call("POST", "actions", {
            "actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def write(self, selector, text):
        self._call("POST", f"element/{self._find(selector)}/value", {"text": text})

    def command(self, method, parameters=None):
        """Calls a method of the Chrome DevTools protocol."""
        return self._call("POST", "goog/cdp/execute", {"cmd": method, "params": parameters or {}})

    def screenshot(self, path):
        data = self._call("GET", "screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def log(self):
        """The messages of the console since the last call."""
        return self._call("POST", "se/log", {"type": "browser"})

    def wait(self, condition, what, timeout=TIMEOUT):
        """Calls a function until it returns a true value, and returns it."""
        end = time.monotonic() + timeout
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"timed out: {what}")
            time.sleep(0.01)

    def _find(self, selector):
        answer = self._call("POST", "element", {"using": "css selector", "value": selector})
        return answer[ELEMENT]

    def _call(self, method, path, body=None):
        return self._request(method, f"{self._session}/{path}".rstrip("/"), body)

    def _request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT + 30) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(f"{value['error']}: {value['message']}") from None

    def _wait_for_driver(self):
        for _ in range(500):
            try:
                self._request("GET", "/status")
                return
            except OSError:
                time.sleep(0.02)
        raise WebDriverError("chromedriver did not start")
