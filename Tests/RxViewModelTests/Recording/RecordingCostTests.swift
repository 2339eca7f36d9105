import Foundation
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
    Self.texts?.increment()
    try number.encode(to: encoder)
  }
}

// contract 9.1, 9.3
/// The cost of a recorded action does not depend on the state.
struct RecordingCostTests {
  private let recorder = SessionRecorder(limit: 80)
  private let scheduler = TestScheduler()
  private let lifetimes = Lifetimes()

  /// Executes a thousand actions, each of which makes another state. Calls `body` after each. Returns the view model.
  private func work(_ body: () -> Void = {}) -> AnyObject {
    let model = recorder.record("model") { [lifetimes] in
      ClosureViewModel<Int, CountedState>(CountedState(0, nil), scheduler: scheduler) { _, number in
        let object = lifetimes.make()
        return .mutate { $0 = CountedState(number, object) }
      }
    }
    for number in 0..<1_000 {
      model.execute(number)
      scheduler.run()
      body()
    }
    return model
  }

  @Test func noTextIsMadeBeforeItIsAskedFor() {
    let texts = Locked(0)
    CountedState.$texts.withValue(texts) {
      let model = work()
      #expect(texts.value == 0)
      #expect(recorder.recording.count <= 90)
      // The first state, and those to compare.
      #expect((1...10).contains(texts.value))
      withExtendedLifetime(model) {}
    }
  }

  @Test func atMostNineStatesAreKept() {
    var most = 0
    let model = work { most = max(most, lifetimes.alive) }
    // The current state, too, and one that the next turn releases.
    #expect((8...11).contains(most))
    recorder.forget()
    #expect(lifetimes.alive == 1)
    withExtendedLifetime(model) {}
  }
}

/// An action that counts how many of it are alive.
private struct CountedAction: Codable, Sendable {
  var number: Int
  var object: Lifetimes.Object?

  init(_ number: Int, _ object: Lifetimes.Object?) { (self.number, self.object) = (number, object) }
  init(from decoder: any Decoder) throws { number = try Int(from: decoder) }
  func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}

// contract 9.3
/// A loop: each action executes the next one from its effect.
struct RecordedLoopTests {
  private static func loop(_ recorder: SessionRecorder, _ count: Int, _ lifetimes: Lifetimes) -> AnyObject {
    let scheduler = TestScheduler()
    let model = recorder.record("model") {
      ClosureViewModel<CountedAction, Int>(0, scheduler: scheduler) { model, action in
        if action.number > 0 { model.execute(CountedAction(action.number - 1, lifetimes.make())) }
        return .mutate { $0 += 1 }
      }
    }
    model.execute(CountedAction(count, lifetimes.make()))
    scheduler.run()
    #expect(model.currentState == count + 1)
    return model
  }

  @Test func anActionDoesNotKeepTheOneThatHasExecutedIt() {
    let (recorder, lifetimes) = (SessionRecorder(limit: 64), Lifetimes())
    let model = Self.loop(recorder, 1_000, lifetimes)
    // Each entry of the ring, and those that wait for their release.
    #expect(lifetimes.alive < 100)
    withExtendedLifetime(model) {}
  }

  @Test(.stress) func isReleasedOnASmallStack() async {
    await onThread(stackSize: smallStack) {
      let recorder = SessionRecorder(limit: 100_000)
      let model = Self.loop(recorder, 50_000, Lifetimes())
      recorder.forget()
      withExtendedLifetime(model) {}
    }
  }
}

// contract 9.1: O(1) for each rest, however many actions are unfinished
@Suite(.serialized, .stress) struct RecordedRestCostTests {
  // The ratio is about 4, and 16 if each rest looks at all unfinished actions.
  @Test func answersOfWaitingActionsCostTheSame() {
    expectGrowth(from: 1_000, below: 9) { count in
      let (scheduler, recorder) = (TestScheduler(), SessionRecorder(limit: 10))
      let answers = (0..<count).map { _ in PublishSubject<Int>() }
      let model = recorder.record("model") {
        ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, number in answers[number].mutate { $0 += $1 } }
      }
      for number in 0..<count { model.execute(number) }
      scheduler.run()
      for answer in answers {
        answer.onNext(1)
        answer.onCompleted()
        scheduler.run()
      }
      #expect(model.currentState == count)
    }
  }
}

// contract 1.10, 2.11, 9.2: a request to cancel is O(n log n) for n unfinished actions, with a recorder and for the player too
@Suite(.serialized, .stress) struct RecordingCancellationCostTests {
  private func waiting(_ scheduler: any Scheduler) -> ClosureViewModel<Int, Int> {
    ClosureViewModel(0, scheduler: scheduler) { _, _ in .never() }
  }

  // The ratio is about 4.5 for n log n, and 16 for quadratic work.
  @Test(arguments: [false, true]) func cancellingWaitingActionsIsLinear(isRecorded: Bool) {
    expectGrowth(from: 2_000, below: 9) { count in
      let (scheduler, recorder) = (HandScheduler(), SessionRecorder(limit: 10))
      let waits = isRecorded ? recorder.record("model") { waiting(scheduler) } : waiting(scheduler)
      for number in 0..<count { waits.execute(number) }
      waits.cancelActions { _ in true }
      scheduler.run()
      waits.clear()
    }
  }

  @Test func cancellingByNumberIsLinear() {
    expectGrowth(from: 2_000, below: 9) { count in
      let scheduler = HandScheduler()
      let waits = waiting(scheduler)
      for number in 0..<count { waits.execute(number) }
      scheduler.run()
      waits.cancelActions(Set((1...count).map { UInt64($0) }))
      scheduler.run()
      waits.clear()
    }
  }
}

#if os(Linux)
  // contract 9.3
  struct RecorderMemoryTests {
    /// The number of actions: a million were executed once.
    static let actions = Int(ProcessInfo.processInfo.environment["RX_ACTIONS"] ?? "") ?? 50_000

    @Test(.stress, .ownThread) func manyActionsLeaveNothingBehind() async {
      await #expect(processExitsWith: .success) {
        let (scheduler, recorder) = (TestScheduler(), SessionRecorder(limit: 400))
        let model = recorder.record("model") {
          ClosureViewModel<Int, String>("", scheduler: scheduler) { _, number in
            let text = "the text of page \(number)"
            let value = number % 3 == 0 ? recorder.value("text \(number)") { text } : text
            return .mutate { $0 = value }
          }
        }
        let work = {
          for number in 0..<(Self.actions / 4) {
            model.execute(number)
            if number % 7 == 0 { model.cancelActions { _ in number % 2 == 0 } }
            scheduler.run()
          }
        }
        work()
        // A leak grows each time. The allocator's own reserve comes once.
        let growth = (0..<3).map { _ in allocation(of: work) }.min()!
        precondition(growth < 20_000, "\(growth) bytes more")
      }
    }
  }
#endif
