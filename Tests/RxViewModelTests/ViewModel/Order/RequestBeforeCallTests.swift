import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Records a line for each override, and calls a closure with it.
private final class Watched: RxViewModel<String, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let log = Locked<[String]>([])
  private let effect: @Sendable (String) -> Effect
  private let reach: @Sendable (String) -> Void

  init(
    effect: @escaping @Sendable (String) -> Effect = { _ in .just { $0 + 1 } },
    reaching reach: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.effect = effect
    self.reach = reach
    super.init()
  }

  func note(_ line: String) {
    log.mutate { $0.append(line) }
    reach(line)
  }

  override func createInitialState() -> Int { 0 }
  override func onResume(_ scope: DisposeBag) { note("onResume") }
  override func onPause() { note("onPause") }
  override func handleError(_ error: any Error, action: String?) -> Bool { true }

  override func executionMode(for action: String) -> ExecutionMode {
    note("executionMode(\(action))")
    return .parallel
  }

  override func showSpinner(_ action: String) -> Bool {
    note("showSpinner(\(action))")
    return action != "silent"
  }

  override func createObservable(_ action: String) -> Effect {
    note("createObservable(\(action))")
    return effect(action)
  }
}

/// Blocks the view model in a callback, while the test works on another thread.
private final class Hold: Sendable {
  private let (isReached, mayGoOn, isSpent) = (Signal(), Signal(), Locked(false))

  func here() {
    let isFirst = isSpent.mutate { isSpent in
      defer { isSpent = true }
      return !isSpent
    }
    guard isFirst else { return }
    isReached.fire()
    #expect(mayGoOn.wait())
  }

  func during(_ work: @escaping @Sendable () -> Void) async {
    await onThread { [self] in
      #expect(isReached.wait())
      work()
      mayGoOn.fire()
    }
  }
}

// contract 2.7, 2.9, 2.11, 2.12: a request of another thread comes before the view model's next call of user code
@Suite(.serialized) struct RequestBeforeCallTests {
  /// Makes the requests of `first` in one turn, clears the view model while it is blocked at a line, and returns the lines after that.
  private func linesAfterClear(
    heldAt line: String, of viewModel: Watched, _ hold: Hold, _ first: @escaping @Sendable () -> Void
  ) async -> [String] {
    let (ended, bag, mark) = (Signal(), DisposeBag(), Locked(0))
    viewModel.stateObservable.subscribe(onCompleted: { ended.fire() }).disposed(by: bag)
    // One turn handles all requests of `first`.
    let (isAtWork, mayGoOn) = (Signal(), Signal())
    viewModel.scheduler.schedule {
      isAtWork.fire()
      #expect(mayGoOn.wait())
    }
    await onThread {
      #expect(isAtWork.wait())
      first()
      mayGoOn.fire()
    }
    await hold.during {
      viewModel.clear()
      mark.mutate { $0 = viewModel.log.value.count }
    }
    #expect(await onThread { ended.wait() })
    bag.dispose()
    return Array(viewModel.log.value[mark.value...])
  }

  @Test(arguments: ["showSpinner(a)", "createObservable(a)", "started", "loading true", "onResume"])
  func nothingIsCalledAfterClearHasReturned(line: String) async {
    let (hold, bag) = (Hold(), DisposeBag())
    let viewModel = Watched(reaching: { if $0 == line { hold.here() } })
    viewModel.executionObservable.subscribe(onNext: { [weak viewModel] execution in
      viewModel?.note("\(execution.phase)")
    }).disposed(by: bag)
    viewModel.isLoadingObservable.skip(1).subscribe(onNext: { [weak viewModel] isLoading in
      viewModel?.note("loading \(isLoading)")
    }).disposed(by: bag)
    viewModel.isLoadingObservable(where: { [weak viewModel] action in
      viewModel?.note("predicate(\(action))")
      return true
    }).skip(1).subscribe(onNext: { [weak viewModel] isLoading in viewModel?.note("any loading \(isLoading)") })
      .disposed(by: bag)
    let lines = await linesAfterClear(heldAt: line, of: viewModel, hold) {
      viewModel.didResume()
      viewModel.execute("a")
    }
    // A loading stream emits false before it completes (2.9).
    #expect(lines.filter { !$0.hasSuffix("loading false") } == [])
    bag.dispose()
  }

  // contract 2.11: the view model does not subscribe to the effect of an action that was cancelled before
  @Test(arguments: ["createObservable(a)", "started"], ["cancelActions", "bag", "perform"])
  func anEndlessEffectThatHasBeenCancelledBeforeItsSubscriptionDoesNotBegin(line: String, way: String) async {
    let (hold, bag, ended, scope) = (Hold(), DisposeBag(), Signal(), DisposeBag())
    let isSubscribed = Locked(false)
    let viewModel = Watched(
      effect: { _ in
        .deferred {
          isSubscribed.mutate { $0 = true }
          return .error(TestError())
        }.retry(.max)
      },
      reaching: { if $0 == line { hold.here() } })
    viewModel.executionObservable.subscribe(onNext: { [weak viewModel] execution in
      viewModel?.note("\(execution.phase)")
      if execution.phase == .cancelled { ended.fire() }
    }).disposed(by: bag)
    let task = Locked<Task<Int, any Error>?>(nil)
    switch way {
    case "bag": viewModel.execute("a", in: scope)
    case "perform": task.mutate { $0 = Task { try await viewModel.perform("a") } }
    default: viewModel.execute("a")
    }
    await hold.during {
      switch way {
      case "bag": scope.dispose()
      case "perform": task.value!.cancel()
      default: viewModel.cancelActions { _ in true }
      }
    }
    #expect(await onThread { ended.wait() })
    #expect(!isSubscribed.value)
    if line == "started" { #expect(!viewModel.log.value.contains("createObservable(a)")) }
    bag.dispose()
  }

  // contract 2.5: an action that has ended does not count as loading
  @Test func aNewSubscriberDoesNotSeeAnActionThatHasEndedAsLoading() async {
    let (hold, loading, bag) = (Hold(), Locked<[Bool]>([]), DisposeBag())
    let viewModel = Watched(reaching: { if $0 == "executionMode(b)" { hold.here() } })
    viewModel.execute("silent")
    viewModel.execute("b")
    await hold.during {
      viewModel.isLoadingObservable(where: { $0 == "silent" }).subscribe(onNext: { isLoading in
        loading.mutate { $0.append(isLoading) }
      }).disposed(by: bag)
    }
    #expect(loading.value == [false])
    bag.dispose()
  }

  @Test func thePredicateIsCalledOncePerAction() async {
    let (calls, bag, ended) = (Locked<[String]>([]), DisposeBag(), Signal())
    let viewModel = Watched()
    viewModel.isLoadingObservable.subscribe(onNext: { [weak viewModel] isLoading in
      guard isLoading else { return }
      viewModel?.isLoadingObservable(where: { action in
        calls.mutate { $0.append(action) }
        return true
      }).subscribe(onNext: { if !$0 { ended.fire() } }).disposed(by: bag)
    }).disposed(by: bag)
    viewModel.execute("a")
    #expect(await onThread { ended.wait() })
    #expect(calls.value == ["a"])
    bag.dispose()
  }
}
