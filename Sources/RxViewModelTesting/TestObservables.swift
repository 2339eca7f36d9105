import RxViewModel

extension TestScheduler {
  /// An observable that sends `events` anew to each subscriber, at times relative to the subscription.
  ///
  /// All are scheduled when it is subscribed, an event at time zero too.
  public func coldObservable<Element: Sendable>(_ events: [Recorded<Element>]) -> Observable<Element> {
    .create { [time] observer in
      let scheduled = events.map { recorded in
        time.schedule(after: recorded.time) { observer.on(recorded.event) }
      }
      return Disposables.create { for work in scheduled { work.dispose() } }
    }
  }

  /// An observable that sends `events` at their times to those that are subscribed by then.
  ///
  /// All are scheduled now. After its terminal event a new subscriber gets that event at once. Elements before time
  /// zero, which stand before the `^` of a marble diagram, have been sent when there was no subscriber yet.
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
