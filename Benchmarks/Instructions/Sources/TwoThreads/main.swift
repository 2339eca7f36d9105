// One thread executes or sends, another one drives: `time-in-turns` times it. The source compiles with d418699 too.
import Dispatch
import Row
import RxViewModel

// Sendable: it stores nothing.
final class Counter: RxViewModel<Int, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }

  // Not `Effect`, which older checkouts do not have.
  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> { .mutate { $0 += action } }
}

/// Executes `action` on this thread, `count` times, and waits until the view model's queue has made a state of each.
private func act(_ viewModel: RxViewModel<Int, Int>, _ action: Int, _ count: Int, states: Int, mode: ExecutionMode?) {
  let done = DispatchSemaphore(value: 0)
  let subscription = viewModel.stateObservable.subscribe(onNext: { if $0 == states { done.signal() } })
  for _ in 0..<count {
    if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
  }
  done.wait()
  subscription.dispose()
}

private func inMode(_ name: String, _ mode: ExecutionMode) -> Row {
  Row(name: name) { count in
    // The last action begins after the others, so `switchLatest`, which skips states, ends too.
    let (viewModel, done) = (Counter(), DispatchSemaphore(value: 0))
    for _ in 0..<count { viewModel.execute(1, mode: mode) }
    let subscription = viewModel.stateObservable.subscribe(onNext: { if $0 < 0 { done.signal() } })
    viewModel.execute(-1_000_000_000)
    done.wait()
    subscription.dispose()
  }
}

// Sendable: it stores nothing.
/// An action of it sends as many mappers as it says, before it returns from its subscription.
final class Sender: RxViewModel<Int, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> {
    .create { observer in
      for _ in 0..<action { observer.onNext { $0 + 1 } }
      observer.onCompleted()
      return Disposables.create()
    }
  }
}

measure([
  Row(name: "actions → states") { count in act(Counter(), 1, count, states: count, mode: nil) },
  inMode("parallel", .parallel),
  inMode("one lane", .sequence),
  inMode("ordered", .parallelOrdered),
  inMode("switchLatest", .switchLatest),
  Row(name: "create, subscribe, one action, release") { count in
    for _ in 0..<count { act(Counter(), 1, 1, states: 1, mode: nil) }
  },
  Row(name: "one effect sends mappers synchronously") { count in act(Sender(), count, 1, states: count, mode: nil) },
  Row(name: "two threads send to a subject") { count in
    let (subject, sum) = (PublishSubject<Int>(), Sum())
    let subscription = subject.subscribe(onNext: { sum.value &+= $0 })
    DispatchQueue.concurrentPerform(iterations: 2) { _ in for _ in 0..<count / 2 { subject.onNext(1) } }
    precondition(sum.value == count / 2 * 2)
    subscription.dispose()
  },
  Row(name: "subscribe + dispose, subject, among 1,000") { count in
    let (subject, sum, bag) = (PublishSubject<Int>(), Sum(), DisposeBag())
    for _ in 0..<1_000 { subject.subscribe(onNext: { sum.value &+= $0 }).disposed(by: bag) }
    for _ in 0..<count { subject.subscribe(onNext: { sum.value &+= $0 }).dispose() }
  },
])
