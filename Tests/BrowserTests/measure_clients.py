#!/usr/bin/env python3
"""Measures the memory and the processor time of the server with many clients of one list.

  Tests/BrowserTests/measure_clients.py [CLIENTS] [COMMITS]
"""

import os
import random
import resource
import selectors
import socket
import sys
import time

from server import Server


def processor_time(pid):
    """The seconds that a process has used, in user and system mode."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid):
    """The memory of a process in megabytes."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


class Clients:
    def __init__(self, server):
        self.server, self.selector, self.received = server, selectors.DefaultSelector(), {}

    def connect(self, count):
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", self.server.port))
            client.sendall((
                f"GET /events?sections=season HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n"
            ).encode())
            client.setblocking(False)
            self.selector.register(client, selectors.EVENT_READ)
            self.received[client] = b""

    def wait(self, text):
        """Waits until every client has received a text. Returns the bytes of the last one."""
        missing, sizes = set(self.received), []
        while missing:
            for key, _ in self.selector.select(60):
                data = self.received[key.fileobj] + key.fileobj.recv(1 << 16)
                if text in data and data.endswith(b"\n\n\r\n"):
                    missing.discard(key.fileobj)
                    sizes.append(len(data))
                    data = b""
                self.received[key.fileobj] = data
        return sizes


def main(count=1000, commits=50):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1 << 16), hard))
    server = Server(300)
    pid, control = server.process.pid, server.control()
    clients = Clients(server)
    clients.connect(1)
    clients.wait(b"event: list")
    before = memory(pid)
    start = processor_time(pid)
    clients.connect(count - 1)
    for client in list(clients.received)[:1]:
        clients.received.pop(client)
        first = client
    clients.wait(b"event: list")
    clients.received[first] = b""
    print(f"{count} clients: {memory(pid):.1f} MB, {(memory(pid) - before) / count * 1024:.1f} kB"
          f" for each client; connecting took {processor_time(pid) - start:.2f} s of processor time")

    rng = random.Random(1)
    used, latencies, sizes = processor_time(pid), [], []
    for number in range(commits):
        rows = control.list("season")[0]["rows"]
        committed = control.commit(["update", rng.choice(rows)["id"], {
            "title": f"Title {number}", "publishedAt": time.strftime(
                "%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_800_000_000 - rng.randrange(86_400 * 60)))}])
        sizes += clients.wait(f"Title {number}".encode())
        latencies.append(time.time() - committed)
    used = processor_time(pid) - used
    print(f"a commit of one row: {used / commits * 1000:.1f} ms of processor time, "
          f"{sum(sizes) / len(sizes):.0f} bytes for each client, all clients have it after "
          f"{sorted(latencies)[commits // 2] * 1000:.0f} ms (median)")
    used = processor_time(pid)
    time.sleep(5)
    print(f"without commits: {(processor_time(pid) - used) / 5 * 100:.1f} % of a processor; "
          f"{memory(pid):.1f} MB at the end")
    server.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
