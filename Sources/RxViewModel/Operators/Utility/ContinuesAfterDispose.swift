extension ObservableType {
  /// Lets the source finish its work after a dispose, without delivering anything more.
  ///
  ///     source                   --1--2--3--|
  ///     continuesAfterDispose()  --1--2--3--|
  ///
  /// Use it for a write that the user asked for, and that must not be lost when the screen is dismissed:
  ///
  /// ```swift
  /// Observable.task { try await api.like(id) }.continuesAfterDispose().mutate { state, _ in state.isLiked = true }
  /// ```
  ///
  /// The source also goes on if an operator such as ``take(_:)`` ends the stream, or if the view model cancels the action: its task isn't
  /// cancelled, its timers keep running, and its errors reach no subscriber. The dispose releases what your subscriber captures; the end of
  /// the source releases what the source captures, so a source that never ends is never released. Events arrive on the source's threads.
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
