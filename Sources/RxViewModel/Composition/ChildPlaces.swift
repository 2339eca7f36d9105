// The two kinds of places: for one child, and for the elements of an array.

/// How a parent's state holds a child. Each method runs on the driver.
@usableFromInline
protocol ChildLevel<Parent, Child>: Sendable {
  associatedtype Parent: Sendable
  associatedtype Child: Sendable

  /// The child, and the node that stands for it: a new one if the child has no unfinished actions. Nil if the child is absent.
  func find(
    in parent: Parent, below node: ChildNode, _ identity: @escaping @Sendable (Child) -> AnyHashable?
  ) -> (state: Child, node: ChildNode)?
  func child(in parent: Parent, of node: ChildNode) -> Child?
  /// The child, or the first one with its id.
  func child(in parent: Parent) -> Child?
  /// The place in words.
  var name: String { get }
  func replace(with new: Child, in parent: inout Parent, of node: ChildNode)
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

  @inlinable
  func find(
    in parent: Parent, below node: ChildNode, _ identity: @escaping @Sendable (Child) -> AnyHashable?
  ) -> (state: Child, node: ChildNode)? {
    guard let child = get(parent) else { return nil }
    if let place = node.place(at: key), case .one(let node) = place.children { return (child, node) }
    let place = ChildPlace(key, below: node) { [get] place, parent, gone in
      guard case .one(let node) = place.children else { return }
      guard let child = get(parent.assumingMemoryBound(to: Parent.self).pointee), identity(child) == node.identity
      else {
        return gone.append(node)
      }
      node.findGone(in: child, &gone)
    }
    let fresh = ChildNode(in: place, identity: identity(child))
    place.children = .one(fresh)
    node.places.append(place)
    return (child, fresh)
  }

  @inlinable
  func child(in parent: Parent, of node: ChildNode) -> Child? {
    get(parent)
  }

  @usableFromInline
  func child(in parent: Parent) -> Child? { get(parent) }

  @usableFromInline
  var name: String { key.name }

  @inlinable
  func replace(with new: Child, in parent: inout Parent, of node: ChildNode) {
    set(&parent, new)
  }
}

/// A part that is an array of children.
@usableFromInline
struct RowLevel<Parent: Sendable, Row: Identifiable & Sendable>: ChildLevel where Row.ID: Sendable {
  @usableFromInline let key: PlaceKey
  @usableFromInline let part: WritableKeyPath<Parent, [Row]> & Sendable
  @usableFromInline let id: Row.ID

  @inlinable
  init<F: Feature>(_ part: WritableKeyPath<Parent, [Row]> & Sendable, id: Row.ID, of feature: F.Type)
  where F.State == Row {
    (key, self.part, self.id) = (PlaceKey(part, of: feature), part, id)
  }

  @inlinable
  func find(
    in parent: Parent, below node: ChildNode, _ identity: @escaping @Sendable (Row) -> AnyHashable?
  ) -> (state: Row, node: ChildNode)? {
    let rows = parent[keyPath: part]
    let known = node.place(at: key)
    if let known, let row = table(of: known)?.children[id] { return row.index(in: rows).map { (rows[$0], row) } }
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
    let place = known ?? makePlace(below: node, identity)
    let fresh = RowNode(id, at: index, in: place, identity: identity(rows[index]))
    table(of: place)?.add(fresh, in: rows)
    return (rows[index], fresh)
  }

  @inlinable
  func makePlace(below node: ChildNode, _ identity: @escaping @Sendable (Row) -> AnyHashable?) -> ChildPlace {
    let table = RowTable<Row>(identity)
    let place = ChildPlace(key, below: node) { [part] _, parent, gone in
      table.findGone(in: parent.assumingMemoryBound(to: Parent.self).pointee[keyPath: part], &gone)
    }
    place.children = .rows(table)
    node.places.append(place)
    return place
  }

  @inlinable
  func table(of place: ChildPlace) -> RowTable<Row>? {
    if case .rows(let table) = place.children { unsafeDowncast(table, to: RowTable<Row>.self) } else { nil }
  }

  @inlinable
  func child(in parent: Parent, of node: ChildNode) -> Row? {
    let rows = parent[keyPath: part]
    return unsafeDowncast(node, to: RowNode<Row.ID>.self).index(in: rows).map { rows[$0] }
  }

  @usableFromInline
  func child(in parent: Parent) -> Row? { parent[keyPath: part].first { $0.id == id } }

  @usableFromInline
  var name: String { "\(key.name), with the id \(id)" }

  @inlinable
  func replace(with new: Row, in parent: inout Parent, of node: ChildNode) {
    let rows = parent[keyPath: part]
    var changed = rows
    changed[node.row] = new
    parent[keyPath: part] = changed
    // Spares the next search of the rows. It would find the others where they are.
    if node.places.isEmpty, new.id == id, let table = table(of: node.place!), haveSameStorage(table.rows, rows),
      table.isSame(new, node)
    {
      table.rows = changed
    }
  }
}

/// The nodes of the elements of an array.
@usableFromInline
// Sendable: only the driver uses it.
final class RowTable<Row: Identifiable & Sendable>: ChildTable, @unchecked Sendable where Row.ID: Sendable {
  @exclusivity(unchecked) @usableFromInline var children: [Row.ID: RowNode<Row.ID>] = [:]
  /// Rows that have all the children in their places. Empty if that is not known.
  @exclusivity(unchecked) @usableFromInline var rows: [Row] = []
  @usableFromInline let identity: @Sendable (Row) -> AnyHashable?

  @inlinable
  init(_ identity: @escaping @Sendable (Row) -> AnyHashable?) {
    self.identity = identity
  }

  @inlinable
  func add(_ child: RowNode<Row.ID>, in current: [Row]) {
    children[child.id] = child
    // The others may be known to stand in rows that have not been folded.
    if !haveSameStorage(rows, current) { rows = [] }
  }

  /// O(n) for n rows, or O(1) for the array of the last time.
  @inlinable
  func findGone(in new: [Row], _ gone: inout [ChildNode]) {
    if !rows.isEmpty, haveSameStorage(rows, new) { return }
    var places: [Row.ID: Int]?
    for (id, child) in children {
      if !new.indices.contains(child.row) || new[child.row].id != id {
        let known = places ?? Dictionary(zip(new.map(\.id), new.indices)) { first, _ in first }
        places = known
        child.row = known[id] ?? -1
      }
      if child.row < 0 || !isSame(new[child.row], child) {
        gone.append(child)
      } else {
        child.findGone(in: new[child.row], &gone)
      }
    }
    rows = new
  }

  /// Whether the row, which has the id of the child, is the same instance.
  @inlinable
  func isSame(_ row: Row, _ child: ChildNode) -> Bool {
    identity(row) == child.identity
  }

  @inlinable
  var isEmpty: Bool { children.isEmpty }

  @inlinable
  func remove(_ node: ChildNode) {
    let id = unsafeDowncast(node, to: RowNode<Row.ID>.self).id
    if children[id] === node { children[id] = nil }
  }

  @inlinable
  func forget() {
    for child in children.values { child.forget() }
    (children, rows) = ([:], [])
  }
}

/// Whether the arrays are the same one. O(1).
@inlinable
func haveSameStorage<Row>(_ left: [Row], _ right: [Row]) -> Bool {
  left.count == right.count
    && left.withUnsafeBufferPointer { $0.baseAddress } == right.withUnsafeBufferPointer { $0.baseAddress }
}
