#if canImport(Observation)
  import Observation

  /// The activity of a view model for SwiftUI: whether it is loading, and the failure that the view has not dismissed yet.
  ///
  ///     if viewModel.activity.isLoading { ProgressView() }
  ///
  ///     .alert("That did not work", isPresented: Bindable(viewModel.activity).hasFailure) {
  ///       Button("Try again") { viewModel.activity.failure?.retry() }
  ///       Button("Cancel", role: .cancel) {}
  ///     }
  ///
  /// Observation notifies a view that has read a property when it changes. A change reaches the view on the main actor; one that happens on
  /// the main actor reaches it at once if no earlier one waits. Each property subscribes when it is read first, and costs nothing before.
  /// When the view model's streams complete, ``isLoading`` is false and ``failure`` stays. The activity does not keep the view model alive.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  public final class ObservedActivity<Action: Sendable>: Observation.Observable {
    private let loading: Observable<Bool>
    private let failures: Observable<ActionAndError<Action>>
    private let bag = DisposeBag()

    private lazy var lastLoading: TrackedValue<Bool> = {
      let last = TrackedValue(false)
      loading.bind { [weak last] in last?.set($0) }.disposed(by: bag)
      return last
    }()

    private lazy var lastFailure: TrackedValue<ActionAndError<Action>?> = {
      let last = TrackedValue<ActionAndError<Action>?>(nil)
      failures.bind { [weak last] in last?.set($0) }.disposed(by: bag)
      return last
    }()

    init<State>(of viewModel: RxViewModel<Action, State>) {
      loading = viewModel.isLoadingObservable
      failures = viewModel.actionAndErrorObservable
    }

    /// Whether a started action with ``RxViewModel/RxViewModel/showSpinner(_:)`` is unfinished.
    public var isLoading: Bool { lastLoading.value }

    /// The last failure that ``RxViewModel/RxViewModel/handleError(_:action:)`` has not handled. It stays until you set it to nil, or the
    /// next failure replaces it.
    ///
    /// Shows the failures that come after the first read. From that read on, this object is a subscriber of the error streams, so the view
    /// model does not call ``RxViewModel/RxViewModel/diagnose(_:)`` for an error.
    public var failure: ActionAndError<Action>? {
      get { lastFailure.value }
      set { lastFailure.set(newValue) }
    }

    /// Whether there is a ``failure``, for `isPresented`. Setting false dismisses the failure; setting true has no effect.
    public var hasFailure: Bool {
      get { failure != nil }
      set { if !newValue { failure = nil } }
    }
  }
#endif
