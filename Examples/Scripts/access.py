"""What everybody needs to use the inspector's page: names for a screen reader, contrast, and the keyboard."""

from selenium.webdriver.common.keys import Keys

# Of each visible text, its contrast with what lies below it (WCAG 2, 1.4.3: at least 4.5).
FIND_FAINT = """
const parse = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
const over = ([r, g, b, a], below) => [r, g, b].map((part, index) => part * a + below[index] * (1 - a));
const light = color => color.map(part => part / 255).map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
  .reduce((sum, part, index) => sum + part * [.2126, .7152, .0722][index], 0);
const chain = element => element ? [...chain(element.parentElement), element] : [];
const hasText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
return [...document.querySelectorAll('body *')].filter(element => hasText(element) && element.checkVisibility()).flatMap(element => {
  const styles = chain(element).map(one => getComputedStyle(one)), style = styles.at(-1);
  const paper = styles.reduce((below, { backgroundColor }) => over(parse(backgroundColor), below), [255, 255, 255]);
  const [r, g, b, a] = parse(element.ownerSVGElement ? style.fill : style.color);
  const ink = over([r, g, b, styles.reduce((alpha, { opacity }) => alpha * opacity, a)], paper);
  const [dark, bright] = [light(ink), light(paper)].sort((one, other) => one - other), contrast = (bright + .05) / (dark + .05);
  return contrast < 4.5 ? [`${element.localName}.${element.getAttribute('class')} ${element.textContent.slice(0, 30)}: ${contrast.toFixed(2)}`] : [];
});
"""
READ_FOCUS = """
const element = document.activeElement, { left, top, width, height } = element.getBoundingClientRect();
const ringed = element.querySelector('[aria-selected=true]') ?? element, { outlineStyle, boxShadow } = getComputedStyle(ringed);
return [element.id || element.textContent, outlineStyle !== 'none' || boxShadow !== 'none',
  element === document.body || element.contains(document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20)))];
"""
NAMED = ["button", "searchbox", "textbox", "listbox", "option", "dialog", "complementary", "heading", "group", "link"]


def tree(page):
    """What a screen reader reads: the role, the name and the states of each element."""
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    value = lambda node, key: node.get(key, {}).get("value", "")
    return [(value(node, "role"), value(node, "name"), {one["name"]: one["value"].get("value") for one in node.get("properties", [])})
            for node in nodes if not node["ignored"]]


def expect_names(page):
    nodes = tree(page)
    nameless = [(role, states) for role, name, states in nodes if role in NAMED and not name.strip()]
    assert not nameless, nameless
    return nodes


def expect_contrast(page):
    for scheme in ["light", "dark"]:
        page.show_scheme(scheme)
        faint = page.run(FIND_FAINT)
        assert not faint, (scheme, faint)
    page.show_scheme("light")


def walk(page):
    """Presses Tab from the list until the list has the focus again. Returns what had it, each visible and with a ring."""
    page.run("list.focus()")
    passed = []
    for _ in range(60):
        page.press(Keys.TAB)
        name, has_ring, is_visible = page.run(READ_FOCUS)
        if name == "list":
            assert has_ring
            return passed
        # Between its last and its first element, the browser's own has the focus.
        if name and page.run("return document.activeElement !== document.body"):
            assert has_ring and is_visible, (name, has_ring, is_visible)
            passed.append(name)
    raise AssertionError(f"Tab does not come back to the list: {passed}")
