import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Executes, performs, cancels and clears from several threads, in all modes, with effects that end in every way.
struct EndingTests {
  private static func step(_ number: Int) -> Step {
    Step("\(number)", spins: number % 3 == 0) {
      switch number % 5 {
      case 0: .mutate { $0 = ["\(number)"] }
      case 1: .error(TestError())
      case 2: Observable.of(1, 2).mutate { $0 = ["\(number)", "\($1)"] }
      case 3: Observable.task { number }.mutate { $0 = ["\($1)"] }
      default: .empty()
      }
    }
  }

  // contract 2.2, table: every accepted action has exactly one end, loading is false in the end, and the last emitted state is the current
  // one
  @Test(arguments: [SchedulerKind.ownQueue, .concurrentQueue, .immediate])
  func everyActionHasExactlyOneEnd(kind: SchedulerKind) async {
    let screen = Screen(scheduler: kind.scheduler())
    let (endings, total, finished) = (Locked<[UInt64: Int]>([:]), 3 * 300, Signal())
    let (last, loading, bag) = (Locked<[String]>([]), Locked<[Bool]>([]), DisposeBag())
    screen.stateObservable.subscribe(onNext: { state in last.mutate { $0 = state } }).disposed(by: bag)
    screen.isLoadingObservable.subscribe(onNext: { isLoading in loading.mutate { $0.append(isLoading) } })
      .disposed(by: bag)
    screen.executionObservable.subscribe(onNext: { execution in
      if !execution.isEnd { return }
      endings.mutate { $0[execution.id, default: 0] += 1 }
      if endings.value.count == total { finished.fire() }
    }).disposed(by: bag)
    await race(threads: 3) { thread in
      for number in 0..<300 {
        screen.execute(Self.step(number), mode: ExecutionMode.all[(number + thread) % 6])
        if number % 50 == 49 { screen.cancelActions { $0.name.hasSuffix("7") } }
      }
    }
    #expect(await onThread { finished.wait() })
    await #expect(throws: Never.self) { try await screen.perform(Step("end"), mode: .parallelDeferred) }
    #expect(loading.value.last == false)
    bag.dispose()
    #expect(endings.value.values.allSatisfy { $0 == 1 })
    #expect(endings.value.count == total + 1)
    #expect(last.value == screen.currentState)
    #expect(zip(loading.value, loading.value.dropFirst()).allSatisfy { $0 != $1 })
  }

  // contract 2.9: a view model is released at any point of an action's life, from any thread
  @Test func aViewModelIsReleasedAtAnyPoint() async {
    let lifetimes = Lifetimes()
    await race(threads: 4) { _ in
      for number in 0..<300 {
        let screen = Screen(tracker: lifetimes.make())
        let subscription = screen.stateObservable.subscribe { _ in _ = screen.currentState }
        screen.execute(Step("a") { Observable.task { 1 }.mutate { state, _ in state.append("a") } })
        if number % 2 == 0 { screen.execute(Step("b", spins: true)) }
        if number % 3 == 0 { screen.clear() }
        subscription.dispose()
      }
    }
    #expect(await onThread { lifetimes.waitForNone() })
  }

  // contract 2.10: a perform returns, whatever happens to its action
  @Test func everyPerformReturns() async {
    for round in 0..<60 {
      let screen = Screen()
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<12 {
          group.addTask {
            do {
              _ = try await screen.perform(Self.step(number), mode: ExecutionMode.all[number % 6])
              return true
            } catch {
              return error is CancellationError || error is TestError
            }
          }
        }
        group.addTask {
          if round % 3 == 0 { screen.clear() }
          if round % 3 == 1 { screen.cancelActions { _ in true } }
          return true
        }
        if round % 4 == 3 { group.cancelAll() }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(outcomes == 13)
    }
  }

  // contract 2.9: whenever `clear` is called, and on whatever thread, `completed` is the last event, and comes once
  @Test func completedIsTheLastEventWheneverItIsCleared() async throws {
    for _ in 0..<60 {
      let screen = Screen()
      let (log, ended) = (Locked<[String]>([]), Signal())
      let subscription = screen.stateObservable.subscribe { event in
        if case .next = event { log.mutate { $0.append("state") } } else { log.mutate { $0.append("end") } }
        if case .completed = event { ended.fire() }
      }
      await race(threads: 3) { thread in
        for number in 0..<10 { screen.execute(Self.step(number), mode: ExecutionMode.all[number % 6]) }
        if thread == 2 { screen.clear() }
      }
      try #require(await onThread { ended.wait() })
      #expect(log.value.last == "end")
      #expect(log.value.count { $0 == "end" } == 1)
      subscription.dispose()
    }
  }
}
