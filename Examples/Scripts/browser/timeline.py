"""Tests the pictures of recordings. `PictureTests` writes them into the folder RX_PICTURE_DIR; without this variable, they are run here."""

import os
import subprocess
import tempfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser.page import chromium
from harness import EXAMPLES

FRAME = 1000 / 60
READ = """
const text = selector => document.querySelector(selector).textContent;
return {
  position: text('#position').split(' · ')[0], entry: text('#entry h3'), change: text('#change div'), state: text('#state div'),
  failure: text('#failure'), title: document.title, isMarked: document.querySelector('#entry .badge') !== null,
  chosen: [...document.querySelectorAll('#steps li')].flatMap((row, index) => row.ariaSelected === 'true' ? [index] : []),
  failing: [...document.querySelectorAll('#steps li')].flatMap((row, index) => row.matches('.failing') ? [index] : []),
  scripts: document.scripts.length,
}
"""
# The elements that are partly beside the window. The list of the steps scrolls in its own box.
FIND_BESIDE = """
return [document.documentElement, ...document.body.querySelectorAll(':not(#steps *, script)')]
  .filter(element => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5
    || element === document.documentElement && element.scrollWidth > innerWidth)
  .map(element => `${element.localName}#${element.id}`)
"""
# The cells of each row: the sign of a step, a line for a lane that goes on, or a space.
READ_LANES = """
const read = cell => cell.textContent || (cell.matches('.lane') ? '|' : ' ');
return [...document.querySelectorAll('#steps li')].map(row => [...row.querySelectorAll('i')].map(read).join(''));
"""
# Makes a hundred steps, with the layout of the page after each.
MAKE_STEPS = """
for (let step = 0; step < 100; step++) {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }));
  document.body.getBoundingClientRect();
}
"""


def draws_recordings(size):
    folder = os.environ.get("RX_PICTURE_DIR")
    if folder:
        return tests(folder, size)
    with tempfile.TemporaryDirectory() as folder:
        command = ["swift", "test", "--package-path", os.path.dirname(EXAMPLES), "--filter", "PictureTests"]
        subprocess.run(command, env={**os.environ, "RX_PICTURE_DIR": folder}, stdout=subprocess.DEVNULL, check=True)
        tests(folder, size)


def tests(folder, size):
    driver = chromium(*size)
    try:
        for test in [
            steps_with_keys_and_clicks, marks_the_failing_step, draws_a_lane_for_each_action, shows_code_as_text, answers_within_a_frame,
            is_light_and_dark,
        ]:
            test(lambda name: driver.get(f"file://{folder}/{name}.html"), driver)
            assert driver.get_log("browser") == [], driver.get_log("browser")
            print(f"  {test.__name__.replace('_', ' ')}", flush=True)
    finally:
        driver.quit()


def press(driver, *keys):
    ActionChains(driver, duration=0).send_keys(*keys).perform()
    return read(driver)


def read(driver):
    page = driver.execute_script(READ)
    beside = driver.execute_script(FIND_BESIDE)
    assert beside == [], beside
    return page


def steps_with_keys_and_clicks(open, driver):
    open("whole")
    page = press(driver, Keys.HOME)
    assert (page["position"], page["chosen"], page["entry"]) == ("Step 1 of 6", [0], "model search: SeekViewModel"), page
    page = press(driver, Keys.ARROW_RIGHT)
    assert (page["position"], page["chosen"]) == ("Step 2 of 6", [1]) and page["entry"].startswith('action search("a")'), page
    assert "+   - folds: 1" in page["change"] and "-   - folds: 0" in page["change"] and "folds: 1" in page["state"], page
    assert press(driver, Keys.END)["chosen"] == [5]
    assert press(driver, Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)["chosen"] == [3]
    # With the focus on the list, the keys of a list work too.
    driver.execute_script("document.querySelector('#steps').focus()")
    assert press(driver, Keys.ARROW_UP)["position"] == "Step 3 of 6"
    assert press(driver, Keys.ARROW_DOWN, Keys.ARROW_DOWN)["chosen"] == [4]
    driver.find_element("css selector", "#steps li:nth-child(3)").click()
    assert read(driver)["position"] == "Step 3 of 6"


def marks_the_failing_step(open, driver):
    for name in ["replay", "order"]:
        open(name)
        page = read(driver)
        assert page["isMarked"] and page["failure"].startswith("A stale answer, PictureTests.swift:"), page
        assert page["failing"] == page["chosen"], page
        assert not press(driver, Keys.HOME)["isMarked"]
        driver.find_element("css selector", "#steps .failing").click()
        assert read(driver)["isMarked"]


def draws_a_lane_for_each_action(open, driver):
    open("whole")
    cells = [row.rstrip() for row in driver.execute_script(READ_LANES)]
    assert cells == ["·", "|●", "||●", "||■", "|■", "|●"], cells


def shows_code_as_text(open, driver):
    open("hostile")
    page = read(driver)
    steps = [page]
    while page["chosen"][0] + 1 < driver.execute_script("return steps.length"):
        page = press(driver, Keys.ARROW_RIGHT)
        steps.append(page)
    assert all(page["title"] != "hurt" and page["scripts"] == 2 for page in steps), steps
    assert any("</script><script>document.title = " in page["state"] for page in steps), steps


def answers_within_a_frame(open, driver):
    open("long")
    assert driver.execute_script("return steps.length") == 1500
    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})

    def processor_time():
        """The milliseconds for which the page's thread has had a processor, so that the load of the machine makes no difference."""
        metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime") * 1000

    for key in ["ArrowRight", "End", "ArrowLeft"]:
        start = processor_time()
        driver.execute_script(MAKE_STEPS, key)
        time = (processor_time() - start) / 100
        assert time < FRAME, (key, time)
        print(f"  a step among 1,500 with {key} takes {time:.1f} ms", flush=True)


def is_light_and_dark(open, driver):
    open("replay")
    colors = []
    for scheme in ["light", "dark"]:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        style = "getComputedStyle(document.body)"
        colors.append(driver.execute_script(f"return [{style}.color, {style}.backgroundColor]"))
    brightness = [[sum(int(part) for part in color[4:-1].split(",")) for color in pair] for pair in colors]
    (ink, paper), (night_ink, night_paper) = brightness
    assert ink + 300 < paper and night_paper + 300 < night_ink, colors
