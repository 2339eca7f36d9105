import RxViewModel
import RxViewModelTesting

@testable import TestSupport

/// A list of events: the elements with their times in milliseconds, then the end.
func events<Element: Sendable>(
  _ elements: KeyValuePairs<Int, Element>, completed: Int? = nil, error: Int? = nil, timeout: Int? = nil
) -> [Recorded<Element>] {
  var events = elements.map { Recorded(.milliseconds($0.key), .next($0.value)) }
  if let completed { events.append(Recorded(.milliseconds(completed), .completed)) }
  if let error { events.append(Recorded(.milliseconds(error), .error(TestError()))) }
  if let timeout { events.append(Recorded(.milliseconds(timeout), .error(RxError.timeout))) }
  return events
}

/// The events that an operator emits for those of a cold source.
func outcome<Element: Sendable, Result: Sendable>(
  of source: [Recorded<Element>], _ operation: (Observable<Element>, TestScheduler) -> Observable<Result>
) -> [Recorded<Result>] {
  let scheduler = TestScheduler()
  let observer = TestObserver<Result>(scheduler: scheduler)
  // Releasing the disposable does not dispose it (contract 1.4).
  _ = operation(scheduler.coldObservable(source).asObservable(), scheduler).subscribe(observer)
  scheduler.run()
  return observer.events
}
