import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: `parallel` with a limit
struct LimitTests {
  private let screen = Screen(scheduler: ImmediateScheduler())

  private func execute(_ name: String, _ mode: ExecutionMode) -> PublishSubject<Int> {
    let end = PublishSubject<Int>()
    screen.execute(Step(name, on: end), mode: mode)
    return end
  }

  @Test func inALaneOfMixedModesNoneOvertakesOneThatWaits() {
    let fates = screen.fates()
    let (a, b) = (execute("a", .sequence("x")), execute("b", .parallel("x", limit: 5)))
    _ = execute("c", .sequence("x"))
    _ = execute("d", .parallel("x", limit: 5))
    _ = execute("e", .parallel("y", limit: 1))
    a.onCompleted()
    b.onCompleted()
    #expect(
      fates.values == [
        "a started", "b started", "e started", "a completed", "b completed", "c started", "d started",
      ])
  }

  @Test func theDefaultLaneBelongsToAllLimits() {
    let fates = screen.fates()
    for (number, limit) in [1, 2, 2, 9].enumerated() { _ = execute("\(number)", .parallel(limit: limit)) }
    #expect(fates.values == ["0 started", "1 started"])
  }

  @Test func modesAreEqualByKindLimitAndLane() {
    #expect(ExecutionMode.parallel(limit: 5) == .parallel(limit: 5))
    #expect(ExecutionMode.parallel(limit: 5) != .parallel(limit: 4))
    #expect(ExecutionMode.parallel("x", limit: 5) != .parallel("y", limit: 5))
    #expect(ExecutionMode.parallel(limit: 1) != .sequence)
    #expect(Set<ExecutionMode>([.parallel(limit: 2), .parallel(limit: 2), .parallel("x", limit: 2)]).count == 2)
    #expect("\(ExecutionMode.parallel(limit: 5))" == "parallel(limit: 5)")
    #expect("\(ExecutionMode.parallel("uploads", limit: 5))" == "parallel(uploads, limit: 5)")
    #expect("\(ExecutionMode.switchLatest("x", after: .seconds(1)))" == "switchLatest(x, after: 1.0 seconds)")
    #expect("\(ExecutionMode.switchLatest)" == "switchLatest")
  }

  // contract 2.1, 2.2: actions from many threads, whose effects end on others
  @Test func theLimitHoldsOnManyThreads() async {
    let (running, most, started) = (Locked(0), Locked(0), Locked<[Int]>([]))
    let work = ClosureViewModel<Int, Int>(0) { _, action in
      let now = running.increment()
      most.mutate { $0 = max($0, now) }
      started.mutate { $0.append(action) }
      return .task {
        await Task.yield()
        running.mutate { $0 -= 1 }
        return { $0 + 1 }
      }
    }
    let (done, total) = (Signal(), 4 * 200)
    let subscription = work.stateObservable.subscribe(onNext: { if $0 == total { done.fire() } })
    await race(threads: 4) { thread in
      for number in 0..<200 { work.execute(thread * 1_000 + number, mode: .parallel(limit: 3)) }
    }
    #expect(await onThread { done.wait() })
    #expect((1...3).contains(most.value))
    for thread in 0..<4 {
      let own = started.value.filter { $0 / 1_000 == thread }
      #expect(own == own.sorted() && own.count == 200)
    }
    subscription.dispose()
  }
}
