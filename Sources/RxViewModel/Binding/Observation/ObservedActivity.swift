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
    private let failures: Observable<ActionAndError<Action>?>
    private let bag = DisposeBag()
    /// The observers of a child's activity. Nil for that of a view model.
    private let observers: (any ActivityObservers)?

    private lazy var lastLoading: TrackedValue<Bool> = {
      let last = TrackedValue(false)
      loading.bind { [weak last] in last?.set($0) }.disposed(by: bag)
      return last
    }()

    private lazy var lastFailure: TrackedValue<ActionAndError<Action>?> = {
      let last = TrackedValue<ActionAndError<Action>?>(nil)
      failures.bind { [weak self, weak last] failure in
        if let self { observers?.keep(self, failure != nil) }
        last?.set(failure)
      }.disposed(by: bag)
      return last
    }()

    init<State>(of viewModel: RxViewModel<Action, State>) {
      loading = viewModel.isLoadingObservable
      failures = viewModel.actionAndErrorObservable.map { $0 }
      observers = nil
    }

    /// The activity of a child.
    init(loading: Observable<Bool>, failures: Observable<ActionAndError<Action>?>, observers: any ActivityObservers) {
      (self.loading, self.failures, self.observers) = (loading, failures, observers)
    }

    /// Whether a started action with ``RxViewModel/RxViewModel/showSpinner(_:)`` is unfinished.
    public var isLoading: Bool {
      observers?.add(self)
      return lastLoading.value
    }

    /// The last failure that ``RxViewModel/RxViewModel/handleError(_:action:)`` has not handled. It stays until you set it to nil, or the
    /// next failure replaces it.
    ///
    /// Shows the failures that come after the first read. From that read on, this object is a subscriber of the error streams, so the view
    /// model does not call ``RxViewModel/RxViewModel/diagnose(_:)`` for an error.
    public var failure: ActionAndError<Action>? {
      get {
        observers?.add(self)
        return lastFailure.value
      }
      set {
        observers?.keep(self, newValue != nil)
        lastFailure.set(newValue)
      }
    }

    /// Whether there is a ``failure``, for `isPresented`. Setting false dismisses the failure; setting true has no effect.
    public var hasFailure: Bool {
      get { failure != nil }
      set { if !newValue { failure = nil } }
    }
  }

  /// The object that retains the activity of a child.
  @MainActor
  protocol ActivityObservers {
    /// Lets the view that is reading the activity retain it while it observes the activity.
    func add(_ activity: AnyObject)
    /// Keeps the activity while it shows a failure.
    func keep(_ activity: AnyObject, _ keeps: Bool)
  }
#endif
