import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
@Suite struct ExecutionComparisonTests {
  private typealias Step = Execution<CounterAction, Int>

  private func step(_ phase: Step.Phase, id: UInt64 = 1) -> Step {
    Step(id: id, action: .increment, mode: .parallel, phase: phase)
  }

  @Test func theStepsOfAnActionCanBeExpected() {
    let scheduler = TestScheduler()
    let viewModel = CounterViewModel(scheduler: scheduler)
    let steps = viewModel.executionObservable.test(scheduler)
    viewModel.execute(.increment)
    scheduler.run()
    #expect(steps.mismatch(with: events([0: step(.started), 0: step(.emitted(1)), 0: step(.completed(1))])) == nil)
    #expect(
      steps.mismatch(with: events([0: step(.started), 0: step(.completed(1))])) == """
        1 event too many:
          0.0 seconds: #1 increment parallel: started
        + 0.0 seconds: #1 increment parallel: emitted 1
          0.0 seconds: #1 increment parallel: completed 1
        """)
  }

  @Test func equalityComparesAllParts() {
    #expect(step(.started) == step(.started))
    #expect(step(.started) != step(.started, id: 2))
    #expect(step(.started) != Step(id: 1, action: .add(1), mode: .parallel, phase: .started))
    #expect(step(.started) != Step(id: 1, action: .increment, mode: .sequence, phase: .started))
    let phases: [Step.Phase] = [
      .started, .emitted(1), .emitted(2), .completed(1), .completed(2), .cancelled, .dropped,
      .failed(TestError("a")), .failed(TestError("b")), .failed(RxError.timeout),
    ]
    for (index, phase) in phases.enumerated() {
      for (otherIndex, other) in phases.enumerated() { #expect((phase == other) == (index == otherIndex)) }
    }
  }

  @Test func theirDescriptionsNameActionModeAndPhase() {
    #expect("\(step(.failed(TestError("offline"))))" == "#1 increment parallel: failed: offline")
    #expect("\(step(.dropped))" == "#1 increment parallel: dropped")
    #expect("\(step(.cancelled))" == "#1 increment parallel: cancelled")
  }
}
