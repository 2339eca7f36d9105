/// What views have read of a part of a state: a node of the mirror of a view model. The root is the whole state.
///
/// It keeps each property that has been read until the next change of it, and compares it in each state in which the part is present.
@MainActor
final class ObservedPart<State> {
  private typealias Changed = (State, State) -> Bool
  private typealias Update = @MainActor (_ parent: State?, _ isAnother: Bool, inout [any ObservedEntry]) -> Bool

  /// The part. Nil while it is absent.
  private(set) var current: State?
  private var presence: (any ObservedEntry)?
  private var members: [AnyKeyPath: (entry: any ObservedEntry, hasChanged: Changed)] = [:]
  private var parts: [Step: (node: AnyObject, update: Update)] = [:]
  private var activities: [ObjectIdentifier: any PartActivity] = [:]
  /// Where the row that has been read first last stands.
  private var lastRow = -1

  init(_ state: State?) { current = state }

  /// The node of a part of this one.
  func part<Child>(_ part: Part<State, Child>) -> ObservedPart<Child> {
    if let known = parts[part.step] { return unsafeDowncast(known.node, to: ObservedPart<Child>.self) }
    // Views mostly read the rows of a list in order.
    var (row, list) = (part.step.id == nil ? 0 : lastRow + 1, UInt?.none)
    let node = ObservedPart<Child>(current.flatMap { part.find($0, &row) })
    if part.step.id != nil, node.current != nil { lastRow = row }
    let update: Update = { parent, isAnother, changed in
      let now = parent.flatMap { part.rows?.list($0).address }
      // An array that is the one of the state before, which this retains, has the same elements.
      let isSame = now != nil && now == list && !isAnother
      if isSame, node.current != nil { return true }
      list = now
      return node.update(
        isSame ? nil : parent.flatMap { part.find($0, &row) }, isRow: part.step.id != nil, isPartOfAnother: isAnother,
        &changed)
    }
    parts[part.step] = (node, update)
    return node
  }

  /// Takes a new state, and collects what has changed. Returns whether anything still has to be compared.
  ///
  /// - Parameter isPartOfAnother: Whether the part stands in another one than before.
  func update(
    _ new: State?, isRow: Bool = false, isPartOfAnother: Bool = false, _ changed: inout [any ObservedEntry]
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
      // A row that comes back gets a new view. Others of its kind never come back.
      (members, parts, activities) = ([:], [:], [:])
    }
    let isAnother = isPartOfAnother || new == nil || old.flatMap(idOf) != new.flatMap(idOf)
    if isAnother { changed += activities.values.compactMap { $0.forgetFailure() } }
    for (step, part) in parts where !part.update(new, isAnother, &changed) { parts[step] = nil }
    return presence != nil || !members.isEmpty || !parts.isEmpty || !activities.isEmpty
  }

  private func idOf(_ state: State) -> AnyHashable? { (state as? any Identifiable)?.anyID }

  /// The activity of the part.
  func activity<Activity: PartActivity>(_ make: () -> Activity) -> Activity {
    let key = ObjectIdentifier(Activity.self)
    if let activity = activities[key] as? Activity { return activity }
    let activity = make()
    activities[key] = activity
    return activity
  }
}

/// The activity of a child.
@MainActor
protocol PartActivity: AnyObject {
  /// The child of the failure has gone. Returns what views that have read the failure observe.
  func forgetFailure() -> (any ObservedEntry)?
}

#if canImport(Observation)
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension ObservedPart {
    /// Lets the view that asks for it be notified when the part comes or goes.
    func observePresence() {
      let entry = presence ?? Tracked()
      presence = entry
      entry.access()
    }

    /// Lets the view that reads a property be notified when it changes.
    func observe<Value>(_ member: KeyPath<State, Value>, _ hasChanged: @escaping (Value, Value) -> Bool) {
      if let known = members[member] {
        known.entry.access()
      } else {
        let entry = Tracked()
        members[member] = (entry, { hasChanged($0[keyPath: member], $1[keyPath: member]) })
        entry.access()
      }
    }
  }
#endif
