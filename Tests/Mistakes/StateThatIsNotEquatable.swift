// The compiler says: requires that 'Loose' conform to 'Equatable'
import RxViewModel
import RxViewModelTesting

struct Loose: Sendable { var count = 0 }

final class LooseViewModel: RxViewModel<Int, Loose>, @unchecked Sendable {
  override func createInitialState() -> Loose { Loose() }
  override func createObservable(_ action: Int) -> Effect { .mutate { $0.count += action } }
}

func test() throws {
  try withTestStore(LooseViewModel(scheduler: TestScheduler())) { store in
    try store.send(1) { $0.count = 1 }
  }
}
