import Dispatch
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

private enum Errand: Codable, Sendable, Equatable {
  /// Executes `done` after a while.
  case later
  case done
  /// Asks a service, and shows its answer with the newest element of a stream.
  case compare
  /// Asks a service twice if it fails, at once or after a while.
  case ask, askLater
}

private final class Errands: RxViewModel<Errand, [String]>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  struct Services: Sendable {
    var ask: @Sendable (Errand) async throws -> String = { "\($0)" }
    var numbers = Observable<Int>.never()
    /// Called when an answer has reached the effect.
    var hasCome: @Sendable () -> Void = {}
  }

  private let services: Services
  private let timers: any Scheduler

  init(on scheduler: (any Scheduler)?, _ services: Services) {
    self.services = services
    timers = scheduler ?? DispatchQueue(label: "timers")
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func executionMode(for action: Errand) -> ExecutionMode {
    [.ask, .askLater].contains(action) ? .switchLatest : .parallel
  }

  override func createObservable(_ action: Errand) -> Effect {
    let services = services
    let answer = Observable.task { try await services.ask(action) }
    switch action {
    case .later:
      return Observable<Int>.timer(.milliseconds(1), scheduler: timers).do(onNext: { [weak self] _ in
        self?.execute(.done)
      }).flatMap { _ in Effect.empty() }
    case .done: return .mutate { $0.append("done") }
    case .compare:
      let answers = answer.do(onNext: { _ in services.hasCome() })
      // Subscribes to the numbers first: the answer may come at once, on another thread, and tells the test to send one.
      return Observable<String>.combineLatest(services.numbers.take(1), answers) { "\($1) \($0)" }.mutate {
        $0.append($1)
      }
    case .ask: return answer.retry(2).mutate { $0.append($1) }
    case .askLater:
      return answer.retry(2, delay: { _ in .milliseconds(1) }, scheduler: timers).mutate { $0.append($1) }
    }
  }
}

private func errands(
  _ recorder: SessionRecorder, on scheduler: (any Scheduler)? = nil, _ services: Errands.Services = .init()
) -> Errands {
  var recorded = services
  recorded.ask = { errand in try await recorder.answer("\(errand)") { try await services.ask(errand) } }
  recorded.numbers = services.numbers.recorded("numbers", by: recorder)
  return recorder.record("errands") { [recorded] in Errands(on: scheduler, recorded) }
}

// contract 9.1, 9.2
@Suite("Answers and timers of a recording") struct RecordedAnswerTests {
  /// Expects that a replay departs nowhere, and ends in the state.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private func expectReplay(
    of recorder: SessionRecorder, _ state: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let recording = recorder.recording
    var last: [String] = []
    let report = try replay(recording) { run in
      let model = errands(run.recorder, on: run.scheduler)
      try run.play()
      last = model.currentState
    }
    #expect(report.departures == [], "\(recording)", sourceLocation: sourceLocation)
    #expect(last == state, "\(recording)", sourceLocation: sourceLocation)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func whatATimerExecutesIsTheViewModelsOwn() async throws {
    let recorder = SessionRecorder()
    let model = errands(recorder)
    model.execute(.later)
    #expect(await eventually { model.currentState == ["done"] })
    try await rest(model)
    #expect(recorder.recording.description.contains("[\"own\""))
    try expectReplay(of: recorder, ["done"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anElementStandsBehindTheAnswersBeforeIt() async throws {
    let (recorder, numbers, signal) = (SessionRecorder(), PublishSubject<Int>(), Signal())
    let model = errands(recorder, .init(numbers: numbers.asObservable(), hasCome: { signal.fire() }))
    model.execute(.compare)
    #expect(await onThread { signal.wait() })
    numbers.onNext(7)
    #expect(await eventually { model.currentState == ["compare 7"] })
    try await rest(model)
    try expectReplay(of: recorder, ["compare 7"])
  }

  // The error stands before the cancellation, because the second call has followed it.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [Errand.ask, .askLater]) fileprivate func aCancelledRetryDepartsNowhere(_ errand: Errand)
    async throws
  {
    let (recorder, asked) = (SessionRecorder(), Signal())
    let count = Locked(0)
    let (answers, service) = AsyncStream.makeStream(of: String.self)
    let model = errands(
      recorder,
      .init(ask: { _ in
        let number = count.mutate { count in
          count += 1
          return count
        }
        if number == 1 { throw OutOfStock(item: 1) }
        if number == 3 { return "third" }
        asked.fire()
        for await answer in answers { return answer }
        return "late"
      }))
    model.execute(errand)
    #expect(await onThread { asked.wait() })
    model.execute(errand)
    #expect(await eventually { model.currentState == ["third"] })
    service.finish()
    #expect(await eventually { recorder.recording.description.contains("late") })
    try await rest(model)
    try expectReplay(of: recorder, ["third"])
  }
}
