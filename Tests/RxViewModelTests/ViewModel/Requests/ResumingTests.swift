import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Records its resumes and pauses, and calls the test's closures at each.
final class ResumedScreen: RxViewModel<Step, [String]>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let log = Locked<[String]>([])
  let scopes = Locked<[DisposeBag]>([])
  private let resumed: @Sendable (ResumedScreen, DisposeBag) -> Void
  private let paused: @Sendable (ResumedScreen) -> Void

  init(
    scheduler: any Scheduler, onResume resumed: @escaping @Sendable (ResumedScreen, DisposeBag) -> Void = { _, _ in },
    onPause paused: @escaping @Sendable (ResumedScreen) -> Void = { _ in }
  ) {
    self.resumed = resumed
    self.paused = paused
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: Step) -> Effect {
    do { return try action.effect() } catch { return .error(error) }
  }

  override func showSpinner(_ action: Step) -> Bool { action.spins }

  override func onResume(_ scope: DisposeBag) {
    log.mutate { $0.append("onResume") }
    scopes.mutate { $0.append(scope) }
    resumed(self, scope)
  }

  override func onPause() {
    log.mutate { $0.append("onPause") }
    paused(self)
  }
}

// contract 2.12
struct ResumingTests {
  private let scheduler = TestScheduler()

  @Test func workOfAResumeEndsWithThePause() {
    let ticks = Observable<Int>.interval(.seconds(1), scheduler: scheduler)
    let screen = ResumedScreen(scheduler: scheduler) { screen, scope in
      screen.execute(Step("tick", spins: true, on: ticks), in: scope)
    }
    let (states, phases) = (screen.stateObservable.test(), screen.steps())
    let loading = screen.isLoadingObservable.test()
    screen.didResume()
    scheduler.advance(by: .seconds(3))
    #expect(screen.log.value == ["onResume"])
    #expect(screen.currentState == ["tick", "tick", "tick"])
    screen.didPause()
    scheduler.advance(by: .seconds(10))
    #expect(states.values.count == 4)
    #expect(phases.values.last == "tick cancelled")
    #expect(loading.values == [false, true, false])
  }

  @Test func repeatedCallsOfOneScreenCountOnce() {
    let screen = ResumedScreen(scheduler: scheduler)
    screen.didPause()
    scheduler.run()
    #expect(screen.log.value == [])
    for _ in 0..<2 { screen.didResume() }
    for _ in 0..<2 { screen.didPause() }
    scheduler.run()
    #expect(screen.log.value == ["onResume", "onPause"])
  }

  @Test func eachResumeHasAScopeOfItsOwn() {
    let sources = [PublishSubject<Int>(), PublishSubject<Int>()]
    let screen = ResumedScreen(scheduler: scheduler) { screen, scope in
      let number = screen.scopes.value.count
      Disposables.create { [log = screen.log] in log.mutate { $0.append("disposed \(number)") } }.disposed(by: scope)
      sources[number - 1].subscribe(onNext: { _ in }).disposed(by: scope)
    } onPause: { screen in
      #expect(sources[screen.scopes.value.count - 1].hasObservers)
    }
    screen.didResume()
    screen.didPause()
    screen.didResume()
    scheduler.run()
    #expect(screen.log.value == ["onResume", "onPause", "disposed 1", "onResume"])
    #expect(screen.scopes.value[0] !== screen.scopes.value[1])
    #expect(sources.map(\.hasObservers) == [false, true])
    screen.clear()
  }

  @Test(arguments: [true, false])
  func theEndDisposesTheScopeOnTheCallingThreadWithoutAPause(isCleared: Bool) async {
    let (source, disposer, scope, log) = (
      PublishSubject<Int>(), Locked<Thread?>(nil), Locked<DisposeBag?>(nil), Locked<[String]>([])
    )
    let screen = Locked<ResumedScreen?>(
      ResumedScreen(
        scheduler: scheduler,
        onResume: { screen, bag in
          scope.mutate { $0 = bag }
          screen.execute(Step("a", on: source), in: bag)
          Disposables.create { disposer.mutate { $0 = Thread.current } }.disposed(by: bag)
        }, onPause: { _ in log.mutate { $0.append("onPause") } }))
    screen.value?.didResume()
    scheduler.run()
    let isDisposedHere = await onThread {
      if isCleared { screen.value?.clear() } else { screen.mutate { $0 = nil } }
      return disposer.value === Thread.current && !source.hasObservers
    }
    #expect(isDisposedHere)
    screen.value?.didPause()
    screen.value?.didResume()
    scheduler.run()
    #expect(log.value == [])
    // The scope disposes at once whatever is added to it now.
    let isDisposed = Locked(false)
    Disposables.create { isDisposed.mutate { $0 = true } }.disposed(by: scope.value!)
    #expect(isDisposed.value)
  }

