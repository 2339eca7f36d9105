// The two kinds of places: for one child, and for the elements of an array.

/// How a parent's state holds a child. Each method runs on the driver.
@usableFromInline
protocol ChildLevel<Parent, Child>: Sendable {
  associatedtype Parent: Sendable
  associatedtype Child: Sendable

  /// The child, and the node that stands for it: a new one if the child has no unfinished actions. Nil if the child is absent.
  func find(
    in parent: Parent, below node: StateNode<Parent>, _ identity: @escaping @Sendable (Child) -> AnyHashable?
  ) -> (state: Child, node: StateNode<Child>)?
  func child(in parent: Parent, of node: StateNode<Child>) -> Child?
  func replace(_ child: Child, with new: Child, in parent: inout Parent, of node: StateNode<Child>)
}

/// A part that holds one child: one that is always present, an optional, or a case of an enum.
@usableFromInline
struct SingleLevel<Parent: Sendable, Child: Sendable>: ChildLevel {
  @usableFromInline let key: PlaceKey
  @usableFromInline let get: @Sendable (Parent) -> Child?
  @usableFromInline let set: @Sendable (inout Parent, Child) -> Void

  @inlinable
  init(
    _ key: PlaceKey, _ get: @escaping @Sendable (Parent) -> Child?,
    _ set: @escaping @Sendable (inout Parent, Child) -> Void
  ) {
    (self.key, self.get, self.set) = (key, get, set)
  }

  @usableFromInline typealias Place = SinglePlace<Parent, Child>

  @inlinable
  func find(
    in parent: Parent, below node: StateNode<Parent>, _ identity: @escaping @Sendable (Child) -> AnyHashable?
  ) -> (state: Child, node: StateNode<Child>)? {
    guard let child = get(parent) else { return nil }
    if let place = node.place(at: key) { return (child, unsafeDowncast(place, to: Place.self).child!) }
    let place = Place(key, below: node) { [get] place, parent, gone in
      let node = unsafeDowncast(place, to: Place.self).child!
      guard let child = get(parent), identity(child) == node.identity else { return gone.append(node) }
      node.look(at: child, &gone)
    }
    let fresh = StateNode<Child>(in: place, identity: identity(child))
    place.child = fresh
    node.places.append(place)
    return (child, fresh)
  }

  @inlinable
  func child(in parent: Parent, of node: StateNode<Child>) -> Child? {
    get(parent)
  }

  @inlinable
  func replace(_ child: Child, with new: Child, in parent: inout Parent, of node: StateNode<Child>) {
    set(&parent, new)
  }
}

@usableFromInline
final class SinglePlace<Parent: Sendable, Child: Sendable>: PlaceInState<Parent>, @unchecked Sendable {
  // Sendable: as its superclass.
  /// Nil only while the place is made, and after it has been left.
  @exclusivity(unchecked) @usableFromInline var child: StateNode<Child>?

  override var isEmpty: Bool { child == nil }

  override func remove(_ node: ChildNode) {
    if child === node { child = nil }
  }

  override func forget() {
    super.forget()
    child.take()?.forget()
  }
}

/// A part that is an array of children.
@usableFromInline
struct RowLevel<Parent: Sendable, Row: Identifiable & Sendable>: ChildLevel where Row.ID: Sendable {
  @usableFromInline let key: PlaceKey
  @usableFromInline let part: WritableKeyPath<Parent, [Row]> & Sendable
  @usableFromInline let id: Row.ID

  @inlinable
  init(_ part: WritableKeyPath<Parent, [Row]> & Sendable, id: Row.ID) {
    (key, self.part, self.id) = (PlaceKey(part), part, id)
  }

  @usableFromInline typealias Place = RowPlace<Parent, Row>

  @inlinable
  func find(
    in parent: Parent, below node: StateNode<Parent>, _ identity: @escaping @Sendable (Row) -> AnyHashable?
  ) -> (state: Row, node: StateNode<Row>)? {
    let rows = parent[keyPath: part]
    let known = node.place(at: key).map { unsafeDowncast($0, to: Place.self) }
    if let row = known?.children[id] {
      return row.index(in: rows).map { (rows[$0], row) }
    }
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
    let place = known ?? makePlace(below: node, identity)
    let fresh = RowNode<Row>(id, at: index, in: place, identity: identity(rows[index]))
    place.children[id] = fresh
    return (rows[index], fresh)
  }

