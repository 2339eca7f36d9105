"""Generates batches of changes, as `ListChanges` describes them, with the list before and after each batch."""


class Batches:
    def __init__(self, random):
        self.random = random
        self.count = 0

    def row(self):
        self.count += 1
        return {"id": self.count, "name": f"Name {self.count}", "nickname": "", "color": "gray"}

    def section(self):
        self.count += 1
        return {"letter": str(self.count), "rows": [self.row() for _ in range(self.random.randint(0, 5))]}

    def divide(self, elements, kinds):
        """Assigns each index of the elements to a random kind."""
        parts = {kind: [] for kind in kinds}
        for index in range(len(elements)):
            parts[self.random.choice(kinds)].append(index)
        return parts

    def mix(self, kept, others):
        """Inserts the others at random positions among the kept elements, which stay in order."""
        for other in others:
            kept.insert(self.random.randint(0, len(kept)), other)
        return kept

    def shuffled(self, elements):
        return self.random.sample(elements, len(elements))

    def make(self):
        """Returns a list of sections, a batch of changes, and the list after the batch."""
        old = [self.section() for _ in range(self.random.randint(0, 5))]
        sections = self.divide(old, ["kept", "moved", "deleted"])
        inserted = [self.section() for _ in range(self.random.randint(0, 2))]
        # Contains the index of each old section, and each new section itself.
        order = self.mix(sections["kept"][:], sections["moved"] + inserted)
        survivors = [index for index in order if isinstance(index, int)]

        deleted, moved, kept = [], [], {}
        for index in survivors:
            rows = self.divide(old[index]["rows"], ["kept", "moved", "deleted"])
            kept[index] = [old[index]["rows"][item] for item in rows["kept"]]
            deleted += [[index, item] for item in rows["deleted"]]
            moved += [[index, item] for item in rows["moved"]]
        arriving = {index: [] for index in survivors}
        new_rows = [self.row() for _ in range(self.random.randint(0, 4))] if survivors else []
        origins = {old[section]["rows"][item]["id"]: [section, item] for section, item in moved}
        for row in [old[section]["rows"][item] for section, item in moved] + new_rows:
            arriving[self.random.choice(survivors)].append(row)

        new, inserted_items, moved_items = [], [], []
        for index in order:
            if not isinstance(index, int):
                new.append(index)
                continue
            rows = self.mix(kept[index], arriving[index])
            for item, row in enumerate(rows):
                if row["id"] in origins:
                    moved_items.append([origins[row["id"]], [len(new), item]])
                elif row in new_rows:
                    inserted_items.append({"path": [len(new), item], "row": row})
            new.append({"letter": old[index]["letter"], "rows": rows})
        changes = {
            "deletedSections": sections["deleted"],
            "insertedSections": [{"index": order.index(section), "section": section} for section in inserted],
            "movedSections": [[index, order.index(index)] for index in sections["moved"]],
            "deletedItems": deleted, "insertedItems": inserted_items, "movedItems": moved_items,
        }
        return old, {name: self.shuffled(elements) for name, elements in changes.items()}, new
