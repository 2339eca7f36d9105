import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
/// The steps of an action can be expected.
struct ExecutionComparisonTests {
  private typealias Step = Execution<CounterAction, Int>

  private func step(_ phase: Step.Phase, id: UInt64 = 1) -> Step {
    Step(id: id, action: .increment, mode: .parallel, phase: phase)
  }

  @Test func equalityComparesAllParts() {
    #expect(step(.started) != step(.started, id: 2))
    #expect(step(.started) != Step(id: 1, action: .add(1), mode: .parallel, phase: .started))
    #expect(step(.started) != Step(id: 1, action: .increment, mode: .sequence, phase: .started))
    let phases: [Step.Phase] = [
      .started, .emitted(1), .emitted(2), .completed(1), .completed(2), .cancelled, .dropped,
      .failed(TestError("a")), .failed(TestError("b")), .failed(RxError.timeout),
    ]
    for (index, phase) in phases.enumerated() {
      for (otherIndex, other) in phases.enumerated() {
        #expect((step(phase) == step(other)) == (index == otherIndex))
      }
    }
  }

  @Test func theirDescriptionsNameActionModeAndPhase() {
    for (phase, text) in [
      (.started, "started"), (.emitted(1), "emitted 1"), (.completed(1), "completed 1"), (.dropped, "dropped"),
      (.failed(TestError("offline")), "failed: offline"), (.cancelled, "cancelled"),
    ] as [(Step.Phase, String)] {
      #expect("\(step(phase))" == "#1 increment parallel: \(text)")
    }
  }
}
