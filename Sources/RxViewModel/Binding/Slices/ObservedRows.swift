/// One property that views observe. The key path that the registrar knows it by retains it, and each view that observes it retains that.
// Sendable: only the main actor uses the key path. The release uses constants.
class ObservedEntry: Hashable, @unchecked Sendable {
  /// The key path of the property while a view observes it.
  weak var keyPath: AnyKeyPath?
  private let release: @MainActor () -> Void

  /// - Parameter release: Called on the main actor after no view observes the property any more.
  init(_ release: @escaping @MainActor () -> Void) { self.release = release }

  deinit { MainQueue.run(release) }

  static func == (left: ObservedEntry, right: ObservedEntry) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A property of a state or of a row.
final class ObservedMember<Root>: ObservedEntry, @unchecked Sendable {  // Sendable: as its superclass.
  let hasChanged: (Root, Root) -> Bool

  init(_ hasChanged: @escaping (Root, Root) -> Bool, _ release: @escaping @MainActor () -> Void) {
    self.hasChanged = hasChanged
    super.init(release)
  }
}

/// The properties of one state or row that views observe.
struct ObservedMembers<Root> {
  private struct Weak {
    weak var entry: ObservedMember<Root>?
  }

  private var entries: [AnyHashable: Weak] = [:]

  var all: [ObservedMember<Root>] { entries.values.compactMap(\.entry) }
  var isEmpty: Bool { entries.isEmpty }

  subscript(key: AnyHashable) -> ObservedMember<Root>? { entries[key]?.entry }

  /// - Parameter release: Called after no view observes the property any more.
  mutating func entry(
    _ key: AnyHashable, _ hasChanged: @escaping (Root, Root) -> Bool, release: @escaping @MainActor () -> Void
  ) -> ObservedMember<Root> {
    if let entry = entries[key]?.entry { return entry }
    let entry = ObservedMember(hasChanged, release)
    entries[key] = Weak(entry: entry)
    return entry
  }

  /// Removes an entry that has been released.
  mutating func remove(_ key: AnyHashable) {
    entries[key] = nil
    // An empty dictionary keeps its storage.
    if entries.isEmpty { entries = [:] }
  }
}

/// The lists of a state or of a row whose rows views have read, by the way to the list.
@MainActor
final class RowLists<State> {
  private var lists: [[AnyHashable]: any ObservedList<State>] = [:]
  private let isUnused: @MainActor () -> Void

  /// - Parameter isUnused: Called when there may be something to remove.
  init(_ isUnused: @escaping @MainActor () -> Void = {}) { self.isUnused = isUnused }

  /// Whether no view observes a row of any list.
  var isEmpty: Bool { lists.values.allSatisfy(\.isEmpty) }

  func list<Row>(at way: [AnyHashable], _ make: () -> ObservedRows<State, Row>) -> ObservedRows<State, Row> {
    if let list = lists[way] as? ObservedRows<State, Row> { return list }
    let list = make()
    list.isUnused = isUnused
    lists[way] = list
    return list
  }

  /// Removes the lists of which no view observes a row. They remain until a state comes, because such rows may be read, too.
  func removeUnused() {
    for list in lists.values { list.removeUnused() }
    // The others are released after the access to `lists` has ended.
    var used = lists.filter { !$0.value.isEmpty }
    swap(&used, &lists)
  }

  /// The properties that differ between the states.
  func changed(_ old: State, _ new: State) -> [ObservedEntry] {
    lists.values.flatMap { $0.changed(old, new) }
  }
}

@MainActor
protocol ObservedList<State>: AnyObject {
  associatedtype State
  /// Whether no view observes a row.
  var isEmpty: Bool { get }
  func removeUnused()
  func changed(_ old: State, _ new: State) -> [ObservedEntry]
}

/// A row, or a part of one, that views read.
@MainActor
struct RowPart<State, Part> {
  /// Returns the entry with this key, a new one if no view observes it.
  let entry: (_ key: [AnyHashable], _ hasChanged: @escaping (Part?, Part?) -> Bool) -> ObservedEntry
  let part: (State) -> Part?
}

/// The rows of a list that views read.
///
/// A state that has the same array costs O(1). For any other, the arrays are compared once, byte by byte, from both ends. Rows that are
/// equal byte by byte are equal, so only those in between are looked up.
@MainActor
final class ObservedRows<State, Row: Identifiable>: ObservedList {
  /// What views observe of a row.
  private struct ObservedRow {
    var members = ObservedMembers<Row?>()
    /// The lists in the row.
    var lists: RowLists<Row?>?
  }

  private let read: (State) -> [Row]
  private var rows: [Row.ID: ObservedRow] = [:]
  /// The rows whose lists may have something to remove.
  private var unused: Set<Row.ID> = []
  /// Called when there may be something to remove.
  var isUnused: @MainActor () -> Void = {}
  /// Where a view has found a row last. Views mostly read the rows of a list in order.
  private var last = 0
  /// Where the rows stand in the last two arrays of which a view has not found a row at once: while a newer state is on its way to the
  /// main actor, views read both.
  private var indexes: [(rows: [Row], places: [Row.ID: Int])] = []

