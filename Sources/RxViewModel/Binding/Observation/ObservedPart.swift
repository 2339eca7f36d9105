/// A part of a state, and what views have read of it: a node in the tree that mirrors a view model's state. The root is the whole state.
///
/// Each property that a view has read stays here until its next change, and is compared in each state in which the part is present.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@usableFromInline
final class ObservedPart<State: Sendable> {
  /// The part. Nil while it is absent.
  fileprivate(set) var current: State?
  /// The index at which an element was found last.
  fileprivate var row = 0
  private var presence: Tracked?
  private var members: [AnyKeyPath: (entry: Tracked, hasChanged: (State, State) -> Bool)] = [:]
  private var parts: [PartKey: any ObservedChildren<State>] = [:]
  /// The activity of the part for each type of actions, and what ``ObservedActivity/forgetFailure()`` does.
  private var activities: [(activity: AnyObject, forgetFailure: @MainActor () -> Tracked?)] = []

  init(_ state: State?) { current = state }

  /// The node of a part of this part.
  func part<Child>(_ part: Part<State, Child>) -> ObservedPart<Child> {
    let key = PartKey(path: part.id.path, child: ObjectIdentifier(Child.self))
    let known = parts[key] ?? ObservedNodes(part, current)
    parts[key] = known
    return unsafeDowncast(known, to: ObservedNodes<State, Child>.self).node(part.id, in: current)
  }

  /// Takes a new state, and collects what has changed. Returns whether anything still has to be compared.
  ///
  /// - Parameter isPartOfAnother: Whether the part that contains this one is another one than before.
  func update(
    _ new: State?, isRow: Bool = false, isPartOfAnother: Bool = false, _ changed: inout [Tracked]
  ) -> Bool {
    let old = current
    current = new
    if (old == nil) != (new == nil), let entry = presence.take() { changed.append(entry) }
    if let new {
      for (key, member) in members where old.map({ member.hasChanged($0, new) }) ?? true {
        changed.append(member.entry)
        members[key] = nil
      }
    } else if isRow, old == nil {
      // Forgets a row that is still absent: if it comes back it gets a new view, and most rows never do.
      (members, parts, activities) = ([:], [:], [])
    }
    if activities.isEmpty, parts.isEmpty { return presence != nil || !members.isEmpty }
    let isAnother = isPartOfAnother || new == nil || old.flatMap(idOf) != new.flatMap(idOf)
    if isAnother { changed += activities.compactMap { $0.forgetFailure() } }
    for (key, part) in parts where !part.update(new, isAnother, &changed) { parts[key] = nil }
    return presence != nil || !members.isEmpty || !parts.isEmpty || !activities.isEmpty
  }

  private func idOf(_ state: State) -> AnyHashable? { (state as? any Identifiable)?.anyID }

  /// The activity of the part, for slices with one type of actions.
  func activity<Action>(_ make: () -> ObservedActivity<Action>) -> ObservedActivity<Action> {
    if let known = activities.lazy.compactMap({ $0.activity as? ObservedActivity<Action> }).first { return known }
    let activity = make()
    activities.append((activity, activity.forgetFailure))
    return activity
  }

  /// Lets the view that asks for it be notified when the part comes or goes.
  func observePresence() {
    if presence == nil { presence = Tracked() }
    presence!.access()
  }

  /// Lets the view that reads a property be notified when it changes.
  func observe<Value>(_ member: KeyPath<State, Value>, _ hasChanged: @escaping (Value, Value) -> Bool) {
    if members[member] == nil {
      members[member] = (Tracked(), { hasChanged($0[keyPath: member], $1[keyPath: member]) })
    }
    members[member]!.entry.access()
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
private protocol ObservedChildren<State>: AnyObject {
  associatedtype State
  func update(_ parent: State?, _ isAnother: Bool, _ changed: inout [Tracked]) -> Bool
}

/// What is the same for all elements of one list, or for all children at one path. An optional part can stand for its value, or for itself.
private struct PartKey: Hashable {
  let path: PartPath
  let child: ObjectIdentifier
}

/// The node of a part, or the nodes of the elements of a list, which are searched for together.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
private final class ObservedNodes<State: Sendable, Child: Sendable>: ObservedChildren {
  private let part: Part<State, Child>
  private var nodes: [ElementID?: ObservedPart<Child>] = [:]
  private var list: ChildList?
  /// The index of the row for which a node was made last.
  private var lastRow = -1

  init(_ part: Part<State, Child>, _ parent: State?) {
    (self.part, list) = (part, parent.flatMap { part.list(in: $0) })
  }

  func node(_ id: PartID, in parent: State?) -> ObservedPart<Child> {
    if let known = nodes[id.element] { return known }
    let node = ObservedPart<Child>(nil)
    // Views mostly read the rows of a list in order.
    node.row = lastRow + 1
    node.current = parent.flatMap { part.find(id, $0, &node.row, list) }
    if node.current != nil { lastRow = node.row }
    nodes[id.element] = node
    return node
  }

  func update(_ parent: State?, _ isAnother: Bool, _ changed: inout [Tracked]) -> Bool {
    let new = parent.flatMap { part.list(in: $0) }
    // If the array is the same one as in the state before, it has the same elements.
    let isSame = new != nil && new?.address == list?.address && !isAnother
    if !isSame { list = new }
    for (element, node) in nodes where !isSame || node.current == nil {
      let id = PartID(part.id.path, element)
      let child = isSame ? nil : parent.flatMap { part.find(id, $0, &node.row, list) }
      if !node.update(child, isRow: element != nil, isPartOfAnother: isAnother, &changed) { nodes[element] = nil }
    }
    return !nodes.isEmpty
  }
}
