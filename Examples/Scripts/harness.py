"""The server, the connections to it, and the Swift tests that draw pictures."""

import json
import os
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Server:
    """Runs the server on a free port until the `with` block ends."""

    def __init__(self, *arguments):
        self.arguments, self.port = arguments, 0

    def __enter__(self):
        command = [f"{EXAMPLES}/.build/debug/Directory", "--port", str(self.port), *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)\.", self.process.stdout.readline()).group(1))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def restart(self):
        """Ends the server's process, and starts another one on the same port."""
        self.__exit__()
        self.__enter__()

    def state(self, tab):
        """The state of a tab's view models, or None if the server has no such tab."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/tabs/{tab}/state", timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError:
            return None


class Connections:
    """Forwards connections to the server, by socat. `cut` closes all of them, and `restore` accepts new ones again."""

    def __init__(self, server):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.command = ["socat", f"tcp-listen:{self.port},bind=127.0.0.1,reuseaddr,fork", f"tcp:127.0.0.1:{server.port}"]
        self.restore()

    def restore(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL, start_new_session=True)

    def cut(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def run_test(package, name, folder):
    """Runs a Swift test, or a suite, that writes its pictures into a folder."""
    command = ["swift", "test", "--package-path", package, "--filter", name]
    subprocess.run(command, env={**os.environ, "RX_PICTURE_DIR": folder}, stdout=subprocess.DEVNULL, check=True)
