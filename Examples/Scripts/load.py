#!/usr/bin/env python3
"""Opens many tabs, each with a scripted user, and measures the memory per tab and the time from an action to its state on the client.

    swift build --package-path Examples -c release --product Directory
    python3 Examples/Scripts/load.py [TABS]

The server listens on the loopback address, on a free port. The service answers at once, so the times measure the round trip: from the
client over HTTP to the view model, and back to the client as an event. The users have different addresses, because the server limits the
number of connections from one address.
"""

import asyncio
import json
import os
import random
import resource
import sys
import time

from harness import Server

ROUNDS = 4


class User:
    """A tab, with a connection for its events and one for its actions."""

    def __init__(self, port, number):
        self.port = port
        self.address = f"127.0.{number // 200}.{1 + number % 200}"
        self.random = random.Random(number)
        self.number = 0
        self.seen = 0
        self.events = asyncio.Queue()
        self.times = []

    async def open(self):
        self.actions = await self.connect()
        self.tab = json.loads(await self.post("/tabs", {"path": "/"}))["id"]
        self.stream, writer = await self.connect()
        writer.write(f"GET /tabs/{self.tab}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.writer = writer
        await self.stream.readuntil(b"\r\n\r\n")
        self.reading = asyncio.create_task(self.read())

    def connect(self):
        return asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    async def read(self):
        """Reads the events. A chunk consists of frames. A frame has two lines, the number of the event and its data."""
        while size := int(await self.stream.readline(), 16):
            chunk = await self.stream.readexactly(size + 2)
            now = time.perf_counter()
            for frame in chunk[:-2].split(b"\n\n"):
                if frame.startswith(b"id: "):
                    number, data = frame.split(b"\n", 1)
                    self.seen = int(number[4:])
                    # The data is an object with one member, named after the event: {"name": …}
                    self.events.put_nowait((data[8:].split(b'"', 1)[0].decode(), now))

    async def post(self, path, body):
        try:
            return await self.exchange(path, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            # The server closes a connection that is idle for ten seconds. The repetition is safe: the server executes each number once.
            self.actions = await self.connect()
            return await self.exchange(path, body)

    async def exchange(self, path, body):
        reader, writer = self.actions
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        writer.write(head.encode() + data)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(head.split()[1])
        length = head.split("content-length: ")[1].split("\r\n")[0] if "content-length: " in head else 0
        answer = await reader.readexactly(int(length))
        if status >= 300:
            raise RuntimeError(f"{status} {answer}")
        return answer

    async def act(self, name, event=None, **parameters):
        """Sends an action, and waits for the event that shows its result."""
        await asyncio.sleep(self.random.uniform(1, 2))
        while not self.events.empty():
            self.events.get_nowait()
        start = time.perf_counter()
        self.number += 1
        message = {"number": self.number, "seen": self.seen, "action": {name: parameters}}
        sent = asyncio.create_task(self.post(f"/tabs/{self.tab}/actions", message))
        if event:
            while True:
                found, end = await asyncio.wait_for(self.events.get(), 30)
                if found == event:
                    break
            self.times.append(end - start)
        await sent

    async def sign_in(self):
        await self.act("setUsername", text="admin")
        await self.act("setPassword", "signIn", text="admin")
        await self.act("signIn", "screens")

    async def use(self):
        for _ in range(ROUNDS):
            await self.act("loadMore", "batch")
            await self.act("open", "screens", id=self.random.randrange(10_000))
            await self.act("chooseColor", "screens")
            await self.act("pick", "screens", color=self.random.choice(["red", "green", "blue"]))
            await self.act("go", "screens", path="/people")


def memory(server):
    """The resident memory of the server's process, in KB."""
    with open(f"/proc/{server.process.pid}/status") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


def processor_time(server):
    """The CPU time of the server's process, in seconds."""
    with open(f"/proc/{server.process.pid}/stat") as stat:
        return sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


async def together(tasks):
    await asyncio.gather(*tasks)


async def run(server, count):
    users = [User(server.port, number) for number in range(count)]
    # The first tab does not count, because it causes the allocations that the process makes only once.
    await users[0].open()
    await users[0].sign_in()
    before = memory(server)
    start = time.perf_counter()
    for user in users[1:]:
        await user.open()
    opened = memory(server)
    await together(user.sign_in() for user in users[1:])
    signed_in = memory(server)
    computed = processor_time(server)
    await together(user.use() for user in users)
    computed = processor_time(server) - computed
    seconds = time.perf_counter() - start
    times = sorted(1000 * one for user in users for one in user.times)
    print(f"{count} tabs, {len(times)} awaited actions, in {seconds:.0f} s")
    for name, kilobytes in [("opened", opened), ("with the first page", signed_in), ("at the end", memory(server))]:
        print(f"memory per tab, {name}: {(kilobytes - before) / (count - 1):.0f} KB")
    print(f"from an action to its state: median {times[len(times) // 2]:.1f} ms, "
          f"99th percentile {times[len(times) * 99 // 100]:.1f} ms, longest {times[-1]:.1f} ms")
    print(f"CPU time of the server per action: {1000 * computed / (count * ROUNDS * 5):.2f} ms")
    for user in users:
        user.reading.cancel()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with Server("--latency", "0", "--tabs", str(count), configuration="release") as server:
        asyncio.run(run(server, count))


if __name__ == "__main__":
    main()
