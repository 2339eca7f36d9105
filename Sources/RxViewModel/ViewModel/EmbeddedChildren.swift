// Which children of a state have gone, for the streams that are embedded in a view model (contract 2.19).

/// The parts of a view model's state that hold children with embedded streams. The engine makes it for the first of these streams.
@usableFromInline
final class EmbeddedChildren<State: Sendable>: Sendable {
  private let parts = Lock<[ChildPart<State>]>([])

  @usableFromInline
  init() {}

  /// The part at this key path, made by `make` if it is new.
  @usableFromInline
  func part(at keyPath: AnyKeyPath, _ make: () -> ChildPart<State>) -> ChildPart<State> {
    // Comparing key paths may call user code, so no lock is held. Two parts for one key path do no harm.
    let known = parts.withLock { $0 }
    if let part = known.first(where: { $0.keyPath == keyPath }) { return part }
    let part = make()
    // Key paths with an id in them come and go with their rows.
    let retired = known.count < 8 ? [] : known.filter { $0.retire() }
    let removed = parts.withLock { parts in
      let removed = parts
      parts = parts.filter { part in !retired.contains { $0 === part } } + [part]
      return removed
    }
    withExtendedLifetime(removed) {}
    return part
  }

  /// Ends the streams of the children that have gone. Called with each state, in order.
  @usableFromInline
  func look(at state: State) {
    for part in parts.withLock({ $0 }) { part.look(at: state) }
  }
}

/// A part of a state that holds children with embedded streams.
@usableFromInline
// Sendable: the lock guards the members. Only `look(at:)` uses `last`, and its calls do not overlap. The rest is immutable.
final class ChildPart<State: Sendable>: @unchecked Sendable {
  /// Given the state that was looked at last, if children were in the part then, and the new one: which children have gone. Nil if none has.
  ///
  /// A closure and not a method, because it is specialized where it is made.
  @usableFromInline typealias Departures = @Sendable (_ last: State?, _ new: State) -> ((EmbeddedChild) -> Bool)?

  @usableFromInline
  struct Members {
    /// The child of each embedded stream.
    @usableFromInline var children: [ObjectIdentifier: EmbeddedChild] = [:]
    /// Whether the part has left the table, and takes no more children.
    @usableFromInline var isRetired = false
  }

  @usableFromInline let keyPath: AnyKeyPath
  private let departures: Departures
  private var last: State?
  /// A thread may take this lock while it holds that of the outputs.
  @usableFromInline let members = Lock(Members())

  @usableFromInline
  init(_ keyPath: AnyKeyPath, _ departures: @escaping Departures) {
    (self.keyPath, self.departures) = (keyPath, departures)
  }

  /// Ends the streams of the children that this state no longer has.
  func look(at state: State) {
    if isEmpty {
      last = nil
      return
    }
    let hasGone = departures(last, state)
    last = state
    if let hasGone { end(where: hasGone) }
  }

  private var isEmpty: Bool {
    members.withLock { $0.children.isEmpty }
  }

  /// Adds a child. Returns false if the part is retired.
  func add(_ child: EmbeddedChild) -> Bool {
    members.withLock { members in
      if !members.isRetired { members.children[ObjectIdentifier(child)] = child }
      return !members.isRetired
    }
  }

  @usableFromInline
  func remove(_ child: EmbeddedChild) {
    members.withLock { members in
      members.children[ObjectIdentifier(child)] = nil
      if members.children.isEmpty, members.children.capacity > 64 { members.children = [:] }
    }
  }

  /// Retires the part if it has no children. Returns whether it is retired.
  func retire() -> Bool {
    members.withLock { members in
      members.isRetired = members.isRetired || members.children.isEmpty
      return members.isRetired
    }
  }

  private func end(where hasGone: (EmbeddedChild) -> Bool) {
    for child in members.withLock({ Array($0.children.values) }) where hasGone(child) {
      let end = members.withLock { _ in child.leave() }
      end?.onError(CancellationError())
    }
  }
}

/// The child that one embedded stream belongs to. The lock of its part guards it.
@usableFromInline
class EmbeddedChild: @unchecked Sendable {  // Sendable: the lock of its part.
  @usableFromInline
  enum Stage {
    /// The subject sends the end of the stream, once the stream has been subscribed to.
    case present(PublishSubject<Never>?)
    /// The child has gone. If a subscriber has learned that, it decides what ends with the stream. If the stream had completed before, its
    /// mappers end the action.
    case gone(isAnnounced: Bool)
  }

