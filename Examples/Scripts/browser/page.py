"""The page in headless Chromium, in a window of any size. A proxy connects it to the server."""

import shutil

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from harness import Proxy

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
  nickname: document.querySelector('#nickname').value,
  color: document.querySelector('#person .dot').dataset.color,
  error: document.querySelector('#person .error span').textContent || null,
}
"""
HAS_FOCUS = "return document.activeElement === document.querySelector(arguments[0])"
# Describes the element with the focus: whether it has a focus ring, and whether its top and its bottom are visible.
READ_FOCUS = """
const element = document.activeElement, { left, top, right, bottom } = element.getBoundingClientRect();
const isAtFront = y => element.contains(document.elementFromPoint((left + right) / 2, y));
return {
  element: `${element.localName}#${element.id} ${element.textContent.slice(0, 30)}`,
  hasRing: getComputedStyle(element).outlineStyle !== 'none', isVisible: isAtFront(top + 2) && isAtFront(bottom - 2),
}
"""


def chromium(width, height):
    """Opens a browser with a window of this size."""
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    # The windows of headless Chromium are at least 500 px wide, but it can emulate a smaller one.
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    return driver


class Page:
    """A browser that shows the directory."""

    def __init__(self, server, width=1200, height=800):
        self.server = server
        self.proxy = Proxy(server.port)
        self.driver = chromium(width, height)
        self.width = width

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, path):
        self.driver.get(f"http://127.0.0.1:{self.proxy.port}{path}")
        self.wait("the tab is open", lambda: self.tab is not None)

    def wait(self, what, condition):
        """Waits until a condition holds, at most 20 seconds."""
        return WebDriverWait(self.driver, 20, 0.05).until(lambda _: condition(), f"timed out after 20 s, waiting for: {what}")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    # What the user does

    def type(self, selector, text):
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.BACKSPACE if text == "" else text)

    def press(self, *keys):
        """Presses keys. The element with the focus receives them."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def tab_to(self, selector, back=False):
        """Presses Tab, or Shift and Tab, until the element has the focus. Each element in between must be visible and have a focus ring."""
        for _ in range(80):
            if back:
                ActionChains(self.driver, duration=0).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
            else:
                self.press(Keys.TAB)
            focus = self.run(READ_FOCUS)
            assert focus["element"].startswith("body#") or focus["hasRing"] and focus["isVisible"], focus
            if self.has_focus(selector):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    def sign_in(self, password="admin"):
        self.wait("the form is there", lambda: self.find("#sign-in").is_displayed())
        self.type("[name=username]", "admin")
        # Otherwise the button could still be enabled for the password before.
        self.type("[name=password]", "")
        self.wait("the button is disabled", lambda: not self.find("form button").is_enabled())
        self.type("[name=password]", password)
        self.wait("the button is enabled", lambda: self.find("form button").is_enabled())
        self.find("[name=password]").send_keys(Keys.ENTER)

    def fail(self, fails):
        box = self.find("#failing")
        if not box.is_displayed():
            self.find("#panel summary").click()
        if box.is_selected() != fails:
            box.click()

    def scroll(self, top):
        self.run("const main = document.querySelector('main'); main.scrollTop = arguments[0] ?? main.scrollHeight", top)

    def scroll_to_end(self):
        self.scroll(None)

    # What the page shows

    def wait_for_text(self, selector, text):
        self.wait(f"{selector} shows {text}", lambda: self.find(selector).text == text)

    def wait_for_path(self, path):
        self.wait(f"the path is {path}", lambda: self.run("return location.pathname") == path)
        self.wait(f"the screen is {path}", lambda: self.state["paths"][-1:] == [path])

    def wait_for_focus(self, selector):
        self.wait(f"the focus is on {selector}", lambda: self.has_focus(selector))

    def has_focus(self, selector):
        return self.run(HAS_FOCUS, selector)

    def scroll_position(self):
        return self.run("return document.querySelector('main').scrollTop")

    @property
    def tab(self):
        return self.run("return document.body.dataset.tab ?? null")

    @property
    def state(self):
        return self.server.state(self.tab)

    @property
    def rows(self):
        return [row for section in self.run(READ_LIST) for row in section["rows"]]

    def messages(self):
        return self.run("return [...document.querySelectorAll('#messages li')].map(item => item.textContent)")

    def compare(self, step):
        """Waits until the DOM shows the state of the person, on a person's screen, or of the list."""
        self.wait(f"the DOM shows the state after: {step}", self.shows_state)
        print(f"  {step}", flush=True)

    def shows_state(self):
        state = self.state
        if len(state["paths"]) < 2:
            # A list that is covered by a person's screen is paused, and does not show the current state.
            return self.run(READ_LIST) == state["sections"]
        person = self.run(READ_PERSON)
        return person == {key: state.get(key) for key in person}
