import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.1, 9.5
/// What reaches an effect in a way in which it was lost once.
struct ReplayBoundaryTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  // A request that is sent again when another view model has renewed the token.
  @Test(.asyncEffects) func aCallBehindAnotherViewModelsActionBelongsToItsOwn() throws {
    let make = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler) in
      let session = recordedLines(recorder, on: scheduler)
      let detail = recorder.record("detail") {
        LinesViewModel(on: scheduler) { _, _ in
          session.performDetached(.add(1)).flatMap { _ in Observable.task { try await recorder.answer("ask") { "a" } } }
            .mutate { $0.append($1) }
        }
      }
      return (session, detail)
    }
    let (session, detail) = make(recorder, scheduler)
    detail.execute(.run(""))
    scheduler.run()
    #expect(session.currentState == ["1"] && detail.currentState == ["a"])
    let answer = try #require(recorder.recording.entries.first { $0.kind == .answer })
    #expect(answer.action == 1 && answer.model == recorder.recording.entries.first { $0.name == "detail" }?.model)
    let report = try replay(recorder.recording) { run in
      let (session, detail) = make(run.recorder, run.scheduler)
      try run.play()
      try run.expect(session.currentState == ["1"] && detail.currentState == ["a"])
    }
    #expect(report.departures == [])
  }

  // The second question is asked, and the first answer needed, once the second is there.
  @Test(.asyncEffects) func aChildTasksAnswerThatIsNeededLater() throws {
    let (a, b) = (HeldService(), HeldService())
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        .merge([
          Observable.task {
            async let x = recorder.answer("a") { await a.call() }
            let y = try await recorder.answer("b") { await b.call() }
            return try await x + y
          }.mutate { $0.append($1) }, .never(),
        ])
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run(""))
    scheduler.run()
    for (service, text) in [(a, "1"), (b, "2")] {
      service.answer(text)
      scheduler.run()
    }
    #expect(model.currentState == ["12"])
    try expectReplay(of: recorder.recording, ["12"], make)
  }

  @Test(.asyncEffects, arguments: [false, true]) func aServiceInsideAService(_ hasTimeout: Bool) throws {
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, name in
        let task = Observable.task {
          try await recorder.answer("outer") { try await recorder.answer("inner") { name } }
        }
        return (hasTimeout ? task.timeout(.seconds(10), scheduler: scheduler) : task).mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("x"))
    scheduler.run()
    #expect(!recorder.recording.description.contains("inner"))
    try expectReplay(of: recorder.recording, ["x"], make)
  }

  private final class Node: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: `inner` is a `let`.
    private let inner: Node?

    /// Makes another one, if it has none, before `super.init`.
    init(on scheduler: any Scheduler, isInner: Bool = false) {
      inner = isInner ? nil : Node(on: scheduler, isInner: true)
      super.init(initialState: 0, scheduler: scheduler)
    }

    override func createObservable(_ number: Int) -> Effect { .mutate { $0 += number } }
  }

  @Test func aViewModelThatMakesOneOfItsKindBefore() throws {
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("root") { Node(on: scheduler) }
    }
    let root = make(recorder, scheduler)
    root.execute(1)
    scheduler.run()
    #expect(recorder.kinds == [.action])
    try expectReplay(of: recorder.recording, 1, make)
  }

  #if DEBUG && !OPTIMIZED_LIBRARY
    @Test(.ownThread) func aViewModelThatWasMadeBeforeIsReported() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let model = LinesViewModel(on: TestScheduler())
        if SessionRecorder().record("late", { model }) !== model { fatalError() }
      }
      let text = try String(decoding: #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("record(\"late\") records nothing"), "\(text)")
    }
  #endif
}
