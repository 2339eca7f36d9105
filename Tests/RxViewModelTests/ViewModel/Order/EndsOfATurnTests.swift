import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// An action with an object that a test counts. Its effect waits for `gate`, except that of `fold`.
private struct Work: Sendable {
  enum Kind: Sendable {
    case wait, fold, takeOver
    /// Its mapper cancels those that wait.
    case cancel
  }

  let kind: Kind
  let number: Int
  var object: Lifetimes.Object?
}

/// Counts folds.
private final class Crowd: RxViewModel<Work, Int>, @unchecked Sendable {  // Sendable: its properties are `let`s.
  static let (bound, count) = (1_024, 5_000)

  let gate = PublishSubject<Int>()
  let disposed = Locked(0)
  let began = Locked(false)
  /// The numbers of the actions that have ended, in order.
  let ended = Locked<[Int]>([])
  let mode: ExecutionMode
  private let bag = DisposeBag()

  init(_ scheduler: any Scheduler, mode: ExecutionMode = .parallel) {
    self.mode = mode
    super.init(scheduler: scheduler)
    executionObservable.subscribe(onNext: { [ended] execution in
      switch execution.phase {
      case .cancelled, .completed, .failed, .dropped:
        if execution.action.kind == .wait { ended.mutate { $0.append(execution.action.number) } }
      case .started, .emitted: break
      }
    }).disposed(by: bag)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Work) -> Effect {
    switch action.kind {
    case .wait: gate.mutate { $0 += $1 }.do(onDispose: { [disposed] in disposed.mutate { $0 += 1 } })
    case .fold: .mutate { $0 += 1 }
    case .cancel:
      .mutate { [weak self] state in
        self?.cancelActions { $0.kind == .wait }
        state += 1
      }
    case .takeOver:
      .deferred { [began] in
        began.mutate { $0 = true }
        return .empty()
      }
    }
  }

  override func executionMode(for action: Work) -> ExecutionMode { mode }
  override func showSpinner(_ action: Work) -> Bool { true }

  func fill(_ count: Int = Crowd.count, _ lifetimes: Lifetimes? = nil, in bag: DisposeBag? = nil) {
    for number in 0..<count {
      let task = Work(kind: .wait, number: number, object: lifetimes?.make())
      if let bag { execute(task, in: bag) } else { execute(task) }
    }
  }
}

// contract 1.10: a turn ends at most 1,024 actions, and other work of the scheduler comes between the turns
@Suite struct EndsOfATurnTests {
  private let scheduler = StepScheduler()

  enum Request: CaseIterable {
    case cancelActions, bag, switchLatest
    /// One event of the view model's own work completes all effects.
    case completion
  }

  /// Runs one turn after the other, and returns how many actions have ended in each.
  private func ends(of crowd: Crowd) -> [Int] {
    var (counts, last) = ([Int](), crowd.ended.value.count)
    while !scheduler.isEmpty {
      scheduler.runNext()
      let count = crowd.ended.value.count
      counts.append(count - last)
      last = count
    }
    return counts
  }

