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
  typealias Failure = ActionAndError<Action>

  private let loading: Observable<Bool>
  private let failures: Observable<Failure>
  /// Returns the failure that came before the first read. The next failure counts as shown by the activity with this identifier.
  private let read: (ObjectIdentifier) -> Failure?
  private let dismiss: (Failure) -> Void
  private let forget: @Sendable (ObjectIdentifier) -> Void
  private let bag = DisposeBag()

  private lazy var lastLoading: TrackedValue<Bool> = {
    let last = TrackedValue(false)
    loading.bind { [weak last] in last?.set($0) }.disposed(by: bag)
    return last
  }()

  private lazy var lastFailure: TrackedValue<Failure?> = {
    let last = TrackedValue<Failure?>(nil)
    failures.bind { [weak last] in last?.set($0) }.disposed(by: bag)
    if last.untracked == nil { last.set(read(ObjectIdentifier(self))) }
    return last
  }()

  /// - Parameter own: Returns the failure if it belongs to this activity. Learns whether it came before the first read.
  init<A, S>(
    of engine: Engine<A, S>, loading: Observable<Bool>,
    _ own: @escaping @Sendable (ActionAndError<A>, _ isEarlier: Bool) -> Failure?
  ) {
    self.loading = loading
    failures = engine.stream(\.failure).compactMap { own($0, false) }
    read = { engine.readFailure(by: $0) { own($0, false) != nil }.flatMap { own($0, true) } }
    forget = { engine.forgetReader($0) }
    dismiss = { engine.dismissFailure($0.retrying) }
  }

  deinit { forget(ObjectIdentifier(self)) }

  /// Whether a started action with ``RxViewModel/RxViewModel/showSpinner(_:)`` is unfinished.
  public var isLoading: Bool { lastLoading.value }

  /// The last failure that ``RxViewModel/RxViewModel/handleError(_:action:)`` has not handled, even one from before the first read. It
  /// stays until you set it to nil, or the next failure replaces it.
  ///
  /// If you have read this since the failure before, the next failure doesn't reach ``RxViewModel/RxViewModel/diagnose(_:)``, because a
  /// view shows it.
  public var failure: ActionAndError<Action>? {
    get {
      defer { _ = read(ObjectIdentifier(self)) }
      return lastFailure.value
    }
    set {
      if newValue == nil, let failure = lastFailure.untracked { dismiss(failure) }
      lastFailure.set(newValue)
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

extension Engine {
  /// The last failure that no view has dismissed. The next failure counts as shown if `shows` returns true for it.
  func readFailure(
    by reader: ObjectIdentifier, _ shows: @escaping @Sendable (ActionAndError<Action>) -> Bool
  ) -> ActionAndError<Action>? {
    shared.withLock { shared in
      if !shared.isClosed { shared.held.readers[reader] = shows }
      return shared.held.failure
    }
  }

  func forgetReader(_ reader: ObjectIdentifier) {
    // Released without the lock.
    let old = shared.withLock { $0.held.readers.removeValue(forKey: reader) }
    withExtendedLifetime(old) {}
  }

  func dismissFailure(_ failed: (any Retrying)?) {
    let old = shared.withLock { shared -> ActionAndError<Action>? in
      guard let failure = shared.held.failure, failure.retrying === failed else { return nil }
      failure.retrying?.instance?.uses -= 1
      return shared.held.failure.take()
    }
    withExtendedLifetime(old) {}
  }
}
