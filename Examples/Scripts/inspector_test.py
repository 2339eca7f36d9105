#!/usr/bin/env python3
"""Tests the inspector's page in headless Chromium, in a wide window and in a narrow one, with a session that `InspectorTests` of the library
writes into the folder RX_INSPECTOR_DIR. Then it opens the page beside the running directory, and runs a test that it has copied there.
"""

import os
import subprocess
import tempfile

from selenium.webdriver.common.keys import Keys

import inspected_directory
from access import expect_contrast, expect_names, walk
from browser import EXAMPLES, Page
from inspected_directory import FIND_CUT_OFF, READ_ROWS

OUTSIDE = "<img src=x onerror=alert(1)>"
# The texts of each row, and of the chart beside it.
READ_BARS = "return [...document.querySelectorAll(arguments[0])].filter(bar => bar.getBoundingClientRect().width > 10).length"
READ_ARROWS = "return [...document.querySelectorAll('#arrows .arrow')].map(arrow => arrow.getAttribute('class'))"


class InspectorPage(Page):
    def __init__(self, size, address):
        super().__init__(size)
        self.driver.get(address)

    def choose(self, row):
        """Clicks the row with this name, and returns its sentence."""
        number = [text.split(" ")[0] for text in self.run(READ_ROWS)].index(row)
        self.run("list.scrollTop = arguments[0]", max(0, (number - 2) * 24))
        self.wait(lambda: self.find(f"#row-{number}").is_displayed())
        self.find(f"#row-{number}").click()
        self.wait(lambda: self.find("#detail.open h2").is_displayed())
        causes = self.run("return [...document.querySelectorAll('#detail .cause')].map(cause => cause.textContent)")
        return causes[0] if causes else ""

    def expect_no_error(self):
        wrong = self.run(FIND_CUT_OFF) + self.driver.get_log("browser")
        assert not wrong, wrong


def shows_what_overlaps(page):
    rows = page.run(READ_ROWS)
    assert rows == [
        '#1 search("</script>") cancelled: #2 took its place', '#2 search("ab")', "#3 reload", "#4 reload dropped: #3 is unfinished",
        '#5 save("a") failed: SaveError()', '#6 save("b") failed: SaveError()', '#1 search("<b>")', "sources and optimistic changes",
        "#7 reload runs", '#8 save("c") runs', '#9 save("d") waits',
    ], rows
    names = page.run("return [...document.querySelectorAll('#names button')].map(button => button.textContent)")
    assert names == ["listClosureViewModel<ListAction, ListState> · 9", f"</script>{OUTSIDE}ClosureViewModel<ListAction, ListState> · 1"], names
    assert page.text("#early") == "1 dropped1 cancelled2 failed"
    page.run("list.scrollTop = 0; follow(false)")
    page.wait(lambda: page.run(READ_BARS, "#waits .wait") >= 1 and page.run(READ_BARS, "#bars .bar") >= 3)
    assert sorted(page.run(READ_ARROWS)) == ["arrow cancelled ", "arrow dropped "]


def says_why(page):
    assert page.choose("#4") == "dropped: #3 reload is unfinished in the default lane of dropWhileBusy"
    page.find("#detail .cause button").click()
    page.wait(lambda: page.text("#detail h2") == "#3reload")
    assert "dropped#4 reload" in page.text("#detail")
    assert page.choose("#5") == "failed: SaveError()"
    assert page.choose("#9") == 'waits for #8 save("c") in the default lane of keepLatest'
    page.press(Keys.ESCAPE, Keys.ESCAPE, Keys.HOME)
    page.wait(lambda: page.text("#detail h2") == '#1search("</script>")')
    assert page.text("#detail .cause") == 'cancelled: #2 search("ab") took its place in lane “search”'
    page.press(Keys.ARROW_LEFT)
    page.wait(lambda: page.text("#detail h2") == '#2search("ab")')


def shows_what_changed(page):
    page.choose("#2")
    lines = page.run("return [...document.querySelectorAll('#detail .diff code')].map(line => [line.className, line.textContent])")
    assert lines == [
        ["minus", '- text: ""'], ["plus", '+ text: "ab"'], ["minus", '- results[0]: "x"'], ["plus", '+ results[0]: "ab1"'],
        ["plus", '+ results[1]: "ab2"'],
    ], lines
    assert "Waited100 ms" in page.text("#detail dl") and "Ran300 ms" in page.text("#detail dl")


