// The children of a state that have unfinished actions: a tree, whose root is the view model (contract 2.19).
//
//     node ◀── its unfinished actions
//      │ ▲
//      ▼ │      a place leaves its node, and a node its place, when the last of their actions has ended, or when the child has gone
//     place ──▶ node ──▶ place …

/// One instance of a child, from its first unfinished action to its last, or until the child goes.
@usableFromInline
class ChildNode: @unchecked Sendable {  // Sendable: the comment above each group of properties says what guards it.
  /// Where the child stands. Nil for the root.
  @usableFromInline let place: ChildPlace?
  @usableFromInline let identity: AnyHashable?

  // Only the driver sets this, under the lock of the outputs. The driver reads it without the lock.
  @exclusivity(unchecked) @usableFromInline final var hasGone = false

  // Guarded by the lock of the inbox.
  /// The actions that the engine has accepted for this instance, and not taken yet.
  @exclusivity(unchecked) @usableFromInline final var accepted = 0

  // Only the driver uses this.
  /// The unfinished actions of this instance that the engine has taken.
  @exclusivity(unchecked) @usableFromInline final var taken = 0

  @usableFromInline
  init(in place: ChildPlace?, identity: AnyHashable? = nil) {
    (self.place, self.identity) = (place, identity)
  }

  @usableFromInline
  final var parent: ChildNode? { place?.parent }

  /// Whether the child, or one that it stands in, has gone. Called by the driver, or under the lock of the outputs.
  @usableFromInline
  final var isOver: Bool {
    var node: ChildNode? = self
    while let next = node {
      if next.hasGone { return true }
      node = next.parent
    }
    return false
  }

  /// Whether this is the other node, or stands in it, at any depth.
  final func isWithin(_ other: ChildNode) -> Bool {
    var node: ChildNode? = self
    while let next = node {
      if next === other { return true }
      node = next.parent
    }
    return false
  }

  /// Whether the same action has reached the same child before, as far as their identities tell.
  final func isSame(as other: ChildNode) -> Bool {
    if self === other { return true }
    guard let parent, let otherParent = other.parent else { return false }
    return identity == other.identity && parent.isSame(as: otherParent)
  }

  /// Whether nothing stands in the child.
  var isLeaf: Bool { true }

  /// Releases what stands in the child. Only the driver calls this.
  @usableFromInline
  func forget() {}

  fileprivate func remove(_ place: ChildPlace) {}

  /// Leaves its place, and an empty place its parent. Does nothing if it has left.
  final func leave() {
    guard let place else { return }
    place.remove(self)
    if place.isEmpty { place.parent.remove(place) }
  }

  /// Leaves its place if it has no unfinished actions and nothing stands in it. Then its parent does the same, and so on.
  final func prune(whereAccepted isAccepted: (ChildNode) -> Bool) {
    var node = self
    while let parent = node.parent, node.taken == 0, node.isLeaf, !isAccepted(node) {
      node.leave()
      node = parent
    }
  }
}

/// The node of a child with this state.
@usableFromInline
class StateNode<State: Sendable>: ChildNode, @unchecked Sendable {  // Sendable: as its superclass.
  /// Only the driver uses this.
  @exclusivity(unchecked) @usableFromInline final var places: [PlaceInState<State>] = []

  @inlinable
  final func place(at key: PlaceKey) -> PlaceInState<State>? {
    places.first { $0.key == key }
  }

  /// Adds the nodes that the state no longer has a child for.
  @inlinable
  final func look(at state: State, _ gone: inout [ChildNode]) {
    for place in places { place.look?(place, state, &gone) }
  }

  override var isLeaf: Bool { places.isEmpty }

  @usableFromInline
  override func forget() {
    let forgotten = places
    places = []
    for place in forgotten { place.forget() }
  }

  override fileprivate func remove(_ place: ChildPlace) {
    places.removeAll { $0 === place }
    place.forget()
  }
}

/// A part of a state that holds children with unfinished actions.
@usableFromInline
class ChildPlace: @unchecked Sendable {  // Sendable: only the driver uses what is not constant.
  @usableFromInline let parent: ChildNode

  @usableFromInline
  init(below parent: ChildNode) {
    self.parent = parent
  }

  var isEmpty: Bool { true }
  func remove(_ node: ChildNode) {}
  /// Releases the children, the feature and the state, when the place has left its parent. A node that is kept longer retains the place.
  func forget() {}
}

/// A part of this state.
@usableFromInline
class PlaceInState<State: Sendable>: ChildPlace, @unchecked Sendable {  // Sendable: as its superclass.
  /// A closure and not a method, because it is specialized where it is made.
  @usableFromInline typealias Look = @Sendable (PlaceInState, State, inout [ChildNode]) -> Void

  @usableFromInline let key: PlaceKey
  /// Adds the nodes that the state no longer has a child for. Nil once the place has left its parent.
  @exclusivity(unchecked) @usableFromInline final var look: Look?

  @usableFromInline
  init(_ key: PlaceKey, below parent: ChildNode, _ look: @escaping Look) {
    (self.key, self.look) = (key, look)
    super.init(below: parent)
  }

  override func forget() { look = nil }
}

/// What tells a place from the others of its state.
@usableFromInline
struct PlaceKey: Equatable, @unchecked Sendable {  // Sendable: key paths are immutable.
  @usableFromInline let part: AnyKeyPath
  @usableFromInline let enumCase: AnyKeyPath?

  @inlinable
  init(_ part: AnyKeyPath, case enumCase: AnyKeyPath? = nil) {
    (self.part, self.enumCase) = (part, enumCase)
  }

  @inlinable
  static func == (left: PlaceKey, right: PlaceKey) -> Bool {
    (left.part === right.part || left.part == right.part)
      && (left.enumCase === right.enumCase || left.enumCase == right.enumCase)
  }
}
