"""Shuts down the server under load, and looks for acknowledged writes that were lost.

    python3 test_shutdown.py <server>
"""

import http.client
import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

WRITERS = 6
LISTENERS = 3
# The number of acknowledged writes after which the server receives the signal.
WRITES = 300
# The number of seconds that anything may take.
LIMIT = 30


class FileDatabase:
    """A store in a file."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.address = os.path.join(self.folder, "episodes.sqlite")

    def identities(self):
        with sqlite3.connect(self.address) as database:
            return {row[0] for row in database.execute("SELECT id FROM Episode")}

    def close(self):
        shutil.rmtree(self.folder)


class ServerDatabase:
    """A store in a database of a new PostgreSQL server."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        os.chmod(self.folder, 0o755)
        self.data = os.path.join(self.folder, "data")
        os.mkdir(self.data)
        # The programs refuse to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            user = pwd.getpwnam(self.user)
            for path in (self.folder, self.data):
                os.chown(path, user.pw_uid, user.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"postgresql://moho@127.0.0.1:{self.port}/postgres"
        self.run("initdb", "-D", self.data, "-U", "moho", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.run(
            "pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.folder, "log"),
            "-o", f"-p {self.port} -k {self.folder} -h 127.0.0.1 -c fsync=off", "start")

    @staticmethod
    def program(name):
        folder = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True)
        return shutil.which(name) or os.path.join(folder.stdout.strip(), name)

    def run(self, name, *arguments):
        return subprocess.run(
            [self.program(name), *arguments], user=self.user, check=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder).stdout

    def identities(self):
        return {int(line) for line in self.run(
            "psql", "-At", "-c", 'SELECT id FROM "Episode"', self.address).split()}

    def close(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


class Load:
    """Clients that write until the server refuses, and clients that listen."""

    def __init__(self, port):
        self.port = port
        self.acknowledged = set()
        self.requested = set()
        self.events = [[] for _ in range(LISTENERS)]
        self.lock = threading.Lock()
        self.enough = threading.Event()
        listening = threading.Barrier(LISTENERS + 1)
        self.threads = [
            threading.Thread(target=self.listen, args=(number, listening), daemon=True)
            for number in range(LISTENERS)
        ]
        for thread in self.threads:
            thread.start()
        listening.wait(LIMIT)
        writers = [
            threading.Thread(target=self.write, args=(number,), daemon=True)
            for number in range(WRITERS)
        ]
        for thread in writers:
            thread.start()
        self.threads += writers

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)

    def write(self, number):
        connection = self.connection()
        identity = number * 1_000_000
        try:
            while True:
                identity += 1
                with self.lock:
                    self.requested.add(identity)
                connection.request("PUT", f"/episodes/{identity}", body=f"Episode {identity}")
                response = connection.getresponse()
                response.read()
                if response.status != 201:
                    raise AssertionError(f"status {response.status}")
                with self.lock:
                    self.acknowledged.add(identity)
                    if len(self.acknowledged) >= WRITES:
                        self.enough.set()
        except (http.client.HTTPException, OSError):
            pass  # The server has closed the connection.

    def listen(self, number, listening):
        connection = self.connection()
        connection.request("GET", "/changes")
        response = connection.getresponse()
        listening.wait(LIMIT)
        for line in response:
            if line.startswith(b"event: "):
                self.events[number].append(line[7:].strip().decode())


class ShutdownTests(unittest.TestCase):
    server = None

    def shut_down(self, make_database):
        database = make_database()
        self.addCleanup(database.close)
        program = subprocess.Popen(
            [self.server, database.address, "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env={**os.environ, "LOG_LEVEL": "error"})
        self.addCleanup(program.kill)
        port = self.port(program)

        load = Load(port)
        self.assertTrue(load.enough.wait(LIMIT), "the writers do not make progress")
        start = time.monotonic()
        program.send_signal(signal.SIGTERM)
        _, errors = program.communicate(timeout=LIMIT)
        duration = time.monotonic() - start
        for thread in load.threads:
            thread.join(LIMIT)

        self.assertEqual(program.returncode, 0, errors)
        self.assertFalse([thread for thread in load.threads if thread.is_alive()])
        for events in load.events:
            self.assertEqual(events[-1], "end")
            self.assertEqual(set(events[:-1]), {"change"})
        stored = database.identities()
        self.assertEqual(load.acknowledged - stored, set(), "lost writes")
        self.assertEqual(stored - load.requested, set(), "rows that no client has saved")
        print(
            f"{len(load.acknowledged)} acknowledged, {len(stored)} stored,"
            f" shut down in {duration:.2f} s")

    @staticmethod
    def port(program):
        for line in program.stdout:
            if line.startswith("port "):
                return int(line.split()[1])
        raise AssertionError(program.stderr.read())

    def test_no_acknowledged_write_is_lost_in_a_file(self):
        self.shut_down(FileDatabase)

    @unittest.skipIf(os.environ.get("MOHO_ENGINE") == "sqlite", "MOHO_ENGINE is sqlite")
    def test_no_acknowledged_write_is_lost_on_a_server(self):
        self.shut_down(ServerDatabase)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ShutdownTests.server = os.path.abspath(sys.argv.pop(1))
    unittest.main()
