"""Tests that the window shows each element whole at any width, and that no message covers a button, a link or a field."""

# The visible elements that are narrower than their content, or partly outside the window. Fields do not count, because they scroll.
FIND_CUT_OFF = """
const isCut = element => {
  const { left, right } = element.getBoundingClientRect();
  return element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline'
    || left < 0 || right > innerWidth;
};
return [document.documentElement, ...document.body.querySelectorAll('*')]
  .filter(element => element.checkVisibility() && !element.matches('script, style, input') && isCut(element))
  .map(element => `${element.localName}#${element.id} ${element.className}`);
"""
FIND_COVERED = """
show.message({ text: arguments[0] });
const view = main.getBoundingClientRect();
return [...document.querySelectorAll('a, button, input, summary')].filter(element => {
  const { left, top, width, height } = element.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
  if (!element.checkVisibility() || y > innerHeight || main.contains(element) && y > view.bottom) return false;
  return !element.contains(document.elementFromPoint(x, y));
}).map(element => `${element.localName}#${element.id} ${element.textContent}`);
"""
# How much of the placeholder has no room. The browser's button that clears the field is beside the text, and takes 20 px.
READ_PLACEHOLDER = """
const input = find('[type=search]'), style = getComputedStyle(input), context = document.createElement('canvas').getContext('2d');
context.font = style.font;
const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
return context.measureText(input.placeholder).width + padding + 20 - input.clientWidth;
"""
READ_BOXES = "return ['main', 'aside'].map(selector => find(selector).getBoundingClientRect().toJSON())"
# Names without a place where a line can break.
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff" * 5
LONG_NICKNAME = "WWWWWWWWWWWWWWWWWWWW"


def shows_all_of_each_screen(page):
    """Checks each screen, with a long name, a long nickname and a long message."""
    page.open("/people")
    page.wait_for("#sign-in")
    shows_all(page, "the sign-in")
    page.sign_in(path="/people")
    page.wait(lambda: len(page.rows) == 50)
    assert page.run(READ_PLACEHOLDER) <= 0
    shows_all(page, "the list")
    page.find("#add").click()
    page.type("#new-name", f"{LONG_NAME} Zzz")
    page.type("#new-nickname", LONG_NICKNAME)
    page.wait(lambda: page.find("#new button").is_enabled())
    shows_all(page, "the sheet")
    page.find("#new button").click()
    page.wait_for("#new", is_visible=False)
    page.type("[type=search]", "wolfe")
    page.wait(lambda: len(page.rows) == 1)
    shows_all(page, "a long name")
    page.find("#list a").click()
    page.wait_for_person()
    shows_all(page, "the person")
    page.find("#choose").click()
    page.wait_for("#color")
    page.wait_for_colors()
    shows_all(page, "the colors")


def shows_all(page, step):
    main, aside = page.run(READ_BOXES)
    if page.width > 960:
        assert main["right"] <= aside["left"] and aside["top"] == 0 and page.find("#recording").is_displayed(), (main, aside)
    else:
        assert main["width"] == page.width and main["bottom"] <= aside["top"] and aside["height"] < 60, (main, aside)
        assert page.find("#panel summary").is_displayed() and not page.find("#recording").is_displayed()
    for message in ["Nickname saved", f"{LONG_NAME} has been added"]:
        covered, cut = page.run(FIND_COVERED, message), page.run(FIND_CUT_OFF)
        assert covered == cut == [], (step, covered, cut)
        page.run("for (const message of document.querySelectorAll('#messages li')) message.remove()")
    print(f"  {step}: the window shows each element, at {page.width} px", flush=True)
