import RxViewModel
import Testing

@testable import TestSupport

// contract 2.5, 2.6, 2.7, 2.11, 2.19: the first subscriber of a stream, which user code makes during the view model's own work, receives
// all that follows
struct FirstSubscriberTests {
  private struct Part: Feature {
    func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> { .never() }
  }

  /// The user code that subscribes.
  enum Place: CaseIterable {
    case loading, diagnosis, showSpinner, predicate, disposal
    /// A callback of one error stream subscribes to the other.
    case error
    /// Another thread subscribes meanwhile.
    case state

    var expected: [String] {
      switch self {
      case .loading: ["a started", "a made 1", "a emitted", "a completed"]
      case .diagnosis: ["a dropped"]
      case .showSpinner: ["b dropped"]
      case .predicate: ["b cancelled"]
      case .error: ["a failed with oops", "a failed"]
      case .disposal: ["a cancelled"]
      case .state: ["a made 1", "a emitted", "a completed"]
      }
    }
  }

  @Test(arguments: Place.allCases) func itReceivesAllThatFollows(place: Place) {
    let (lines, bag, held) = (Locked<[String]>([]), DisposeBag(), Locked<ClosureViewModel<String, Int>?>(nil))
    @Sendable func reach(_ reached: Place) {
      guard reached == place, let model = held.exchange(for: nil) else { return }
      let subscribe = { @Sendable in
        model.actionAndStateObservable.subscribe(onNext: { lines.append("\($0.action) made \($0.state)") })
          .disposed(by: bag)
        model.actionAndErrorObservable.subscribe(onNext: { lines.append("\($0.action!) failed with \($0.error)") })
          .disposed(by: bag)
        model.executionObservable.subscribe(onNext: { lines.append($0.step) }).disposed(by: bag)
      }
      if place == .state { onOtherThread(subscribe) } else { subscribe() }
    }
    let model = ClosureViewModel<String, Int>(0, scheduler: ImmediateScheduler()) {
      $0.effect = { _, _ in
        switch place {
        case .loading, .state: .just { $0 + 1 }
        case .error: .error(TestError("oops"))
        case .disposal: .create { _ in Disposables.create { reach(.disposal) } }
        case .diagnosis, .showSpinner, .predicate: .never()
        }
      }
      $0.mode = { _, _ in place == .showSpinner ? .dropWhileBusy : .sequence }
      $0.spins = { _, action in
        if action == "b" { reach(.showSpinner) }
        return place == .loading
      }
      if place == .diagnosis { $0.child = { _, action in .init(Part(), action, at: \.absent, as: { $0 }) } }
      $0.diagnose = { _, _ in reach(.diagnosis) }
    }
    held.mutate { $0 = model }
    model.isLoadingObservable.subscribe(onNext: { if $0 { reach(.loading) } }).disposed(by: bag)
    model.stateObservable.subscribe(onNext: { if $0 == 1 { reach(.state) } }).disposed(by: bag)
    if place == .error { model.errorObservable.subscribe(onNext: { _ in reach(.error) }).disposed(by: bag) }
    model.execute("a")
    if place == .showSpinner || place == .predicate { model.execute("b") }
    model.cancelActions { action in
      if action == "b" { reach(.predicate) }
      return action == "b" || place == .disposal
    }
    #expect(lines.value == place.expected)
    bag.dispose()
  }
}

extension Int {
  fileprivate var absent: Int? {
    get { nil }
    set {}
  }
}
