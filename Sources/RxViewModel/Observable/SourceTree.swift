/// A tree of concatenations and merges.
///
/// `concat`, `merge` and `startWith` make its nodes. One ``SourceTreeSubscription`` runs a whole tree, so that the depth of the stack does
/// not grow with the nesting when it subscribes, delivers an event or releases the tree (contract 1.6).
@usableFromInline
final class SourceTree<Element: Sendable>: @unchecked Sendable {  // Sendable: written in init and deinit only.
  @usableFromInline
  enum Kind: Sendable {
    case concat, merge
  }

  @usableFromInline let kind: Kind
  @usableFromInline let merges: Bool
  /// The depth as for an operator, except that a tree inside another one does not count.
  @usableFromInline let depth: UInt8
  @usableFromInline var children: [Observable<Element>]

  @inlinable
  init(_ kind: Kind, _ children: [Observable<Element>]) {
    self.kind = kind
    let children = children.map(\.linked)
    self.children = children
    depth =
      children.map { child in
        if case .tree(let node) = child.representation { node.depth } else { child.depth + 1 }
      }.max() ?? 0
    merges =
      kind == .merge
      || children.contains { if case .tree(let child) = $0.representation { child.merges } else { false } }
  }

  @inlinable
  deinit {
    var orphans = Self.composites(in: &children)
    while var orphan = orphans.popLast() {
      if isKnownUniquelyReferenced(&orphan) { orphans += Self.composites(in: &orphan.children) }
    }
  }

  @inlinable
  static func composites(in children: inout [Observable<Element>]) -> [SourceTree] {
    defer { children = [] }
    return children.compactMap { if case .tree(let child) = $0.representation { child } else { nil } }
  }

  @inlinable
  func connecting(_ sink: @escaping Observable<Element>.Sink) -> Connecting {
    SourceTreeSubscription(sink: sink, serializes: merges).starting([(Observable(.tree(self)), nil)])
  }
}

/// One subscription to a ``SourceTree``.
@usableFromInline
final class SourceTreeSubscription<Element: Sendable>: Sendable {
  /// A source that is still to be started, with the node that it is a child of.
  @usableFromInline typealias Start = (source: Observable<Element>, frame: Frame?)

  /// A running node. It retains the children that are still to be started, but not those that are running, so a subscription does not keep
  /// its own source alive.
  @usableFromInline
  final class Frame: @unchecked Sendable {  // Sendable: the run's lock guards what varies.
    @usableFromInline
    enum Step {
      case start(Observable<Element>)
      case wait
      case finished
    }

    @usableFromInline var parent: Frame?
    @usableFromInline let kind: SourceTree<Element>.Kind
    /// For a concatenation: the children that are still to be started, the next one last.
    @usableFromInline var remaining: [Observable<Element>]
    /// For a merge: the number of children that have not completed.
    @usableFromInline var unfinished: Int

    @inlinable
    init(_ node: SourceTree<Element>, parent: Frame?) {
      self.parent = parent
      kind = node.kind
      remaining = node.kind == .concat ? node.children.reversed() : []
      unfinished = node.children.count
    }

    @inlinable
    deinit {
      var ancestor = parent.take()
      while ancestor != nil, isKnownUniquelyReferenced(&ancestor!) { ancestor = ancestor!.parent.take() }
    }

    /// The next step after a child has completed; for a concatenation, the first step too.
    @inlinable
    func next() -> Step {
      switch kind {
      case .concat:
        return remaining.popLast().map { .start($0) } ?? .finished
      case .merge:
        unfinished -= 1
        return unfinished == 0 ? .finished : .wait
      }
    }
  }

  /// The sources that a thread has still to start, the next one last.
  @usableFromInline
  struct Agenda {
    @usableFromInline let thread: ThreadID
    /// The source that is being connected.
    @usableFromInline var connecting: CompositeDisposable.Key = nil
    @usableFromInline var starts: [Start]

    @inlinable
    init(thread: ThreadID, starts: [Start]) {
      self.thread = thread
      self.starts = starts
    }
  }

