// The smallest program with a view model. Its size, stripped, is what the library adds to an app on Linux.
import RxViewModel

// Sendable: it stores nothing.
final class Counter: RxViewModel<Int, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> { .mutate { $0 += action } }
}

let viewModel = Counter(scheduler: ImmediateScheduler())
let subscription = viewModel.stateObservable.subscribe(onNext: { print($0) })
viewModel.execute(1)
subscription.dispose()
