"""Tests the pictures of recordings. `PictureTests` writes them into the folder RX_PICTURE_DIR; without this variable, they are run here."""

import os
import tempfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser.page import chromium, take_picture
from harness import EXAMPLES, run_test

FRAME = 1000 / 60
# What the page shows: also the cells of each step, which are its sign, a line for a lane that goes on, or a space; and the elements that
# are partly beside the window. The list of the steps scrolls in its own box.
READ = """
const find = selector => document.querySelector(selector), text = selector => find(selector).textContent;
const rows = [...document.querySelectorAll('#steps li')], where = test => rows.flatMap((row, index) => test(row) ? [index] : []);
const read = cell => cell.textContent || (cell.matches('.lane') ? '|' : ' ');
return {
  position: text('#position').split(' · ')[0], entry: text('#entry h3'), change: text('#change div'), state: text('#state div'),
  failure: text('#failure'), title: document.title, isMarked: find('#entry .badge') !== null, scripts: document.scripts.length,
  count: steps.length, chosen: where(row => row.ariaSelected === 'true'), failing: where(row => row.matches('.failing')),
  lanes: rows.length > 100 ? null : rows.map(row => [...row.querySelectorAll('i')].map(read).join('')),
  beside: [document.documentElement, ...document.body.querySelectorAll(':not(#steps *, script)')]
    .filter(element => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5
      || element === document.documentElement && element.scrollWidth > innerWidth)
    .map(element => `${element.localName}#${element.id}`),
}
"""
# Makes a hundred steps, with the layout of the page after each.
MAKE_STEPS = """
for (let step = 0; step < 100; step++) {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }));
  document.body.getBoundingClientRect();
}
"""


class Picture:
    """A browser that shows one picture after the other."""

    def __init__(self, size, folder):
        self.driver, self.folder = chromium(*size), folder

    def open(self, name):
        self.driver.get(f"file://{self.folder}/{name}.html")
        return self.press()

    def press(self, *keys):
        """Presses keys, and returns what the page then shows."""
        if keys:
            ActionChains(self.driver, duration=0).send_keys(*keys).perform()
        shown = self.driver.execute_script(READ)
        assert shown["beside"] == [] == self.driver.get_log("browser"), shown
        return shown


def draws_recordings(size):
    with tempfile.TemporaryDirectory() as folder:
        if "RX_PICTURE_DIR" not in os.environ:
            run_test(os.path.dirname(EXAMPLES), "PictureTests", folder)
        picture = Picture(size, os.environ.get("RX_PICTURE_DIR", folder))
        for test in [
            steps_with_keys_and_clicks, marks_the_failing_step, draws_a_lane_for_each_action, shows_code_as_text, answers_within_a_frame,
            is_light_and_dark,
        ]:
            test(picture)
            print(f"  {test.__name__.replace('_', ' ')}", flush=True)
        picture.driver.quit()


def takes_the_picture_of_a_failure():
    """The one that RecordingTests shrinks."""
    with tempfile.TemporaryDirectory() as folder:
        run_test(EXAMPLES, "theRecordingOfALongerSession", folder)
        picture = Picture((1000, 560), folder)
        picture.open("session")
        take_picture(picture.driver, "directory-recording")
        picture.driver.quit()


def steps_with_keys_and_clicks(picture):
    picture.open("whole")
    shown = picture.press(Keys.HOME)
    assert (shown["position"], shown["chosen"], shown["entry"]) == ("Step 1 of 6", [0], "model search: SeekViewModel"), shown
    shown = picture.press(Keys.ARROW_RIGHT)
    assert (shown["position"], shown["chosen"]) == ("Step 2 of 6", [1]) and shown["entry"].startswith('action search("a")'), shown
    assert "+   - folds: 1" in shown["change"] and "-   - folds: 0" in shown["change"] and "folds: 1" in shown["state"], shown
    assert picture.press(Keys.END)["chosen"] == [5]
    assert picture.press(Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)["chosen"] == [3]
    # With the focus on the list, the keys of a list work too.
    picture.driver.execute_script("document.querySelector('#steps').focus()")
    assert picture.press(Keys.ARROW_UP)["position"] == "Step 3 of 6"
    assert picture.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)["chosen"] == [4]
    picture.driver.find_element("css selector", "#steps li:nth-child(3)").click()
    assert picture.press()["position"] == "Step 3 of 6"


def marks_the_failing_step(picture):
    for name in ["replay", "order"]:
        shown = picture.open(name)
        assert shown["isMarked"] and shown["failure"].startswith("A stale answer, PictureTests.swift:"), shown
        assert shown["failing"] == shown["chosen"], shown
        assert not picture.press(Keys.HOME)["isMarked"]
        picture.driver.find_element("css selector", "#steps .failing").click()
        assert picture.press()["isMarked"]


def draws_a_lane_for_each_action(picture):
    lanes = [row.rstrip() for row in picture.open("whole")["lanes"]]
    assert lanes == ["·", "|●", "||●", "||■", "|■", "|●"], lanes


def shows_code_as_text(picture):
    steps = [picture.open("hostile")]
    while steps[-1]["chosen"][0] + 1 < steps[-1]["count"]:
        steps.append(picture.press(Keys.ARROW_RIGHT))
    assert all(shown["title"] != "hurt" and shown["scripts"] == 2 for shown in steps), steps
    assert any("</script><script>document.title = " in shown["state"] for shown in steps), steps


def answers_within_a_frame(picture):
    """Measures the time for which the page's thread has had a processor, so that the load of the machine makes no difference."""
    assert picture.open("long")["count"] == 1500
    picture.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})

    def processor_time():
        metrics = picture.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime") * 1000

    for key in ["ArrowRight", "End", "ArrowLeft"]:
        start = processor_time()
        picture.driver.execute_script(MAKE_STEPS, key)
        time = (processor_time() - start) / 100
        assert time < FRAME, (key, time)


def is_light_and_dark(picture):
    picture.open("replay")
    for scheme, sign in [("light", 1), ("dark", -1)]:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        picture.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        style = picture.driver.execute_script("const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]")
        ink, paper = [sum(int(part) for part in color[4:-1].split(",")) for color in style]
        assert sign * (paper - ink) > 300, (scheme, style)
