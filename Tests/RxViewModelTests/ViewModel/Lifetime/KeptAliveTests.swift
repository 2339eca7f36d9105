import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A view model whose actions never end.
private final class Crew: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only a `let`.
  let begun: Locked<[Int]>

  init(_ begun: Locked<[Int]>, _ scheduler: any Scheduler) {
    self.begun = begun
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    begun.mutate { $0.append(action) }
    return .never()
  }
}

// contract 2.9: an action that waits for nothing but its turn, and the rest of a turn, keep the view model alive
@Suite struct KeptAliveTests {
  private static let bound = 1_024

  private struct Member {
    let number: Int
    let mode: ExecutionMode
    let limit: Int
    var hasBegun = false
  }

  private static func mode(_ lane: Int, _ kind: Int) -> (ExecutionMode, limit: Int) {
    let lane = ExecutionMode.Lane("\(lane)")
    return switch kind {
    case 0..<3: (.sequence(lane), 1)
    case 3..<6: (.parallel(lane, limit: kind - 1), kind - 1)
    default: (.switchLatest(lane, after: .seconds(1)), 0)
    }
  }

  // More actions are cancelled than one turn ends, and the last reference is released after that turn.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func untilTheRestOfATurnHasStartedTheActionsWhoseTurnHasCome(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (scheduler, begun) = (Timeless(), Locked<[Int]>([]))
    var lanes: [Int: [Member]] = [:]
    weak var released: Crew?
    var expected: [Int] = []
    do {
      let crew = Crew(begun, scheduler)
      released = crew
      let all = 0..<Self.bound + 200
      let special = Set((0..<Int.random(in: 1...30, using: &random)).map { _ in Int.random(in: all, using: &random) })
      for number in all {
        if !special.contains(number) {
          crew.execute(number)
          continue
        }
        let lane = Int.random(in: 0..<3, using: &random)
        let (mode, limit) = Self.mode(lane, Int.random(in: 0..<7, using: &random))
        crew.execute(number, mode: mode)
        if limit == 0 { lanes[lane] = [] }
        lanes[lane, default: []].append(Member(number: number, mode: mode, limit: limit))
      }
      scheduler.runAll()
      // A superseding action has ended those before it, and so begins with an empty lane.
      for (lane, members) in lanes { lanes[lane] = Self.beginning(in: members).0 }
      begun.mutate { $0 = [] }
      let spared = special.filter { _ in Int.random(in: 0..<100, using: &random) < 70 }
      crew.cancelActions { !spared.contains($0) }
      scheduler.runNext()
      for (lane, members) in lanes {
        let (after, started) = Self.beginning(in: members.filter { spared.contains($0.number) })
        lanes[lane] = after
        expected += started
      }
    }
    #expect(released != nil)
    scheduler.runAll()
    #expect(released == nil)
    #expect(begun.value.sorted() == expected.sorted())
  }

  /// Begins the actions of a lane whose turn has come. Returns the lane and their numbers.
  private static func beginning(in members: [Member]) -> ([Member], [Int]) {
    var (members, started) = (members, [Int]())
    for index in members.indices where !members[index].hasBegun {
      if index >= members[index].limit { break }
      members[index].hasBegun = true
      started.append(members[index].number)
    }
    return (members, started)
  }

  // An action that was executed before the release is handled, and the mapper that it sends at once is folded (contract 2.9), although the
  // mapper cancels more actions than one turn ends.
  @Test(arguments: [10, bound + 200]) func theMapperOfAnActionThatCancelsManyOthersIsFolded(count: Int) {
    final class Canceller: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only a `let`.
      let folds: Locked<[Int]>

      init(_ folds: Locked<[Int]>, _ scheduler: any Scheduler) {
        self.folds = folds
        super.init(scheduler: scheduler)
      }

      override func createInitialState() -> Int { 0 }

      override func createObservable(_ action: Int) -> Effect {
        if action > 0 { return .never() }
        return .just { [weak self] state in
          self?.cancelActions { $0 > 0 }
          return state + 1
        }
      }
    }
    let (scheduler, folds) = (StepScheduler(), Locked<[Int]>([]))
    weak var released: Canceller?
    let bag = DisposeBag()
    do {
      let canceller = Canceller(folds, scheduler)
      released = canceller
      canceller.stateObservable.subscribe(onNext: { state in folds.mutate { $0.append(state) } }).disposed(by: bag)
      for number in 1...count { canceller.execute(number) }
      scheduler.runAll()
      canceller.execute(0)
    }
    #expect(released != nil)
    scheduler.runAll()
    #expect(released == nil)
    #expect(folds.value == [0, 1])
    bag.dispose()
  }
}

/// A scheduler whose timers never fire.
private final class Timeless: Scheduler {
  private let steps = StepScheduler()

  func schedule(_ work: @escaping @Sendable () -> Void) { steps.schedule(work) }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    Disposables.create()
  }

  func runNext() { steps.runNext() }

  func runAll() { steps.runAll() }
}
