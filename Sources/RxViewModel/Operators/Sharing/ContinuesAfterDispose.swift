extension ObservableType {
  /// Lets the source go on to its own end after a dispose, with nothing more delivered.
  ///
  ///     source                   --1--2--3--|
  ///     continuesAfterDispose()  --1--2--3--|
  ///
  /// For a write that the user has asked for, and that must not be lost because the screen has gone:
  ///
  /// ```swift
  /// Observable.task { try await api.like(id) }.continuesAfterDispose().mutate { state, _ in state.isLiked = true }
  /// ```
  ///
  /// The same holds if an operator below, such as ``take(_:)``, ends the stream, or if the view model cancels the action. The source's task
  /// is not cancelled, its timers go on, and an error of it then reaches no subscriber. The dispose releases the objects that the
  /// subscriber captures, and the end of the source those that the source captures. A source that never ends is never released. Events
  /// arrive on the source's threads.
  public func continuesAfterDispose() -> Observable<Element> {
    let source = asObservable()
    // No template: the source outlives the scope.
    return Observable { sink, scope in
      let events = Serial<Event<Element>>(in: scope) { event in sink.on(consume event) }
      // Not a child of `scope`: only the end of the source closes it.
      let upstream = Scope()
      let ongoing = Sink<Element>(each: { _ = events.send(.next($0)) }) { _ = events.send(Event(end: $0)) }
      source.connect(ongoing, closing: upstream)
    }
  }
}
