import Foundation
import Testing

@testable import RxViewModel
@testable import TestSupport

private struct Busy: Feature {
  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> { .never() }
  func showSpinner(_ action: Int) -> Bool { true }
}

private final class Rows: RxViewModel<Int, Int?>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int? { 0 }
  override func createObservable(_ action: Int) -> Effect { .never() }
  override func child(for action: Int) -> ChildAction<Int, Int?>? { .init(Busy(), action, at: \.self, as: { $0 }) }
}

// contract 2.9, 3.7: the loading stream of a child asks for the child of each running action, on the subscribing thread
@Suite(.stress, .serialized) struct LoadingAtTheEndTests {
  // `clear` comes in the first question, and the last turn runs beside the others. ThreadSanitizer sees an access without the lock.
  @Test func theLastTurnReleasesChildrenThatASubscriberAsksFor() async {
    for _ in 0..<10 {
      let (hand, isCleared, isOver, isFirst) = (HandScheduler(), Signal(), Signal(), Locked(true))
      let rows = Rows(scheduler: hand)
      for number in 0..<2_000 { rows.execute(number) }
      hand.run()
      let stream = rows.engine.loading(isForSpinner: true) { [engine = rows.engine] run in
        let isFirst = isFirst.mutate { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if isFirst {
          Thread.detachNewThread {
            rows.clear()
            isCleared.fire()
            hand.run()
            isOver.fire()
          }
          #expect(isCleared.wait())
        }
        return engine.child(of: run) != nil
      }
      let (values, isCompleted) = (Locked<[Bool]>([]), Signal())
      let subscription = stream.subscribe(
        onNext: { value in values.mutate { $0.append(value) } }, onCompleted: { isCompleted.fire() })
      #expect(await onThread { isOver.wait() && isCompleted.wait() })
      #expect(values.value.last == false)
      subscription.dispose()
    }
  }
}
