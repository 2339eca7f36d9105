"""The page in headless Chromium, in a window of any size, used with the mouse or by keyboard alone."""

import os
import shutil
import subprocess
import tempfile

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from harness import Connections

READ_LIST = """
return [...document.querySelectorAll('#list > div')].map(section => ({
  letter: section.firstChild.textContent,
  rows: [...section.querySelectorAll('li')].map(row => ({
    id: Number(row.firstChild.pathname.split('/').at(-1)), name: row.querySelector('.name').textContent,
    nickname: row.querySelector('.nickname').textContent, color: row.querySelector('.dot').dataset.color,
  })),
}))
"""
READ_PERSON = """
return {
  nickname: find('#nickname').value, color: find('#person .dot').dataset.color,
  error: find('#person .error span').textContent || null,
}
"""
# The element with the focus, whether it has a focus ring and its top and its bottom are visible, and where the target is.
READ_FOCUS = """
const element = document.activeElement, { left, top, right, bottom } = element.getBoundingClientRect();
const isAtFront = y => element.contains(document.elementFromPoint((left + right) / 2, y));
const target = find(arguments[0]);
return {
  element: `${element.localName}#${element.id} ${element.textContent.slice(0, 30)}`,
  isFine: element === document.body || getComputedStyle(element).outlineStyle !== 'none' && isAtFront(top + 2) && isAtFront(bottom - 2),
  isTarget: element === target, isBehind: !(element.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING),
}
"""


def chromium(width, height, downloads=""):
    """Opens a browser with a window of this size."""
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": downloads})
    options.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": "PICTURES" in os.environ})
    resize(driver, width, height)
    return driver


def resize(driver, width, height):
    # The windows of headless Chromium are at least 500 px wide, but it can emulate a smaller one.
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def take_picture(driver, name):
    """Takes a picture of README.md. A palette makes it a third as large."""
    file = os.path.join(os.environ["PICTURES"], f"{name}.png")
    driver.save_screenshot(file)
    subprocess.run(["pngquant", "--force", "--output", file, file], check=True)


class Page:
    """A browser that shows the directory."""

    def __init__(self, server, width=1200, height=800, by_keyboard=False):
        self.server, self.width, self.height, self.by_keyboard = server, width, height, by_keyboard
        self.downloads = tempfile.TemporaryDirectory()
        self.driver = chromium(width, height, self.downloads.name)
        self.run = self.driver.execute_script
        self.connections = Connections(server)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.connections.cut()
        self.downloads.cleanup()

    def open(self, path):
        # At first, socat may not listen yet.
        self.wait(lambda: self.driver.get(f"http://127.0.0.1:{self.connections.port}{path}") is None, WebDriverException)
        self.wait(lambda: self.tab is not None)

    def wait(self, condition, *ignored):
        """Waits until a condition holds, at most 20 seconds. The stack trace of a timeout shows for what the test waits. A list may have no
        rows while the page applies a batch.
        """
        return WebDriverWait(self.driver, 20, 0.05, (IndexError, *ignored)).until(lambda _: condition())

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    # What the user does

    def press(self, *keys, holding=""):
        chain = ActionChains(self.driver, duration=0)
        if holding:
            chain.key_down(holding)
        chain.send_keys(*keys)
        if holding:
            chain.key_up(holding)
        chain.perform()

    def go_to(self, selector):
        """Presses Tab, or Shift and Tab, until the element has the focus. Each element in between must be visible and have a focus ring."""
        focus = self.run(READ_FOCUS, selector)
        for _ in range(300):
            if focus["isTarget"]:
                return
            self.press(Keys.TAB, holding=Keys.SHIFT if focus["isBehind"] else "")
            focus = self.run(READ_FOCUS, selector)
            assert focus["isFine"], focus
        raise AssertionError(f"Tab does not reach {selector}")

    def use(self, selector):
        """Clicks an element, or goes to it and presses Space, or Enter on a link."""
        self.wait_for(selector)
        if not self.by_keyboard:
            return self.find(selector).click()
        self.go_to(selector)
        self.press(Keys.ENTER if self.find(selector).tag_name == "a" else Keys.SPACE)

    def type(self, selector, text):
        """Replaces the text of a field."""
        self.wait_for(selector)
        self.go_to(selector) if self.by_keyboard else self.find(selector).click()
        self.press("a", holding=Keys.CONTROL)
        self.press(text or Keys.BACKSPACE)

    def sign_in(self, password="admin", path=None):
        """Opens a path, if one is given, and signs in."""
        if path:
            self.open(path)
        # The password is empty first. Otherwise the button could still be enabled for the password before.
        for text in ["", password]:
            self.type("[name=username]", "admin")
            self.type("[name=password]", text)
            self.wait(lambda: self.find("form button").is_enabled() == (text != ""))
        self.press(Keys.ENTER)
        if path:
            self.wait_for_path(path)

    def use_in_the_panel(self, selector):
        if not self.find(selector).is_displayed():
            self.use("#panel > summary")
        self.use(selector)

    def load_more(self):
        count = len(self.rows)
        self.run("main.scrollTop = main.scrollHeight")
        self.wait(lambda: len(self.rows) > count)

    # What the page shows

    def wait_for(self, selector, text=None, is_visible=True):
        """Waits until an element is visible, with this text, if one is given, or hidden."""
        self.wait(lambda: self.find(selector).is_displayed() == is_visible and text in [None, self.find(selector).text])

    def wait_for_path(self, path):
        self.wait(lambda: self.run("return location.pathname") == path and self.state["paths"][-1:] == [path])

    def wait_for_focus(self, selector):
        self.wait(lambda: self.run("return document.activeElement === find(arguments[0])", selector))

    def wait_for_rows(self, name):
        """Waits until all rows have a name that begins with this one."""
        self.wait(lambda: self.rows and all(f" {name}" in f" {row['name']}" for row in self.rows))

    def wait_for_person(self):
        self.wait(lambda: self.find("#person h1").text != "")

    def wait_for_colors(self):
        self.wait(lambda: self.run("return find('#colors').children.length") == 6)

    def take_picture(self, name, width, height, has_message=False):
        """Takes a picture of README.md in a window of this size, with the panel as it is at first, if the environment asks for it."""
        if "PICTURES" not in os.environ:
            return
        resize(self.driver, width, height)
        self.run("find('#panel').open = wide.matches; main.scrollTop = 0")
        self.wait(lambda: self.run("return document.getAnimations().length") == 0)
        self.wait(lambda: has_message or self.run("return find('#messages li:not(.old)')") is None)
        take_picture(self.driver, name)
        resize(self.driver, self.width, self.height)
        self.run("find('#panel').open = true")

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

    def compare(self, step):
        """Waits until the DOM shows the state of the person, on a person's screen, or of the list."""
        self.wait(self.shows_state)
        print(f"  {step}", flush=True)

    def shows_state(self):
        state = self.state
        if len(state["paths"]) < 2:
            # A list that is covered by a person's screen is paused, and does not show the current state.
            return self.run(READ_LIST) == state["sections"]
        return self.run(READ_PERSON) == {key: state.get(key) for key in ["nickname", "color", "error"]}
