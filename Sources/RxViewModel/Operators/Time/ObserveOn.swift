extension ObservableType {
  /// Delivers every event on `scheduler`, terminal events too, in their order and one at a time.
  ///
  ///     source             --1---2---3---|
  ///     observe(on: busy)  ----1---2---3---|
  ///
  /// In the diagram each piece of work on the scheduler runs two units of time after it has been scheduled.
  ///
  /// Each event is a piece of work of its own on the scheduler: work that is scheduled between two events runs between them. On a
  /// concurrent scheduler too, the events come in order and one at a time. Events wait without a limit. If the subscription is disposed on
  /// the scheduler, waiting events are not delivered.
  @inlinable
  public func observe(on scheduler: any Scheduler) -> Observable<Element> {
    let scheduler = SchedulerHandle(scheduler)
    let source = asObservable()
    // No template: each event is a piece of work on the scheduler.
    return Observable { sink, scope in
      let serial = Serial<Event<Element>>(in: scope) { sink.on(consume $0) }
      scope.connect(source, Sink { serial.hold($0) { scheduler.schedule($0) } })
    }
  }
}
