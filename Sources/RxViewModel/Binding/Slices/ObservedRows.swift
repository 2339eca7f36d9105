/// One property that views have read. The key path that the registrar knows it by retains it, and each view that observes it retains that.
// Sendable: only the main actor uses the key path. The release uses nothing.
class ObservedEntry: Hashable, @unchecked Sendable {
  /// The key path of the property while a view observes it.
  weak var keyPath: AnyKeyPath?

  static func == (left: ObservedEntry, right: ObservedEntry) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A property of a state or of a row.
final class ObservedMember<Root>: ObservedEntry, @unchecked Sendable {  // Sendable: as its superclass.
  let hasChanged: (Root, Root) -> Bool

  init(_ hasChanged: @escaping (Root, Root) -> Bool) { self.hasChanged = hasChanged }
}

/// An object that views observe.
final class ObservedObject: ObservedEntry, @unchecked Sendable {  // Sendable: as its superclass.
  private let object: AnyObject

  init(_ object: AnyObject) { self.object = object }
}

/// The properties of one state or row, of those that a view still observes.
struct ObservedMembers<Root> {
  private struct Weak {
    weak var entry: ObservedMember<Root>?
  }

  private var entries: [AnyHashable: Weak] = [:]
  /// The number of entries at which those that no view observes are removed.
  private var limit = 8

  var all: [ObservedMember<Root>] { entries.values.compactMap(\.entry) }
  var isEmpty: Bool { entries.values.allSatisfy { $0.entry == nil } }

  mutating func entry(_ key: AnyHashable, _ hasChanged: @escaping (Root, Root) -> Bool) -> ObservedMember<Root> {
    if let entry = entries[key]?.entry { return entry }
    let entry = ObservedMember(hasChanged)
    entries[key] = Weak(entry: entry)
    if entries.count > limit { sweep() }
    return entry
  }

  /// Removes the entries that no view observes.
  mutating func sweep() {
    entries = entries.filter { $0.value.entry != nil }
    limit = max(8, entries.count * 2)
  }
}

/// The lists of a state whose rows views have read, by the way to the list.
@MainActor
final class RowLists<State> {
  private var lists: [[AnyHashable]: any ObservedList<State>] = [:]

  func list<Row>(at way: [AnyHashable], _ make: () -> ObservedRows<State, Row>) -> ObservedRows<State, Row> {
    if let list = lists[way] as? ObservedRows<State, Row> { return list }
    let list = make()
    lists[way] = list
    return list
  }

  /// The properties that differ between the states.
  func changed(_ old: State, _ new: State) -> [ObservedEntry] {
    lists.values.flatMap { $0.changed(old, new) }
  }
}

@MainActor
protocol ObservedList<State>: AnyObject {
  associatedtype State
  func changed(_ old: State, _ new: State) -> [ObservedEntry]
}

/// A row, or a part of one, that views read.
@MainActor
struct RowPart<Part> {
  /// Returns the entry with this key, a new one if no view observes it.
  let entry: (_ key: [AnyHashable], _ hasChanged: @escaping (Part?, Part?) -> Bool) -> ObservedEntry
}

/// The rows of a list that views have read.
///
/// A state that has the same array costs O(1). For any other, the arrays are compared once, byte by byte, from both ends. Rows that are
/// equal byte by byte are equal, so only those in between are looked up.
@MainActor
final class ObservedRows<State, Row: Identifiable>: ObservedList {
  private let read: (State) -> [Row]
  private var rows: [Row.ID: ObservedMembers<Row?>] = [:]
  private var limit = 64

  init(_ read: @escaping (State) -> [Row]) { self.read = read }

  func entry(of id: Row.ID, _ key: [AnyHashable], _ hasChanged: @escaping (Row?, Row?) -> Bool) -> ObservedEntry {
    let entry = rows[id, default: ObservedMembers()].entry(key, hasChanged)
    if rows.count > limit {
      rows = rows.filter { !$0.value.isEmpty }
      limit = max(64, rows.count * 2)
    }
    return entry
  }

  func changed(_ old: State, _ new: State) -> [ObservedEntry] {
    if rows.isEmpty { return [] }
    let (old, new) = (read(old), read(new))
    if haveSameStorage(old, new) { return [] }
    let (start, end) = commonEnds(old, new)
    var found: [Row.ID: (old: Row?, new: Row?)] = [:]
    for row in old[start..<old.count - end] where rows[row.id] != nil && found[row.id] == nil {
      found[row.id] = (row, nil)
    }
    for row in new[start..<new.count - end] where rows[row.id] != nil && found[row.id]?.new == nil {
      found[row.id] = (found[row.id]?.old, row)
    }
    var changed: [ObservedEntry] = []
    for (id, row) in found {
      rows[id]?.sweep()
      let entries = rows[id]?.all ?? []
      if entries.isEmpty { rows[id] = nil }
      changed += entries.filter { $0.hasChanged(row.old, row.new) }
    }
    return changed
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
