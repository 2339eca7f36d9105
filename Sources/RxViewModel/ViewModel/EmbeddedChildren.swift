// Which children of a state have gone, for the streams that are embedded in a view model (contract 2.19).

/// The parts of a view model's state that hold children with embedded streams. The engine makes it for the first of these streams.
@usableFromInline
final class EmbeddedChildren<State: Sendable>: Sendable {
  @usableFromInline let parts = Lock<[ChildPart<State>]>([])

  @inlinable
  init() {}

  /// The part at this key path, made by `make` if it is new.
  @inlinable
  func part(at keyPath: AnyKeyPath, _ make: () -> ChildPart<State>) -> ChildPart<State> {
    // Comparing key paths may call user code, so no lock is held. Two parts for one key path do no harm.
    let known = parts.withLock { $0 }
    if let part = known.first(where: { $0.keyPath == keyPath }) { return part }
    return add(make(), to: known)
  }

  @usableFromInline
  func add(_ part: ChildPart<State>, to known: [ChildPart<State>]) -> ChildPart<State> {
    // Key paths with an id in them come and go with their rows.
    let retired = known.count < 8 ? [] : known.filter { $0.members.retire() }
    let removed = parts.withLock { parts in
      let removed = parts
      parts = parts.filter { part in !retired.contains { $0 === part } } + [part]
      return removed
    }
    withExtendedLifetime(removed) {}
    return part
  }

  /// Ends the streams of the children that have gone. Called with each state, in order.
  @inlinable
  func look(at state: State) {
    for part in parts.withLock({ $0 }) { part.look(at: state) }
  }

  /// Releases the parts, because the view model has ended, so that no child goes any more.
  @usableFromInline
  func abandon() {
    var abandoned: [ChildPart<State>] = []
    parts.withLock { swap(&$0, &abandoned) }
    for part in abandoned { part.members.abandon() }
  }
}

/// A part of a state that holds children with embedded streams.
@usableFromInline
// Sendable: key paths are immutable, and the rest is `Sendable`.
final class ChildPart<State: Sendable>: @unchecked Sendable {
  /// Looks at the next state: which children have gone. Nil if none has.
  ///
  /// A closure and not a method, because it is specialized where it is made.
  @usableFromInline typealias Look = @Sendable (_ state: State, _ members: ChildMembers) -> ((EmbeddedChild) -> Bool)?

  @usableFromInline let keyPath: AnyKeyPath
  @usableFromInline let look: Look
  @usableFromInline let members = ChildMembers()
  /// The ``LastRows`` of a part that is an array.
  @usableFromInline let rows: (any AnyObject & Sendable)?

  @inlinable
  init(_ keyPath: AnyKeyPath, _ rows: (any AnyObject & Sendable)? = nil, look: @escaping Look) {
    (self.keyPath, self.rows, self.look) = (keyPath, rows, look)
  }

  /// Ends the streams of the children that this state no longer has.
  @inlinable
  func look(at state: State) {
    if let hasGone = look(state, members) { members.end(where: hasGone) }
  }
}

/// The children of a part that have embedded streams, once for each stream.
@usableFromInline
final class ChildMembers: Sendable {
  private struct Members {
    /// By number, in the order in which the streams were embedded.
    var children: [UInt64: EmbeddedChild] = [:]
    var lastNumber: UInt64 = 0
    /// Whether the part has left the table, and takes no more children.
    var isRetired = false
  }

  /// A thread may take this lock while it holds that of the outputs, and that of a subject while it holds this one.
  private let members = Lock(Members())

  @usableFromInline
  init() {}

  @usableFromInline
  var isEmpty: Bool { members.withLock { $0.children.isEmpty } }

  /// Adds a child. Returns false if the part is retired.
  @usableFromInline
  func add(_ child: EmbeddedChild) -> Bool {
    members.withLock { members in
      if members.isRetired { return false }
      members.lastNumber += 1
      child.number = members.lastNumber
      members.children[child.number] = child
      return true
    }
  }

