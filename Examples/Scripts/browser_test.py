#!/usr/bin/env python3
"""Tests the page in headless Chromium, in a wide window with the mouse, and in a narrow one by keyboard alone. After most steps it compares
the DOM with the state on the server. The tests of the layout and of the pictures of recordings are in browser/.

With PICTURES=FOLDER in the environment it also takes the pictures of README.md.
"""

import os
import sys

from selenium.webdriver.common.keys import Keys

from browser.batches import carries_out_any_batch
from browser.layout import shows_all_of_each_screen
from browser.page import Page
from browser.timeline import draws_recordings, takes_the_picture_of_a_failure
from harness import Server

WINDOWS = {"wide": (1200, 800), "narrow": (360, 640)}
FAILURE = "The service does not answer"
THIRD_ROW = "#list li:nth-child(3) a"
GREEN = "#colors button:nth-child(4)"


def signs_in_to_a_deep_link(page):
    page.open("/people/42")
    page.wait_for_focus("[name=username]")
    page.sign_in("wrong")
    page.wait_for("#sign-in .error", "Wrong username or password")
    page.wait_for_focus("[name=password]")
    page.sign_in()
    page.wait_for_path("/people/42")
    page.wait_for_person()
    page.wait(lambda: page.messages == ["Welcome, admin"])
    page.compare("signed in, at /people/42")
    page.driver.back()
    page.wait_for_path("/people")
    page.wait(lambda: len(page.rows) == 50)
    page.compare("went back")


def searches(page):
    page.type("[type=search]", "zz")
    page.type("[type=search]", "anne")
    page.press(Keys.BACKSPACE)
    page.wait(lambda: page.state["query"] == '"ann"' and any("Ann" in row["name"] for row in page.rows))
    page.compare("searched")
    page.wait_for_rows("Ann")


def scrolls(page):
    """The rows stay as the list grows, the search stays at the top, and a hidden page requests nothing."""
    page.run("find('#list li').mark = 'first'")
    page.load_more()
    page.load_more()
    assert page.run("return find('.search').getBoundingClientRect().top - main.getBoundingClientRect().top") == 0
    assert page.run("return find('#list li').mark") == "first", "the page has replaced the first row"
    page.run("Object.defineProperty(document, 'hidden', { value: true, configurable: true }); main.scrollTop = main.scrollHeight")
    assert page.run("const before = lastNumber; loadMore(); return lastNumber - before") == 0
    page.run("delete document.hidden")
    page.load_more()
    page.compare("scrolled")


def reverses_the_order(page):
    """Reverses the order twice, which moves sections and rows."""
    page.type("[type=search]", "xenia")
    page.wait_for_rows("Xenia")
    while not page.find("#end span").text:
        page.run("main.scrollTop = main.scrollHeight")
    page.run("[...document.querySelectorAll('#list li')].at(-1).mark = 'last'")
    last = page.rows[-1]
    page.use("#reverse")
    page.wait(lambda: page.rows[0] == last)
    page.compare("reversed")
    assert page.run("return find('#list li').mark") == "last", "the page replaced the row instead of moving it"
    page.use("#reverse")
    page.wait(lambda: page.rows[0] != last)
    page.compare("reversed again")


def retries(page):
    """The error of a search takes the place of the list, below the search even if the list was scrolled. That of a page is at its end."""
    page.type("[type=search]", "")
    page.wait(lambda: page.rows and page.rows[0]["id"] == 0)
    page.load_more()
    page.use_in_the_panel("#failing")
    # The page searches from the third letter on, so only one request fails.
    page.type("[type=search]", "olg")
    page.wait_for("#end span", FAILURE)
    assert not page.find("#list").is_displayed(), "the page shows people who do not match"
    below = page.run("return find('#end button').getBoundingClientRect().top - find('.search').getBoundingClientRect().bottom")
    assert 0 <= below < 100, f"{below} px below the search"
    page.compare("a search failed")
    page.use("#failing")
    page.use("#end button")
    page.wait_for_rows("Olg")
    page.wait_for_focus("#list a")
    page.compare("searched again")
    page.use("#failing")
    page.run("main.scrollTop = main.scrollHeight")
    page.wait_for("#end span", FAILURE)
    assert page.find("#list").is_displayed()
    page.compare("a page failed")
    page.use("#failing")
    count = len(page.rows)
    page.use("#end button")
    page.wait(lambda: len(page.rows) > count)
    page.compare("tried again")


