import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.5: `isLoadingObservable(where:)` is true while a started action that matches is unfinished. In these tests, user code that
// runs before the start of an action subscribes to it.
@Suite(.ownThread) struct LoadingBeforeStartTests {
  enum Place: String, CaseIterable {
    case executionMode, showSpinner
    /// The action supersedes an earlier one.
    case cancelled, dispose
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
    let (loading, held) = (Recorder<Bool>(), Locked<ClosureViewModel<Step, Int>?>(nil))
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
    let screen = ClosureViewModel<Step, Int>(0, scheduler: scheduler) { _, action in
      action.name == "a" && place == .dispose
        ? .create { _ in Disposables.create { reach(.dispose) } } : .never()
    } overrides: {
      $0.mode = { _, action in
        if action.name == "b" { reach(.executionMode) }
        return .switchLatest
      }
      $0.spins = { _, action in
        if action.name == "b" { reach(.showSpinner) }
        return false
      }
    }
    held.mutate { $0 = screen }
    if place == .cancelled { screen.at("a cancelled", in: bag) { reach(.cancelled) } }
    isDue.mutate { $0 = true }
    for name in ["a", "b"] { screen.execute(Step(name)) }
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
}
