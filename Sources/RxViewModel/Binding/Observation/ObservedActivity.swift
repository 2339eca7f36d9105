import Observation

/// The activity of a view model, or of a child, for SwiftUI: whether it is loading, and the failure that the view has not dismissed yet.
///
///     if viewModel.activity.isLoading { ProgressView() }
///
///     .alert("That didn't work", isPresented: Bindable(viewModel.activity).hasFailure) {
///       Button("Try again") { viewModel.activity.failure?.retry() }
///       Button("Cancel", role: .cancel) {}
///     }
///
/// A view that reads a property is updated when it changes. A change reaches the view on the main actor, immediately if it happens there
/// and no earlier one waits. Each property subscribes when you first read it, and costs nothing before. When the view model's streams
/// complete, ``isLoading`` is false and ``failure`` stays. The activity doesn't keep the view model alive.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
public final class ObservedActivity<Action: Sendable>: Observation.Observable {
  private let loading: Observable<Bool>
  private let failures: Observable<(failure: ActionAndError<Action>, dismiss: @Sendable () -> Void)>
  /// Whether a view has read ``failure`` since the last one.
  private let isRead: Lock<Bool>
  private var dismiss: (@Sendable () -> Void)?
  private let bag = DisposeBag()

  private lazy var lastLoading: TrackedValue<Bool> = {
    let last = TrackedValue(false)
    loading.bind { [weak last] in last?.set($0) }.disposed(by: bag)
    return last
  }()

  private lazy var lastFailure: TrackedValue<ActionAndError<Action>?> = {
    let last = TrackedValue<ActionAndError<Action>?>(nil)
    failures.bind { [weak self, weak last] in
      self?.dismiss = $0.dismiss
      last?.set($0.failure)
    }.disposed(by: bag)
    return last
  }()

  /// - Parameter own: Returns the failure if it belongs to this activity.
  init<A, S>(
    of engine: Engine<A, S>, loading: Observable<Bool>,
    _ own: @escaping @Sendable (ActionAndError<A>) -> ActionAndError<Action>?
  ) {
    self.loading = loading
    let isRead = Lock(false)
    self.isRead = isRead
    failures = engine.failures.compactMap { kept in
      guard let failure = own(kept.failure) else { return nil }
      let isShown = isRead.withLock { isRead in
        defer { isRead = false }
        return isRead
      }
      if isShown { kept.isShown.withLock { $0 = true } }
      return (failure, { engine.dismiss(kept) })
    }
  }

  /// Whether a started action with ``RxViewModel/RxViewModel/showSpinner(_:)`` is unfinished.
  public var isLoading: Bool { lastLoading.value }

  /// The last failure that ``RxViewModel/RxViewModel/handleError(_:action:)`` has not handled, even one from before the first read. It
  /// stays until you set it to nil, or the next failure replaces it.
  ///
  /// If you have read this since the failure before, the next failure doesn't reach ``RxViewModel/RxViewModel/diagnose(_:)``, because a
  /// view shows it.
  public var failure: ActionAndError<Action>? {
    get {
      defer { isRead.withLock { $0 = true } }
      return lastFailure.value
    }
    set {
      let last = lastFailure
      if newValue == nil { dismiss.take()?() }
      last.set(newValue)
    }
  }

  /// Whether there is a ``failure``, for `isPresented`. Setting it to false dismisses the failure; setting it to true has no effect.
  public var hasFailure: Bool {
    get { failure != nil }
    set { if !newValue { failure = nil } }
  }

  /// Forgets the failure, because its child has been removed. Returns the entry of the views that have read the failure.
  func forgetFailure() -> Tracked? { lastFailure.untracked == nil ? nil : lastFailure.replace(nil) }
}
