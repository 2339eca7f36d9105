"""Tests the inspector's page beside the running directory, and a test that is copied from it."""

import os
import re
import subprocess
from pathlib import Path

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from access import expect_contrast, expect_names
from browser import EXAMPLES, Page, Server

READ_ROWS = "return rows.map(action => `${nameOf(action)} ${outcome(action)}`.trim())"
# What is neither shortened with an ellipsis nor scrolled, and narrower than its content or partly outside the window.
FIND_CUT_OFF = """
return [document.documentElement, ...document.querySelectorAll('header *, #failure, #detail *')].filter(element => {
  const { left, right } = element.getBoundingClientRect(), isInline = getComputedStyle(element).display === 'inline';
  return element.checkVisibility() && (left < 0 || right > innerWidth + 0.5 || element.scrollWidth > element.clientWidth + 1 && !isInline);
}).map(element => `${element.localName}#${element.id} ${element.className} is cut off`);
"""
READ_DIFFERENCE = "return [...document.querySelectorAll('#detail .diff code')].map(line => line.textContent)"
# As fast as a page can, so that no time passes between two of them.
TYPE_QUICKLY = "const field = find(arguments[0]); for (field.value of arguments[1]) field.dispatchEvent(new Event('input'))"
CLICK_TWICE = "const button = find(arguments[0]); button.click(); button.click()"
# What one fills in: how the app makes its view models.
MAKERS = {"SignInViewModel": "signIn()", "PeopleViewModel": "people()", "PersonViewModel": "person(1)"}
TEST = """
@testable import DirectoryScreens

{copies}
@Test func failsAsTheSessionDid() {{
  let failure = #expect(throws: TestFailure.self) {{ try copiedFailure() }}
  #expect(failure.map {{ "\\($0)".contains("The list shows no error") }} == true)
}}

private func made(_ run: Replay) -> ViewModels {{
  let clock = run.scheduler.clock
  return ViewModels(
    service: DemoDirectoryService(PeopleStore([], clock: clock), latency: .zero, clock: clock),
    navigator: TestNavigator {{ _ in }}.navigator, messages: Messages(), scheduler: run.scheduler, recorder: run.recorder)
}}
"""


class InspectedServer(Server):
    """The server with `--inspect`, which writes the page into a folder of this test."""
    options = ["--latency", "500", "--inspect"]

    def __init__(self, folder):
        self.errors = open(f"{folder}/errors", "w+", encoding="utf-8")
        self.environment = os.environ | {"TMPDIR": folder}

    @property
    def address(self):
        self.errors.seek(0)
        return re.search(r"^Inspector: (file://.*/index\.html)$", self.errors.read(), re.MULTILINE).group(1)


def soon(page, text):
    """Waits until there is a row with this text, at most two seconds. Returns its number."""
    find = lambda _: next((row for row in page.run(READ_ROWS) if re.search(text, row)), None)
    try:
        return WebDriverWait(page.driver, 2, 0.05).until(find).split(" ")[0]
    except TimeoutException as error:
        raise AssertionError(f"{text} is not in {page.run(READ_ROWS)}") from error


def choose(page, model, row):
    """Selects an action of a view model, and returns the panel's sentence on its cause."""
    page.run("const [name, a] = arguments; select(actions.find(({ model, a: number }) => model.name === name && `#${number}` === a))", model, row)
    page.wait(lambda: page.run("return shownDetail?.action === selected && !!selected"))
    return page.run("return document.querySelector('#detail .cause')?.textContent")


def types_a_search_quickly(app, page):
    app.sign_in("/people")
    app.wait(lambda: app.rows)
    soon(page, r"^#1 load")
    # Before the first tab, there was no session to load.
    assert all("session.js" in line["message"] for line in page.driver.get_log("browser"))
    app.run(TYPE_QUICKLY, "[type=search]", ["len", "lena"])
    new = soon(page, r'load\("lena"\)')
    old = soon(page, rf'load\("len"\) cancelled: {new} took its place')
    app.wait_for_rows("Lena")
    soon(page, r'load\("lena"\)$')
    assert choose(page, "people", old) == f'cancelled: {new} load("lena") took its place in lane “list”'
    assert page.run("return document.querySelectorAll('#arrows .cancelled.on').length") == 1
    choose(page, "people", new)
    facts = page.text("#detail dl")
    assert re.search(r'Executed by#\d+ type\("lena"\)Waited\d+ msRan\d+ ms', facts), facts
    assert any(line.startswith("+ people: ") and "Lena" in line for line in page.run(READ_DIFFERENCE)), page.run(READ_DIFFERENCE)
    assert "answer" in page.text("#detail") and 'people "lena"' in page.text("#detail")


def taps_twice(app, page):
    """On *Try again*, which loads the next people, and of which the list drops a second one."""
    app.type("[type=search]", "")
    app.wait(lambda: app.rows[0]["id"] == 0)
    app.use("#failing")
    app.scroll_until(lambda: app.text("#end span") == "The service does not answer")
    soon(page, r"loadMore failed: The service does not answer$")
    app.use("#failing")
    app.run(CLICK_TWICE, "#end button")
    second = soon(page, r"loadMore dropped: #\d+ is unfinished$")
    first = f"#{int(second[1:]) - 1}"
    assert choose(page, "people", second) == f"dropped: {first} loadMore is unfinished in lane “list”"
    assert page.run("return document.querySelectorAll('#arrows .dropped.on').length") == 1
    app.wait(lambda: len(app.rows) > 50)


