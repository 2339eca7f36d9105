import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.9: an action that waits for nothing but its turn, and the rest of a turn, keep the view model alive
struct KeptAliveTests {
  private static let bound = 1_024

  private struct Member {
    let number: Int
    let mode: ExecutionMode
    let limit: Int
    var hasBegun = false
  }

  private static func mode(_ lane: Int, _ kind: Int) -> (ExecutionMode, limit: Int) {
    let lane = ExecutionMode.Lane("\(lane)")
    return kind < 3 ? (.sequence(lane), 1) : (.parallel(lane, limit: kind - 1), kind - 1)
  }

  // More actions are cancelled than one turn ends, and the last reference is released after that turn.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func untilTheRestOfATurnHasStartedTheActionsWhoseTurnHasCome(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (scheduler, begun) = (StepScheduler(), Locked<[Int]>([]))
    var lanes: [Int: [Member]] = [:]
    weak var released: ClosureViewModel<Int, Int>?
    var expected: [Int] = []
    do {
      let crew = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, action in
        begun.mutate { $0.append(action) }
        return .never()
      }
      released = crew
      let all = 0..<Self.bound + 200
      let special = Set((0..<Int.random(in: 1...30, using: &random)).map { _ in Int.random(in: all, using: &random) })
      for number in all {
        if !special.contains(number) {
          crew.execute(number)
          continue
        }
        let lane = Int.random(in: 0..<3, using: &random)
        let (mode, limit) = Self.mode(lane, Int.random(in: 0..<6, using: &random))
        crew.execute(number, mode: mode)
        lanes[lane, default: []].append(Member(number: number, mode: mode, limit: limit))
      }
      scheduler.runAll()
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
    let (scheduler, folds) = (StepScheduler(), Locked<[Int]>([]))
    weak var released: ClosureViewModel<Int, Int>?
    let bag = DisposeBag()
    do {
      let canceller = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { canceller, action in
        if action > 0 { return .never() }
        return .just { [weak canceller] state in
          canceller?.cancelActions { $0 > 0 }
          return state + 1
        }
      }
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

  // contract 2.2: the turn that is being scheduled for an event alone would not keep the view model alive
  @Test func anActionAcceptedWhileATurnIsBeingScheduledKeepsItAlive() {
    let (scheduler, source, saved) = (HookedScheduler(), PublishSubject<StateMapper<Int>>(), Locked(false))
    var viewModel: ClosureViewModel<Int, Int>? = .init(0, scheduler: scheduler) { viewModel, action in
      switch action {
      case 0: source.asObservable()
      case 1:
        .just { [weak viewModel] number in
          // An event waits, so the next turn is for it alone.
          onOtherThread { source.onNext { $0 + 1 } }
          scheduler.hook.mutate { $0 = { [weak viewModel] in viewModel?.execute(2) } }
          return number
        }
      default:
        .just { number in
          saved.mutate { $0 = true }
          return number
        }
      }
    }
    for action in 0...1 {
      viewModel!.execute(action)
      scheduler.steps.runNext()
    }
    viewModel = nil
    scheduler.steps.runAll()
    #expect(saved.value)
  }
}

/// Calls `hook` once, before it schedules.
private final class HookedScheduler: Scheduler {
  let steps = StepScheduler()
  let hook = Locked<(@Sendable () -> Void)?>(nil)

  func schedule(_ work: @escaping @Sendable () -> Void) {
    hook.exchange(for: nil)?()
    steps.schedule(work)
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    steps.schedule(after: delay, work)
  }
}