def edits_a_person(page):
    shown = lambda: page.find("#nickname").get_attribute("value")
    page.run("main.scrollTop = 0")
    page.use(THIRD_ROW)
    page.wait_for_focus("#person h1")
    page.wait_for_person()
    path = page.run("return location.pathname")
    page.type("#nickname", "Bob ")
    page.wait(lambda: page.messages[1:] == ["Nickname saved"])
    assert shown() == "Bob ", "the page changed the text during a pause"
    page.press("Lee of twenty-seven letters", Keys.TAB)
    page.wait(lambda: shown() == "Bob Lee of twenty-se" == page.state["nickname"])
    page.compare("edited")

    def visits_the_colors(button, go_back):
        page.use(button)
        page.wait_for_path(path + "/color")
        page.wait_for_focus("#color h1")
        page.wait_for_colors()
        go_back()
        page.wait_for_path(path)

    visits_the_colors("#choose", page.driver.back)
    page.wait_for_focus("#choose")
    page.use("#failing")
    visits_the_colors("#choose", lambda: page.use(GREEN))
    page.wait_for("#person .error span", FAILURE)
    page.compare("a write failed")
    page.use("#failing")
    visits_the_colors("#retry", lambda: page.use(GREEN))
    page.wait_for("#retry", is_visible=False)
    page.use("#person .back")
    page.wait_for_path("/people")
    page.wait_for_focus(THIRD_ROW)
    page.wait(lambda: (page.rows[2]["nickname"], page.rows[2]["color"]) == ("Bob Lee of twenty-se", "green"))
    if page.by_keyboard:
        page.take_picture("directory-narrow", 360, 640, has_message=True)
        page.take_picture("directory-keyboard", 720, 480)
    page.driver.forward()
    page.wait_for_path(path)
    page.compare("picked a color, went back and forward")


def hides_and_shows_the_tab(page):
    first, tab = page.driver.current_window_handle, page.tab
    page.driver.switch_to.new_window("tab")
    page.wait(lambda: not page.server.state(tab)["isResumed"])
    page.driver.close()
    page.driver.switch_to.window(first)
    page.wait(lambda: page.state["isResumed"])
    page.compare("hidden and shown")


def loses_the_connection(page):
    page.driver.back()
    page.wait_for_path("/people")
    page.type("[type=search]", "dora")
    page.connections.cut()
    page.wait_for("#status", "Reconnecting")
    page.wait(lambda: not page.state["isResumed"])
    page.press(Keys.BACKSPACE)
    page.connections.restore()
    page.wait_for("#status", "Connected")
    page.wait_for_rows("Dor")
    page.compare("reconnected")
    page.use("#list li a")
    page.wait_for_person()
    # The connection breaks before the answer arrives. The page repeats the action, and the server executes it once.
    messages = page.messages
    page.run("find('#nickname').value = 'Once'; find('#nickname').dispatchEvent(new InputEvent('input'))")
    page.connections.cut()
    page.wait_for("#status", "Reconnecting")
    page.connections.restore()
    page.wait(lambda: page.state["nickname"] == "Once" and page.messages == messages + ["Nickname saved"])
    page.use("#person .back")
    page.wait_for_path("/people")
    page.compare("reconnected once more")


def adds_a_person(page):
    page.use("#add")
    page.wait_for_focus("#new-name")
    page.press(Keys.ESCAPE)
    page.wait_for_focus("#add")
    page.wait_for("#new", is_visible=False)
    page.use("#add")
    page.wait_for_focus("#new-name")
    assert not page.find("#new button").is_enabled()
    page.type("#new-name", "Zoe Zzz")
    page.type("#new-nickname", "Z ")
    page.use("#new-color")
    page.wait_for_path("/people/color")
    page.wait_for_colors()
    page.use(GREEN)
    page.wait_for_focus("#new-color")
    page.use("#failing")
    page.use("#new button")
    page.wait_for("#new .error", FAILURE)
    page.use("#failing")
    page.use("#new button")
    page.wait_for("#new", is_visible=False)
    page.wait(lambda: page.messages[-1] == "Zoe Zzz has been added")
    page.type("[type=search]", "zoe zzz")
    page.wait(lambda: [(row["nickname"], row["color"]) for row in page.rows] == [("Z", "green")])
    page.compare("added a person")
    page.use("#add")
    page.wait_for("#new")
    assert not page.find("#new-name").get_attribute("value")
    page.use("#new-cancel")
    page.wait_for("#new", is_visible=False)