def fails_to_save(app, page):
    app.run("main.scrollTop = 0")
    app.use("#list li:nth-child(2) a")
    app.wait_for("#person h1:focus:not(:empty)")
    app.use("#failing")
    app.run(TYPE_QUICKLY, "#nickname", ["B", "Bo", "Bob"])
    app.wait_for("#person .error span", "The service does not answer")
    row = soon(page, r"form\(save\) failed: The service does not answer$")
    assert choose(page, "person 1", row) == "failed: The service does not answer"
    assert any("nicknameError" in line for line in page.run(READ_DIFFERENCE)), page.run(READ_DIFFERENCE)
    app.use("#failing")


def is_for_everybody_and_in_pictures(_, page):
    """In both widths, with the panel of an action that is recorded. With RX_PICTURES=FOLDER, draws the pictures of the documentation."""
    folder = os.environ.get("RX_PICTURES")
    page.run("document.querySelector('#names button').click()")
    for name, text in [("inspector", "loadMore dropped"), ("inspector-difference", 'load("lena")')]:
        page.resize(1200, 640)
        choose(page, "people", next(row for row in page.run(READ_ROWS) if text in row).split(" ")[0])
        for scheme, suffix in [("light", ""), ("dark", "~dark")]:
            page.show_scheme(scheme)
            if folder:
                page.run("document.activeElement.blur(); later()")
                page.driver.save_screenshot(f"{folder}/{name}{suffix}.png")
        for width in [1200, 360]:
            page.resize(width, 640)
            page.wait(lambda: page.run("return view.width + $('names').offsetWidth") <= width)
            expect_names(page)
            expect_contrast(page)
            page.expect_no_error()
    page.resize(1200, 800)
    page.run("document.querySelector('#names button').click()")


def copy(page):
    """What *Copy as test* has made, and put on the clipboard."""
    page.wait(lambda: page.text("#test h2") == "Copied")
    expect_names(page)
    expect_contrast(page)
    page.expect_no_error()
    text = page.text("#test textarea", "value")
    assert page.run("return document.activeElement.localName") == "textarea"
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.find("#test").is_displayed())
    return text


def searches_for_long(app, page):
    """So long that a range may begin later than the recording."""
    app.use("#person .back")
    app.run(TYPE_QUICKLY, "[type=search]", ["a", "b"] * 70)
    page.wait(lambda: page.run("return actions.some(({ model, a }) => model.name === 'people' && a > 140)"))
    app.type("[type=search]", "anna")
    app.wait_for_rows("Anna")
    soon(page, r'load\("anna"\)$')


def copies_tests(page):
    """Returns what has been copied: everything, until an error, and from a search."""
    texts = {}

    def has_all():
        page.press("c")
        texts["copiedSession"] = copy(page)
        return re.search(r'^ *\["answer",.*"people \\"anna\\""', texts["copiedSession"], re.MULTILINE)

    # The app writes the recording when nothing has happened for a second.
    page.wait(has_all)
    for name, row, button in [("copiedFailure", "loadMore failed", "Until here"), ("copiedRange", 'load("anna")', "From here")]:
        choose(page, "people", next(text for text in page.run(READ_ROWS) if row in text).split(" ")[0])
        next(element for element in page.driver.find_elements("css selector", ".copies button") if element.text == button).click()
        texts[name] = copy(page)
    assert len(texts["copiedFailure"]) < len(texts["copiedSession"]) > len(texts["copiedRange"])
    assert re.search(r'^ *\["begin",\d+,0,null,1[2-9]\d\]$', texts["copiedRange"], re.MULTILINE), texts["copiedRange"][:2000]
    return texts


def fill_in(name, text):
    lines = text.count("\n")
    for type, maker in MAKERS.items():
        text = re.sub(rf'<#{type} "[^"]*"#>', f"made(run).{maker}", text)
    assert "<#" not in text and lines == text.count("\n"), text
    text = text.replace("func copiedSession", f"func {name}")
    if name == "copiedFailure":
        comment = re.search(r"      // Here, say .*", text)[0]
        check = 'try run.expect((viewModels.last as? PeopleViewModel)?.currentState.error == nil, "The list shows no error")'
        text = text.replace(comment, f"      {check}").replace("@Test ", "private ")
    return text


def runs_what_was_copied(texts):
    """Compiles and runs the copied tests with those of the view models."""
    imports = "".join(line + "\n" for line in texts["copiedSession"].splitlines() if line.startswith("import "))
    copies = "\n".join(fill_in(name, text.replace(imports, "")) for name, text in texts.items())
    file = Path(EXAMPLES, "Tests/DirectoryScreensTests/CopiedTests.swift")
    file.write_text(imports + TEST.format(copies=copies), encoding="utf-8")
    try:
        command = ["swift", "test", "--package-path", EXAMPLES, "--filter", "DirectoryScreensTests.(copied|failsAs)"]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert result.returncode == 0 and "Test run with 3 tests" in result.stdout, result.stdout[-6000:]
    finally:
        file.unlink()


def test(folder, open_inspector):
    with InspectedServer(folder) as server:
        app, page = Page((1200, 800), server), open_inspector(server.address)
        with app.driver, page.driver:
            for step in [types_a_search_quickly, taps_twice, fails_to_save, is_for_everybody_and_in_pictures, searches_for_long]:
                print(f"  {step.__name__.replace('_', ' ')}", flush=True)
                step(app, page)
            print("  copies tests", flush=True)
            texts = copies_tests(page)
    print("  runs what was copied", flush=True)
    runs_what_was_copied(texts)
