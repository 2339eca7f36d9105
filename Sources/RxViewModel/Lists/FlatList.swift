/// Sections whose items are numbered consecutively: the position of an item is the number of all items before it.
@usableFromInline
struct FlatList<Model: Sendable, Item: Sendable> {
  @usableFromInline let sections: [SectionModel<Model, Item>]
  /// The position of each section's first item, and at the end the number of all items.
  @usableFromInline let starts: [Int]

  @inlinable
  init(_ sections: [SectionModel<Model, Item>]) {
    self.sections = sections
    var starts: [Int] = []
    starts.reserveCapacity(sections.count + 1)
    var count = 0
    for section in sections {
      starts.append(count)
      count += section.items.count
    }
    starts.append(count)
    self.starts = starts
  }

  @inlinable
  var count: Int { starts[sections.count] }

  /// The positions of the section's items.
  @inlinable
  func range(_ section: Int) -> Range<Int> {
    starts[section]..<starts[section + 1]
  }

  /// The item at a position: O(log sections).
  @inlinable
  func item(at position: Int) -> Item {
    let section = starts.section(of: position)
    return sections[section].items[position - starts[section]]
  }

  /// The item at a position that probably lies in the section `guess`: O(1) if it does, otherwise O(log sections).
  @inlinable
  func item(at position: Int, guess: Int) -> Item {
    let start = starts[guess]
    if position >= start, position < starts[guess + 1] { return sections[guess].items[position - start] }
    return item(at: position)
  }
}

extension [Int] {
  /// The section in which a position lies, in the starts of a ``FlatList``: O(log sections).
  @usableFromInline
  func section(of position: Int) -> Int {
    // Of several sections that start at the position, only the last is not empty.
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}