def reads_the_log_and_downloads_the_recording(page):
    page.use("#logging summary")
    page.type("[type=search]", "lena")
    page.wait(lambda: 'load("lena")' in page.run("return find('#log').textContent"))
    page.wait_for_rows("Lena")
    if not page.by_keyboard:
        page.take_picture("directory", 1200, 640)
    page.use("#recording")
    file = os.path.join(page.downloads.name, "session.recording")
    page.wait(lambda: os.path.exists(file))
    with open(file) as recording:
        text = recording.read()
    assert text.startswith("RxViewModel recording 2\n") and '{"type":{"_0":"lena"}}' in text, text
    page.compare("logged and recorded")


def comes_back_to_its_place(page):
    """Goes back from a person with the Back buttons of the page and of the browser. Meanwhile another tab adds a person at the top of the
    list. The row with the focus must not move in the window."""
    top = lambda: page.run("return find('#visited').getBoundingClientRect().top")

    def another_tab_adds_a_person():
        tab = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.sign_in(path="/people")
        page.find("#add").click()
        page.type("#new-name", "Ada Aaa")
        page.wait(lambda: page.find("#new button").is_enabled())
        page.find("#new button").click()
        page.wait(lambda: page.messages[-1] == "Ada Aaa has been added")
        page.driver.close()
        page.driver.switch_to.window(tab)
        page.driver.back()

    page.sign_in(path="/people")
    for count in [50, 100, 150]:
        page.wait(lambda: len(page.rows) == count)
        page.load_more()
    page.run("const row = [...document.querySelectorAll('#list li')].at(140); row.id = 'visited'; row.scrollIntoView({ block: 'center' })")
    before = top()
    for go_back in [lambda: page.find("#person .back").click(), page.driver.back, another_tab_adds_a_person]:
        page.find("#visited a").click()
        page.wait_for_focus("#person h1")
        page.wait_for_person()
        assert page.run("return main.scrollTop") == 0
        go_back()
        page.wait_for_path("/people")
        page.wait_for_focus("#visited a")
        page.wait(lambda: abs(top() - before) <= 1)
    page.wait(lambda: page.rows[0]["name"] == "Ada Aaa" and abs(top() - before) <= 1)
    page.compare("went back to the same place")


def loses_its_tab(size):
    with Server("--grace", "1") as server, Page(server, *size) as page:
        page.open("/")
        page.run("send('open', { id: 1 })")
        page.wait(lambda: page.messages == ["The screen has changed meanwhile. Go back to it and try again."])
        tab = page.tab
        page.connections.cut()
        page.wait(lambda: server.state(tab) is None)
        page.connections.restore()
        page.wait_for("#over span", "This tab was disconnected for too long. Reload the page to start again.")
        page.open("/")
        page.wait_for("#sign-in")
        server.restart()
        page.wait_for("#over span", "The server has been restarted. Reload the page to start again.")
        page.find("#over a").click()
        page.wait_for("#over", is_visible=False)
        page.wait_for("#sign-in")
        carries_out_any_batch(page)


def uses_the_app(size, by_keyboard):
    with Server("--latency", "100") as server, Page(server, *size, by_keyboard) as page:
        try:
            for test in [
                signs_in_to_a_deep_link, searches, scrolls, reverses_the_order, retries, edits_a_person, hides_and_shows_the_tab,
                loses_the_connection, adds_a_person, reads_the_log_and_downloads_the_recording, comes_back_to_its_place,
                shows_all_of_each_screen,
            ]:
                test(page)
        except BaseException:
            page.driver.save_screenshot("/tmp/directory-failed.png")
            print(page.state, page.driver.get_log("browser"), file=sys.stderr)
            raise


def main():
    for name, size in WINDOWS.items():
        print(f"In a {name} window:", flush=True)
        uses_the_app(size, by_keyboard=name == "narrow")
        print(f"Pictures of recordings in a {name} window:", flush=True)
        draws_recordings(size)
    loses_its_tab(WINDOWS["wide"])
    if "PICTURES" in os.environ:
        takes_the_picture_of_a_failure()
    print("The page shows the states of the view models.")


if __name__ == "__main__":
    main()
