/// P. Heckel's diff of 1978, hand-written for one section without duplicate identities: a table of symbols by identity, and then one pass
/// over each list. As in the libraries that use it, an element counts as moved unless it is the first old element that the pass has not
/// accounted for. So one pass is enough, and it finds more moves than necessary.
struct HeckelDiff<Item: Equatable, ID: Hashable> {
  private(set) var deleted: [Int] = []
  private(set) var inserted: [Int] = []
  private(set) var updated: [Int] = []
  private(set) var moved: [(from: Int, to: Int)] = []

  init(from old: [Item], to new: [Item], id: (Item) -> ID) {
    var symbols: [ID: Int] = [:]
    symbols.reserveCapacity(old.count)
    for index in old.indices { symbols[id(old[index])] = index }

    var targets = [Int](repeating: -1, count: old.count)
    var sources = [Int](repeating: -1, count: new.count)
    var linked = 0
    for index in new.indices {
      guard let source = symbols[id(new[index])], targets[source] < 0 else { continue }
      sources[index] = source
      targets[source] = index
      linked += 1
    }

    deleted.reserveCapacity(old.count - linked)
    for index in old.indices where targets[index] < 0 { deleted.append(index) }
    inserted.reserveCapacity(new.count - linked)
    var isAccountedFor = [Bool](repeating: false, count: old.count)
    var first = 0
    for index in new.indices {
      let source = sources[index]
      if source < 0 {
        inserted.append(index)
        continue
      }
      if old[source] != new[index] { updated.append(index) }
      while first < old.count, targets[first] < 0 || isAccountedFor[first] { first += 1 }
      if source != first { moved.append((source, index)) }
      isAccountedFor[source] = true
    }
  }
}
