extension CompositeDisposable {
  /// Subscribes to a source whose events are all inputs of an operator's serializer.
  ///
  /// - Returns: The first step. The result is this disposable.
  @inlinable
  func connecting<Element, Input>(
    _ source: Observable<Element>, to serializer: EventSerializer<Input>,
    _ input: @escaping @Sendable (Event<Element>) -> Input
  ) -> Connecting {
    guard let key = reserve() else { return .done(self) }
    return connectingChecked(source, key) { [self] event in
      let demand = dispose(unlessWanted: serializer.send(input(event)))
      // Removed after the event: a subscriber that disposes all at this event, and subscribes again, must still release the source's
      // resources.
      if event.isTerminal { remove(key) }
      return demand
    }
  }

  /// Subscribes at once to a source whose events are all inputs of an operator's serializer.
  @inlinable
  func connect<Element, Input>(
    _ source: Observable<Element>, to serializer: EventSerializer<Input>,
    _ input: @escaping @Sendable (Event<Element>) -> Input
  ) {
    _ = connecting(source, to: serializer, input).finish()
  }

  /// Sends an operator's last event. If the event is an element, also sends the completion, unless the callback has disposed all.
  @inlinable
  func finish<Element>(with event: Event<Element>, _ sink: Observable<Element>.Sink) {
    if sink(event) != .noMore, !event.isTerminal, isOpen { _ = sink(.completed) }
  }

  /// Runs `work` after `delay`, unless this has been disposed before.
  ///
  /// The scheduled work holds this object weakly, because this object retains the work.
  @inlinable
  func schedule(after delay: Duration, on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void) {
    guard let key = reserve() else { return }
    let scheduled = scheduler.schedule(after: delay) { [weak self] in
      self?.remove(key)
      work()
    }
    set(key, to: scheduled)
  }
}
