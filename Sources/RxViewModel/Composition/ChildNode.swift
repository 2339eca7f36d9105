// The children of a state that have unfinished actions: a tree, whose root is the view model (contract 2.19).
//
//     node ◀── its unfinished actions
//      │ ▲
//      ▼ │      a place leaves its node, and a node its place, when the last of their actions has ended, or when the child has gone
//     place ──▶ node ──▶ place …
//
// Neither type is generic: code that the compiler does not specialize would look up their metadata at each step.

/// One instance of a child, from its first unfinished action to its last, or until the child goes.
@usableFromInline
class ChildNode: @unchecked Sendable {  // Sendable: the comment above each group of properties says what guards it.
  /// Where the child stands. Nil for the root.
  @usableFromInline let place: ChildPlace?
  /// The key of the child in its place: the id of an element of an array, otherwise nil.
  @usableFromInline let key: AnyHashable?
  /// The identity of the child among those of its place, or among the elements with its id.
  @usableFromInline let identity: AnyHashable?

  // Guarded by the lock of the engine.
  /// The unfinished actions of this instance.
  @exclusivity(unchecked) @usableFromInline final var actions = 0
  /// Only the driver sets this, and reads it without the lock.
  @exclusivity(unchecked) @usableFromInline final var hasGone = false

  // Only the driver uses these.
  /// Where children of the child stand that have unfinished actions.
  @exclusivity(unchecked) @usableFromInline final var places: [ChildPlace] = []
  /// The index at which an element of an array was found last.
  @exclusivity(unchecked) @usableFromInline final var row = 0

  @inlinable
  init(in place: ChildPlace?, key: AnyHashable? = nil, identity: AnyHashable? = nil) {
    (self.place, self.key, self.identity) = (place, key, identity)
    place?.children[key] = self
  }

  @inlinable
  final var parent: ChildNode? { place?.parent }

  /// This node and those that it stands in.
  @usableFromInline
  final var path: some Sequence<ChildNode> { sequence(first: self) { $0.parent } }

  /// The number of children from the view model to this one. O(n).
  @usableFromInline
  final var level: Int { path.reduce(-1) { level, _ in level + 1 } }

  /// Whether the child, or one that it stands in, has gone. Called by the driver, or under the lock of the engine.
  @usableFromInline
  final var isOver: Bool { path.contains { $0.hasGone } }

  /// Whether this is the other node, or stands in it, at any depth.
  @usableFromInline
  final func isWithin(_ other: ChildNode) -> Bool { path.contains { $0 === other } }

  /// Whether the same action has reached the same child before, as far as their identities tell.
  @usableFromInline
  final func isSame(as other: ChildNode) -> Bool {
    if self === other { return true }
    guard let parent, let otherParent = other.parent else { return false }
    return identity == other.identity && parent.isSame(as: otherParent)
  }

  /// The place of children with this key. Adds one if there is none.
  @inlinable
  final func place(at key: PlaceKey, _ make: () -> ChildPlace) -> ChildPlace {
    if let place = places.first(where: { $0.key == key }) { return place }
    let place = make()
    places.append(place)
    return place
  }

  /// Adds the nodes that the child's state no longer has a child for.
  @inlinable
  final func findGone<State>(in state: State, _ gone: inout [ChildNode]) {
    if places.isEmpty { return }
    withUnsafePointer(to: state) { state in for place in places { place.findGone?(place, state, &gone) } }
  }

  /// Leaves its place, and an empty place its parent. Does nothing if it has left.
  final func leave() {
    guard let place, place.children[key] === self else { return }
    place.children[key] = nil
    if !place.children.isEmpty { return }
    place.parent.places.removeAll { $0 === place }
    place.forget()
  }

  /// Releases what stands in the child. Only the driver calls this.
  @usableFromInline
  final func forget() {
    for place in places { place.forget() }
    places = []
  }
}

/// The instance of an element of an array.
@usableFromInline
final class RowNode<ID: Hashable & Sendable>: ChildNode, @unchecked Sendable {  // Sendable: as its superclass.
  @usableFromInline let id: ID

  @inlinable
  init(_ id: ID, at row: Int, in place: ChildPlace, key: AnyHashable, identity: AnyHashable?) {
    self.id = id
    super.init(in: place, key: key, identity: identity)
    self.row = row
  }

  /// The index of the element. O(1) if it stands where it was found last, otherwise O(n).
  @inlinable
  func index<Row: Identifiable>(in rows: [Row]) -> Int? where Row.ID == ID {
    if rows.indices.contains(row), rows[row].id == id { return row }
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
    row = index
    return index
  }
}

/// A part of a state that holds children with unfinished actions.
@usableFromInline
final class ChildPlace: @unchecked Sendable {  // Sendable: only the driver uses what is not constant.
  /// Adds the nodes that the state at the pointer, which is that of the parent, no longer has a child for.
  ///
  /// A closure and not a method, because it is specialized where it is made.
  @usableFromInline typealias FindGone = @Sendable (ChildPlace, UnsafeRawPointer, inout [ChildNode]) -> Void

  @usableFromInline let parent: ChildNode
  @usableFromInline let key: PlaceKey
  /// Nil once the place has left its parent.
  @exclusivity(unchecked) @usableFromInline var findGone: FindGone?
  @exclusivity(unchecked) @usableFromInline var children: [AnyHashable?: ChildNode] = [:]
  /// The elements of an array in which all children have been found: an object with the array.
  @exclusivity(unchecked) @usableFromInline var rows: AnyObject?

  @inlinable
  init(_ key: PlaceKey, below parent: ChildNode, rows: AnyObject? = nil, _ findGone: @escaping FindGone) {
    (self.key, self.parent, self.rows, self.findGone) = (key, parent, rows, findGone)
  }

  /// Releases the children, the feature and the state, when the place has left its parent. A node that is kept longer retains the place.
  func forget() {
    for child in children.values { child.forget() }
    (findGone, children, rows) = (nil, [:], nil)
  }
}

/// The identity of a place among those of its state.
@usableFromInline
struct PlaceKey: Equatable, @unchecked Sendable {  // Sendable: key paths are immutable.
  @usableFromInline let part: AnyKeyPath
  @usableFromInline let enumCase: AnyKeyPath?
  /// The type of the feature. One key path can lead to an array as a child, and to its elements.
  @usableFromInline let feature: ObjectIdentifier

  @inlinable
  init<F: Feature>(_ part: AnyKeyPath, case enumCase: AnyKeyPath? = nil, of feature: F.Type) {
    (self.part, self.enumCase, self.feature) = (part, enumCase, ObjectIdentifier(feature))
  }

  /// The key path in words.
  var name: String { "\(part)" }

  @inlinable
  static func == (left: PlaceKey, right: PlaceKey) -> Bool {
    left.feature == right.feature && (left.part === right.part || left.part == right.part)
      && (left.enumCase === right.enumCase || left.enumCase == right.enumCase)
  }
}
