#!/usr/bin/env python3
"""Tests the page in headless Chromium, in a wide window with the mouse, and in a narrow one by keyboard alone. After most steps it compares
the DOM with the state on the server. Then it tests the pages that draw recordings.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from selenium.webdriver.common.keys import Keys

import recordings
from browser import EXAMPLES, FIND_CUT_OFF, READ_LIST, Page, Server

FAILURE = "The service does not answer"
THIRD_ROW, GREEN = "#list li:nth-child(3) a", "#colors button:nth-child(4)"
# Names without a place where a line can break.
LONG_NAME, LONG_NICKNAME = "Wolfeschlegelsteinhausenbergerdorff" * 5, "W" * 20
READ_ELEMENTS = "return [...document.querySelectorAll('#list li')]"
FIND_COVERED = """
return [...document.querySelectorAll('a, button, input, summary')].filter(element => {
  const { left, top, width, height } = element.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
  if (!element.checkVisibility() || y > innerHeight || main.contains(element) && y > main.getBoundingClientRect().bottom) return false;
  return !element.contains(document.elementFromPoint(x, y));
}).map(element => `${element.localName}#${element.id} ${element.textContent} is covered`);
"""


def shows_all(page):
    """The window shows each element whole, and no message covers a button, a link or a field."""
    for message in ["Nickname saved", f"{LONG_NAME} has been added"]:
        page.run("main.scrollTop = 0; show.message({ text: arguments[0] })", message)
        wrong = page.run(FIND_CUT_OFF) + page.run(FIND_COVERED)
        assert not wrong, wrong
        page.run("find('#messages').lastChild.remove()")


def puts_the_panel_beside_or_below(page):
    """In a narrow window the panel is below the screens, and closed."""
    main, panel, is_open = page.find("main").rect, page.find("aside").rect, page.find("#recording").is_displayed()
    if page.by_keyboard:
        assert main["y"] + main["height"] <= panel["y"] and panel["height"] < 60 and not is_open, (main, panel)
        page.use("#panel > summary")
    else:
        assert main["x"] + main["width"] <= panel["x"] and panel["y"] == 0 and is_open, (main, panel)


def signs_in_to_a_deep_link(page):
    page.sign_in("/people/42", "admi")
    page.wait_for("#sign-in .error", "Wrong username or password")
    page.wait_for("[name=password]:focus")
    page.wait_for("#sign-in button:enabled")
    shows_all(page)
    page.press("n", Keys.ENTER)
    page.wait(lambda: page.state["paths"] == ["/people", "/people/42"])
    page.wait_for("#person h1:focus:not(:empty)")
    page.wait(lambda: page.messages == ["Welcome, admin"])
    page.compare()
    page.driver.back()
    page.wait(lambda: len(page.rows) == 50)
    page.compare()


def scrolls(page):
    """The rows stay as the list grows, the search stays at the top, and a hidden page requests nothing."""
    elements = page.run(READ_ELEMENTS)
    page.load_more()
    page.load_more()
    assert page.run(READ_ELEMENTS)[: len(elements)] == elements, "the page has replaced rows"
    assert page.find(".search").rect["y"] == page.find("main").rect["y"]
    page.run("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    assert page.run("const before = lastNumber; main.scrollTop = main.scrollHeight; loadMore(); return lastNumber - before") == 0
    page.run("delete document.hidden")
    page.load_more()
    page.compare()


def searches_in_both_orders(page):
    is_placeholder_cut = "const [field] = arguments; field.value = field.placeholder; return field.scrollWidth > field.clientWidth"
    assert not page.run(is_placeholder_cut, page.find("[type=search]"))
    for name in ["Xenia", "Lena B", "Anna", "Dor"]:
        page.type("[type=search]", name)
        page.wait_for_rows(name)
        page.scroll_until(lambda: page.text("#end span") == f"{len(page.rows)} people")
        page.compare()
        rows, elements = page.rows, page.run(READ_ELEMENTS)
        page.use("#reverse")
        page.scroll_until(lambda: page.rows == rows[::-1])
        page.compare()
        # The first page of the new order comes first, and the next pages follow.
        assert page.run(READ_ELEMENTS)[:50] == elements[::-1][:50], "the page has replaced rows instead of moving them"


def retries(page):
    """The error of a search takes the place of the list, below the search even if the list was scrolled. That of a page is at its end."""
    page.type("[type=search]", "")
    page.wait(lambda: page.rows[0]["id"] == 0)
    page.load_more()
    page.use("#failing")
    # The page searches from the third letter on, so only one request fails.
    page.type("[type=search]", "olg")
    page.wait(lambda: not page.find("#list").is_displayed())
    page.wait_for("#end span", FAILURE)
    below = page.run("return find('#end button').getBoundingClientRect().top - find('.search').getBoundingClientRect().bottom")
    assert 0 <= below < 100, f"{below} px below the search"
    page.use("#failing")
    page.use("#end button")
    page.wait_for_rows("Olg")
    page.wait_for("#list a:focus")
    page.use("#failing")
    page.scroll_until(lambda: page.text("#end span") == FAILURE)
    assert page.find("#list").is_displayed()
    page.use("#failing")
    count = len(page.rows)
    page.use("#end button")
    page.wait(lambda: len(page.rows) > count)
    page.compare()


def edits_a_person(page):
    page.run("main.scrollTop = 0")
    page.use(THIRD_ROW)
    page.wait_for("#person h1:focus:not(:empty)")
    page.type("#nickname", "Bob ")
    page.wait(lambda: page.messages[1:] == ["Nickname saved"])
    assert page.text("#nickname", "value") == "Bob ", "the page has changed the text during a pause"
    page.press("Lee of twenty-seven letters", Keys.TAB)
    page.wait(lambda: page.state["nickname"] == "Bob Lee of twenty-se")
    page.compare()
    page.use("#failing")
    page.use("#choose")
    page.wait_for("#color h1:focus")
    page.use(GREEN)
    page.wait_for("#person .error span", FAILURE)
    page.compare()
    page.use("#failing")
    page.use("#retry")
    page.use(GREEN)
    page.wait(lambda: page.find("#person").is_displayed() and not page.find("#retry").is_displayed())
    page.use("#person .back")
    page.wait_for(f"{THIRD_ROW}:focus")
    page.wait(lambda: (page.rows[2]["nickname"], page.rows[2]["color"]) == ("Bob Lee of twenty-se", "green"))
    page.driver.forward()
    page.wait_for("#person h1:focus:not(:empty)")
    page.compare()


def loses_the_connection(page):
    """The page repeats an action until the server answers."""
    page.driver.back()
    page.type("[type=search]", "dora")
    page.server.cut()
    page.wait_for("#status", "Reconnecting")
    page.wait(lambda: not page.state["isResumed"])
    page.press(Keys.BACKSPACE)
    page.server.restore()
    page.wait_for("#status", "Connected")
    page.wait(lambda: page.state["query"] == '"dor"')
    page.wait_for_rows("Dor")
    page.compare()


def adds_a_person(page):
    page.use("#add")
    page.wait_for("#new-name:focus")
    page.press("Zoe", Keys.ESCAPE)
    page.wait_for("#add:focus")
    page.use("#add")
    page.wait_for("#new-name:focus")
    assert page.text("#new-name", "value") == "" and not page.find("#new button").is_enabled()
    page.press(LONG_NAME, " Zzz")
    page.type("#new-nickname", LONG_NICKNAME)
    page.use("#new-color")
    page.wait_for(GREEN)
    shows_all(page)
    page.use(GREEN)
    page.wait_for("#new-color:focus")
    page.use("#failing")
    page.use("#new button")
    page.wait_for("#new .error", FAILURE)
    shows_all(page)
    page.use("#failing")
    page.use("#new button")
    page.wait(lambda: page.messages[-1] == f"{LONG_NAME} Zzz has been added")
    page.type("[type=search]", "wolfe")
    page.wait(lambda: [(row["nickname"], row["color"]) for row in page.rows] == [(LONG_NICKNAME, "green")])
    page.compare()
    shows_all(page)
    page.use("#list a")
    page.wait_for("#person h1:focus:not(:empty)")
    shows_all(page)
    page.use("#person .back")


def reads_the_log_and_downloads_the_recording(page):
    page.use("#logging summary")
    page.type("[type=search]", "lena")
    page.wait(lambda: 'load("lena")' in page.text("#log"))
    with tempfile.TemporaryDirectory() as folder:
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        page.use("#recording")
        file = Path(folder, "session.recording")
        page.wait(file.exists)
        assert '{"type":{"_0":"lena"}}' in file.read_text()


def another_tab_adds_a_person(page):
    """Meanwhile the first tab is hidden."""
    first, tab = page.driver.current_window_handle, page.tab
    page.driver.switch_to.new_window("tab")
    page.wait(lambda: not page.server.state(tab)["isResumed"])
    page.sign_in("/people")
    page.use("#add")
    page.type("#new-name", "Ada Aaa")
    page.use("#new button")
    page.wait(lambda: page.messages[-1] == "Ada Aaa has been added")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.wait(lambda: page.state["isResumed"])


def comes_back_to_its_place(page):
    """The row that was opened stays at its place in the window, and gets the focus, also if there is a new row above it."""
    top = lambda: page.find("#visited").rect["y"]
    page.sign_in("/people")
    for _ in range(4):
        page.load_more()
    page.run("const row = [...document.querySelectorAll('#list li')].at(140); row.id = 'visited'; row.scrollIntoView({ block: 'center' })")
    before = top()
    for meanwhile in [lambda _: None, another_tab_adds_a_person]:
        page.find("#visited a").click()
        page.wait_for("#person h1:focus:not(:empty)")
        assert page.run("return main.scrollTop") == 0
        meanwhile(page)
        page.driver.back()
        page.wait_for("#visited a:focus")
        page.wait(lambda: abs(top() - before) <= 1)
    page.wait(lambda: page.rows[0]["name"] == "Ada Aaa" and abs(top() - before) <= 1)
    page.compare()


def says_why_it_cannot_go_on(page):
    page.open("/")
    page.run("send('open', { id: 1 })")
    page.wait(lambda: page.messages == ["The screen has changed meanwhile. Go back to it and try again."])
    page.server.stop()
    page.server.start()
    page.wait_for("#over span", "The server has been restarted. Reload the page to start again.")
    page.use("#over a")
    page.wait(lambda: page.find("#sign-in").is_displayed() and not page.find("#over").is_displayed())


def carries_out_any_batch(page):
    """A batch may have each kind of change, in no particular order."""
    def section(letter, *ids):
        return {"letter": letter, "rows": [{"id": id, "name": f"{id}", "nickname": "", "color": "gray"} for id in ids]}

    old = [section("A", 1, 2, 3, 4), section("B", 5), section("C"), section("D", 6, 7), section("E", 8, 9, 10)]
    new = [section("F", 11), section("A", 2, 12, 4, 1), section("G", 13), section("D", 14, 3, 15, 7, 6), section("E", 10)]
    inserted_items = [{"path": [section, item], "row": new[section]["rows"][item]} for section, item in [[3, 0], [3, 2], [1, 1]]]
    page.run("show.reload({ sections: arguments[0] }); show.batch({ changes: arguments[1] })", old, {
        "deletedSections": [1, 2], "insertedSections": [{"index": index, "section": new[index]} for index in [2, 0]],
        "movedSections": [[0, 1]], "deletedItems": [[4, 0], [4, 1]], "insertedItems": inserted_items,
        "movedItems": [[[0, 0], [1, 3]], [[3, 0], [3, 4]], [[0, 2], [3, 1]]],
    })
    assert page.run(READ_LIST) == new


STEPS = [
    signs_in_to_a_deep_link, puts_the_panel_beside_or_below, scrolls, searches_in_both_orders, retries, edits_a_person,
    loses_the_connection, adds_a_person, reads_the_log_and_downloads_the_recording, comes_back_to_its_place, says_why_it_cannot_go_on,
    carries_out_any_batch,
]


def carry_out(steps, page):
    with page.driver:
        for step in steps:
            print(f"  {step.__name__.replace('_', ' ')}", flush=True)
            step(page)


def main():
    with tempfile.TemporaryDirectory() as folder:
        if os.environ.setdefault("RX_PICTURE_DIR", folder) == folder:
            subprocess.run(["swift", "test", "--package-path", EXAMPLES.parent, "--filter", "PictureTests"], check=True)
        for name, size in [("wide", (1200, 800)), ("narrow", (360, 640))]:
            print(f"In a {name} window:", flush=True)
            with Server() as server:
                carry_out(STEPS, Page(size, server, by_keyboard=name == "narrow"))
            carry_out(recordings.STEPS, Page(size))


if __name__ == "__main__":
    main()
