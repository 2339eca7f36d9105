/// The part of a state that holds a child, and how it is read: a key path, and for an element of an array its id. A slice has one.
@usableFromInline
struct Part<State: Sendable, Child: Sendable>: Sendable {
  @usableFromInline let id: PartID
  // A function and not a method, because it is specialized where it is made. It takes the id instead of capturing the path, so the
  // function of one element can find the others of its list, too.
  /// Reads the child. Nil while it is absent. The number is the index at which an element was found last, and is updated. The list is that
  /// of this state, if several elements of it are searched for.
  @usableFromInline let find: @Sendable (PartID, State, inout Int, ChildList?) -> Child?

  @inlinable
  init(_ id: PartID, _ find: @escaping @Sendable (PartID, State, inout Int, ChildList?) -> Child?) {
    (self.id, self.find) = (id, find)
  }

  @inlinable
  func child(in state: State) -> Child? {
    var row = 0
    return find(id, state, &row, nil)
  }

  /// The list that an element is in. Nil for a child that isn't an element.
  @inlinable
  func list(in state: State) -> ChildList? {
    id.isElement
      ? ChildList(state[keyPath: unsafeDowncast(id.path, to: WritableKeyPath<State, [Child]>.self)]) : nil
  }
}

/// A part of a state, and how it is written. A child is declared with one.
@usableFromInline
struct WritablePart<State: Sendable, Child: Sendable>: Sendable {
  @usableFromInline let part: Part<State, Child>
  /// Writes a child that `find` has found in this state, at this index.
  @usableFromInline let replace: @Sendable (PartID, inout State, Child, Int) -> Void

  @inlinable
  init(_ path: WritableKeyPath<State, Child> & Sendable) {
    typealias Path = WritableKeyPath<State, Child>
    part = Part(PartID(path, to: Child.self)) { id, state, _, _ in
      state[keyPath: unsafeDowncast(id.path, to: Path.self)]
    }
    replace = { id, state, child, _ in state[keyPath: unsafeDowncast(id.path, to: Path.self)] = child }
  }

  @inlinable
  init(optional path: WritableKeyPath<State, Child?> & Sendable) {
    typealias Path = WritableKeyPath<State, Child?>
    part = Part(PartID(path, to: Child.self)) { id, state, _, _ in
      state[keyPath: unsafeDowncast(id.path, to: Path.self)]
    }
    replace = { id, state, child, _ in state[keyPath: unsafeDowncast(id.path, to: Path.self)] = child }
  }

  @inlinable
  init(_ path: WritableKeyPath<State, [Child]> & Sendable, id: Child.ID)
  where Child: Identifiable, Child.ID: Sendable {
    typealias Path = WritableKeyPath<State, [Child]>
    part = Part(PartID(path, elementID: AnyHashable(id), to: Child.self)) { id, state, row, list in
      let rows = state[keyPath: unsafeDowncast(id.path, to: Path.self)]
      guard let index = rows.index(of: id.elementID!.base as! Child.ID, near: row, in: list) else { return nil }
      row = index
      return rows[index]
    }
    replace = { id, state, child, row in state[keyPath: unsafeDowncast(id.path, to: Path.self)][row] = child }
  }
}

/// Identifies a part within its state. An object, because an `AnyHashable` is slow to copy.
@usableFromInline
// Sendable: key paths are immutable, and the id is that of a `Sendable` state.
final class PartID: Hashable, @unchecked Sendable {
  @usableFromInline let path: AnyKeyPath
  /// The id of an element of an array, otherwise nil.
  @usableFromInline let elementID: AnyHashable?
  /// The type of the child. An optional part can stand for its value, or for itself.
  @usableFromInline let child: ObjectIdentifier

  @inlinable
  init<Child>(_ path: AnyKeyPath, elementID: AnyHashable? = nil, to child: Child.Type) {
    (self.path, self.elementID, self.child) = (path, elementID, ObjectIdentifier(child))
  }

  @inlinable
  static func == (left: PartID, right: PartID) -> Bool {
    left.child == right.child && left.path == right.path && left.elementID == right.elementID
  }

  // Hashing a key path is slow, and few elements differ by it alone.
  @inlinable
  func hash(into hasher: inout Hasher) { if let elementID { hasher.combine(elementID) } else { hasher.combine(path) } }

  /// Whether it is that of an element. Not stored, because each slice has a `PartID` (`aSliceCostsLittle`).
  @inlinable
  var isElement: Bool { if case nil = elementID { false } else { true } }

  @usableFromInline
  var name: String { elementID.map { "\(path), with the id \($0)" } ?? "\(path)" }
}

/// An array, of any type, in which several elements are searched for. It retains the array, so that no other array can get the same
/// address.
@usableFromInline
final class ChildList {
  @usableFromInline let address: UInt
  @usableFromInline let rows: Any
  /// How many elements were not near their last places.
  @usableFromInline var searches = 0
  /// The index of each id, or -1 if several have it. Made only after many searches, because a few are found faster one by one.
  @usableFromInline var indexes: Any?

  @inlinable
  init<Row>(_ rows: [Row]) { (address, self.rows) = (rows.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }, rows) }
}

extension Array where Element: Identifiable {
  /// The index of the element with this id that is nearest to where it was found last. Nil if none is nearer than `limit`. O(distance).
  @inlinable
  func index(of id: Element.ID, near last: Int, within limit: Int = .max) -> Int? {
    for distance in 0..<Swift.min(limit, Swift.max(last + 1, count - last)) {
      if indices.contains(last - distance), self[last - distance].id == id { return last - distance }
      if indices.contains(last + distance), self[last + distance].id == id { return last + distance }
    }
    return nil
  }

  /// The same, but O(1) if many elements are searched for, unless several have this id.
  @inlinable
  func index(of id: Element.ID, near last: Int, in list: ChildList?) -> Int? {
    guard let list else { return index(of: id, near: last) }
    if let near = index(of: id, near: last, within: 8) { return near }
    list.searches += 1
    if list.searches <= 24 { return index(of: id, near: last) }
    if list.indexes == nil { list.indexes = Dictionary(zip(lazy.map(\.id), indices)) { _, _ in -1 } }
    return (list.indexes as! [Element.ID: Int])[id].flatMap { $0 < 0 ? index(of: id, near: last) : $0 }
  }
}
