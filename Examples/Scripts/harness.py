"""The server, and a proxy that can cut the connections to it."""

import json
import os
import re
import socket
import subprocess
import threading
import urllib.request

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Server:
    """Runs the server on a free port until the `with` block ends."""

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

    def restart(self):
        """Ends the server's process, and starts another one on the same port."""
        self.__exit__()
        self.command[2] = str(self.port)
        self.__enter__()

    def state(self, tab):
        """Returns the state of a tab's view models, or None if the server has no such tab."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/tabs/{tab}/state", timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise


class Proxy:
    """Forwards connections from the browser to the server. `cut` closes all connections, and `restore` accepts new ones again."""

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
        # The thread that waits in accept() keeps the socket open, and only a shutdown ends its wait.
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
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                browser.close()
                continue
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
