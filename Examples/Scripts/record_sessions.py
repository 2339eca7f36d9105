#!/usr/bin/env python3
"""Records the sessions that `RecordingTests` replays: each in headless Chromium, into a file of Tests/DirectoryTests/Sessions.

Build the package before. Run this when a state has changed on purpose, and look at the differences of the files.
"""

import urllib.request

from selenium.webdriver.common.keys import Keys

from browser import EXAMPLES, Page, Server
from browser_test import FAILURE, GREEN, THIRD_ROW


def sign_in(page):
    """A wrong password, and then the right one."""
    page.sign_in("/people", "wrong")
    page.wait_for("#sign-in .error", "Wrong username or password")
    page.sign_in("/people")
    page.wait(lambda: len(page.rows) == 50)


def search(page):
    page.sign_in("/people")
    for name in ["anna", "lena"]:
        page.type("[type=search]", name)
        page.wait_for_rows(name.capitalize())


def pages(page):
    page.sign_in("/people")
    page.wait(lambda: len(page.rows) == 50)
    page.load_more()
    page.use("#reverse")
    page.wait(lambda: page.rows and page.rows[0]["name"].split()[-1][0] == "Z")


def retry(page):
    """A search fails, and is tried again."""
    page.sign_in("/people")
    page.wait(lambda: len(page.rows) == 50)
    page.use("#failing")
    page.type("[type=search]", "olg")
    page.wait_for("#end span", FAILURE)
    page.use("#failing")
    page.use("#end button")
    page.wait_for_rows("Olg")


def edit(page):
    """A nickname, and a color that another screen picks."""
    page.sign_in("/people")
    page.use(THIRD_ROW)
    page.wait_for("#person h1:focus:not(:empty)")
    page.type("#nickname", "Bob")
    page.press(Keys.TAB)
    page.wait(lambda: page.state["nickname"] == "Bob" and "Nickname saved" in page.messages)
    page.use("#choose")
    page.use(GREEN)
    page.wait(lambda: page.state.get("color") == "green")
    page.use("#person .back")
    page.wait(lambda: (page.rows[2]["nickname"], page.rows[2]["color"]) == ("Bob", "green"))


def add(page):
    """The service fails once."""
    page.sign_in("/people")
    page.wait(lambda: len(page.rows) == 50)
    page.use("#add")
    page.type("#new-name", "Ada Aaa")
    page.use("#failing")
    page.use("#new button")
    page.wait_for("#new .error", FAILURE)
    page.use("#failing")
    page.use("#new button")
    page.wait(lambda: page.rows[0]["name"] == "Ada Aaa")


def main():
    folder = EXAMPLES / "Tests/DirectoryTests/Sessions"
    folder.mkdir(exist_ok=True)
    for session in [sign_in, search, pages, retry, edit, add]:
        with Server() as server:
            page = Page((1200, 800), server)
            with page.driver:
                session(page)
                page.compare()
                address = f"http://127.0.0.1:{server.port}/tabs/{page.tab}/recording"
                with urllib.request.urlopen(address, timeout=10) as response:
                    (folder / f"{session.__name__.replace('_', '-')}.recording").write_bytes(response.read())


if __name__ == "__main__":
    main()
