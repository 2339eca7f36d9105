import RxViewModel

/// A stream that sends the events that you give it, and records when it was subscribed. Make it with ``TestScheduler/coldObservable(_:)``
/// or ``TestScheduler/hotObservable(_:)``.
///
///     let results = scheduler.coldObservable(.marbles("---a|"))
///     viewModel.execute(.search("a"))
///     scheduler.run()
///     #expect(results.subscriptions == [.milliseconds(300) ... .milliseconds(340)])
public struct TestObservable<Element: Sendable>: ObservableType {
  private let source: Observable<Element>
  private let time: VirtualTime
  private let recorded = Lock<[ClosedRange<Duration>]>([])

  fileprivate init(_ source: Observable<Element>, _ time: VirtualTime) {
    (self.source, self.time) = (source, time)
  }

  /// When each subscription began and ended, in virtual time. A subscription ends with the stream, or when it is disposed. Until then, its
  /// end is `.seconds(Int64.max)`.
  public var subscriptions: [ClosedRange<Duration>] { recorded.withLock { $0 } }

  public func asObservable() -> Observable<Element> {
    .deferred { [source, time, recorded] in
      let begin = time.now
      let index = recorded.withLock { recorded in
        recorded.append(begin ... .seconds(Int64.max))
        return recorded.count - 1
      }
      return source.do(onDispose: {
        let end = time.now
        recorded.withLock { $0[index] = begin...end }
      })
    }
  }
}

extension TestScheduler {
  /// Returns an observable that sends `events` to each subscriber, at times relative to its subscription.
  ///
  /// Each subscription immediately schedules all events, including those at time zero.
  public func coldObservable<Element: Sendable>(_ events: [Recorded<Element>]) -> TestObservable<Element> {
    let source = Observable<Element>.create { [time] observer in
      let scheduled = events.map { recorded in
        time.schedule(after: recorded.time) { observer.on(recorded.event) }
      }
      return Disposables.create { for work in scheduled { work.dispose() } }
    }
    return TestObservable(source, time)
  }

  /// Returns an observable that sends each of `events` at its time, to the subscribers at that time.
  ///
  /// Schedules all events now. A subscriber that comes after the end immediately gets the end, and no element. Events with times below
  /// zero, which are before the `^` of a marble diagram, count as sent before the first subscription.
  public func hotObservable<Element: Sendable>(_ events: [Recorded<Element>]) -> TestObservable<Element> {
    let subject = PublishSubject<Element>()
    let start = now
    for recorded in events {
      if recorded.time < .zero {
        subject.on(recorded.event)
      } else {
        time.schedule(after: recorded.time - start, VirtualWork.Body { subject.on(recorded.event) })
      }
    }
    return TestObservable(subject.asObservable(), time)
  }
}
