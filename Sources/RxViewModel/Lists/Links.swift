/// Links the sections, or the items, of the new list to those of the old list that they continue.
@usableFromInline
struct Links {
  /// The origin of each element, by position in the new list.
  @usableFromInline var origins: [Origin]
  /// The position in the new list of each element, or -1, by position in the old list.
  @usableFromInline var targets: [Int]
  /// The number of links.
  @usableFromInline var count = 0
  /// The number of links between elements with the same identity and different contents.
  @usableFromInline var updatedCount = 0
  /// The number of links between items of different sections.
  @usableFromInline var movedCount = 0

  @inlinable
  init(oldCount: Int, newCount: Int) {
    origins = [Origin](repeating: .none, count: newCount)
    targets = [Int](repeating: -1, count: oldCount)
  }

  @inlinable @inline(__always)
  mutating func link(_ origin: Origin, to position: Int) {
    origins[position] = origin
    targets[origin.position] = position
    count += 1
    if origin.isUpdated { updatedCount += 1 }
    if origin.isMoved { movedCount += 1 }
  }
}

extension Links {
  /// Links the k-th section of an identity to the k-th of the same identity.
  @inlinable
  init<Model: Equatable, Item, SectionID: Hashable>(
    sectionsOf old: [SectionModel<Model, Item>], and new: [SectionModel<Model, Item>], id: (Model) -> SectionID
  ) {
    self.init(oldCount: old.count, newCount: new.count)
    var table = IdentityTable(count: old.count)
    for section in old.indices {
      let identity = id(old[section].model)
      table.add(section, hash: IdentityTable.hash(of: identity)) { id(old[$0].model) == identity }
    }
    table.rewind()
    for section in new.indices {
      let identity = id(new[section].model)
      let first = table.firstPosition(hash: IdentityTable.hash(of: identity)) { id(old[$0].model) == identity }
      if first < 0 { continue }
      let claimed = table.claim(first: first, in: old.indices, targets: targets)
      if claimed < 0 { continue }
      link(Origin(keptFrom: claimed, isUpdated: old[claimed].model != new[section].model), to: section)
    }
  }

  /// Links the items of linked sections: first the k-th item of an identity in a section to the k-th of the same identity in the same
  /// section, then, among those left, the k-th to the k-th in any linked section. Origins in the same section are kept, others are moved.
  @inlinable
  init<Model, Item: Equatable, ItemID: Hashable>(
    itemsOf old: FlatList<Model, Item>, and new: FlatList<Model, Item>, sections: Links, id: (Item) -> ItemID
  ) {
    self.init(oldCount: old.count, newCount: new.count)
    var table = IdentityTable(count: old.count)
    // Hashes all identities of a section before it adds them, so that the processor can load several slots at the same
    // time.
    var hashes: [UInt32] = []
    hashes.reserveCapacity(old.sections.lazy.map(\.items.count).max() ?? 0)
    for section in old.sections.indices where sections.targets[section] >= 0 {
      // Read once, and not for each item.
      let (start, oldItems) = (old.starts[section], old.sections[section].items)
      hashes.removeAll(keepingCapacity: true)
      for item in oldItems { hashes.append(IdentityTable.hash(of: id(item))) }
      for (index, hash) in hashes.enumerated() {
        table.add(start + index, hash: hash) { id(old.item(at: $0, guess: section)) == id(oldItems[index]) }
      }
    }
    table.rewind()
    // In the order of the old sections, because the table requires ascending ranges.
    for section in old.sections.indices where sections.targets[section] >= 0 {
      linkWithin(section, of: old, to: sections.targets[section], of: new, &table, id: id)
    }
    table.rewind()
    for section in new.sections.indices where !sections.origins[section].isNone {
      for position in new.range(section) where origins[position].isMoved {
        let claimed = table.claim(first: origins[position].position, targets: targets)
        origins[position] = .none
        if claimed < 0 { continue }
        let isUpdated = old.item(at: claimed) != new.item(at: position, guess: section)
        link(Origin(movedFrom: claimed, isUpdated: isUpdated), to: position)
      }
    }
  }

  /// Links the items of one section. If an item is or may be in another section of the old list, marks it as moved from the first position
  /// of its identity, for the second pass.
  @inlinable
  mutating func linkWithin<Model, Item: Equatable, ItemID: Hashable>(
    _ section: Int, of old: FlatList<Model, Item>, to target: Int, of new: FlatList<Model, Item>,
    _ table: inout IdentityTable, id: (Item) -> ItemID
  ) {
    let (range, oldItems) = (old.range(section), old.sections[section].items)
    let (newRange, newItems) = (new.range(target), new.sections[target].items)
    // Most new items follow the item that was claimed last, so this finds them without a hash. It cannot do so if an identity occurs twice,
    // because a different occurrence may be the right one.
    var next = table.hasDuplicates ? range.upperBound : range.lowerBound
    for position in newRange {
      let item = newItems[position - newRange.lowerBound]
      let identity = id(item)
      let lookahead = Swift.min(next + 3, range.upperBound)
      var claimed = next
      while claimed < lookahead, targets[claimed] >= 0 || id(oldItems[claimed - range.lowerBound]) != identity {
        claimed += 1
      }
      if claimed == lookahead {
        let first = table.firstPosition(hash: IdentityTable.hash(of: identity)) {
          id(old.item(at: $0, guess: section)) == identity
        }
        if first < 0 { continue }
        claimed = table.claim(first: first, in: range, targets: targets)
        if claimed < 0 {
          origins[position] = Origin(movedFrom: first, isUpdated: false)
          continue
        }
      }
      if !table.hasDuplicates { next = claimed + 1 }
      let isUpdated = oldItems[claimed - range.lowerBound] != item
      link(Origin(keptFrom: claimed, isUpdated: isUpdated), to: position)
    }
  }
}
