#!/usr/bin/env python3
"""The page in headless Chromium: after each step the list in the DOM is compared with the state in the server.

python3 Examples/Scripts/browser_test.py [--screenshot FILE]
"""

import random
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from harness import Proxy, Server
from random_batches import Batches

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


class Page:
    """A browser with the directory, and the server that it talks to by way of a proxy."""

    def __init__(self, server):
        self.server = server
        self.proxy = Proxy(server.port)
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,800"]:
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium")
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, path):
        self.driver.get(f"http://127.0.0.1:{self.proxy.port}{path}")
        self.wait("the tab is open", lambda: self.tab is not None)

    def wait(self, what, condition):
        """Waits until a condition holds, at most 20 seconds."""
        return WebDriverWait(self.driver, 20, 0.05).until(lambda _: condition(), f"not within 20 s: {what}")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def type(self, selector, text):
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.BACKSPACE if text == "" else text)

    def sign_in(self, password):
        self.type("[name=username]", "admin")
        self.type("[name=password]", password)
        self.wait("the button is enabled", lambda: self.find("form button").is_enabled())
        self.find("[name=password]").send_keys(Keys.ENTER)

    def fail(self, fails):
        box = self.find("#failing")
        if box.is_selected() != fails:
            box.click()

    def wait_for_text(self, selector, text):
        self.wait(f"{selector} says {text}", lambda: self.find(selector).text == text)

    def wait_for_path(self, path):
        self.wait(f"the path is {path}", lambda: self.run("return location.pathname") == path)
        self.wait(f"the screen is {path}", lambda: self.state["paths"][-1:] == [path])

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
        """Waits until the DOM shows the state: the person, if one is shown, and otherwise the list."""
        self.wait(f"the DOM shows the state after: {step}", self.shows_state)
        print(f"  {step}", flush=True)

    def shows_state(self):
        state = self.state
        if len(state["paths"]) < 2:
            # A screen that is covered is paused: the list changes when it is shown again.
            return self.run(READ_LIST) == state["sections"]
        person = self.run(READ_PERSON)
        return person == {key: state.get(key) for key in person}


def signs_in_to_a_deep_link(page):
    page.open("/people/42")
    page.wait("the form is there", lambda: page.find("#sign-in").is_displayed())
    assert not page.find("form button").is_enabled()
    page.sign_in("wrong")
    page.wait_for_text("#sign-in .error", "Wrong username or password")
    page.sign_in("admin")
    page.wait_for_path("/people/42")
    page.wait("the person is there", lambda: page.find("#person h1").text != "")
    page.wait("the welcome", lambda: page.messages() == ["Welcome, admin"])
    page.compare("signed in, at /people/42")
    page.driver.back()
    page.wait_for_path("/people")
    page.wait("the first page", lambda: len(page.rows) == 50)
    page.compare("back")


def searches(page):
    page.type("[type=search]", "zz")
    page.type("[type=search]", "anne")
    page.find("[type=search]").send_keys(Keys.BACKSPACE)
    page.wait("the search for ann", lambda: page.state["query"] == '"ann"')
    page.wait("its rows", lambda: any("Ann" in row["name"] for row in page.rows))
    page.compare("searched for ann")
    page.wait("no others", lambda: all(" Ann" in f" {row['name']}" for row in page.rows))


def scrolls(page):
    page.run("document.querySelector('#list li').mark = 'first'")
    for _ in range(2):
        count = len(page.rows)
        page.run("scrollTo(0, document.body.scrollHeight)")
        page.wait("the next page", lambda: len(page.rows) > count)
        page.compare("scrolled")
    assert page.run("return document.querySelector('#list li').mark") == "first", "the first row has been made anew"


def reverses_the_order(page):
    """Sections and rows move."""
    page.type("[type=search]", "xenia")
    page.wait("the search", lambda: page.rows and all("Xenia" in row["name"] for row in page.rows))
    while not page.find("#end span").text:
        page.run("scrollTo(0, document.body.scrollHeight)")
    page.run("[...document.querySelectorAll('#list li')].at(-1).mark = 'last'")
    last = page.rows[-1]
    page.find("#reverse").click()
    page.wait("the reverse order", lambda: len(page.rows) == 50 and page.rows[0] == last)
    page.compare("reversed")
    assert page.run("return document.querySelector('#list li').mark") == "last", "the row has not moved, it is a new one"
    page.find("#reverse").click()
    page.wait("the order", lambda: page.rows[0] != last)
    page.compare("reversed again")