  @inlinable
  func makePlace(
    below node: StateNode<Parent>, _ identity: @escaping @Sendable (Row) -> AnyHashable?
  ) -> Place {
    let place = Place(key, below: node, identity) { [part] place, parent, gone in
      unsafeDowncast(place, to: Place.self).look(at: parent[keyPath: part], &gone)
    }
    node.places.append(place)
    return place
  }

  @inlinable
  func child(in parent: Parent, of node: StateNode<Row>) -> Row? {
    let rows = parent[keyPath: part]
    return unsafeDowncast(node, to: RowNode<Row>.self).index(in: rows).map { rows[$0] }
  }

  @inlinable
  func replace(_ child: Row, with new: Row, in parent: inout Parent, of node: StateNode<Row>) {
    let rows = parent[keyPath: part]
    var changed = rows
    changed[unsafeDowncast(node, to: RowNode<Row>.self).row] = new
    parent[keyPath: part] = changed
    let place = unsafeDowncast(node.place!, to: Place.self)
    // Spares the next look at the rows. It would find the others where they are.
    if node.places.isEmpty, new.id == id, haveSameStorage(place.rows, rows), place.identity?(new) == node.identity {
      place.rows = changed
    }
  }
}

/// The node of an element of an array.
@usableFromInline
final class RowNode<Row: Identifiable & Sendable>: StateNode<Row>, @unchecked Sendable where Row.ID: Sendable {
  // Sendable: as its superclass.
  @usableFromInline let id: Row.ID
  /// Where the element was found last. Only the driver uses this.
  @exclusivity(unchecked) @usableFromInline var row: Int

  @usableFromInline
  init(_ id: Row.ID, at row: Int, in place: ChildPlace, identity: AnyHashable?) {
    (self.id, self.row) = (id, row)
    super.init(in: place, identity: identity)
  }

  /// O(1) if the element stands where it was found last, otherwise O(n).
  @inlinable
  func index(in rows: [Row]) -> Int? {
    if rows.indices.contains(row), rows[row].id == id { return row }
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
    row = index
    return index
  }
}

@usableFromInline
final class RowPlace<Parent: Sendable, Row: Identifiable & Sendable>: PlaceInState<Parent>, @unchecked Sendable
where Row.ID: Sendable {
  // Sendable: as its superclass.
  @exclusivity(unchecked) @usableFromInline var children: [Row.ID: RowNode<Row>] = [:]
  /// Rows that have all the children in their places. Empty if that is not known.
  @exclusivity(unchecked) @usableFromInline var rows: [Row] = []
  /// Nil once the place has left its parent.
  @exclusivity(unchecked) @usableFromInline var identity: (@Sendable (Row) -> AnyHashable?)?

  @usableFromInline
  init(
    _ key: PlaceKey, below parent: ChildNode, _ identity: @escaping @Sendable (Row) -> AnyHashable?,
    _ look: @escaping Look
  ) {
    self.identity = identity
    super.init(key, below: parent, look)
  }

  /// O(n) for n rows, or O(1) for the array of the last time.
  @inlinable
  func look(at new: [Row], _ gone: inout [ChildNode]) {
    if !rows.isEmpty, haveSameStorage(rows, new) { return }
    let known = gone.count
    var places: [Row.ID: Int]?
    for (id, child) in children {
      if !new.indices.contains(child.row) || new[child.row].id != id {
        let firstPlaces = places ?? Dictionary(zip(new.map(\.id), new.indices)) { first, _ in first }
        places = firstPlaces
        guard let place = firstPlaces[id] else {
          gone.append(child)
          continue
        }
        child.row = place
      }
      if identity?(new[child.row]) != child.identity {
        gone.append(child)
      } else {
        child.look(at: new[child.row], &gone)
      }
    }
    // If this state is not folded in the end, the next look finds the same children gone.
    rows = gone.count == known ? new : []
  }

  override var isEmpty: Bool { children.isEmpty }

  override func remove(_ node: ChildNode) {
    guard let row = node as? RowNode<Row>, children[row.id] === row else { return }
    children[row.id] = nil
  }

  override func forget() {
    super.forget()
    for child in children.values { child.forget() }
    (children, rows, identity) = ([:], [], nil)
  }
}

/// Whether the arrays are the same one. O(1).
@inlinable
func haveSameStorage<Row>(_ left: [Row], _ right: [Row]) -> Bool {
  left.count == right.count
    && left.withUnsafeBufferPointer { $0.baseAddress } == right.withUnsafeBufferPointer { $0.baseAddress }
}
