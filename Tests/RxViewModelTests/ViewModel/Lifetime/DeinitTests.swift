import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A view model that executes actions in its `deinit`.
private final class Farewell: RxViewModel<String, [String]>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  private let refused: Locked<[String]>
  private let sayGoodbye: @Sendable (Farewell) -> Void

  init(
    scheduler: (any Scheduler)?, refused: Locked<[String]>, _ sayGoodbye: @escaping @Sendable (Farewell) -> Void
  ) {
    self.refused = refused
    self.sayGoodbye = sayGoodbye
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: String) -> Effect {
    .mutate { $0.append(action) }
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<String>) {
    if case .executedAfterClear(let action) = diagnostic { refused.mutate { $0.append(action) } }
  }

  deinit { sayGoodbye(self) }
}

// contract 2.9: a `deinit` is user code too, and nothing may retain the view model there
struct DeinitTests {
  private let refused = Locked<[String]>([])
  private let observer = TestObserver<[String]>()

  fileprivate static let schedulers: [@Sendable () -> (any Scheduler)?] = [
    { nil }, { TestScheduler() }, { ImmediateScheduler() }, { HandScheduler() },
  ]

  private func release(on scheduler: (any Scheduler)?, _ sayGoodbye: @escaping @Sendable (Farewell) -> Void) {
    var viewModel: Farewell? = Farewell(scheduler: scheduler, refused: refused, sayGoodbye)
    _ = viewModel?.stateObservable.subscribe(observer)
    viewModel = nil
  }

  fileprivate static let forms: [(@Sendable (Farewell, DisposeBag) -> Void, refused: [String])] = [
    ({ viewModel, _ in viewModel.execute("a") }, ["a"]),
    ({ viewModel, _ in viewModel.execute("in a mode", mode: .sequence) }, ["in a mode"]),
    ({ viewModel, bag in viewModel.execute("in a bag", in: bag) }, ["in a bag"]),
    ({ viewModel, _ in viewModel.executeInSequence("one", "two") }, ["one", "two"]),
  ]

  // Each form of `execute` is the first one in a deinit, and follows another.
  @Test(arguments: schedulers.indices, forms.indices)
  func anActionExecutedInADeinitIsRefused(scheduler: Int, form: Int) {
    let (bag, (execute, expected)) = (DisposeBag(), Self.forms[form])
    release(on: Self.schedulers[scheduler]()) { viewModel in
      execute(viewModel, bag)
      viewModel.execute("next")
      execute(viewModel, bag)
    }
    #expect(refused.value == expected + ["next"] + expected)
    #expect(observer.values == [[]])
    #expect(observer.isCompleted)
  }

  // contract 2.9: the waiting turn retains the view model until the scheduler drops that turn
  @Test func anActionInADeinitThatADroppedTurnCausesIsIgnored() {
    let deinits = Locked(0)
    var scheduler: TestScheduler? = TestScheduler()
    var viewModel: Farewell? = Farewell(scheduler: scheduler, refused: refused) { viewModel in
      deinits.mutate { $0 += 1 }
      viewModel.execute("a")
    }
    _ = viewModel?.stateObservable.subscribe(observer)
    viewModel?.execute("waits")
    viewModel = nil
    #expect(deinits.value == 0)
    scheduler = nil
    #expect(deinits.value == 1)
    #expect(refused.value == [])
    #expect(observer.values == [[]])
  }

  // contract 2.9: the view model no longer exists for a stream
  @Test(arguments: Self.schedulers.indices) func aStreamThatIsExecutedInADeinitEndsWithItsFirstElement(scheduler: Int) {
    let actions = BehaviorSubject(value: "a")
    release(on: Self.schedulers[scheduler]()) { _ = actions.execute(on: $0) }
    #expect(!actions.hasObservers)
    #expect(refused.value == [])
    #expect(observer.values == [[]])
  }
}