def retries_a_page(page):
    page.type("[type=search]", "")
    page.wait("all people", lambda: len(page.rows) == 50 and page.state["query"] == '""')
    page.fail(True)
    page.run("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_text("#end span", "The service does not answer")
    page.compare("failed")
    page.fail(False)
    page.find("#end button").click()
    page.wait("the page that failed", lambda: len(page.rows) > 50)
    page.compare("tried again")


def edits_a_nickname(page):
    page.run("scrollTo(0, 0)")
    page.find("#list li:nth-child(3) a").click()
    page.wait("the person", lambda: page.find("#person h1").text != "")
    path = page.run("return location.pathname")
    page.type("#nickname", "  The   one ")
    page.wait("the field has what the service made of it",
              lambda: page.find("#nickname").get_attribute("value") == "The one" == page.state["nickname"])
    page.wait("one message", lambda: page.messages()[1:] == ["Nickname saved"])
    page.type("#nickname", "A name that is too long for the service")
    page.wait_for_text("#person .error span", "A nickname has at most 20 characters")
    page.wait("the field goes back", lambda: page.find("#nickname").get_attribute("value") == "The one")
    page.fail(True)
    page.type("#nickname", "Second")
    page.wait_for_text("#person .error span", "The service does not answer")
    page.fail(False)
    page.find("#retry").click()
    page.wait("the nickname is saved", lambda: page.find("#nickname").get_attribute("value") == "Second")
    page.wait("the error is gone", lambda: not page.find("#retry").is_displayed())
    page.compare("edited")
    return path


def picks_a_color(page, path):
    page.find("#choose").click()
    page.wait_for_path(path + "/color")
    page.driver.back()
    page.wait_for_path(path)
    page.find("#choose").click()
    page.wait_for_path(path + "/color")
    page.wait("the colors", lambda: page.run("return document.querySelectorAll('#colors button').length") == 6)
    page.find("#colors button:nth-child(4)").click()
    page.wait_for_path(path)
    page.wait("the color", lambda: page.state["color"] == "green")
    page.find("#person .back").click()
    page.wait_for_path("/people")
    page.compare("picked a color")
    assert page.rows[2]["nickname"] == "Second" and page.rows[2]["color"] == "green", page.rows[2]
    page.driver.forward()
    page.wait_for_path(path)
    page.compare("forward")


def hides_and_shows_the_tab(page):
    first = page.driver.current_window_handle
    tab = page.tab
    page.driver.switch_to.new_window("tab")
    page.wait("the lifecycle is paused", lambda: not page.server.state(tab)["isResumed"])
    hidden = page.server.state(tab).get("secondsAgo")
    # Another tab, which is there to see two seconds pass.
    page.open("/people/7")
    page.sign_in("admin")
    page.wait_for_path("/people/7")
    page.wait("the person is there", lambda: page.state.get("secondsAgo") is not None)
    start = page.state.get("secondsAgo")
    page.wait("two seconds", lambda: page.state["secondsAgo"] >= start + 2)
    assert page.server.state(tab).get("secondsAgo") == hidden, "it ticks while it is hidden"
    page.driver.close()
    page.driver.switch_to.window(first)
    page.wait("it ticks", lambda: page.state["secondsAgo"] >= hidden + 2)
    page.compare("hidden and shown")


def loses_the_connection(page):
    messages = page.messages()
    page.driver.back()
    page.wait_for_path("/people")
    page.type("[type=search]", "dora")
    page.proxy.cut()
    page.wait_for_text("#status", "Reconnecting")
    page.wait("the server knows", lambda: not page.state["isResumed"])
    page.find("[type=search]").send_keys(Keys.BACKSPACE)
    page.proxy.restore()
    page.wait_for_text("#status", "Connected")
    page.wait("the search", lambda: page.state["query"] == '"dor"')
    page.compare("reconnected")
    page.wait("its rows", lambda: all(" Dor" in f" {row['name']}" for row in page.rows))
    page.find("#list li a").click()
    page.wait("the person", lambda: page.find("#person h1").text != "")
    # An answer that is lost: the page repeats the message, and the server takes it once.
    page.run("""
      const field = document.querySelector('#nickname');
      field.value = 'Once';
      field.dispatchEvent(new InputEvent('input'));
    """)
    page.proxy.cut()
    page.wait_for_text("#status", "Reconnecting")
    page.proxy.restore()
    page.wait("the nickname", lambda: page.state["nickname"] == "Once")
    page.wait("one message", lambda: page.messages() == messages + ["Nickname saved"])
    page.find("#person .back").click()
    page.wait_for_path("/people")
    page.compare("reconnected once more")


def adds_a_person(page):
    page.find("#add").click()
    page.wait("the sheet", lambda: page.find("#new").is_displayed())
    assert not page.find("#new button").is_enabled()
    page.type("#new-name", "Zoe Zzz")
    page.type("#new-nickname", "A name that is too long for the service")
    page.find("#new-color").click()
    page.wait_for_path("/people/color")
    page.wait("the colors", lambda: page.run("return document.querySelectorAll('#colors button').length") == 6)
    page.find("#colors button:nth-child(4)").click()
    page.wait_for_path("/people")
    page.wait("the color", lambda: page.run("return document.querySelector('#new .dot').dataset.color") == "green")
    page.find("#new button").click()
    page.wait_for_text("#new .error", "A nickname has at most 20 characters")
    page.type("#new-nickname", "Z")
    page.find("#new button").click()
    page.wait("the sheet is gone", lambda: not page.find("#new").is_displayed() and "newPerson" not in page.state)
    page.wait("the message", lambda: page.messages()[-1] == "Zoe Zzz has been added")
    page.type("[type=search]", "zoe zzz")
    page.wait("the person", lambda: len(page.rows) == 1)
    page.compare("added a person")
    assert page.rows[0]["nickname"] == "Z" and page.rows[0]["color"] == "green", page.rows
    page.find("#add").click()
    page.wait("an empty sheet", lambda: page.find("#new").is_displayed() and not page.find("#new-name").get_attribute("value"))
    page.find("#new-cancel").click()
    page.wait("no sheet", lambda: not page.find("#new").is_displayed())


def reads_the_log(page):
    page.find("details summary").click()
    page.type("[type=search]", "lena")
    page.wait("the log", lambda: 'load("lena")' in page.run("return document.querySelector('#log').textContent"))
    page.wait("its rows", lambda: all(" Lena" in f" {row['name']}" for row in page.rows))
    page.compare("logged")


def carries_out_any_batch(page):
    batches = Batches(random.Random(42))
    for _ in range(500):
        old, changes, new = batches.make()
        page.run("show.reload({ sections: arguments[0] }); show.batch({ changes: arguments[1] })", old, changes)
        assert page.run(READ_LIST) == new, (old, changes, new)
    print("  500 made-up batches")


def is_away_for_too_long(page):
    page.open("/")
    tab = page.tab
    page.wait("the form is there", lambda: page.find("#sign-in").is_displayed())
    page.proxy.cut()
    page.wait("the tab is cleared", lambda: page.server.state(tab) is None)
    page.proxy.restore()
    page.wait("the page says so", lambda: page.find("#over").is_displayed())


def main():
    with Server("--latency", "100") as server, Page(server) as page:
        try:
            signs_in_to_a_deep_link(page)
            searches(page)
            scrolls(page)
            reverses_the_order(page)
            retries_a_page(page)
            path = edits_a_nickname(page)
            picks_a_color(page, path)
            hides_and_shows_the_tab(page)
            loses_the_connection(page)
            adds_a_person(page)
            reads_the_log(page)
            if len(sys.argv) == 3 and sys.argv[1] == "--screenshot":
                page.wait("all is quiet", lambda: page.run("return document.getAnimations().length") == 0)
                page.driver.save_screenshot(sys.argv[2])
        except BaseException:
            page.driver.save_screenshot("/tmp/directory-failed.png")
            print(page.state, page.driver.get_log("browser"), file=sys.stderr)
            raise
    with Server("--grace", "1") as server, Page(server) as page:
        is_away_for_too_long(page)
        carries_out_any_batch(page)
    print("The page shows what the view models hold.")


if __name__ == "__main__":
    main()
