import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Calls a closure when it is released.
private final class Token: Sendable {
  let released: @Sendable () -> Void

  init(_ released: @escaping @Sendable () -> Void) {
    self.released = released
  }

  func touch() {}

  deinit {
    released()
  }
}

/// Calls a closure in the overrides that the view model calls for its action "b" before that action starts.
private final class Asking: RxViewModel<Step, [String]>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let reached: @Sendable (LoadingBeforeStartTests.Place) -> Void

  init(_ scheduler: any Scheduler, _ reached: @escaping @Sendable (LoadingBeforeStartTests.Place) -> Void) {
    self.reached = reached
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: Step) -> Effect {
    do { return try action.effect() } catch { return .error(error) }
  }

  override func executionMode(for action: Step) -> ExecutionMode {
    if action.name == "b" { reached(.executionMode) }
    return .switchLatest
  }

  override func showSpinner(_ action: Step) -> Bool {
    if action.name == "b" { reached(.showSpinner) }
    return false
  }
}

// contract 2.5: `isLoadingObservable(where:)` is true while a started action that matches is unfinished. In these tests, user code that
// runs before the start of an action subscribes to it.
@Suite(.ownThread) struct LoadingBeforeStartTests {
  enum Place: String, CaseIterable {
    case executionMode, showSpinner
    /// The action supersedes an earlier one.
    case cancelled, dispose
    /// The view model has folded the single mapper of an earlier action, whose end no stream emits.
    case releaseOfTheActionBefore, releaseOfASubscriber
    /// The same, but another thread has subscribed to `isLoadingObservable(where:)` meanwhile.
    case endOfLoading
  }

  /// The thread that subscribes. With `AndCancels` it also cancels the action, before its start.
  enum Subscriber: CaseIterable {
    case userCode, userCodeAndCancels
    /// The user code waits for this thread.
    case otherThread, otherThreadAndCancels

    var cancels: Bool { self == .userCodeAndCancels || self == .otherThreadAndCancels }
    var isElsewhere: Bool { self == .otherThread || self == .otherThreadAndCancels }
  }

  @Test(arguments: Place.allCases, Subscriber.allCases)
  func loadingBecomesFalse(place: Place, subscriber: Subscriber) {
    let (scheduler, bag) = (HandScheduler(), DisposeBag())
    let (loading, held) = (Recorder<Bool>(), Locked<Asking?>(nil))
    let isDue = Locked(false)
    @Sendable func reach(_ reached: Place) {
      let isFirst = isDue.mutate { isDue in
        defer { if reached == place { isDue = false } }
        return isDue && reached == place
      }
      guard isFirst, let screen = held.value else { return }
      let subscribe: @Sendable () -> Void = {
        screen.isLoadingObservable(where: { $0.name == "b" }).subscribe(loading).disposed(by: bag)
        if subscriber.cancels { screen.cancelActions { $0.name == "b" } }
      }
      if subscriber.isElsewhere { #expect(onOtherThread(subscribe)) } else { subscribe() }
    }
    let screen = Asking(scheduler) { reached in
      if reached == .showSpinner, place == .endOfLoading {
        onOtherThread {
          held.value!.isLoadingObservable(where: { $0.name == "a" }).subscribe(onNext: { isLoading in
            if !isLoading { reach(.endOfLoading) }
          }).disposed(by: bag)
        }
      }
      reach(reached)
    }
    held.mutate { $0 = screen }
    if place == .releaseOfASubscriber { disposeASubscriber(of: screen) { reach(.releaseOfASubscriber) } }

    isDue.mutate { $0 = true }
    screen.execute(first(place) { reach($0) })
    screen.execute(Step("b") { .never() })
    if place == .cancelled {
      screen.executionObservable.subscribe(onNext: { execution in
        if case .cancelled = execution.phase, execution.action.name == "a" { reach(.cancelled) }
      }).disposed(by: bag)
    }
    scheduler.run()
    #expect(!isDue.value)
    if !subscriber.cancels {
      #expect(loading.elements.last == true)
      screen.cancelActions { $0.name == "b" }
      scheduler.run()
    }
    #expect(loading.elements.last == false)
    #expect(zip(loading.elements, loading.elements.dropFirst()).allSatisfy { $0 != $1 })
    #expect(loading.faults == [])
    held.mutate { $0 = nil }
    bag.dispose()
  }

  /// The action before "b".
  private func first(_ place: Place, _ reached: @escaping @Sendable (Place) -> Void) -> Step {
    switch place {
    case .cancelled: return Step("a") { .never() }
    case .dispose: return Step("a") { .create { _ in Disposables.create { reached(.dispose) } } }
    case .releaseOfTheActionBefore:
      let token = Token { reached(.releaseOfTheActionBefore) }
      return Step("a") {
        token.touch()
        return .mutate { $0.append("a") }
      }
    case .executionMode, .showSpinner, .releaseOfASubscriber, .endOfLoading: return Step("a")
    }
  }

  /// Subscribes twice to the states. When the action before "b" has been folded, the first subscriber disposes the second one, which the
  /// view model then releases.
  private func disposeASubscriber(of screen: Asking, _ released: @escaping @Sendable () -> Void) {
    let other = Locked<(any Disposable)?>(nil)
    _ = screen.stateObservable.subscribe(onNext: { state in
      if state == ["a"] { other.mutate { $0.take() }?.dispose() }
    })
    let token = Token(released)
    let subscription = screen.stateObservable.subscribe(onNext: { _ in token.touch() })
    other.mutate { $0 = subscription }
  }
}
