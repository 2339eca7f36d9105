// The children of a state that have unfinished actions (contract 2.19).
//
//     instance ◀── its unfinished actions
//      │ ▲
//      ▼ │      an instance leaves its place when its last action has ended or the child is removed, and an empty place its parent
//     place ──▶ instance ──▶ place …
//
// A type is generic only if it has to be, because unspecialized code looks up a generic type's metadata at each step.

/// One instance of a child, from its first unfinished action to its last, or until the child is removed. A kept failure counts as an
/// action. The root stands for the view model.
@usableFromInline
// Sendable: the comment above each group of properties says what guards it.
final class ChildInstance: @unchecked Sendable {
  /// Where the child stands. Nil for the view model.
  @usableFromInline let place: ChildPlace?
  /// Nil unless the place is a list.
  @usableFromInline let element: ElementID?
  /// Distinguishes the child from another one in its place, or with its id.
  @usableFromInline let identity: AnyHashable?

  // Guarded by the lock of the engine.
  /// The unfinished actions of this instance, the cancellations that wait for their turn, and the failure that the engine keeps for the
  /// views.
  @exclusivity(unchecked) @usableFromInline var uses = 0
  /// Only the driver sets this, and reads it without the lock.
  @exclusivity(unchecked) @usableFromInline var isRemoved = false

  // Only the driver uses these.
  /// The places of the child's own children that have unfinished actions.
  @exclusivity(unchecked) @usableFromInline var places: [ChildPlace] = []
  /// The lanes of the parent that the action of the child which was taken last uses.
  @exclusivity(unchecked) @usableFromInline var sharedLanes: [ExecutionMode.Lane] = []
  /// Whether an optimistic update may run the mappers of its actions on a state in which another child is at its place.
  @exclusivity(unchecked) @usableFromInline var checksIdentity = false
  /// The index at which an element of an array was found last.
  @exclusivity(unchecked) @usableFromInline var row = 0

  /// Without arguments, this is the view model's. Otherwise it enters the place, and the caller gives it an action or prunes it.
  @inlinable
  init(in place: ChildPlace? = nil, _ element: ElementID? = nil, identity: consuming AnyHashable? = nil) {
    (self.place, self.element, self.identity) = (place, element, identity)
    place?[element] = self
  }

  @inlinable
  var part: PartID? { place.map { PartID($0.path, element) } }

  @inlinable
  var parent: ChildInstance? { place?.parent }

  /// The instance whose lane of this name its action uses. Nil for the view model's.
  @inlinable
  func owner(of lane: ExecutionMode.Lane?) -> ObjectIdentifier? {
    var owner = self
    while !owner.sharedLanes.isEmpty, let lane, owner.sharedLanes.contains(lane), let parent = owner.parent {
      owner = parent
    }
    return owner.place == nil ? nil : ObjectIdentifier(owner)
  }

  /// This instance and those that contain it, from the inside to the view model. The way of a slice leads in the other direction.
  @usableFromInline
  var way: some Sequence<ChildInstance> { sequence(first: self) { $0.parent } }

  @usableFromInline
  func checkIdentity() { for instance in way { instance.checksIdentity = true } }

  /// Whether the child, or one that contains it, has been removed. Called by the driver, or under the lock of the engine.
  @usableFromInline
  var isOver: Bool { way.contains { $0.isRemoved } }

  /// Whether both are the same child, as far as the identities tell: the instance of a retried action may have ended since. Precondition:
  /// both have been found for one action, so at one place.
  @usableFromInline
  func isSame(as other: ChildInstance) -> Bool { way.elementsEqual(other.way) { $0.identity == $1.identity } }

  /// Adds the instances whose children are no longer in the child's state.
  @inlinable
  func findRemoved<State>(in state: State, _ removed: inout [ChildInstance]) {
    if places.isEmpty { return }
    withUnsafePointer(to: state) { state in for place in places { place.findRemoved?(place, state, &removed) } }
  }

  @inlinable
  func removed<State>(in state: State) -> [ChildInstance] {
    var removed: [ChildInstance] = []
    findRemoved(in: state, &removed)
    return removed
  }

  /// Leaves its place, and the instances below leave theirs; a place that is then empty leaves its parent. Does nothing if it has left
  /// already. Only the driver calls this.
  @usableFromInline
  func leave() {
    for place in places { for child in place.children { child.leave() } }
    guard let place, place[element] === self else { return }
    place[element] = nil
    if !place.elements.isEmpty { return }
    place.parent.places.removeAll { $0 === place }
    (place.findRemoved, place.list) = (nil, nil)
  }
}

/// The place of children of one parent that have unfinished actions: a part that holds one child, or a list.
@usableFromInline
final class ChildPlace: @unchecked Sendable {  // Sendable: only the driver uses what is not constant.
  /// Adds the instances whose children are no longer in the parent's state, to which the pointer leads.
  ///
  /// A closure and not a method, because it is specialized where it is made.
  @usableFromInline typealias FindRemoved = @Sendable (ChildPlace, UnsafeRawPointer, inout [ChildInstance]) -> Void

  @usableFromInline let parent: ChildInstance
  @usableFromInline let path: PartPath
  /// The type of the feature, because several features can have children at one path.
  @usableFromInline let feature: ObjectIdentifier
  /// Nil once the place has left its parent, because an instance that is kept longer retains the place.
  @exclusivity(unchecked) @usableFromInline var findRemoved: FindRemoved?
  /// The child, unless this is a list.
  @exclusivity(unchecked) @usableFromInline var child: ChildInstance?
  /// The children, if this is a list.
  @exclusivity(unchecked) @usableFromInline var elements: [ElementID: ChildInstance] = [:]
  /// The list in which all elements have been found, and all that they contain. Nil if it isn't known.
  @exclusivity(unchecked) @usableFromInline var list: ChildList?

  @inlinable
  var children: [ChildInstance] { child.map { [$0] } ?? Array(elements.values) }

  /// Enters the parent. The caller adds a child, or nothing removes this place.
  @inlinable
  init(_ path: PartPath, _ feature: ObjectIdentifier, below parent: ChildInstance, _ find: @escaping FindRemoved) {
    (self.parent, self.path, self.feature, findRemoved) = (parent, path, feature, find)
    parent.places.append(self)
  }

  @inlinable
  subscript(element: ElementID?) -> ChildInstance? {
    get { if let element { elements[element] } else { child } }
    set { if let element { elements[element] = newValue } else { child = newValue } }
  }
}
