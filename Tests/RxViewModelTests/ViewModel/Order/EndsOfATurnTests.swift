import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.10: a turn ends at most 1,024 actions, and other work of the scheduler comes between the turns
struct EndsOfATurnTests {
  private static let (bound, count) = (1_024, 5_000)
  private let scheduler = StepScheduler()
  private let gate = PublishSubject<Int>()
  private let disposed = Locked(0)

  /// A screen with actions that wait for the gate.
  private func crowd(
    on scheduler: (any Scheduler)? = nil, mode: ExecutionMode = .parallel, _ lifetimes: Lifetimes? = nil,
    in bag: DisposeBag? = nil
  ) -> Screen {
    let screen = Screen(scheduler: scheduler ?? self.scheduler)
    for number in 0..<Self.count {
      let step = step("\(number)", lifetimes)
      if let bag { screen.execute(step, mode: mode, in: bag) } else { screen.execute(step, mode: mode) }
    }
    self.scheduler.runAll()
    return screen
  }

  private func step(_ name: String, _ lifetimes: Lifetimes? = nil) -> Step {
    let object = lifetimes?.make()
    return Step(name, spins: true) { [gate, disposed] in
      object?.touch()
      return gate.do(onDispose: { disposed.mutate { $0 += 1 } }).mutate { _, _ in }
    }
  }

  private static func all(_ end: String) -> [String] { (0..<count).map { "\($0) \(end)" } }

  enum Request: CaseIterable {
    case cancelActions, bag, switchLatest
    /// One event of the view model's own work completes all effects.
    case completion
  }

  @Test(arguments: Request.allCases)
  func otherWorkComesBetweenTheTurns(request: Request) {
    let bag = DisposeBag()
    let screen = crowd(mode: request == .switchLatest ? .sequence("x") : .parallel, in: request == .bag ? bag : nil)
    let ends = screen.ends()
    switch request {
    case .cancelActions: screen.cancelActions { _ in true }
    case .bag: bag.dispose()
    case .switchLatest: screen.execute(Step("last"), mode: .switchLatest("x"))
    case .completion:
      screen.execute(
        Step("last") { [gate] in
          gate.onCompleted()
          return .unchanged()
        })
    }
    let counts = scheduler.changes { ends.values.count }
    #expect(counts.allSatisfy { $0 <= Self.bound })
    #expect(counts.count <= Self.count / Self.bound * 2 + 3)
    let isFollowed = request == .switchLatest || request == .completion
    #expect(
      ends.values == Self.all(request == .completion ? "completed" : "cancelled")
        + (isFollowed ? ["last completed"] : []))
    if request != .switchLatest { #expect(disposed.value == Self.count) }
  }

  // Until all have ended, nothing of what comes after them happens.
  @Test func noFoldAndNoBeginComesBeforeTheRestHasEnded() {
    let screen = crowd()
    let fates = screen.fates()
    screen.cancelActions { _ in true }
    for name in ["a", "b"] {
      screen.execute(Step(name))
      scheduler.runNext()
    }
    #expect(fates.values.count == 2 * Self.bound)
    #expect(screen.currentState == [])
    scheduler.runAll()
    #expect(fates.values == Self.all("cancelled") + ["a started", "a completed", "b started", "b completed"])
    #expect(screen.currentState == ["a", "b"])
  }

  // The view model releases what the ended actions have captured over several turns too, whether they had started or waited in a lane.
  @Test(arguments: [0, bound - 1])
  func aTurnReleasesABoundedNumberOfActions(waiting: Int) {
    let lifetimes = Lifetimes()
    let screen = crowd(lifetimes)
    for number in 0..<waiting { screen.execute(step("\(number)", lifetimes), mode: .sequence) }
    scheduler.runAll()
    #expect(lifetimes.alive == Self.count + waiting)
    screen.cancelActions { _ in true }
    #expect(scheduler.changes { lifetimes.alive }.allSatisfy { -$0 <= Self.bound })
    #expect(lifetimes.alive == 0)
  }

  // `clear` and an `ImmediateScheduler` end all at once.
  @Test func clearEndsTheRestAtOnce() {
    let screen = crowd()
    let ends = screen.ends()
    screen.cancelActions { _ in true }
    scheduler.runNext()
    #expect(disposed.value == Self.bound)
    screen.clear()
    #expect(disposed.value == Self.count)
    scheduler.runAll()
    #expect(ends.values.count == Self.bound)
  }

  @Test func anImmediateSchedulerEndsAllAtOnce() {
    let screen = crowd(on: ImmediateScheduler())
    screen.cancelActions { _ in true }
    #expect(disposed.value == Self.count)
  }
}
