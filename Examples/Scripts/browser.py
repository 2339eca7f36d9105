"""The directory's server, and a page in headless Chromium, used with the mouse or by keyboard alone."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

EXAMPLES = Path(__file__).resolve().parents[1]

# The list, as the server's state has it.
READ_LIST = """
return [...document.querySelectorAll('#list > div')].map(section => ({
  letter: section.firstChild.textContent,
  rows: [...section.querySelectorAll('li')].map(row => ({
    id: Number(row.firstChild.pathname.split('/').at(-1)), name: row.querySelector('.name').textContent,
    nickname: row.querySelector('.nickname').textContent, color: row.querySelector('.dot').dataset.color,
  })),
}))
"""
# The element with the focus, whether it has a focus ring and its top and its bottom are visible, and where the target is.
READ_FOCUS = """
const element = document.activeElement, target = find(arguments[0]), { left, top, right, bottom } = element.getBoundingClientRect();
const isAtFront = y => element.contains(document.elementFromPoint((left + right) / 2, y));
return {
  element: `${element.localName}#${element.id} ${element.textContent.slice(0, 30)}`,
  isFine: element === document.body || getComputedStyle(element).outlineStyle !== 'none' && isAtFront(top + 2) && isAtFront(bottom - 2),
  isTarget: element === target, isBehind: !(element.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING),
}
"""
# The visible elements that are narrower than their content, or partly outside the window. Fields, and the steps of a recording, scroll.
FIND_CUT_OFF = """
return [document.documentElement, ...document.body.querySelectorAll(':not(script, style, input)')].filter(element => {
  const { left, right } = element.getBoundingClientRect(), isInline = getComputedStyle(element).display === 'inline';
  return element.checkVisibility() && (left < 0 || right > innerWidth + 0.5 || element.scrollWidth > element.clientWidth + 1 && !isInline);
}).map(element => `${element.localName}#${element.id} ${element.className} is cut off`);
"""


class Server:
    """The server, and socat, which forwards the page's connections to it."""

    options = ["--latency", "100"]
    environment = errors = None

    def __enter__(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.page_port = listener.getsockname()[1]
        self.port = 0
        self.start()
        self.restore()
        return self

    def __exit__(self, *_):
        self.cut()
        self.stop()

    def start(self):
        command = [f"{EXAMPLES}/.build/debug/Directory", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, env=self.environment, text=True)
        self.port = int(re.search(r":(\d+)\.", self.process.stdout.readline()).group(1))

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def cut(self):
        """Closes the connections of the page, which cannot connect until `restore`."""
        os.killpg(self.socat.pid, signal.SIGKILL)
        self.socat.wait()

    def restore(self):
        command = ["socat", f"tcp-listen:{self.page_port},bind=127.0.0.1,reuseaddr,fork", f"tcp:127.0.0.1:{self.port}"]
        self.socat = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)

    def state(self, tab):
        """The state of a tab's view models."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/tabs/{tab}/state", timeout=10) as response:
            return json.load(response)


class Page:
    """A page in a browser of its own. Only the directory's page has a server."""

    def __init__(self, size, server=None, by_keyboard=False):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        self.resize(*size)
        self.run = self.driver.execute_script
        self.server, self.by_keyboard = server, by_keyboard

    def resize(self, width, height):
        """The windows of headless Chromium are at least 500 px wide, but it can emulate a smaller one."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def show_scheme(self, scheme):
        """Light or dark."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, path):
        # At first, socat may not listen yet.
        self.wait(lambda: self.driver.get(f"http://127.0.0.1:{self.server.page_port}{path}") is None, WebDriverException)
        self.wait(lambda: self.tab is not None)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector, key="textContent"):
        return self.find(selector).get_property(key)

    def wait(self, condition, *ignored):
        """Waits until a condition holds, at most 20 seconds. While the page applies an event, a row or an element may be missing."""
        WebDriverWait(self.driver, 20, 0.05, (IndexError, StaleElementReferenceException, *ignored)).until(lambda _: condition())

    def wait_for(self, selector, text=None):
        """Waits until an element is visible, with this text, if one is given."""
        self.wait(lambda: self.find(selector).is_displayed() and text in [None, self.find(selector).text])

    def wait_for_rows(self, name):
        """Waits until there are rows, and each has a first or a last name that begins like this."""
        self.wait(lambda: self.rows and all(f" {name}" in f" {row['name']}" for row in self.rows))

    # What the user does

    def press(self, *keys):
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def go_to(self, selector):
        """Clicks an element, or presses Tab until it has the focus. Each element in between must be visible and have a focus ring."""
        if not self.by_keyboard:
            return self.find(selector).click()
        focus = self.run(READ_FOCUS, selector)
        for _ in range(300):
            if focus["isTarget"]:
                return
            self.driver.switch_to.active_element.send_keys(Keys.SHIFT if focus["isBehind"] else "", Keys.TAB)
            focus = self.run(READ_FOCUS, selector)
            assert focus["isFine"], focus
        raise AssertionError(f"Tab does not reach {selector}")

    def use(self, selector):
        """Clicks an element, or goes to it and presses Space, or Enter on a link."""
        self.wait(lambda: self.find(selector).is_displayed() and self.find(selector).is_enabled())
        self.go_to(selector)
        if self.by_keyboard:
            self.press(Keys.ENTER if self.find(selector).tag_name == "a" else Keys.SPACE)

    def type(self, selector, text):
        """Replaces the text of a field."""
        self.wait_for(selector)
        self.go_to(selector)
        self.find(selector).send_keys(Keys.CONTROL + "a" + Keys.NULL, text or Keys.BACKSPACE)

    def sign_in(self, path, password="admin"):
        self.open(path)
        self.type("[name=username]", "admin")
        self.type("[name=password]", password)
        self.wait_for("#sign-in button:enabled")
        self.press(Keys.ENTER)

    def scroll_until(self, condition):
        self.wait(lambda: self.run("main.scrollTop = main.scrollHeight") or condition())

    def load_more(self):
        count = len(self.rows)
        self.scroll_until(lambda: len(self.rows) > count)

    # What the page shows

    @property
    def tab(self):
        return self.run("return document.body.dataset.tab ?? null")

    @property
    def state(self):
        return self.server.state(self.tab)

    @property
    def rows(self):
        return [row for section in self.run(READ_LIST) for row in section["rows"]]

    @property
    def messages(self):
        return self.run("return [...document.querySelectorAll('#messages li')].map(item => item.textContent)")

    def compare(self):
        """Waits until the page shows the path of the screen, and the state of the person, on a person's screen, or of the list."""
        self.wait(self.shows_state)

    def shows_state(self):
        state, path = self.state, self.run("return location.pathname")
        # A list that is covered by a person's screen is paused, and does not show the current state.
        if len(state["paths"]) == 1:
            return path == state["paths"][0] and self.run(READ_LIST) == state["sections"]
        shown = path, self.text("#nickname", "value"), self.text("#person .dot", "ariaLabel"), self.text("#person .error span")
        return shown == (state["paths"][-1], state["nickname"], state["color"], state.get("error", ""))
