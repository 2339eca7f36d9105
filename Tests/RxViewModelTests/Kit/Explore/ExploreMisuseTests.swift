import Foundation
import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("A test that misuses explore fails with a sentence", .ownThread) struct ExploreMisuseTests {
  private func text(of body: () throws -> Void) -> String {
    #expect(throws: TestFailure.self, performing: body)?.description ?? ""
  }

  @Test func otherChoicesForTheSameSequenceAreNotDeterministic() {
    let runs = Locked(0)
    let more = text {
      try explore(file: "SomeTests.swift", line: 1) { run in
        let count = runs.mutate {
          $0 += 1
          return $0
        }
        _ = run.choose(0...1)
        _ = run.choose(0...count)
      }
    }
    #expect(
      more
        == """
        misuses explore in "0-0": chose 0, chose 0, SomeTests.swift:1:
          The body is not deterministic: choice 2 of "0-1" had 2 options, and has 4 in another run, SomeTests.swift:1
        """)
    runs.mutate { $0 = 0 }
    let fewer = text {
      try explore { run in
        if runs.mutate({
          $0 += 1
          return $0
        }) == 1 {
          _ = run.choose(0...1)
        }
      }
    }
    #expect(fewer.contains("not deterministic: it made 1 choices or more for \"1\", and makes 0 in another run"))
  }

  @Test func aFailureThatComesAndGoesIsNotDeterministic() {
    let runs = Locked(0)
    let failure = text {
      try explore { run in
        _ = run.choose(0...9)
        try run.expect(
          runs.mutate {
            $0 += 1
            return $0
          } != 3)
      }
    }
    #expect(failure.hasPrefix("The body is not deterministic: it fails in \"2\", but not every time, "))
  }

  @Test func anIntervalThatDoesNotEndIsNamed() {
    let failure = text {
      try explore { run in
        let ticks = Observable.interval(.milliseconds(250), scheduler: run.scheduler).subscribe()
        run.allArrive()
        withExtendedLifetime(ticks) {}
      }
    }
    #expect(
      failure.hasPrefix("misuses explore in \"0x10000\" (0x10000 stands for 10000 zeros): timer at 0.25 seconds, "))
    #expect(
      failure.contains(
        """
        allArrive() has not ended after 10,000 arrivals, at 2500.0 seconds, and the next timer is due 0.25 seconds after \
        the last one: dispose what repeats,
        """))
  }

  @Test func aChoiceOnAnotherThreadFailsTheRun() {
    let failure = text {
      try explore { run in
        onOtherThread { _ = run.choose(true, false) }
      }
    }
    #expect(failure.contains("\n  A choice came from a thread other than the one that explores"))
  }

  @Test func anArrivalOnAnotherThreadFailsTheRun() {
    let failure = text {
      try explore { run in
        let done = Signal()
        Task.detached {
          try? await run.arrival()
          done.fire()
        }
        #expect(done.wait())
      }
    }
    #expect(failure.contains("\n  An arrival came from a thread other than the one that explores"))
  }

  @Test func workOfAnotherThreadFailsTheRun() {
    let failure = text {
      try explore { run in
        onOtherThread { run.scheduler.schedule {} }
        run.allArrive()
      }
    }
    #expect(failure.contains("\n  Work came from a thread other than the one that explores"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aTaskThatDoesNotEndFailsTheRun() {
    let continuations = Locked<[CheckedContinuation<Void, Never>]>([])
    let failure = text {
      try explore { run in
        let effect = Observable.task {
          await withCheckedContinuation { continuation in continuations.mutate { $0.append(continuation) } }
        }.subscribe()
        run.allArrive()
        effect.dispose()
      }
    }
    #expect(failure.contains("\n  A task of a run has not ended"))
    #expect(continuations.value.count == 1)
    for continuation in continuations.value { continuation.resume() }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aTaskElsewhereThatWaitsFailsTheRun() {
    let done = Signal()
    let failure = text {
      try explore { run in
        let started = Signal()
        Task {
          started.fire()
          _ = await onThread { done.wait() }
        }
        #expect(started.wait())
      }
    }
    done.fire()
    #expect(failure.contains("\n  A task of a run has not ended"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @MainActor @Test func anEffectOnTheMainActorFailsTheRun() {
    let failure = text {
      try explore { run in
        let model = SearchViewModel(scheduler: run.scheduler) { text in
          await MainActor.run {}
          try await run.arrival()
          return [text]
        }
        model.execute(.search("a"))
        run.allArrive()
        try run.expect(model.currentState.results.isEmpty)
      }
    }
    #expect(failure.contains("\n  A task of a run has not ended"))
  }

  #if os(macOS) || os(Linux)
    @Test func anEndlessLoopAndNoOptionsTrap() async {
      await #expect(processExitsWith: .failure) { try explore { run in while !run.choose(false, true) {} } }
      await #expect(processExitsWith: .failure) { try explore { run in let _: Bool = run.choose() } }
    }
  #endif

  @Test func aFailedRunMakesNoMoreChoices() {
    let failure = text {
      try explore { run in
        onOtherThread { _ = run.choose(true) }
        let ticks = Observable.interval(.seconds(1), scheduler: run.scheduler).subscribe()
        run.allArrive()
        run.mayArrive()
        ticks.dispose()
        try run.expect(true)
      }
    }
    #expect(failure.hasPrefix("misuses explore in \"\""))
  }
}
