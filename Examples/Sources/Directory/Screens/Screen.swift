import RxViewModel

/// A screen on a tab: sends the page what its view model holds, and gives the view model what the page asks for.
@MainActor
class Screen {
  /// The path of the page while this is shown; nil for the sign-in, which has none.
  let path: String?
  /// Resumed while this is the screen that is shown, and the tab is.
  let lifecycle = Lifecycle()
  let outbox: Outbox
  let bag = DisposeBag()
  private let startLog: (_ write: @escaping @Sendable (String) -> Void) -> any Disposable
  private let log = SerialDisposable()

  init<Action, State>(_ viewModel: RxViewModel<Action, State>, _ outbox: Outbox, path: String?) {
    self.path = path
    self.outbox = outbox
    startLog = { viewModel.log($0) }
    lifecycle.bind(viewModel)
    log.disposed(by: bag)
  }

  /// Takes an action. The result is whether it is one of this screen's.
  func receive(_ action: PageAction) -> Bool { false }

  /// Adds what the view model holds.
  func describe(in snapshot: inout Snapshot) {}

  /// Writes the view model's log to `lines`, or no more.
  final func write(to lines: PublishSubject<String>?) {
    log.replace(with: lines.map { lines in startLog { lines.onNext($0) } } ?? Disposables.create())
  }

  /// Calls `render` with each value while this screen is shown; after a pause with the latest.
  final func show<Action, State, Value: Sendable & Equatable>(
    _ values: Observable<Value>, of viewModel: RxViewModel<Action, State>,
    _ render: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    values.distinctUntilChanged().asLiveData(viewModel).observe(lifecycle, render).disposed(by: bag)
  }
}

extension RxViewModel {
  /// The state, and whether a spinner turns.
  func view<View: Sendable>(_ make: @escaping @Sendable (State, Bool) -> View) -> Observable<View> {
    .combineLatest(stateObservable, isLoadingObservable.smoothed(scheduler: scheduler), make)
  }
}
