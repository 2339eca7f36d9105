"""Tests that the window shows each element whole at any width, and that no message covers a button, a link or a field."""

# Returns the visible elements that are narrower than their content, or partly outside the window. Fields do not count, because they scroll.
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
const main = document.querySelector('main'), view = main.getBoundingClientRect();
return [...document.querySelectorAll('a, button, input, summary')].filter(element => {
  const { left, top, width, height } = element.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
  if (!element.checkVisibility() || y > innerHeight || main.contains(element) && y > view.bottom) return false;
  return !element.contains(document.elementFromPoint(x, y));
}).map(element => `${element.localName}#${element.id} ${element.textContent}`);
"""
READ_PLACEHOLDER = """
const input = document.querySelector('[type=search]'), style = getComputedStyle(input);
const context = document.createElement('canvas').getContext('2d');
context.font = style.font;
// The browser's button that clears the field is beside the text, and takes 20 px.
const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20;
return { needed: context.measureText(input.placeholder).width, room };
"""
READ_BOXES = """
return Object.fromEntries(['main', 'aside', '#panel'].map(selector => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return [selector, { left, top, right, bottom }];
}));
"""
# Names without a place where a line can break.
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff" * 5
LONG_NICKNAME = "WWWWWWWWWWWWWWWWWWWW"


def puts_the_panel_beside_or_below(page):
    boxes = page.run(READ_BOXES)
    main, aside = boxes["main"], boxes["aside"]
    if page.width > 960:
        assert main["right"] <= aside["left"] and aside["top"] == 0, boxes
        assert page.find("#failing").is_displayed()
    else:
        assert main["right"] - main["left"] == page.width and main["bottom"] <= aside["top"], boxes
        assert not page.find("#failing").is_displayed() and aside["bottom"] - aside["top"] < 60, boxes
        assert page.find("#panel summary").is_displayed()


def shows_all_of_each_screen(page):
    """Checks each screen, with a long name, a long nickname and a long message."""
    shows_all(page, "the sign-in")
    puts_the_panel_beside_or_below(page)
    page.sign_in()
    page.wait("the first page", lambda: len(page.rows) == 50)
    shows_all(page, "the list")
    placeholder = page.run(READ_PLACEHOLDER)
    assert placeholder["needed"] <= placeholder["room"], placeholder
    puts_the_panel_beside_or_below(page)

    page.find("#add").click()
    page.wait("the sheet", lambda: page.find("#new").is_displayed())
    page.type("#new-name", f"{LONG_NAME} Zzz")
    page.type("#new-nickname", LONG_NICKNAME)
    page.wait("the button is enabled", lambda: page.find("#new button").is_enabled())
    shows_all(page, "the sheet")
    page.find("#new button").click()
    page.wait("the sheet is gone", lambda: not page.find("#new").is_displayed())
    page.type("[type=search]", "wolfe")
    page.wait("the person", lambda: len(page.rows) == 1)
    shows_all(page, "a long name")

    page.find("#list a").click()
    page.wait("the person", lambda: page.find("#person h1").text != "")
    shows_all(page, "the person")
    page.find("#choose").click()
    page.wait("the colors", lambda: page.find("#color").is_displayed() and page.run("return find('#colors').children.length") == 6)
    shows_all(page, "the colors")


def shows_all(page, step):
    for message in ["Nickname saved", f"{LONG_NAME} has been added"]:
        covered = page.run(FIND_COVERED, message)
        assert covered == [], (step, covered)
        cut = page.run(FIND_CUT_OFF)
        assert cut == [], (step, cut)
        page.run("for (const message of document.querySelectorAll('#messages li')) message.remove()")
    print(f"  {step}: the window shows each element, at {page.width} px", flush=True)
