import Dispatch
import RxViewModel

/// Bytes in use by each of many things that are there and do nothing.
func memoryOfIdleThings(_ count: Int, inUse: () -> Int) -> [(name: String, bytes: Double, goal: Int?)] {
  // A queue for all of them: what one of its own takes is the system's.
  let queue = DispatchQueue(label: "memory")
  func measured(_ make: (Int) -> AnyObject?) -> Double {
    var held: [AnyObject?] = []
    held.reserveCapacity(count)
    let before = inUse()
    for number in 0..<count { held.append(make(number)) }
    let bytes = Double(inUse() - before) / Double(count)
    // What goes away goes before the next is measured: a view model ends on its queue.
    held = []
    queue.sync {}
    return bytes
  }
  let subject = PublishSubject<Int>()
  let waiting = Waiting(scheduler: queue)
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
        queue.sync {}
        return nil
      }, nil
    ),
    ("an idle view model with a queue of its own", measured { _ in Counter() }, nil),
  ]
}

/// Its actions never end.
final class Waiting: RxViewModel<Int, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> { .never() }
}
