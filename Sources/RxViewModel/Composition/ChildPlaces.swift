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
    let place = node.place(at: key) {
      ChildPlace(key, below: node) { [get] place, parent, gone in
        guard let node = place.children[nil] else { return }
        let child = get(parent.assumingMemoryBound(to: Parent.self).pointee)
        guard let child, identity(child) == node.identity else { return gone.append(node) }
        node.findGone(in: child, &gone)
      }
    }
    return (child, place.children[nil] ?? ChildNode(in: place, identity: identity(child)))
  }

  @inlinable
  func child(in parent: Parent, of node: ChildNode) -> Child? { get(parent) }

  @usableFromInline
  func child(in parent: Parent) -> Child? { get(parent) }

  @usableFromInline
  var name: String { key.name }

  @inlinable
  func replace(with new: Child, in parent: inout Parent, of node: ChildNode) { set(&parent, new) }
}

/// A part that is an array of children.
@usableFromInline
struct RowLevel<Parent: Sendable, Row: Identifiable & Sendable>: ChildLevel where Row.ID: Sendable {
  @usableFromInline typealias Found = FoundRows<Row>

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
    let (rows, key) = (parent[keyPath: part], AnyHashable(id))
    let known = node.places.first { $0.key == self.key }?.children[key]
    if let known { return index(of: known, in: rows).map { (rows[$0], known) } }
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
    let place = node.place(at: self.key) {
      let found = Found(identity)
      return ChildPlace(self.key, below: node, rows: found) { [part] place, parent, gone in
        let rows = parent.assumingMemoryBound(to: Parent.self).pointee[keyPath: part]
        Self.findGone(place, in: rows, found, &gone)
      }
    }
    if let found = found(in: place), !haveSameStorage(found.rows, rows) { found.rows = [] }
    return (rows[index], RowNode(id, at: index, in: place, key: key, identity: identity(rows[index])))
  }

  /// O(n) for n rows, or O(1) for the array of the last time.
  @inlinable
  static func findGone(_ place: ChildPlace, in rows: [Row], _ found: Found, _ gone: inout [ChildNode]) {
    if !rows.isEmpty, haveSameStorage(found.rows, rows) { return }
    found.rows = rows
    var places: [Row.ID: Int]?
    for node in place.children.values {
      let child = unsafeDowncast(node, to: RowNode<Row.ID>.self)
      if !rows.indices.contains(child.row) || rows[child.row].id != child.id {
        if places == nil { places = Dictionary(zip(rows.map(\.id), rows.indices)) { first, _ in first } }
        child.row = places?[child.id] ?? -1
      }
      if child.row < 0 || found.identity(rows[child.row]) != child.identity {
        gone.append(child)
      } else {
        child.findGone(in: rows[child.row], &gone)
      }
    }
  }

  @inlinable
  func index(of node: ChildNode, in rows: [Row]) -> Int? {
    unsafeDowncast(node, to: RowNode<Row.ID>.self).index(in: rows)
  }

  @inlinable
  func child(in parent: Parent, of node: ChildNode) -> Row? {
    let rows = parent[keyPath: part]
    return index(of: node, in: rows).map { rows[$0] }
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
    if node.places.isEmpty, new.id == id, let found = node.place.flatMap(found), haveSameStorage(found.rows, rows),
      found.identity(new) == node.identity
    {
      found.rows = changed
    }
  }

  @inlinable
  func found(in place: ChildPlace) -> Found? { place.rows.map { unsafeDowncast($0, to: Found.self) } }
}

/// The elements of an array in which all children with unfinished actions have been found. Empty if that is not known.
@usableFromInline
final class FoundRows<Row: Sendable>: @unchecked Sendable {  // Sendable: only the driver uses it.
  @exclusivity(unchecked) @usableFromInline var rows: [Row] = []
  @usableFromInline let identity: @Sendable (Row) -> AnyHashable?

  @inlinable
  init(_ identity: @escaping @Sendable (Row) -> AnyHashable?) { self.identity = identity }
}

/// Whether the arrays are the same one. O(1).
@inlinable
func haveSameStorage<Row>(_ left: [Row], _ right: [Row]) -> Bool {
  left.count == right.count
    && left.withUnsafeBufferPointer { $0.baseAddress } == right.withUnsafeBufferPointer { $0.baseAddress }
}
