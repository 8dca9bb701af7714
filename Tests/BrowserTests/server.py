"""The server under test: a process of `episode-feed serve` with a store of its own."""

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import sample
from browser import TIMEOUT
from control import StoreControl

PROGRAM = os.environ.get("MOHO_EPISODE_FEED") or os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../.build/debug/episode-feed")


class Server:
    def __init__(self, count=300, seed=1):
        self.folder = tempfile.mkdtemp(prefix="browser-tests-")
        self.store = os.path.join(self.folder, "store.sqlite")
        feed = '{"version": "https://jsonfeed.org/version/1.1", "title": "P", "items": [{"id": "1"}]}'
        subprocess.run([PROGRAM, "import", "-", "--store", self.store], input=feed.encode(),
                       stdout=subprocess.DEVNULL, check=True)
        sample.fill(self.store, count, random.Random(seed))
        self.process, self.port = None, 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", str(self.port), "--store", self.store],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline().strip()
        if not line:
            raise RuntimeError("the server did not start")
        self.port = int(line.rstrip("/").rpartition(":")[2])

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(TIMEOUT)
        self.process.stdout.close()
        if status != 0:
            raise RuntimeError(f"the server ended with status {status}")

    def restart(self):
        """Ends the server, and starts it again at the same port."""
        self.stop()
        self.start()

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def control(self):
        return StoreControl(self.store)


class Proxy:
    """Forwards connections to a server, and can cut them.

    It replaces its own address in requests by that of the server, which has the same
    length, because the server accepts only its own name.
    """

    def __init__(self, server):
        self.server = server
        while True:
            self._listener = socket.create_server(("127.0.0.1", 0))
            self.port = self._listener.getsockname()[1]
            if len(str(self.port)) == len(str(server.port)):
                break
            self._listener.close()
        self._sockets, self._lock = set(), threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def drop(self):
        """Cuts all connections."""
        with self._lock:
            for connection in self._sockets:
                self._close(connection)

    def close(self):
        self._listener.close()
        self.drop()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.server.port))
            except OSError:
                client.close()
                continue
            with self._lock:
                self._sockets |= {client, server}
            mine, its = (f"127.0.0.1:{port}".encode() for port in (self.port, self.server.port))
            for source, target, old, new in [
                    (client, server, mine, its), (server, client, b"", b"")]:
                threading.Thread(
                    target=self._forward, args=(source, target, old, new), daemon=True).start()

    def _forward(self, source, target, old, new):
        try:
            while data := source.recv(1 << 16):
                target.sendall(data.replace(old, new) if old else data)
        except OSError:
            pass
        with self._lock:
            self._close(target)
            if source not in self._sockets:
                source.close()
                target.close()
            self._sockets -= {source, target}

    @staticmethod
    def _close(connection):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
