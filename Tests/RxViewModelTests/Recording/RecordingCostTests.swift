import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A state that counts how often it becomes text, and how many of it are alive.
private struct CountedState: Codable, Sendable {
  @TaskLocal static var texts: Locked<Int>?

  var number = 0
  var object: Lifetimes.Object?

  init(_ number: Int, _ object: Lifetimes.Object?) { (self.number, self.object) = (number, object) }
  init(from decoder: any Decoder) throws { number = try Int(from: decoder) }

  func encode(to encoder: any Encoder) throws {
    Self.texts?.mutate { $0 += 1 }
    try number.encode(to: encoder)
  }
}

// Sendable: it stores only a `let`.
private final class CountedViewModel: RxViewModel<Int, CountedState>, @unchecked Sendable {
  let lifetimes = Lifetimes()

  override func createInitialState() -> CountedState { CountedState(0, nil) }

  override func createObservable(_ action: Int) -> Effect {
    let object = lifetimes.make()
    return .mutate { $0 = CountedState(action, object) }
  }
}

// contract 9.1, 9.3
@Suite("The cost of a recorded action does not depend on the state") struct RecordingCostTests {
  @Test func noTextIsMadeBeforeItIsAskedFor() {
    let (texts, scheduler) = (Locked(0), TestScheduler())
    CountedState.$texts.withValue(texts) {
      let recorder = SessionRecorder(limit: 80)
      let model = recorder.record { CountedViewModel(scheduler: scheduler) }
      for number in 0..<1_000 {
        model.execute(number)
        scheduler.run()
      }
      #expect(texts.value == 0)
      #expect(recorder.recording.count <= 90)
      // The first state, and the two to compare.
      #expect((1...3).contains(texts.value))
    }
  }

  @Test func atMostNineStatesAreKept() {
    let scheduler = TestScheduler()
    let recorder = SessionRecorder(limit: 80)
    let model = recorder.record { CountedViewModel(scheduler: scheduler) }
    var most = 0
    for number in 0..<1_000 {
      model.execute(number)
      scheduler.run()
      most = max(most, model.lifetimes.alive)
    }
    // The current state, too, and one that the next turn releases.
    #expect((8...11).contains(most))
    recorder.forget()
    #expect(model.lifetimes.alive == 1)
  }
}