  @usableFromInline let sink: Observable<Element>.Sink
  @usableFromInline let subscriptions: CompositeDisposable
  /// One for each thread that is starting sources. When a source completes while it is being connected, the loop that
  /// connects it starts the next source; when another source completes in the meantime, its thread starts a loop of its
  /// own.
  ///
  /// This does not use a ``DeliveryQueue``: each thread must subscribe to the sources that follow from its own event before the call that
  /// sent the event returns.
  @usableFromInline let agendas = Lock<[Agenda]>([])

  @inlinable
  init(sink: @escaping Observable<Element>.Sink, serializes: Bool) {
    if serializes {
      let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
      self.sink = { serializer.send($0) }
      subscriptions = CompositeDisposable(closing: serializer)
    } else {
      let subscriptions = CompositeDisposable()
      // Checked first, because a source may dispose the subscription while it is being connected, and then send more.
      self.sink = { subscriptions.isOpen ? forward($0, to: sink) : .noMore }
      self.subscriptions = subscriptions
    }
  }

  /// Starts the sources, the last one first, and the sources that follow them immediately.
  ///
  /// - Parameter key: The key of the source that has completed.
  @inlinable
  func start(_ starts: [Start], behind key: CompositeDisposable.Key = nil) {
    _ = starting(starts, behind: key).finish()
  }

  /// The first step of ``start(_:behind:)``. The result is the disposable of the whole.
  @inlinable
  func starting(_ starts: [Start], behind key: CompositeDisposable.Key = nil) -> Connecting {
    let thread = ThreadID.current
    let isNested = agendas.withLock { agendas -> Bool in
      if let index = agendas.lastIndex(where: { $0.thread == thread && $0.connecting == key }) {
        agendas[index].starts += starts
        return true
      }
      agendas.append(Agenda(thread: thread, starts: starts))
      return false
    }
    return isNested ? .done(subscriptions) : startingNext(on: thread)
  }

  @inlinable
  func startingNext(on thread: ThreadID) -> Connecting {
    while let (source, frame) = next(on: thread) {
      if case .tree(let node) = source.representation {
        start(node, in: frame)
      } else if let key = subscriptions.reserve() {
        let connecting = subscribing(to: source, in: frame, key)
        if !connecting.isDone { return connecting.then { self.startingNext(on: thread) } }
      }
    }
    return .done(subscriptions)
  }

  @inlinable
  func next(on thread: ThreadID) -> Start? {
    agendas.withLock { agendas in
      let index = agendas.lastIndex { $0.thread == thread }!
      if let start = agendas[index].starts.popLast() { return start }
      agendas.remove(at: index)
      return nil
    }
  }

  @inlinable
  func start(_ node: SourceTree<Element>, in frame: Frame?) {
    let inner = Frame(node, parent: frame)
    if node.kind == .concat {
      childCompleted(in: inner)
    } else if node.children.isEmpty {
      childCompleted(in: frame)
    } else {
      start(node.children.reversed().map { ($0, inner) })
    }
  }

  @inlinable
  func subscribing(
    to source: Observable<Element>, in frame: Frame?, _ key: CompositeDisposable.Key
  ) -> Connecting {
    setConnecting(key)
    return subscriptions.connecting(source, key) { [self] event in
      if case .completed = event {
        // Releases the resources of the completed source before the next one begins.
        subscriptions.dispose(key)
        childCompleted(in: frame, key)
        return .noMore
      }
      let demand = subscriptions.dispose(unlessWanted: sink(event))
      return subscriptions.isOpen ? demand : .noMore
    }.then {
      self.setConnecting(nil)
      return .done(self.subscriptions)
    }
  }

  @inlinable
  func setConnecting(_ key: CompositeDisposable.Key) {
    let thread = ThreadID.current
    agendas.withLock { $0[$0.lastIndex { $0.thread == thread }!].connecting = key }
  }

  @inlinable
  func childCompleted(in frame: Frame?, _ key: CompositeDisposable.Key = nil) {
    var current = frame
    while let frame = current {
      switch agendas.withLock({ _ in frame.next() }) {
      case .start(let child): return start([(child, frame)], behind: key)
      case .wait: return
      case .finished: current = frame.parent
      }
    }
    subscriptions.dispose(unlessWanted: sink(.completed))
  }
}
