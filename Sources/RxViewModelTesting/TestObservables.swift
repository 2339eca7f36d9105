import RxViewModel

extension TestScheduler {
  /// Returns an observable that sends `events` to each subscriber, at times relative to its subscription.
  ///
  /// Each subscription schedules all events at once, including those at time zero.
  public func coldObservable<Element: Sendable>(_ events: [Recorded<Element>]) -> Observable<Element> {
    .create { [time] observer in
      let scheduled = events.map { recorded in
        time.schedule(after: recorded.time) { observer.on(recorded.event) }
      }
      return Disposables.create { for work in scheduled { work.dispose() } }
    }
  }

  /// Returns an observable that sends each of `events` at its time, to the subscribers at that time.
  ///
  /// Schedules all events now. After the terminal event a new subscriber gets that event at once. Elements with times below zero, which are
  /// before the `^` of a marble diagram, count as sent before the first subscription.
  public func hotObservable<Element: Sendable>(_ events: [Recorded<Element>]) -> Observable<Element> {
    let subject = PublishSubject<Element>()
    let start = now
    for recorded in events {
      if recorded.time < .zero {
        subject.on(recorded.event)
      } else {
        time.schedule(after: recorded.time - start, VirtualWork.Body { subject.on(recorded.event) })
      }
    }
    return subject.asObservable()
  }
}