  init(_ read: @escaping (State) -> [Row]) { self.read = read }

  func entry(of id: Row.ID, _ key: [AnyHashable], _ hasChanged: @escaping (Row?, Row?) -> Bool) -> ObservedEntry {
    rows[id, default: ObservedRow()].members.entry(key, hasChanged) { [weak self] in self?.remove(key, of: id) }
  }

  /// The lists in a row. If there were none, the caller adds an entry to one of them.
  func lists(of id: Row.ID) -> RowLists<Row?> {
    if let lists = rows[id]?.lists { return lists }
    let lists = RowLists<Row?> { [weak self] in
      self?.unused.insert(id)
      self?.isUnused()
    }
    rows[id, default: ObservedRow()].lists = lists
    return lists
  }

  func removeUnused() {
    var ids: Set<Row.ID> = []
    swap(&ids, &unused)
    for id in ids {
      rows[id]?.lists?.removeUnused()
      guard rows[id]?.lists?.isEmpty == true else { continue }
      // They are released after the access to `rows` has ended.
      withExtendedLifetime(rows[id]?.lists) { rows[id]?.lists = nil }
      removeUnused(id)
    }
  }

  var isEmpty: Bool { rows.isEmpty }

  private func remove(_ key: [AnyHashable], of id: Row.ID) {
    // Another entry may have taken the place of one that was released on another thread.
    if rows[id]?.members[key] != nil { return }
    rows[id]?.members.remove(key)
    removeUnused(id)
  }

  private func removeUnused(_ id: Row.ID) {
    guard let index = rows.index(forKey: id), rows[index].value.members.isEmpty, rows[index].value.lists == nil else {
      return
    }
    // The id is released after the access to `rows` has ended.
    withExtendedLifetime(rows.remove(at: index)) {}
    if !rows.isEmpty { return }
    rows = [:]
    isUnused()
  }

  /// O(1), but for the first row of an array that is not found at once: O(n).
  func row(_ id: Row.ID, of state: State) -> Row? {
    let rows = read(state)
    let near = [last, last + 1, 0, rows.count - 1].first { rows.indices.contains($0) && rows[$0].id == id }
    guard let place = near ?? places(in: rows)[id] else { return nil }
    last = place
    return rows[place]
  }

  private func places(in rows: [Row]) -> [Row.ID: Int] {
    if let index = indexes.first(where: { haveSameStorage($0.rows, rows) }) { return index.places }
    let places = Dictionary(zip(rows.lazy.map(\.id), rows.indices)) { first, _ in first }
    setIndexes([(rows, places)] + indexes.prefix(1))
    return places
  }

  private func setIndexes(_ new: [(rows: [Row], places: [Row.ID: Int])]) {
    // The old rows are released after the access to `indexes` has ended.
    var last = new
    swap(&last, &indexes)
  }

  func changed(_ old: State, _ new: State) -> [ObservedEntry] {
    let (old, new) = (read(old), read(new))
    if haveSameStorage(old, new) { return [] }
    if !indexes.isEmpty { setIndexes(indexes.filter { haveSameStorage($0.rows, new) }) }
    if rows.isEmpty { return [] }
    let (start, end) = commonEnds(old, new)
    var found: [Row.ID: (old: Row?, new: Row?)] = [:]
    for row in old[start..<old.count - end] where rows[row.id] != nil && found[row.id] == nil {
      found[row.id] = (row, nil)
    }
    for row in new[start..<new.count - end] where rows[row.id] != nil && found[row.id]?.new == nil {
      found[row.id] = (found[row.id]?.old, row)
    }
    return found.flatMap { id, row -> [ObservedEntry] in
      guard let observed = rows[id] else { return [] }
      return observed.members.all.filter { $0.hasChanged(row.old, row.new) }
        + (observed.lists?.changed(row.old, row.new) ?? [])
    }
  }
}

/// How many rows at the start and at the end are the same in both arrays, byte by byte.
func commonEnds<Row>(_ old: [Row], _ new: [Row]) -> (start: Int, end: Int) {
  let (stride, count) = (MemoryLayout<Row>.stride, min(old.count, new.count))
  return old.withUnsafeBytes { old in
    new.withUnsafeBytes { new in
      guard let oldStart = old.baseAddress, let newStart = new.baseAddress else { return (0, 0) }
      var (start, end) = (0, 0)
      while start < count, haveSameBytes(oldStart + start * stride, newStart + start * stride, stride) { start += 1 }
      let (oldEnd, newEnd) = (oldStart + old.count - stride, newStart + new.count - stride)
      while end < count - start, haveSameBytes(oldEnd - end * stride, newEnd - end * stride, stride) { end += 1 }
      return (start, end)
    }
  }
}