def filters(page):
    page.press(Keys.ESCAPE, "/")
    page.press("reload")
    page.wait(lambda: len(page.run(READ_ROWS)) == 3)
    # What has changed the text of the list?
    page.run("document.querySelector('#filter').value = 'text:'; refit()")
    page.wait(lambda: [row.split(" ")[0] for row in page.run(READ_ROWS)] == ["#2", "#1", "sources"])
    page.run("document.querySelector('#filter').value = ''; refit()")
    page.press(Keys.ESCAPE, "p")
    page.wait(lambda: len(page.run(READ_ROWS)) == 4)
    page.press("p")
    page.wait(lambda: len(page.run(READ_ROWS)) == 11)


def is_for_everybody(page):
    """With a screen reader, with little contrast, by keyboard alone, with nothing selected, with an action, and in the help."""
    page.press(Keys.ESCAPE, Keys.ESCAPE, Keys.ESCAPE)
    nodes = expect_names(page)
    expect_contrast(page)
    page.expect_no_error()
    options = [name for role, name, _ in nodes if role == "option"]
    assert "#4 reload, list, dropped: #3 is unfinished" in options, options
    wanted = {("listbox", "Actions"), ("searchbox", "Filter actions"), ("button", "1 dropped, 1 cancelled, 2 failed: show only these")}
    assert wanted < {(role, name) for role, name, _ in nodes}, nodes
    page.press(Keys.HOME)
    page.wait(lambda: page.text("#detail h2").startswith("#1"))
    nodes = expect_names(page)
    assert [states["selected"] for role, _, states in nodes if role == "option"].count(True) == 1
    assert ("button", "Follow") in [(role, name) for role, name, states in nodes if states.get("pressed") == "false"], nodes
    expect_contrast(page)
    page.expect_no_error()
    passed = walk(page)
    wanted = ["filter", "early", "follow", "help"] + ["out", "fit", "in"] * page.run("return innerWidth > 620")
    assert set(wanted) < set(passed) and '#2 search("ab")' in passed, passed
    page.press(Keys.ENTER)
    page.wait(lambda: page.run("return document.activeElement.id") == "detail")
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.run("return document.activeElement.id") == "list")
    scale = page.run("return view.scale")
    page.press("+")
    page.wait(lambda: page.run("return view.scale") > scale)
    page.press("0?")
    page.wait(lambda: page.find("#keys").is_displayed())
    expect_names(page)
    expect_contrast(page)
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.find("#keys").is_displayed())
    page.press("f")


def follows_the_app(page):
    """A page that is open shows what the app writes within two seconds, and another script may not run."""
    folder = os.environ["RX_INSPECTOR_DIR"]
    with open(f"{folder}/session.js", encoding="utf-8") as file:
        old = file.read()
    entry = '{"k":"end","t":2600,"m":1,"a":7,"as":"completed"}'
    with open(f"{folder}/session.js.new", "w", encoding="utf-8") as file:
        file.write(old.replace('"now":2560', '"now":2600').replace("\n]);", f",\n{entry}\n]);"))
    os.replace(f"{folder}/session.js.new", f"{folder}/session.js")
    page.wait(lambda: page.run(READ_ROWS)[8] == "#7 reload no state change" and page.text("#live") == "live")
    with open(f"{folder}/session.js", "w", encoding="utf-8") as file:
        file.write(old)
    page.expect_no_error()
    page.run("const script = document.createElement('script'); script.textContent = 'document.title = `run`'; document.body.append(script)")
    assert page.driver.title != "run" and "Content Security Policy" in page.driver.get_log("browser")[0]["message"]


STEPS = [shows_what_overlaps, says_why, shows_what_changed, filters, is_for_everybody, follows_the_app]


def main():
    with tempfile.TemporaryDirectory() as folder:
        if os.environ.setdefault("RX_INSPECTOR_DIR", f"{folder}/session") == f"{folder}/session":
            subprocess.run(["swift", "test", "--package-path", EXAMPLES.parent, "--filter", "aSessionForTheBrowser"], check=True)
        for name, size in [("wide", (1200, 800)), ("narrow", (360, 640))]:
            print(f"In a {name} window:", flush=True)
            page = InspectorPage(size, f"file://{os.environ['RX_INSPECTOR_DIR']}/index.html")
            with page.driver:
                page.wait(lambda: page.run(READ_ROWS))
                for step in STEPS:
                    print(f"  {step.__name__.replace('_', ' ')}", flush=True)
                    step(page)
        print("Beside the directory:", flush=True)
        inspected_directory.test(folder, lambda address: InspectorPage((1200, 800), address))


if __name__ == "__main__":
    main()
