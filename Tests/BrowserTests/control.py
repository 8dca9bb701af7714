"""How the tests change and read the store that the server shows."""

import json
import urllib.parse
import urllib.request


class HTTPControl:
    """The control of the mock server."""

    def __init__(self, base):
        self.base = base

    def commit(self, *operations):
        """Performs operations in one transaction, and returns the time of the commit.

        An operation is `["insert", None, values]`, `["update", id, values]` or
        `["delete", id]`. Values are by the names of the model's keys.
        """
        return self._call("POST", "commit", {"ops": list(operations)})["time"]

    def list(self, sections="season", search=""):
        """The sections of a list in order, with all rows: `id`, `title`, `summary`, `isPlayed`."""
        query = urllib.parse.urlencode({"sections": sections, "search": search})
        return self._call("GET", f"list?{query}")["sections"]

    def drop(self):
        """Closes all connections of clients."""
        self._call("POST", "drop", {})

    def forget(self):
        """Makes the server forget all states of lists but the newest ones."""
        self._call("POST", "forget", {})

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/{path}", data, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
