"""What the browser test and the load script need: the server, and a proxy whose connections can be cut."""

import json
import os
import re
import socket
import subprocess
import threading
import urllib.request

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Server:
    """The program, on a port of its own, for as long as the `with` block takes."""

    def __init__(self, *arguments, configuration="debug"):
        program = os.path.join(EXAMPLES, ".build", configuration, "Directory")
        self.command = [program, "--port", "0", *arguments]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)\.", line).group(1))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def state(self, tab):
        """What the view models of a tab hold; None if there is no such tab."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/tabs/{tab}/state", timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise


class Proxy:
    """Stands between the browser and the server. While it is cut there are no connections, and new ones are refused."""

    def __init__(self, target):
        self.target = target
        self.connections = []
        self.lock = threading.Lock()
        self.listener = None
        self.port = 0
        self.restore()

    def restore(self):
        listener = socket.create_server(("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        self.listener = listener
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def cut(self):
        # The thread that accepts holds the socket open until it is shut down.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.lock:
            connections, self.connections = self.connections, []
        for connection in connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept(self, listener):
        while True:
            try:
                browser, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            with self.lock:
                self.connections += [browser, server]
            for source, sink in [(browser, server), (server, browser)]:
                threading.Thread(target=self._forward, args=[source, sink], daemon=True).start()

    def _forward(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
