import RxViewModel

extension TestScheduler {
  /// An observable that sends `events` anew to each subscriber, at times relative to the subscription.
  ///
  /// All are scheduled when it is subscribed, an event at time zero too.
  public func coldObservable<Element: Sendable>(_ events: [Recorded<Element>]) -> Observable<Element> {
    .create { [self] observer in
      let scheduled = events.map { recorded in
        schedule(after: recorded.time) { observer.on(recorded.event) }
      }
      return Disposables.create { for work in scheduled { work.dispose() } }
    }
  }

  /// An observable that sends `events` at their times to whoever is subscribed by then.
  ///
  /// All are scheduled now. After its terminal event a new subscriber gets that event at once.
  public func hotObservable<Element: Sendable>(_ events: [Recorded<Element>]) -> Observable<Element> {
    let subject = PublishSubject<Element>()
    let start = now
    for recorded in events {
      _ = schedule(after: recorded.time - start) { subject.on(recorded.event) }
    }
    return subject.asObservable()
  }
}
