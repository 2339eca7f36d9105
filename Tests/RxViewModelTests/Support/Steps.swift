import RxViewModel
import RxViewModelTesting

extension Execution {
  /// The action and the name of its phase, such as `a started`.
  var step: String { "\(action) \("\(phase)".prefix { $0.isLetter })" }

  var isEnd: Bool {
    switch phase {
    case .waiting, .started, .emitted: false
    case .completed, .failed, .cancelled, .dropped: true
    }
  }
}

extension RxViewModel {
  /// The steps of all actions from now on.
  func steps() -> TestObserver<String> { executionObservable.map(\.step).test() }

  /// The starts and ends of all actions from now on.
  func fates(_ scheduler: TestScheduler? = nil) -> TestObserver<String> {
    executionObservable.filter { if case .started = $0.phase { true } else { $0.isEnd } }.map(\.step).test(scheduler)
  }

  /// The ends of all actions from now on.
  func ends() -> TestObserver<String> { executionObservable.filter(\.isEnd).map(\.step).test() }

  /// Calls `body` at each step with this text, such as `a started`.
  func at(_ step: String, in bag: DisposeBag, _ body: @escaping @Sendable () -> Void) {
    executionObservable.subscribe(onNext: { if $0.step == step { body() } }).disposed(by: bag)
  }
}
