/// A part of a state that a child stands in: a writable key path, and for an element of an array its id. Both `child(for:)` and `slice`
/// make one of it.
@usableFromInline
struct Part<State: Sendable, Child: Sendable>: Sendable {
  // Closures and not methods, because they are specialized where they are made.
  @usableFromInline let step: Step
  /// Reads the child. Nil while it is absent. The number is the index at which an element was found last.
  @usableFromInline let find: @Sendable (State, inout Int) -> Child?
  /// Writes a child that is present.
  @usableFromInline let replace: @Sendable (inout State, Child, Int) -> Void
  /// What else there is to do with the list of an element. Nil for a child that is no element.
  @usableFromInline var rows: Rows?

  @usableFromInline typealias Rows = (
    list: @Sendable (State) -> ChildList,
    makeInstance: @Sendable (ChildPlace, Step, _ identity: AnyHashable?) -> ChildInstance,
    /// Finds the elements of all instances of a place, in one pass.
    findAll: @Sendable (State, ChildPlace, (ChildInstance, Child?) -> Void) -> Void
  )

  @inlinable
  init(_ path: WritableKeyPath<State, Child> & Sendable) {
    step = Step(path, to: Child.self)
    find = { state, _ in state[keyPath: path] }
    replace = { state, child, _ in state[keyPath: path] = child }
  }

  @inlinable
  init(optional path: WritableKeyPath<State, Child?> & Sendable) {
    step = Step(path, to: Child.self)
    find = { state, _ in state[keyPath: path] }
    replace = { state, child, _ in state[keyPath: path] = child }
  }

  @inlinable
  init(_ path: WritableKeyPath<State, [Child]> & Sendable, id: Child.ID)
  where Child: Identifiable, Child.ID: Sendable {
    step = Step(path, id: AnyHashable(id), to: Child.self)
    find = { state, row in
      let rows = state[keyPath: path]
      guard let index = rows.index(of: id, near: row) else { return nil }
      row = index
      return rows[index]
    }
    replace = { state, child, row in state[keyPath: path][row] = child }
    rows = (
      { ChildList($0[keyPath: path]) }, { RowInstance(id, in: $0, $1, identity: $2) },
      { state, place, body in
        let rows = state[keyPath: path]
        var indexes: [Child.ID: Int]?
        for instance in place.elements.values {
          let id = unsafeDowncast(instance, to: RowInstance<Child.ID>.self).id
          var index = rows.index(of: id, near: instance.row, within: 8)
          if index == nil {
            if indexes == nil { indexes = Dictionary(zip(rows.lazy.map(\.id), rows.indices)) { first, _ in first } }
            index = indexes![id]
          }
          instance.row = index ?? 0
          body(instance, index.map { rows[$0] })
        }
      }
    )
  }

  @inlinable
  func child(in state: State) -> Child? {
    var row = 0
    return find(state, &row)
  }
}

/// The name of a part among those of its state.
@usableFromInline
// Sendable: key paths are immutable, and the id is that of a `Sendable` state.
struct Step: Hashable, @unchecked Sendable {
  @usableFromInline let path: AnyKeyPath
  /// The id of an element of an array, otherwise nil.
  @usableFromInline let id: AnyHashable?
  /// The type of the child. An optional part can stand for its value, or for itself.
  @usableFromInline let child: ObjectIdentifier

  @inlinable
  init<Child>(_ path: AnyKeyPath, id: AnyHashable? = nil, to child: Child.Type) {
    (self.path, self.id, self.child) = (path, id, ObjectIdentifier(child))
  }

  @inlinable
  static func == (left: Step, right: Step) -> Bool {
    left.child == right.child && (left.path === right.path || left.path == right.path) && left.id == right.id
  }

  var name: String { id.map { "\(path), with the id \($0)" } ?? "\(path)" }
}

extension Array where Element: Identifiable {
  /// The index of the element with this id that is nearest to where it was found last. O(distance).
  @inlinable
  func index(of id: Element.ID, near last: Int, within limit: Int = .max) -> Int? {
    for distance in 0..<Swift.min(limit, Swift.max(last + 1, count - last)) {
      if indices.contains(last - distance), self[last - distance].id == id { return last - distance }
      if indices.contains(last + distance), self[last + distance].id == id { return last + distance }
    }
    return nil
  }
}
