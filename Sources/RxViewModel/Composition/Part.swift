/// The part of a state that holds a child, and how it is read and replaced. A child is declared with one, and a slice has one.
@usableFromInline
struct Part<State: Sendable, Child: Sendable>: Sendable {
  @usableFromInline let id: PartID
  // Functions and not methods, because they are specialized where they are made. They take the id, so those of one element work for the
  // others of its list, too.
  /// Reads the child. Nil while it is absent. The `Int` is the index at which an element was found last, and is updated. The `ChildList` is
  /// that of this state, if several elements of it are searched for.
  @usableFromInline let find: @Sendable (PartID, State, inout Int, ChildList?) -> Child?
  /// Replaces a child that `find` has found in this state, at this index.
  @usableFromInline let replace: @Sendable (PartID, inout State, Child, Int) -> Void

  @inlinable
  init(_ path: WritableKeyPath<State, Child> & Sendable) {
    id = PartID(PartPath(path))
    find = { id, state, _, _ in id.path.value(in: state) as Child }
    replace = { id, state, child, _ in state[keyPath: id.path.typed()] = child }
  }

  @inlinable
  init(optional path: WritableKeyPath<State, Child?> & Sendable) {
    id = PartID(PartPath(path))
    find = { id, state, _, _ in id.path.value(in: state) as Child? }
    replace = { id, state, child, _ in state[keyPath: id.path.typed()] = Optional(child) }
  }

  @inlinable
  init(_ path: WritableKeyPath<State, [Child]> & Sendable, id element: Child.ID)
  where Child: Identifiable, Child.ID: Sendable {
    id = PartID(PartPath(path), ElementID(AnyHashable(element)))
    find = { id, state, row, list in
      let rows = id.path.value(in: state) as [Child]
      guard let index = rows.index(of: id.element!.id.base as! Child.ID, near: row, in: list) else { return nil }
      row = index
      return rows[index]
    }
    replace = { id, state, child, row in
      state[keyPath: id.path.typed() as WritableKeyPath<State, [Child]>][row] = child
    }
  }

  /// Reads the child. The row is the index at which an element was found last, and is updated.
  @inlinable
  func child(in state: State, near row: inout Int) -> Child? { find(id, state, &row, nil) }

  @inlinable
  func child(in state: State) -> Child? {
    var row = 0
    return child(in: state, near: &row)
  }

  /// The list that an element is in. Nil for a child that isn't an element.
  @inlinable
  func list(in state: State) -> ChildList? { id.element.map { _ in ChildList(id.path.value(in: state) as [Child]) } }
}

/// Identifies a part within its state.
@usableFromInline
struct PartID: Hashable, Sendable {
  @usableFromInline let path: PartPath
  /// Nil unless the child is an element of an array.
  @usableFromInline let element: ElementID?

  @inlinable
  init(_ path: PartPath, _ element: ElementID? = nil) { (self.path, self.element) = (path, element) }

  @usableFromInline
  var name: String { element.map { "\(path.keyPath), with the id \($0.id)" } ?? "\(path.keyPath)" }
}

/// The property that holds a child, or the array of children.
@usableFromInline
struct PartPath: Hashable, @unchecked Sendable {  // Sendable: made from a `Sendable` key path.
  @usableFromInline let keyPath: AnyKeyPath
  /// Where the property is stored in the state; -1 if it has no fixed place there: it is computed, has observers, or is behind a class or
  /// a `!`.
  @usableFromInline let offset: Int

  @inlinable
  init<State>(_ path: PartialKeyPath<State>) { (keyPath, offset) = (path, MemoryLayout<State>.offset(of: path) ?? -1) }

  /// Reads the property. Precondition: the types are those of the key path.
  @inlinable
  func value<State, Value>(in state: State) -> Value {
    if offset < 0 { return state[keyPath: typed()] }
    // A subscript with the key path would take three times as long. Swift gives an offset only where the memory there is the property.
    return withUnsafeBytes(of: state) { $0.load(fromByteOffset: offset, as: Value.self) }
  }

  /// The key path. Precondition: the types are those.
  @inlinable
  func typed<State, Value>() -> WritableKeyPath<State, Value> { unsafeDowncast(keyPath, to: WritableKeyPath.self) }
}

/// The id of an element. An object, because an `AnyHashable` is slow to copy.
@usableFromInline
final class ElementID: Hashable, @unchecked Sendable {  // Sendable: made from a `Sendable` id.
  @usableFromInline let id: AnyHashable

  @inlinable
  init(_ id: AnyHashable) { self.id = id }

  @inlinable
  static func == (left: ElementID, right: ElementID) -> Bool { left.id == right.id }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// An array, of any type, in which several elements are searched for. It retains the array, so that no other array can get the same
/// address, unless it is an array of objects that Objective-C has made.
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
    // Without ranges, which take five times as long in the user's debug build.
    let count = count
    var (down, up) = (Swift.min(last, count - 1), last)
    while down >= 0 || up < count, up - last < limit {
      if down >= 0, self[down].id == id { return down }
      if up < count, self[up].id == id { return up }
      (down, up) = (down - 1, up + 1)
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
