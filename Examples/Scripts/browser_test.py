#!/usr/bin/env python3
"""Tests the page in headless Chromium, in a wide and in a narrow window. After most steps it compares the DOM with the state on the
server. The tests of the layout, the focus and the keyboard are in browser/, and so are those of the pictures of recordings.

python3 Examples/Scripts/browser_test.py                 runs the tests
python3 Examples/Scripts/browser_test.py --pictures DIR  takes the pictures of README.md instead
"""

import random
import sys

from selenium.webdriver.common.keys import Keys

from browser.focus import begins_at_the_first_field, comes_back_to_its_place, keeps_its_place_as_rows_arrive
from browser.keyboard import uses_the_keyboard_alone
from browser.layout import shows_all_of_each_screen
from browser.page import READ_LIST, Page
from browser.pictures import takes_pictures
from browser.timeline import draws_recordings
from harness import Server
from random_batches import Batches

WINDOWS = {"wide": (1200, 800), "narrow": (360, 640)}


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
    page.compare("went back")


def searches(page):
    page.type("[type=search]", "zz")
    page.type("[type=search]", "anne")
    page.find("[type=search]").send_keys(Keys.BACKSPACE)
    page.wait("the search for ann", lambda: page.state["query"] == '"ann"')
    page.wait("a row with Ann", lambda: any("Ann" in row["name"] for row in page.rows))
    page.compare("searched for ann")
    page.wait("only rows with Ann", lambda: all(" Ann" in f" {row['name']}" for row in page.rows))


def scrolls(page):
    page.run("document.querySelector('#list li').mark = 'first'")
    for _ in range(2):
        count = len(page.rows)
        page.scroll_to_end()
        page.wait("the next page", lambda: len(page.rows) > count)
        page.compare("scrolled")
        assert page.run("return find('.search').getBoundingClientRect().top - main.getBoundingClientRect().top") == 0
    assert page.run("return document.querySelector('#list li').mark") == "first", "the page has replaced the first row"


