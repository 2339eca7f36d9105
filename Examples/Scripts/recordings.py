"""Tests the pages that draw recordings. `PictureTests` of the library write them into the folder RX_PICTURE_DIR."""

import os

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.color import Color

from browser import FIND_CUT_OFF

# The cells of each step: its sign, a line for a lane that goes on, or a space.
READ_LANES = """
const read = cell => cell.textContent || (cell.matches('.lane') ? '|' : ' ');
return [...document.querySelectorAll('#steps li')].map(row => [...row.querySelectorAll('i')].map(read).join('').trimEnd());
"""


def show(page, name):
    page.driver.get(f"file://{os.environ['RX_PICTURE_DIR']}/{name}.html")
    expect_no_error(page)


def expect_no_error(page):
    wrong = page.run(FIND_CUT_OFF) + page.driver.get_log("browser")
    assert not wrong, wrong


def steps_with_keys_and_clicks(page):
    def expect_step(number):
        chosen, position = page.find("#steps [aria-selected=true]"), page.text("#position")
        assert chosen == page.find(f"#steps li:nth-child({number})") and position.startswith(f"Step {number} of 6"), position
        expect_no_error(page)

    show(page, "whole")
    back_from_the_end = Keys.ARROW_RIGHT + Keys.ARROW_LEFT + Keys.ARROW_LEFT
    for number, keys in {1: Keys.HOME, 6: Keys.END, 4: back_from_the_end, 2: Keys.HOME + Keys.ARROW_RIGHT}.items():
        page.press(keys)
        expect_step(number)
    assert page.text("#entry h3").startswith('action search("a")') and "folds: 1" in page.text("#state div")
    assert "-   - folds: 0+   - folds: 1" in page.text("#change div")
    # With the focus on the list, the keys of a list work too.
    page.run("document.querySelector('#steps').focus()")
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
    expect_step(4)
    page.find("#steps li:nth-child(3)").click()
    expect_step(3)


def marks_the_failing_step(page):
    for name in ["replay", "order"]:
        show(page, name)
        assert page.text("#failure").startswith("A stale answer, PictureTests.swift:")
        assert page.find("#steps .failing") == page.find("#steps [aria-selected=true]") and "fails here" in page.text("#entry")
        page.press(Keys.HOME)
        assert "fails here" not in page.text("#entry")
        page.find("#steps .failing").click()
        assert "fails here" in page.text("#entry")


def draws_a_lane_for_each_action(page):
    show(page, "whole")
    lanes = page.run(READ_LANES)
    assert lanes == ["·", "|●", "||●", "||■", "|■", "|●"], lanes


def shows_code_as_text(page):
    show(page, "hostile")
    states = []
    for _ in range(page.run("return steps.length")):
        states.append(page.text("#state div"))
        page.press(Keys.ARROW_RIGHT)
        expect_no_error(page)
        assert page.driver.title != "hurt" and page.run("return document.scripts.length") == 2
    assert any("</script><script>document.title = " in state for state in states), states


def answers_within_a_frame(page):
    """Measures the time for which the page's thread has had a processor, so that the load of the machine makes no difference."""
    def processor_time():
        metrics = page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime")

    show(page, "long")
    assert page.text("#position").startswith("Step 1 of 1500")
    page.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    for key in [Keys.ARROW_RIGHT, Keys.END, Keys.ARROW_LEFT]:
        start = processor_time()
        page.press(key * 100)
        time = (processor_time() - start) / 100
        assert time < 1 / 60, (key, time)


def is_light_and_dark(page):
    show(page, "replay")
    for scheme, sign in [("light", 1), ("dark", -1)]:
        page.show_scheme(scheme)
        ink, paper = [Color.from_string(page.find("body").value_of_css_property(name)).green for name in ["color", "background-color"]]
        assert sign * (paper - ink) > 100, (scheme, ink, paper)


STEPS = [
    steps_with_keys_and_clicks, marks_the_failing_step, draws_a_lane_for_each_action, shows_code_as_text, answers_within_a_frame,
    is_light_and_dark,
]
