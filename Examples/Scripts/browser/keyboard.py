"""A test of the whole app by keyboard. It sends key events only."""

from selenium.webdriver.common.keys import Keys

ROW = "#list li:nth-child(3) a"


def uses_the_keyboard_alone(page):
    page.open("/")
    signs_in(page)
    edits_a_person(page)
    adds_a_person(page)
    retries_a_search(page)


def signs_in(page):
    page.wait_for_focus("[name=username]")
    page.press("admin", Keys.TAB, "wrong")
    page.wait("the button is enabled", lambda: page.find("form button").is_enabled())
    page.tab_to("form button")
    page.press(Keys.SPACE)
    page.wait_for_text("#sign-in .error", "Wrong username or password")
    page.wait_for_focus("[name=password]")
    page.press(*[Keys.BACKSPACE] * len("wrong"))
    page.wait("the button is disabled", lambda: not page.find("form button").is_enabled())
    page.press("admin")
    page.wait("the button is enabled", lambda: page.find("form button").is_enabled())
    page.press(Keys.ENTER)
    page.wait_for_focus("#people h1")
    page.wait("the first page", lambda: len(page.rows) == 50)
    page.compare("signed in by keyboard")


def edits_a_person(page):
    page.tab_to("#list li:nth-child(25) a")
    page.tab_to(ROW, back=True)
    page.press(Keys.ENTER)
    page.wait_for_focus("#person h1")
    page.wait("the person", lambda: page.find("#person h1").text != "")
    page.tab_to("#nickname")
    page.press("Kim")
    page.wait("the nickname is saved", lambda: page.messages()[-1:] == ["Nickname saved"] and page.state["nickname"] == "Kim")
    page.tab_to("#choose")
    page.press(Keys.ENTER)
    picks_a_color(page)
    page.wait_for_focus("#choose")
    page.wait("the color", lambda: page.state["color"] == "green")
    page.tab_to("#person .back", back=True)
    page.press(Keys.ENTER)
    page.wait_for_focus(ROW)
    page.wait("the edited row", lambda: (page.rows[2]["nickname"], page.rows[2]["color"]) == ("Kim", "green"))
    page.compare("edited a person by keyboard")


def adds_a_person(page):
    page.tab_to("#add", back=True)
    page.press(Keys.ENTER)
    page.wait_for_focus("#new-name")
    page.press(Keys.ESCAPE)
    page.wait_for_focus("#add")
    assert not page.find("#new").is_displayed()
    page.press(Keys.SPACE)
    page.wait_for_focus("#new-name")
    page.press("Yara Zzz", Keys.TAB, "Y")
    page.wait("the button is enabled", lambda: page.find("#new button").is_enabled())
    page.tab_to("#new-color")
    page.press(Keys.ENTER)
    picks_a_color(page)
    page.wait_for_focus("#new-color")
    page.tab_to("#new button", back=True)
    page.press(Keys.ENTER)
    page.wait_for_focus("#add")
    page.wait("the message", lambda: page.messages()[-1] == "Yara Zzz has been added")
    page.tab_to("[type=search]")
    page.press("yara zzz")
    page.wait("the person", lambda: [row["name"] for row in page.rows] == ["Yara Zzz"])
    assert page.rows[0]["nickname"] == "Y" and page.rows[0]["color"] == "green", page.rows
    page.compare("added a person by keyboard")


def picks_a_color(page):
    page.wait_for_focus("#color h1")
    page.wait("the colors", lambda: page.run("return find('#colors').children.length") == 6)
    page.tab_to("#colors button:nth-child(4)")
    page.press(Keys.ENTER)


def retries_a_search(page):
    """Makes the service fail, searches for "yara zz", and tries again. The focus moves from the button to the first person."""
    page.tab_to("#panel > summary", back=True)
    if not page.find("#failing").is_displayed():
        page.press(Keys.ENTER)
    page.tab_to("#failing")
    page.press(Keys.SPACE)
    page.tab_to("[type=search]")
    page.press(Keys.END, Keys.BACKSPACE)
    page.wait_for_text("#end span", "The service does not answer")
    page.tab_to("#failing", back=True)
    page.press(Keys.SPACE)
    page.tab_to("#end button")
    page.press(Keys.ENTER)
    page.wait_for_focus("#list a")
    assert [row["name"] for row in page.rows] == ["Yara Zzz"], page.rows
    page.compare("tried again by keyboard")
