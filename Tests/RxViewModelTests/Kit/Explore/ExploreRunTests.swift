import Foundation
import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("The runs of explore are independent", .asyncEffects) struct ExploreRunTests {
  @Test func pendingArrivalsAndSleepsAreCancelledAtTheEndOfARun() throws {
    let ends = Locked<[String]>([])
    let threads = Locked<Set<ObjectIdentifier>>([])
    let report = try explore { run in
      let clock = run.scheduler.clock
      @Sendable func note(_ name: String, _ body: () async throws -> Void) async throws {
        do { try await body() } catch {
          ends.append("\(name) \(error is CancellationError)")
          threads.mutate { _ = $0.insert(ObjectIdentifier(Thread.current)) }
          throw error
        }
      }
      _ = Observable.task { try await note("arrival") { try await run.arrival() } }.subscribe(onError: { _ in })
      _ = Observable.task { try await note("sleep") { try await clock.sleep(for: .seconds(1)) } }
        .subscribe(onError: { _ in })
      // Loops that end when they are cancelled.
      _ = Observable.task { while !Task.isCancelled { try? await run.arrival() } }.subscribe()
      _ = Observable.task { while !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) } }.subscribe()
      _ = Observable.interval(.seconds(1), scheduler: run.scheduler).subscribe()
      run.scheduler.advance()
    }
    #expect(report.runs == 1)
    #expect(ends.value.sorted() == ["arrival true", "sleep true"])
    #expect(threads.value == [ObjectIdentifier(Thread.current)])
  }

  @Test func aViewModelIsReleasedWithItsRun() throws {
    weak var released: SearchViewModel?
    try explore { run in
      let model = run.search()
      released = model
      model.execute(.search("a"))
      run.mayArrive()
    }
    #expect(released == nil)
  }

  @Test func aCancelledArrivalThrowsAtOnce() throws {
    let report = try explore { run in
      let ends = Locked<[Bool]>([])
      let effect = Observable.task {
        do { try await run.arrival() } catch { ends.append(error is CancellationError) }
        do { try await run.arrival() } catch { ends.append(error is CancellationError) }
      }.subscribe()
      run.scheduler.advance()
      effect.dispose()
      run.allArrive()
      try run.expect(ends.value == [true, true])
    }
    #expect(report.runs == 1)
  }

  @Test func twoExplorationsRunAtOnce() async throws {
    let reports = Locked<[Int]>([])
    let faults = Locked<[any Error]>([])
    await race(threads: 4) { number in
      do {
        let report = try explore { run in
          let model = run.search()
          for text in 0...number { model.execute(.search("\(text)"), mode: .parallel) }
          run.allArrive()
          try run.expect(RunToken.current?.exploration === run)
          try run.expect(!model.currentState.results.isEmpty)
        }
        reports.append(report.runs)
      } catch { faults.append(error) }
    }
    #expect(faults.value.isEmpty)
    #expect(reports.value.sorted() == [1, 2, 6, 24])
  }

  @MainActor @Test func aScreenIsExploredOnTheMainActor() throws {
    try explore { run in
      try MainActor.assumeIsolated {
        let model = run.search()
        var shown: [[String]] = []
        let bag = DisposeBag()
        model.stateObservable.map(\.results).bind { shown.append($0) }.disposed(by: bag)
        model.execute(.search("a"), mode: .parallel)
        model.execute(.search("b"), mode: .parallel)
        run.allArrive()
        try run.expect(shown.count == 3 && shown.last == model.currentState.results)
        bag.dispose()
      }
    }
  }

  @Test func anExplorationInsideAnother() throws {
    let report = try explore { run in
      let inner = try explore { inner in
        _ = inner.choose(0...1)
        try inner.expect(RunToken.current?.exploration === inner)
      }
      try run.expect(RunToken.current?.exploration === run && inner.runs == 2)
      _ = run.choose(0...2)
    }
    #expect(report.runs == 3)
  }
}