  @Test(arguments: Request.allCases)
  func otherWorkComesBetweenTheTurns(request: Request) {
    let (crowd, bag) = (Crowd(scheduler, mode: request == .switchLatest ? .sequence("x") : .parallel), DisposeBag())
    crowd.fill(in: request == .bag ? bag : nil)
    scheduler.runAll()
    switch request {
    case .cancelActions: crowd.cancelActions { _ in true }
    case .bag: bag.dispose()
    case .switchLatest: crowd.execute(Work(kind: .takeOver, number: -1), mode: .switchLatest("x"))
    case .completion:
      let subscription = crowd.stateObservable.skip(1).subscribe(onNext: { [crowd] _ in crowd.gate.onCompleted() })
      crowd.execute(Work(kind: .fold, number: -1))
      scheduler.runNext()
      subscription.dispose()
      let first = crowd.ended.value.count
      #expect(first <= Crowd.bound)
    }
    let counts = ends(of: crowd)
    #expect(counts.allSatisfy { $0 <= Crowd.bound })
    #expect(counts.count <= Crowd.count / Crowd.bound * 2 + 3)
    #expect(crowd.ended.value == Array(0..<Crowd.count))
    #expect(crowd.began.value == (request == .switchLatest))
    if request != .switchLatest { #expect(crowd.disposed.value == Crowd.count) }
  }

  // Until all have ended, nothing of what comes after them happens.
  @Test func noFoldAndNoBeginComesBeforeTheRestHasEnded() {
    let crowd = Crowd(scheduler)
    let early = Locked<[String]>([])
    crowd.fill()
    scheduler.runAll()
    let subscription = crowd.stateObservable.skip(1).subscribe(onNext: { [crowd] _ in
      if crowd.ended.value.count < Crowd.count { early.mutate { $0.append("state") } }
    })
    crowd.cancelActions { $0.kind == .wait }
    crowd.execute(Work(kind: .fold, number: -1))
    scheduler.runNext()
    crowd.execute(Work(kind: .takeOver, number: -1))
    scheduler.runNext()
    #expect(crowd.ended.value.count == 2 * Crowd.bound)
    #expect(crowd.currentState == 0)
    #expect(!crowd.began.value)
    scheduler.runAll()
    #expect(early.value == [])
    #expect(crowd.currentState == 1)
    #expect(crowd.began.value)
    subscription.dispose()
  }

  // The view model releases what the ended actions have captured over several turns too, whether they had started or waited in a lane.
  @Test(arguments: [0, Crowd.bound - 1])
  func aTurnReleasesABoundedNumberOfActions(waiting: Int) {
    let (crowd, lifetimes) = (Crowd(scheduler), Lifetimes())
    crowd.fill(Crowd.count, lifetimes)
    for number in 0..<waiting {
      crowd.execute(Work(kind: .wait, number: number, object: lifetimes.make()), mode: .sequence)
    }
    scheduler.runAll()
    var last = Crowd.count + waiting
    #expect(lifetimes.alive == last)
    crowd.cancelActions { _ in true }
    while !scheduler.isEmpty {
      scheduler.runNext()
      #expect(last - lifetimes.alive <= Crowd.bound)
      last = lifetimes.alive
    }
    #expect(lifetimes.alive == 0)
    #expect(crowd.ended.value.count == Crowd.count + waiting)
  }

  // contract 2.9: the rest of a turn keeps the view model alive
  @Test(arguments: [true, false])
  func theRestOfTheEndsKeepsTheViewModelAlive(hasOne: Bool) {
    weak var released: Crowd?
    let (began, ended): (Locked<Bool>, Locked<[Int]>)
    do {
      let crowd = Crowd(scheduler, mode: .sequence)
      (released, began, ended) = (crowd, crowd.began, crowd.ended)
      crowd.fill()
      if hasOne { crowd.execute(Work(kind: .takeOver, number: -1)) }
      scheduler.runAll()
      crowd.cancelActions { $0.kind == .wait }
      scheduler.runNext()
      #expect(ended.value.count == Crowd.bound)
    }
    #expect(released != nil)
    scheduler.runAll()
    #expect(released == nil)
    #expect(began.value == hasOne)
    #expect(ended.value.count == Crowd.count)
  }

  // `clear` and an `ImmediateScheduler` end all at once.
  @Test func clearEndsTheRestAtOnce() {
    let crowd = Crowd(scheduler)
    crowd.fill()
    scheduler.runAll()
    crowd.cancelActions { _ in true }
    scheduler.runNext()
    #expect(crowd.disposed.value == Crowd.bound)
    crowd.clear()
    #expect(crowd.disposed.value == Crowd.count)
    scheduler.runAll()
    #expect(crowd.ended.value.count == Crowd.bound)
  }

  @Test func anImmediateSchedulerEndsAllAtOnce() {
    let crowd = Crowd(ImmediateScheduler())
    crowd.fill()
    crowd.cancelActions { _ in true }
    #expect(crowd.ended.value.count == Crowd.count)
    #expect(crowd.disposed.value == Crowd.count)
  }

  // A turn cannot end while the view model subscribes to an effect: the effect may send without end.
  @Test func anEffectThatSendsWithoutEndIsCancelledBesideManyOthers() {
    let crowd = Sender(scheduler)
    for number in 1...Crowd.count { crowd.execute(number) }
    scheduler.runAll()
    crowd.execute(0)
    scheduler.runAll()
    #expect((1..<Sender.brake).contains(crowd.currentState))
  }
}

/// The effect of action 0 sends without end. Its first mapper cancels the others, and a later one the action itself.
private final class Sender: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  static let brake = 100_000

  init(_ scheduler: any Scheduler) { super.init(scheduler: scheduler) }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    if action > 0 { return .never() }
    return Observable.from(Array(repeating: 1, count: Self.brake)).mutate { [weak self] state, _ in
      state += 1
      if state == 1 { self?.cancelActions { $0 > 0 } }
      if state == 100 { self?.cancelActions { $0 == 0 } }
    }
  }
}
