import RxViewModel

/// A screen of a tab. It sends the state of its view model to the page, and executes the page's actions.
@MainActor
class Screen {
  /// The path of the page while this screen is shown. Nil for the sign-in.
  let path: String?
  /// Resumed while this screen is shown and the tab is resumed.
  let lifecycle = Lifecycle()
  let outbox: Outbox
  let bag = DisposeBag()
  private let logLines: Observable<String>
  private let log = SerialDisposable()

  init<Action, State>(_ viewModel: RxViewModel<Action, State>, _ outbox: Outbox, path: String?) {
    self.path = path
    self.outbox = outbox
    logLines = .create { lines in viewModel.log { lines.onNext($0) } }
    lifecycle.bind(viewModel)
    log.disposed(by: bag)
  }

  /// Executes an action. Returns false if this screen does not have it.
  func receive(_ action: PageAction) -> Bool { false }

  /// Called each time the page has been told that this screen is shown.
  func appear() {}

  /// Begins or ends sending the view model's log to the page.
  final func showLog(_ isOn: Bool) {
    log.replace(with: isOn ? logLines.bind { [outbox] in outbox.send(.log(line: $0)) } : Disposables.create())
  }

  /// Calls `render` with each value while this screen is shown, and at its resume with the latest value.
  final func show<Action, State, Value: Sendable & Equatable>(
    _ values: Observable<Value>, of viewModel: RxViewModel<Action, State>,
    _ render: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    values.distinctUntilChanged().asLiveData(viewModel).observe(lifecycle, render).disposed(by: bag)
  }
}

extension RxViewModel {
  /// A view of the state and of the spinner.
  func view<View: Sendable>(_ make: @escaping @Sendable (State, Bool) -> View) -> Observable<View> {
    .combineLatest(stateObservable, isLoadingObservable.smoothed(scheduler: scheduler), make)
  }
}
