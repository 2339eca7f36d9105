// The streams that a view model follows for as long as it lives (contract 2.17).

/// The initial state, while the sources are being subscribed. Only the thread that makes the view model uses it.
private final class Opening<State: Sendable>: @unchecked Sendable {  // Sendable: other threads read only `thread`.
  let thread = ThreadID.current
  /// Nil once the view model has taken the state.
  var state: State?
  /// The source that is being subscribed.
  var source: AnyObject?

  init(_ state: State) {
    self.state = state
  }
}

extension Engine {
  /// Subscribes to the sources. Folds the elements that they send on this thread meanwhile into the initial state, and returns that.
  ///
  /// A source has a run in the table, as an effect has, and a number above those of all actions. Its events take the way of an effect's.
  @usableFromInline
  func follow(_ sources: [Observable<Mapper>], from state: State) -> State {
    let opening = Opening(state)
    for (index, source) in sources.enumerated() {
      // The last source has the highest number.
      let run = Run(id: .max - UInt64(sources.count - 1 - index))
      run.stage = .following
      outputs.withLock { $0.add(run) }
      let scope = Scope()
      keep(scope, for: run)
      opening.source = run
      if !scope.isOpen { break }
      inside(run.id) {
        source.connect(
          { [self] event in
            let isInInit = opening.thread.isCurrent && opening.source === run && !hasMail(run)
            if isInInit { return fold(event, of: run, into: opening) }
            return sink(run, event) ? .more : .noMore
          }, in: scope)
      }
      opening.source = nil
    }
    return opening.state.take()!
  }

  /// Whether another thread has sent an earlier event of the source. It waits for the first turn, and so do the later ones.
  private func hasMail(_ run: Run) -> Bool {
    inbox.withLock { _ in !run.mail.items.isEmpty }
  }

  private func fold(_ event: Event<Mapper>, of run: Run, into opening: Opening<State>) -> Demand {
    if isCleared() { return .noMore }
    switch event {
    case .next(let mapper):
      do {
        opening.state = try mapper(opening.state!)
        return .more
      } catch {
        unfollow(run, error)
      }
    case .error(let error): unfollow(run, error)
    case .completed: unfollow(run)
    }
    return .noMore
  }

  /// Handles an event of a source.
  @inlinable
  func takeFromSource(_ run: Run, _ event: Event<Mapper>) {
    switch event {
    case .next(let mapper): fold(mapper, of: run, .ofSource)
    case .error(let error): unfollow(run, error)
    case .completed: unfollow(run)
    }
  }

  /// Ends a source. Its error belongs to no action, and is reported after what has been accepted before.
  @usableFromInline
  func unfollow(_ run: Run, _ error: (any Error)? = nil) {
    run.stage = .over
    outputs.withLock { $0.remove(run) }
    dispose(run)
    if let error { fail(error) }
  }
}