  @Test func aResumeThatWaitsDoesNotKeepTheViewModelAlive() {
    var screen: ResumedScreen? = ResumedScreen(scheduler: scheduler)
    weak let released = screen
    screen!.didResume()
    screen = nil
    #expect(released == nil)
    scheduler.run()
  }

  @Test func resumeAndPauseBeforeTheFirstTurnBothRun() {
    let asked = Locked(0)
    let screen = ResumedScreen(scheduler: scheduler) { screen, scope in
      screen.execute(
        Step("a") {
          asked.mutate { $0 += 1 }
          return .empty()
        }, in: scope)
    }
    let phases = screen.steps()
    screen.didResume()
    screen.didPause()
    scheduler.run()
    #expect(screen.log.value == ["onResume", "onPause"])
    #expect(phases.values == ["a cancelled"])
    #expect(asked.value == 0)
  }

  @Test func resumesComeInOrderWithTheActions() {
    let screen = ResumedScreen(scheduler: scheduler)
    let log = screen.log
    let note: @Sendable (String) -> Step = { name in
      Step(name) {
        log.mutate { $0.append(name) }
        return .empty()
      }
    }
    screen.execute(note("a"))
    screen.didResume()
    screen.execute(note("b"))
    screen.didPause()
    screen.execute(note("c"))
    scheduler.run()
    #expect(log.value == ["a", "onResume", "b", "onPause", "c"])
  }
}

// contract 2.12: bound lifecycles
@MainActor
struct BoundLifecycleTests {
  private let scheduler = TestScheduler()

  // A screen of its own counts beside the bound ones.
  @Test func theViewModelIsResumedWhileOneOfItsScreensIs() {
    let screen = ResumedScreen(scheduler: scheduler)
    let lifecycles = [Lifecycle(), Lifecycle()]
    for lifecycle in lifecycles {
      lifecycle.bind(screen)
      lifecycle.resume()
    }
    screen.didResume()
    for pause in [{ lifecycles[0].pause() }, { screen.didPause() }, { lifecycles[1].pause() }] {
      scheduler.run()
      #expect(screen.log.value == ["onResume"])
      pause()
    }
    scheduler.run()
    #expect(screen.log.value == ["onResume", "onPause"])
  }

  @Test(arguments: ["paused", "destroyed", "released", "unbound", "unbound elsewhere"])
  func anyEndOfTheScreenPausesOnce(_ end: String) async {
    let screen = ResumedScreen(scheduler: scheduler)
    var lifecycle: Lifecycle? = Lifecycle()
    lifecycle!.resume()
    let binding = lifecycle!.bind(screen)
    scheduler.run()
    #expect(screen.log.value == ["onResume"])
    switch end {
    case "paused": lifecycle!.pause()
    case "destroyed": lifecycle!.destroy()
    case "released": lifecycle = nil
    case "unbound": binding.dispose()
    default: await onThread { binding.dispose() }
    }
    await settle {
      scheduler.run()
      return screen.log.value.count == 2
    }
    binding.dispose()
    lifecycle?.destroy()
    scheduler.run()
    #expect(screen.log.value == ["onResume", "onPause"])
  }

  @Test func aDestroyedLifecycleBindsNothing() {
    let (screen, lifecycle) = (ResumedScreen(scheduler: scheduler), Lifecycle())
    lifecycle.destroy()
    lifecycle.bind(screen).dispose()
    scheduler.run()
    #expect(screen.log.value == [])
  }

  @Test(arguments: ["paused", "released"])
  func severalViewModelsAreResumedAndPausedInTheOrderOfBinding(_ end: String) {
    let log = Locked<[String]>([])
    let make: (String) -> ResumedScreen = { [scheduler] name in
      ResumedScreen(
        scheduler: scheduler, onResume: { _, _ in log.mutate { $0.append("\(name) resumed") } },
        onPause: { _ in log.mutate { $0.append("\(name) paused") } })
    }
    let (a, c) = (make("a"), make("c"))
    var b: ResumedScreen? = make("b")
    var lifecycle: Lifecycle? = Lifecycle()
    for screen in [a, b!, c] { lifecycle!.bind(screen) }
    b = nil
    lifecycle!.resume()
    scheduler.run()
    if end == "paused" { lifecycle!.pause() } else { lifecycle = nil }
    scheduler.run()
    #expect(log.value == ["a resumed", "c resumed", "a paused", "c paused"])
    _ = (a, c)
  }
}
