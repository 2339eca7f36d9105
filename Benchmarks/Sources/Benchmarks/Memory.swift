import Dispatch
import RxViewModel

/// Measures the bytes in use per object, for several kinds of idle objects.
func memoryOfIdleThings(_ count: Int, inUse: () -> Int) -> [(name: String, bytes: Double, goal: Int?)] {
  // The view models share one queue, because the memory of a queue is the system's.
  let queue = DispatchQueue(label: "memory")
  func measured(_ make: (Int) -> AnyObject?) -> Double {
    var held: [AnyObject?] = []
    held.reserveCapacity(count)
    let before = inUse()
    for number in 0..<count { held.append(make(number)) }
    let bytes = Double(inUse() - before) / Double(count)
    // The objects are released before the next measurement. A view model ends on its queue.
    held = []
    queue.sync {}
    return bytes
  }
  let subject = PublishSubject<Int>()
  // On this thread, because the count leaves out the memory that other threads allocate.
  let waiting = Waiting(scheduler: ImmediateScheduler())
  return [
    ("an idle view model", measured { _ in Counter(scheduler: queue) }, 600),
    ("a subscription", measured { _ in subject.subscribe(onNext: { _ in }) }, 200),
    (
      "a subscription through map",
      measured { _ in subject.map { $0 + 1 }.subscribe(onNext: { _ in }) }, nil
    ),
    (
      "an action that never ends",
      measured { number in
        waiting.execute(number)
        return nil
      }, nil
    ),
    ("an idle view model with a queue of its own", measured { _ in Counter() }, nil),
  ]
}

/// A view model whose actions never end.
final class Waiting: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .never() }
}