def requests_no_page_while_hidden(page):
    page.run("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    count = len(page.rows)
    page.scroll_to_end()
    assert page.run("const before = lastNumber; loadMore(); return lastNumber - before") == 0
    page.run("delete document.hidden")
    page.wait("the next page", lambda: len(page.rows) > count)
    page.compare("scrolled after it was hidden")


def reverses_the_order(page):
    """Reverses the order twice, which moves sections and rows."""
    page.type("[type=search]", "xenia")
    page.wait("the search", lambda: page.rows and all("Xenia" in row["name"] for row in page.rows))
    while not page.find("#end span").text:
        page.scroll_to_end()
    page.run("[...document.querySelectorAll('#list li')].at(-1).mark = 'last'")
    last = page.rows[-1]
    page.find("#reverse").click()
    page.wait("the reverse order", lambda: page.rows[0] == last)
    page.compare("reversed")
    assert page.run("return document.querySelector('#list li').mark") == "last", "the page replaced the row instead of moving it"
    page.find("#reverse").click()
    page.wait("the original order", lambda: page.rows[0] != last)
    page.compare("reversed again")


def shows_all_people(page):
    page.type("[type=search]", "")
    page.wait("all people", lambda: page.rows and page.rows[0]["id"] == 0)


def retries_a_search(page):
    """Checks that the error takes the place of the list, right below the search field, even if the list was scrolled."""
    shows_all_people(page)
    count = len(page.rows)
    page.scroll_to_end()
    page.wait("the next page", lambda: len(page.rows) > count)
    page.fail(True)
    # The page searches from the third letter on, so only one request fails.
    page.type("[type=search]", "olg")
    page.wait_for_text("#end span", "The service does not answer")
    assert not page.find("#list").is_displayed(), "the page shows people who do not match"
    below = page.run("return find('#end button').getBoundingClientRect().top - find('.search').getBoundingClientRect().bottom")
    assert 0 <= below < 100, f"{below} px below the search"
    page.compare("a search failed")
    page.fail(False)
    page.find("#end button").click()
    page.wait("the search", lambda: page.rows and all("Olg" in row["name"] for row in page.rows))
    page.wait("the list", lambda: page.find("#list").is_displayed())
    page.compare("searched again")


def retries_a_page(page):
    shows_all_people(page)
    page.fail(True)
    page.scroll_to_end()
    page.wait_for_text("#end span", "The service does not answer")
    assert page.find("#list").is_displayed()
    page.compare("a page failed")
    page.fail(False)
    count = len(page.rows)
    page.find("#end button").click()
    page.wait("the rows of the failed page", lambda: len(page.rows) > 50)
    page.compare("tried again")


def edits_a_nickname(page):
    page.scroll(0)
    page.find("#list li:nth-child(3) a").click()
    page.wait("the person", lambda: page.find("#person h1").text != "")
    path = page.run("return location.pathname")
    nickname = page.find("#nickname")
    page.type("#nickname", "Bob ")
    page.wait("one message", lambda: page.messages()[1:] == ["Nickname saved"])
    assert nickname.get_attribute("value") == "Bob ", "the page changed the text during a pause"
    nickname.send_keys("Lee ")
    page.wait("the next message", lambda: page.messages()[2:] == ["Nickname saved"])
    nickname.send_keys(Keys.TAB)
    page.wait("the trimmed nickname", lambda: nickname.get_attribute("value") == "Bob Lee" == page.state["nickname"])
    page.type("#nickname", "abcdefghijklmnopqrstuvwxyz ")
    nickname.send_keys(Keys.TAB)
    page.wait("the shortened nickname", lambda: nickname.get_attribute("value") == "abcdefghijklmnopqrst")
    page.fail(True)
    page.type("#nickname", "Second")
    page.wait_for_text("#person .error span", "The service does not answer")
    page.fail(False)
    page.find("#retry").click()
    page.wait("the error disappears", lambda: not page.find("#retry").is_displayed())
    assert nickname.get_attribute("value") == "Second", nickname.get_attribute("value")
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
    page.wait("the edited row", lambda: (page.rows[2]["nickname"], page.rows[2]["color"]) == ("Second", "green"))
    page.compare("picked a color")
    page.driver.forward()
    page.wait_for_path(path)
    page.compare("went forward")


def hides_and_shows_the_tab(page):
    first = page.driver.current_window_handle
    tab = page.tab
    page.driver.switch_to.new_window("tab")
    page.wait("the lifecycle is paused", lambda: not page.server.state(tab)["isResumed"])
    hidden = page.server.state(tab).get("secondsAgo")
    # The time of another tab shows that two seconds pass.
    page.open("/people/7")
    page.sign_in("admin")
    page.wait_for_path("/people/7")
    page.wait("the person is there", lambda: page.state.get("secondsAgo") is not None)
    start = page.state.get("secondsAgo")
    hidden = page.server.state(tab).get("secondsAgo")
    page.wait("two seconds", lambda: page.state["secondsAgo"] >= start + 2)
    assert page.server.state(tab).get("secondsAgo") == hidden, "the time ticks while the tab is hidden"
    page.driver.close()
    page.driver.switch_to.window(first)
    page.wait("the time ticks again", lambda: page.state["secondsAgo"] >= hidden + 2)
    page.compare("hidden and shown")


def loses_the_connection(page):
    messages = page.messages()
    page.driver.back()
    page.wait_for_path("/people")
    page.type("[type=search]", "dora")
    page.proxy.cut()
    page.wait_for_text("#status", "Reconnecting")
    page.wait("the server notices the lost connection", lambda: not page.state["isResumed"])
    page.find("[type=search]").send_keys(Keys.BACKSPACE)
    page.proxy.restore()
    page.wait_for_text("#status", "Connected")
    page.wait("the search", lambda: page.state["query"] == '"dor"')
    page.compare("reconnected")
    page.wait("only rows with Dor", lambda: all(" Dor" in f" {row['name']}" for row in page.rows))
    page.find("#list li a").click()
    page.wait("the person", lambda: page.find("#person h1").text != "")
    # The connection breaks before the answer arrives. The page repeats the action, and the server executes it once.
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
    page.type("#new-nickname", "Z ")
    page.find("#new-color").click()
    page.wait_for_path("/people/color")
    page.wait("the colors", lambda: page.run("return document.querySelectorAll('#colors button').length") == 6)
    page.find("#colors button:nth-child(4)").click()
    page.wait_for_path("/people")
    page.wait("the color", lambda: page.run("return document.querySelector('#new .dot').dataset.color") == "green")
    page.fail(True)
    page.find("#new button").click()
    page.wait_for_text("#new .error", "The service does not answer")
    page.fail(False)
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
    if not page.find("#logging").is_displayed():
        page.find("#panel summary").click()
    page.find("#logging summary").click()
    page.type("[type=search]", "lena")
    page.wait("the log", lambda: 'load("lena")' in page.run("return document.querySelector('#log').textContent"))
    page.wait("only rows with Lena", lambda: all(" Lena" in f" {row['name']}" for row in page.rows))
    page.compare("logged")


def carries_out_any_batch(page):
    batches = Batches(random.Random(42))
    for _ in range(500):
        old, changes, new = batches.make()
        page.run("show.reload({ sections: arguments[0] }); show.batch({ changes: arguments[1] })", old, changes)
        assert page.run(READ_LIST) == new, (old, changes, new)
    print("  500 generated batches")


def shows_a_refusal(page):
    page.open("/")
    page.run("send('open', { id: 1 })")
    page.wait("the refusal", lambda: page.messages()[-1:] == ["The screen has changed meanwhile. Go back to it and try again."])


def is_away_for_too_long(page):
    page.open("/")
    tab = page.tab
    page.wait("the form is there", lambda: page.find("#sign-in").is_displayed())
    page.proxy.cut()
    page.wait("the tab is removed", lambda: page.server.state(tab) is None)
    page.proxy.restore()
    page.wait_for_text("#over span", "This tab was disconnected for too long. Reload the page to start again.")


def survives_a_restart(page):
    page.open("/")
    page.wait("the form is there", lambda: page.find("#sign-in").is_displayed())
    page.server.restart()
    page.wait_for_text("#over span", "The server has been restarted. Reload the page to start again.")
    page.find("#over a").click()
    page.wait("the form is there", lambda: page.find("#sign-in").is_displayed() and not page.find("#over").is_displayed())


def tests(size):
    with Server("--latency", "100") as server, Page(server, *size) as page:
        try:
            signs_in_to_a_deep_link(page)
            searches(page)
            scrolls(page)
            requests_no_page_while_hidden(page)
            reverses_the_order(page)
            retries_a_search(page)
            retries_a_page(page)
            path = edits_a_nickname(page)
            picks_a_color(page, path)
            hides_and_shows_the_tab(page)
            loses_the_connection(page)
            adds_a_person(page)
            reads_the_log(page)
            page.open("/")
            begins_at_the_first_field(page)
            page.sign_in()
            comes_back_to_its_place(page)
            keeps_its_place_as_rows_arrive(page)
            page.open("/")
            shows_all_of_each_screen(page)
            uses_the_keyboard_alone(page)
        except BaseException:
            page.driver.save_screenshot("/tmp/directory-failed.png")
            print(page.state, page.driver.get_log("browser"), file=sys.stderr)
            raise


def main():
    if sys.argv[1:2] == ["--pictures"]:
        return takes_pictures(sys.argv[2])
    for name, size in WINDOWS.items():
        print(f"In a {name} window:", flush=True)
        tests(size)
    with Server("--grace", "1") as server, Page(server) as page:
        shows_a_refusal(page)
        is_away_for_too_long(page)
        survives_a_restart(page)
        carries_out_any_batch(page)
    for name, size in WINDOWS.items():
        print(f"Pictures of recordings in a {name} window:", flush=True)
        draws_recordings(size)
    print("The page shows the states of the view models.")


if __name__ == "__main__":
    main()