  fileprivate func remove(_ child: EmbeddedChild) {
    members.withLock { members in
      members.children[child.number] = nil
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

  /// Ends the streams of the children that match, in the order in which they were embedded. O(n log n) for n streams.
  @usableFromInline
  func end(where hasGone: (EmbeddedChild) -> Bool) {
    let children = members.withLock { $0.children }
    for (_, child) in children.sorted(by: { $0.key < $1.key }) where hasGone(child) {
      let end = members.withLock { _ in child.leave() }
      end?.onError(CancellationError())
    }
  }

  /// Releases the subjects that would end the streams. Otherwise a stream that is subscribed to outside an action and its subject retain
  /// each other.
  func abandon() {
    for child in members.withLock({ $0.children }).values { _ = members.withLock { _ in child.leave() } }
  }

  fileprivate func withLock<Result>(_ body: () -> Result) -> Result { members.withLock { _ in body() } }
}

/// The child that one embedded stream belongs to. The lock of its part guards it.
@usableFromInline
class EmbeddedChild: @unchecked Sendable {  // Sendable: the lock of its part.
  @usableFromInline
  enum Stage {
    /// The subject sends the end of the stream, once the stream has been subscribed to.
    case present(PublishSubject<Never>?)
    /// The child has gone. If the stream was unfinished, its subscriber learns that, and decides what ends with it. Otherwise the mappers
    /// end the action.
    case gone(wasUnfinished: Bool)
  }

  @exclusivity(unchecked) @usableFromInline var stage = Stage.present(nil)
  @exclusivity(unchecked) @usableFromInline var number: UInt64 = 0

  @inlinable
  init() {}

  /// Records that the child has gone. Returns the subject to end, with no lock held.
  fileprivate func leave() -> PublishSubject<Never>? {
    guard case .present(let end) = stage else { return nil }
    stage = .gone(wasUnfinished: end?.hasObservers == true)
    return end
  }
}

/// What an embedded stream and its mappers retain of their child. With the last of them, the child leaves its part.
@usableFromInline
final class Embedding: Sendable {
  private let child: EmbeddedChild
  private let members: ChildMembers

  @usableFromInline
  init(_ child: EmbeddedChild, in members: ChildMembers) {
    (self.child, self.members) = (child, members)
  }

  deinit {
    members.remove(child)
  }

  /// The mapper, which does nothing once the child has gone.
  @inlinable
  func guarding<State>(_ mapper: @escaping StateMapper<State>) -> StateMapper<State> {
    { state in try self.isPresent() ? mapper(state) : state }
  }

  /// Whether a mapper changes the state. Throws if it ends its action.
  @usableFromInline
  func isPresent() throws -> Bool {
    switch members.withLock({ child.stage }) {
    case .present: return true
    case .gone(wasUnfinished: true): return false
    case .gone(wasUnfinished: false): throw CancellationError()
    }
  }

  /// The effect, which ends with a `CancellationError` when the child goes, or if it has gone.
  @inlinable
  func bounding<State>(_ effect: Observable<StateMapper<State>>) -> Observable<StateMapper<State>> {
    Observable { sink, scope in
      // Holds both subscriptions, so that the end of the effect ends the other one too.
      guard let sources = scope.child() else { return }
      // Nil stands for the end of the child.
      let serial = Serial<Event<StateMapper<State>>?>(in: scope) { event in
        if event?.isTerminal != false { sources.dispose() }
        return forward(event?.map(self.guarding) ?? .error(CancellationError()), to: sink)
      }
      self.end.connect({ _ in serial.send(nil) }, in: sources)
      if sources.isOpen { effect.connect({ serial.send($0) }, in: sources) }
    }
  }

  /// Sends an error when the child goes, or if it has gone.
  @usableFromInline
  var end: Observable<Never> {
    .deferred { [self] in
      let fresh = PublishSubject<Never>()
      let end = members.withLock { () -> PublishSubject<Never>? in
        guard case .present(let end) = child.stage else { return nil }
        if end == nil { child.stage = .present(fresh) }
        return end ?? fresh
      }
      return end?.asObservable() ?? .error(CancellationError())
    }
  }
}

// MARK: The two kinds of parts

extension ChildPart {
  /// A child that is present, or nil.
  @inlinable
  convenience init<Child>(_ part: KeyPath<State, Child?> & Sendable) {
    self.init(part) { state, members in members.isEmpty || state[keyPath: part] != nil ? nil : { _ in true } }
  }

  /// The elements of an array.
  @inlinable
  convenience init<Row: Identifiable & Sendable>(_ part: KeyPath<State, [Row]> & Sendable) where Row.ID: Sendable {
    let last = LastRows<Row>()
    self.init(part, last) { state, members in
      let rows = state[keyPath: part]
      let others = last.replace(with: rows)
      if members.isEmpty { return nil }
      if let others, haveEqualIDs(others, rows) { return nil }
      let ids = Set(rows.map(\.id))
      return { !ids.contains(unsafeDowncast($0, to: ChildRow<Row.ID>.self).id) }
    }
  }
}

/// Rows with the ids of those in the state that was looked at last.
@usableFromInline
final class LastRows<Row: Sendable>: Sendable {
  @usableFromInline let rows = Lock<[Row]?>(nil)

  @inlinable
  init() {}

  /// Returns the other rows, which are released with no lock held.
  @inlinable
  @discardableResult
  func replace(with new: [Row]) -> [Row]? {
    var other: [Row]? = new
    rows.withLock { swap(&$0, &other) }
    return other
  }

  /// Replaces `old` by `new`, which has the same ids: that spares the next look their comparison.
  @inlinable
  func replace(_ old: [Row], with new: [Row]) {
    if let rows = rows.withLock({ $0 }), haveSameStorage(rows, old) { replace(with: new) }
  }
}

/// O(n), or O(1) if the arrays share their storage.
@inlinable
func haveEqualIDs<Row: Identifiable>(_ left: [Row], _ right: [Row]) -> Bool {
  if haveSameStorage(left, right) { return true }
  if left.count != right.count { return false }
  return left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in left.indices.allSatisfy { left[$0].id == right[$0].id } }
  }
}

@inlinable
func haveSameStorage<Row>(_ left: [Row], _ right: [Row]) -> Bool {
  left.count == right.count
    && left.withUnsafeBufferPointer { $0.baseAddress } == right.withUnsafeBufferPointer { $0.baseAddress }
}

/// A child that is an element of an array.
@usableFromInline
// Sendable: as its superclass, and `id` is.
final class ChildRow<ID: Hashable & Sendable>: EmbeddedChild, @unchecked Sendable {
  @usableFromInline let id: ID

  @inlinable
  init(_ id: ID) {
    self.id = id
    super.init()
  }
}
