"""Takes the pictures of README.md."""

import os
import subprocess
import tempfile

from browser.page import Page, chromium
from browser.png import with_palette
from harness import EXAMPLES, Server

THIRD_ROW = "#list li:nth-child(3) a"


def takes_pictures(folder):
    for name, size, prepare in [
        ("directory", (1200, 640), searches_with_a_log),
        ("directory-narrow", (360, 640), saves_a_nickname),
        ("directory-keyboard", (720, 480), goes_to_a_row),
    ]:
        with Server("--latency", "100") as server, Page(server, *size) as page:
            # Hides the scroll bars, as a phone does while the user does not scroll.
            page.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
            page.open("/")
            page.wait_for_focus("[name=username]")
            page.sign_in()
            page.wait("the first page", lambda: len(page.rows) == 50)
            prepare(page)
            page.wait("all animations have ended", lambda: page.run("return document.getAnimations().length") == 0)
            with open(os.path.join(folder, f"{name}.png"), "wb") as file:
                file.write(with_palette(page.driver.get_screenshot_as_png()))
    draws_a_failure(os.path.join(folder, "directory-recording.png"))


def draws_a_failure(picture):
    """Takes the picture of the failure that RecordedSessionTests shrinks."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["swift", "test", "--package-path", EXAMPLES, "--filter", "RecordedSessionTests"]
        subprocess.run(command, env={**os.environ, "RX_PICTURE_DIR": folder}, stdout=subprocess.DEVNULL, check=True)
        driver = chromium(1000, 560)
        driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        driver.get(f"file://{folder}/session.html")
        with open(picture, "wb") as file:
            file.write(with_palette(driver.get_screenshot_as_png()))
        driver.quit()


def searches_with_a_log(page):
    saves_a_nickname(page)
    searches(page, "Vera")
    waits_for_the_end_of_messages(page)
    page.find("#logging summary").click()
    searches(page, "Lena")


def saves_a_nickname(page):
    searches(page, "Lena")
    page.find(THIRD_ROW).click()
    page.wait("the person", lambda: page.find("#person h1").text != "")
    page.find("#nickname").send_keys("Lenchen")
    page.wait("the nickname is saved", lambda: page.messages()[-1] == "Nickname saved")
    page.find("#person .back").click()
    page.wait_for_focus(THIRD_ROW)


def goes_to_a_row(page):
    searches(page, "Lena")
    waits_for_the_end_of_messages(page)
    page.tab_to(THIRD_ROW)


def waits_for_the_end_of_messages(page):
    page.wait("all messages are old", lambda: not page.run("return document.querySelector('#messages li:not(.old)')"))


def searches(page, name):
    page.type("[type=search]", name.lower())
    page.wait("the search", lambda: all(name in row["name"] for row in page.rows))