  @exclusivity(unchecked) @usableFromInline var stage = Stage.present(nil)

  @usableFromInline
  init() {}

  /// Records that the child has gone. Returns the subject to end, with no lock held.
  fileprivate func leave() -> PublishSubject<Never>? {
    guard case .present(let end) = stage else { return nil }
    stage = .gone(isAnnounced: false)
    return end
  }
}

/// What an embedded stream and its mappers retain of their child. With the last of them, the child leaves its part.
@usableFromInline
final class Embedding<State: Sendable>: Sendable {
  @usableFromInline let part: ChildPart<State>
  @usableFromInline let child: EmbeddedChild

  @usableFromInline
  init(_ child: EmbeddedChild, in part: ChildPart<State>) {
    (self.child, self.part) = (child, part)
  }

  deinit {
    part.remove(child)
  }

  /// The mapper, which does nothing once the child has gone.
  @inlinable
  func guarding(_ mapper: @escaping StateMapper<State>) -> StateMapper<State> {
    { state in
      switch self.stage {
      case .present: try mapper(state)
      case .gone(isAnnounced: true): state
      case .gone(isAnnounced: false): throw CancellationError()
      }
    }
  }

  /// The effect, which ends with a `CancellationError` when the child goes, or if it has gone.
  @inlinable
  func bounding(_ effect: Observable<StateMapper<State>>) -> Observable<StateMapper<State>> {
    .serial { sink, scope in
      guard let upstream = scope.child() else { return }
      // Nil stands for the end of the child.
      let serial = Serial<Event<StateMapper<State>>?>(in: scope) { event in
        if event?.isTerminal != false { upstream.dispose() }
        if let event { return forward(event.map(self.guarding), to: sink) }
        self.announce()
        return sink(.error(CancellationError()))
      }
      scope.connect(source: self.end) { _ in serial.send(nil) }
      effect.connect({ serial.send($0) }, in: upstream)
    }
  }

  /// Records that a subscriber learns that the child has gone.
  @usableFromInline
  func announce() {
    part.members.withLock { _ in child.stage = .gone(isAnnounced: true) }
  }

  /// Sends an error when the child goes, or if it has gone.
  @usableFromInline
  var end: Observable<Never> {
    .deferred { [self] in
      let fresh = PublishSubject<Never>()
      let end = part.members.withLock { _ -> PublishSubject<Never>? in
        guard case .present(let end) = child.stage else { return nil }
        if end == nil { child.stage = .present(fresh) }
        return end ?? fresh
      }
      return end?.asObservable() ?? .error(CancellationError())
    }
  }

  @usableFromInline
  var stage: EmbeddedChild.Stage {
    part.members.withLock { _ in child.stage }
  }
}

// MARK: The two kinds of parts

extension ChildPart {
  /// A child that is present, or nil.
  @inlinable
  convenience init<Child>(_ part: KeyPath<State, Child?> & Sendable) {
    self.init(part) { _, new in new[keyPath: part] == nil ? { _ in true } : nil }
  }

  /// The elements of an array.
  @inlinable
  convenience init<Row: Identifiable>(_ part: KeyPath<State, [Row]> & Sendable) where Row.ID: Sendable {
    self.init(part) { last, new in
      let rows = new[keyPath: part]
      if let last, haveEqualIDs(last[keyPath: part], rows) { return nil }
      let ids = Set(rows.map(\.id))
      return { !ids.contains(unsafeDowncast($0, to: ChildRow<Row.ID>.self).id) }
    }
  }
}

/// O(n), or O(1) if the arrays share their storage.
@inlinable
func haveEqualIDs<Row: Identifiable>(_ left: [Row], _ right: [Row]) -> Bool {
  if left.count != right.count { return false }
  return left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in
      left.baseAddress == right.baseAddress || left.indices.allSatisfy { left[$0].id == right[$0].id }
    }
  }
}

/// A child that is an element of an array.
@usableFromInline
// Sendable: as its superclass, and `id` is.
final class ChildRow<ID: Hashable & Sendable>: EmbeddedChild, @unchecked Sendable {
  @usableFromInline let id: ID

  @usableFromInline
  init(_ id: ID) {
    self.id = id
    super.init()
  }
}
