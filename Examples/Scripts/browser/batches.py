"""Lets the page carry out random batches of changes, as `ListChanges` describes them."""

import random

from browser.page import READ_LIST


def carries_out_any_batch(page):
    numbers = random.Random(42)
    for _ in range(500):
        old, new = make_list(numbers), make_list(numbers)
        batch = {name: numbers.sample(some, len(some)) for name, some in changes(old, new).items()}
        page.run("show.reload({ sections: arguments[0] }); show.batch({ changes: arguments[1] })", old, batch)
        assert page.run(READ_LIST) == new, (old, batch, new)
    print("  500 random batches")


def make_list(numbers):
    """Some of six sections, and some of twenty rows in them, in any order."""
    sections = [{"letter": letter, "rows": []} for letter in numbers.sample("ABCDEF", numbers.randint(0, 6))]
    for id in numbers.sample(range(20), numbers.randint(0, 20)) if sections else []:
        row = {"id": id, "name": f"Name {id}", "nickname": "", "color": "gray"}
        numbers.choice(sections)["rows"].append(row)
    return sections


def changes(old, new):
    """The batch from one list to another. The rows of a section that is deleted or inserted are deleted and inserted with it."""
    before = {section["letter"]: index for index, section in enumerate(old)}
    after = {section["letter"]: index for index, section in enumerate(new)}
    moved_sections = moves([[before[letter], after[letter]] for letter in after if letter in before])
    places, arrivals, moved_rows = {}, [], []
    for letter, index in before.items():
        if letter in after:
            places |= {row["id"]: [index, item] for item, row in enumerate(old[index]["rows"])}
    deleted = dict(places)
    for letter, index in after.items():
        if letter not in before:
            continue
        rows = [[deleted.pop(row["id"], None), [index, item]] for item, row in enumerate(new[index]["rows"])]
        arrivals += [{"path": to, "row": new[index]["rows"][to[1]]} for origin, to in rows if origin is None]
        staying = [row for row in rows if row[0] is not None and row[0][0] == before[letter]]
        moved_rows += moves(staying) + [row for row in rows if row[0] is not None and row[0][0] != before[letter]]
    return {
        "deletedSections": [index for letter, index in before.items() if letter not in after],
        "insertedSections": [{"index": index, "section": new[index]} for letter, index in after.items() if letter not in before],
        "movedSections": moved_sections, "deletedItems": [*deleted.values()], "insertedItems": arrivals, "movedItems": moved_rows,
    }


def moves(pairs):
    """The pairs of an old and a new place, in the order of the new ones, without those that stay behind all that stay before them."""
    moved, last = [], None
    for pair in pairs:
        if last is None or pair[0] > last:
            last = pair[0]
        else:
            moved.append(pair)
    return moved
