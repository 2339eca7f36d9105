extension CompositeDisposable {
  /// Subscribes to a source whose events are inputs of an operator's serializer, all of them.
  @inlinable
  func connect<Element, Input>(
    _ source: Observable<Element>, to serializer: EventSerializer<Input>,
    _ input: @escaping @Sendable (Event<Element>) -> Input
  ) {
    guard let key = reserve() else { return }
    let subscription = source.connectChecked { [self] event in
      let demand = dispose(unlessWanted: serializer.send(input(event)))
      // Not before: a subscriber that disposes all at this event, to subscribe again, ends what the source still holds.
      if event.isTerminal { remove(key) }
      return demand
    }
    set(key, to: subscription)
  }

  /// Sends an operator's last event, and behind an element the completion, unless its callback has disposed all.
  @inlinable
  func finish<Element>(with event: Event<Element>, _ sink: Observable<Element>.Sink) {
    if sink(event) != .noMore, !event.isTerminal, isOpen { _ = sink(.completed) }
  }

  /// Runs `work` later, unless all is disposed before.
  ///
  /// What is scheduled does not hold this, which holds it.
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
