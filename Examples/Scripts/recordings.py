"""Tests the pages that draw recordings and failures. `PictureTests` of the library write them into the folder RX_PICTURE_DIR."""

import os

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.color import Color

from access import expect_contrast, expect_names
from inspected_directory import FIND_CUT_OFF, READ_ROWS


def show(page, name):
    page.driver.get(f"file://{os.environ['RX_PICTURE_DIR']}/{name}.html")
    expect_no_error(page)


def expect_no_error(page):
    wrong = page.run(FIND_CUT_OFF) + page.driver.get_log("browser")
    assert not wrong, wrong


def steps_with_keys_and_clicks(page):
    def expect_row(number):
        chosen = page.find("#list [aria-selected=true]")
        assert chosen == page.find(f"#row-{number}") and page.run("return selected.row") == number, chosen.text
        expect_no_error(page)

    show(page, "whole")
    assert page.run(READ_ROWS) == ["without an action", '#301 search("a")', '#302 search("ab")', '#303 search("abc")']
    for number, keys in {0: Keys.HOME, 3: Keys.END, 2: Keys.ARROW_UP}.items():
        page.press(keys)
        page.wait(lambda: page.find("#list [aria-selected=true]") == page.find(f"#row-{number}"))
        expect_row(number)
    facts, happened = page.text("#detail dl"), page.text("#detail")
    assert "Atstep 3, 341 ms" in facts and 'answerfind ab → ["ab"]' in happened, (facts, happened)
    if page.run("return innerWidth > 900"):
        page.find("#row-0").click()
        expect_row(0)
    # The axis counts steps.
    assert "step 1" in page.run("return [...document.querySelectorAll('#bands text')].map(text => text.textContent)")


def marks_the_failing_step(page):
    for name, row in [("replay", '#301 search("a")'), ("order", '#1 search("a")')]:
        show(page, name)
        assert page.text("#failure").startswith("A stale answer, PictureTests.swift:")
        assert page.run("return nameOf(selected)") == row and page.run("return document.querySelectorAll('#grid .failing').length") == 1
        assert not page.find("#follow").is_displayed() and not page.find("#copy").is_displayed()


def shows_code_as_text(page):
    show(page, "hostile")
    for number in range(page.run("return rows.length")):
        page.run("select(rows[arguments[0]])", number)
        page.wait(lambda: page.run("return shownDetail.action === selected"))
        expect_no_error(page)
        assert page.driver.title.startswith("Recording of") and page.run("return document.scripts.length") == 2
    assert "</script><script>document.title = " in page.text("#detail")


def answers_as_fast_in_a_long_session(page):
    """Measures the time for which the page's thread has had a processor, for the same rows of both sessions."""
    def processor_time(name):
        def now():
            metrics = page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime")

        show(page, name)
        page.wait(lambda: page.run("return shownDetail !== undefined"))
        page.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        start = now()
        page.press((Keys.ARROW_DOWN * 10 + Keys.HOME) * 5)
        return now() - start

    times = [(processor_time("short"), processor_time("long")) for _ in range(3)]
    short, long = (min(column) for column in zip(*times))
    assert page.run("return head.now") == 150_000 and long < 2 * short, times


def is_for_everybody(page):
    show(page, "replay")
    for scheme, sign in [("light", 1), ("dark", -1)]:
        page.show_scheme(scheme)
        ink, paper = [Color.from_string(page.find("body").value_of_css_property(name)).green for name in ["color", "background-color"]]
        assert sign * (paper - ink) > 100, (scheme, ink, paper)
        expect_names(page)
        expect_contrast(page)


STEPS = [steps_with_keys_and_clicks, marks_the_failing_step, shows_code_as_text, answers_as_fast_in_a_long_session, is_for_everybody]
