import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("A test that misuses explore fails with a sentence", .ownThread, .asyncEffects) struct ExploreMisuseTests {
  @Test func otherChoicesForTheSameSequenceAreNotDeterministic() {
    let runs = Locked(0)
    let more = failureText {
      try explore(file: "SomeTests.swift", line: 1) { run in
        let count = runs.increment()
        _ = run.choose(0...1)
        _ = run.choose(0...count)
      }
    }
    #expect(
      more == """
        misuses explore in "0-0", SomeTests.swift:1:
        The body is not deterministic: choice 2 of "0-1" had 2 options, and has 4 in another run, SomeTests.swift:1
        """)
    runs.mutate { $0 = 0 }
    let fewer = failureText {
      try explore { run in
        if runs.increment() == 1 { _ = run.choose(0...1) }
      }
    }
    #expect(fewer.contains("not deterministic: it made 1 choices or more for \"1\", and makes 0 in another run"))
  }

  @Test func aFailureThatComesAndGoesIsNotDeterministic() {
    let runs = Locked(0)
    let text = failureText {
      try explore { run in
        _ = run.choose(0...9)
        try run.expect(runs.increment() != 3)
      }
    }
    #expect(text.hasPrefix("The body is not deterministic: it fails in \"2\", but not every time, "))
  }

  @Test func anIntervalThatDoesNotEndIsNamed() {
    let text = failureText {
      try explore { run in
        let ticks = Observable.interval(.milliseconds(250), scheduler: run.scheduler).subscribe()
        run.allArrive()
        withExtendedLifetime(ticks) {}
      }
    }
    #expect(
      text.hasPrefix("misuses explore in \"0x10000\", "))
    #expect(
      text.contains(
        """
        allArrive() has not ended after 10,000 arrivals, at 2500.0 seconds: dispose what repeats,
        """))
  }

  @Test(.stress) func workBehindATimerThatDoesNotEndIsNamed() {
    let text = failureText {
      try explore { run in
        let scheduler = run.scheduler
        @Sendable func again() { scheduler.schedule { again() } }
        _ = scheduler.schedule(after: .seconds(1)) { again() }
        run.allArrive()
      }
    }
    #expect(text.contains("The work at 1.0 seconds has not ended after a million steps"), "\(text)")
  }

  @Test func aChoiceOnAnotherThreadFailsTheRun() {
    let text = failureText { try explore { run in onOtherThread { _ = run.choose(true, false) } } }
    #expect(text.contains("\nA choice came from a thread other than the one that explores"))
  }

  @Test func anArrivalOnAnotherThreadFailsTheRun() {
    let text = failureText {
      try explore { run in
        let done = Signal()
        Task.detached {
          try? await run.arrival()
          done.fire()
        }
        #expect(done.wait())
      }
    }
    #expect(text.contains("\nAn arrival came from a thread other than the one that explores"))
  }

  @Test func workOfAnotherThreadFailsTheRun() {
    let text = failureText { try explore { run in onOtherThread { run.scheduler.schedule {} } } }
    #expect(text.contains("\nWork came from a thread other than the one that explores"))
  }

  @Test func aTaskThatDoesNotEndFailsTheRun() {
    let continuations = Locked<[CheckedContinuation<Void, Never>]>([])
    let text = failureText {
      try explore { run in
        let effect = Observable.task {
          await withCheckedContinuation { continuation in continuations.append(continuation) }
        }.subscribe()
        run.allArrive()
        effect.dispose()
      }
    }
    #expect(text.contains("\nA task of a run has not ended"))
    #expect(continuations.value.count == 1)
    for continuation in continuations.value { continuation.resume() }
  }

  @Test func aTaskElsewhereThatWaitsFailsTheRun() {
    let done = Signal()
    let text = failureText {
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
    #expect(text.contains("\nA task of a run has not ended"))
  }

  @MainActor @Test func anEffectOnTheMainActorFailsTheRun() {
    let text = failureText {
      try explore { run in
        let model = SearchViewModel(scheduler: run.scheduler) { text in
          await MainActor.run { [text] }
        }
        model.execute(.search("a"))
        run.allArrive()
        try run.expect(model.currentState.results.isEmpty)
      }
    }
    #expect(text.contains("\nA task of a run has not ended"))
  }

  #if os(macOS) || os(Linux)
    @Test func anEndlessLoopAndNoOptionsTrap() async {
      await #expect(processExitsWith: .failure) { try explore { run in while !run.choose(false, true) {} } }
      await #expect(processExitsWith: .failure) { try explore { run in let _: Bool = run.choose() } }
    }
  #endif

  @Test func aFailedRunMakesNoMoreChoices() {
    let text = failureText {
      try explore { run in
        onOtherThread { _ = run.choose(true) }
        let ticks = Observable.interval(.seconds(1), scheduler: run.scheduler).subscribe()
        run.allArrive()
        run.mayArrive()
        ticks.dispose()
        try run.expect(true)
      }
    }
    #expect(text.hasPrefix("misuses explore in \"\""))
  }
}
