"""Tests of the focus and the scroll position of a screen that opens, and of a screen to which the user goes back."""

PERSON_TITLE = "#person h1"
BACK = "#person .back"


def begins_at_the_first_field(page):
    page.wait_for_focus("[name=username]")


def comes_back_to_its_place(page):
    """Goes back from a person and from the colors, with the Back buttons of the page and of the browser."""
    for count in [100, 150, 200]:
        page.wait("the previous pages", lambda: len(page.rows) >= count - 50)
        page.scroll_to_end()
        page.wait("the next page", lambda: len(page.rows) >= count)
    page.run("[...document.querySelectorAll('#list li')].at(140).id = 'visited'")
    page.run("document.querySelector('#visited').scrollIntoView({ block: 'center' })")
    top = page.scroll_position()
    assert top > 4000, top
    for go_back in [page.find(BACK).click, page.driver.back]:
        opens_the_visited_person(page)
        go_back()
        is_at_its_place(page, top)
    opens_the_visited_person(page)
    for go_back in [page.driver.back, lambda: page.find("#colors button").click()]:
        page.find("#choose").click()
        page.wait_for_focus("#color h1")
        page.wait("the colors", lambda: page.run("return find('#colors').children.length") == 6)
        go_back()
        page.wait_for_focus("#choose")
    page.find(BACK).click()
    is_at_its_place(page, top)
    page.compare("went back to the same place")


def opens_the_visited_person(page):
    page.find("#visited a").click()
    page.wait("the person is there", lambda: page.find(PERSON_TITLE).text != "")
    page.wait_for_focus(PERSON_TITLE)
    assert page.scroll_position() == 0


def is_at_its_place(page, top):
    page.wait_for_path("/people")
    page.wait_for_focus("#visited a")
    assert abs(page.scroll_position() - top) <= 1, (page.scroll_position(), top)


def keeps_its_place_as_rows_arrive(page):
    """Adds a person at the top of the list in another tab. The row with the focus must not move in the window."""
    place = "return document.querySelector('#visited').getBoundingClientRect().top"
    before = page.run(place)
    opens_the_visited_person(page)
    tab = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open("/")
    page.sign_in()
    page.wait_for_path("/people")
    page.find("#add").click()
    page.type("#new-name", "Ada Aaa")
    page.wait("the button is enabled", lambda: page.find("#new button").is_enabled())
    page.find("#new button").click()
    page.wait("the person is added", lambda: page.messages()[-1] == "Ada Aaa has been added")
    page.driver.close()
    page.driver.switch_to.window(tab)
    page.find(BACK).click()
    page.wait("the new row", lambda: page.rows[0]["name"] == "Ada Aaa")
    page.wait_for_focus("#visited a")
    page.wait("the row is at its place", lambda: abs(page.run(place) - before) <= 1)
    page.compare("went back, with a new row")
