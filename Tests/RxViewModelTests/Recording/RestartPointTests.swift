import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

private enum TripAction: Codable, Sendable {
  /// Executes `finish` before its action ends.
  case start(Int)
  case finish(Int)
}

// Sendable: it stores only `let`s.
private final class TripViewModel: RxViewModel<TripAction, [String]>, @unchecked Sendable {
  private let prices: Observable<Int>

  init(on scheduler: any Scheduler, prices: Observable<Int>) {
    self.prices = prices
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createSources() -> [Effect] {
    [prices.mutate { $0 = Array(($0 + ["price \($1)"]).suffix(3)) }]
  }

  override func createObservable(_ action: TripAction) -> Effect {
    switch action {
    case .start(let number):
      return .create { [weak self] observer in
        self?.execute(.finish(number))
        observer.onCompleted()
        return Disposables.create()
      }
    case .finish(let number): return .mutate { $0 = Array(($0 + ["\(number)"]).suffix(3)) }
    }
  }

  override func onPause() { execute(.finish(-1)) }
}

private func trip(_ recorder: SessionRecorder, on scheduler: any Scheduler, prices: Observable<Int>) -> TripViewModel {
  recorder.record("trip") { TripViewModel(on: scheduler, prices: prices.recorded("prices", by: recorder)) }
}

// contract 9.3
@Suite("Restart points") struct RestartPointTests {
  private let recorder = SessionRecorder(limit: 64)
  private let scheduler = TestScheduler()
  private let prices = BehaviorSubject(value: 7)

  /// Expects that the recording begins at a restart point, and that its replay departs nowhere and ends in the state.
  private func expectReplay(_ state: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let recording = recorder.recording
    #expect(!recording.description.contains("[\"middle\""), sourceLocation: sourceLocation)
    var last: [String] = []
    let report = try replay(recording) { run in
      let model = trip(run.recorder, on: run.scheduler, prices: .never())
      try run.play()
      last = model.currentState
    }
    #expect(report.departures == [], "\(recording)", sourceLocation: sourceLocation)
    #expect(last == state, "\(recording)", sourceLocation: sourceLocation)
  }

  // Between the end of `start` and its mark, the own action waits.
  @Test func noInputOfItsOwnWaits() throws {
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    for number in 0..<100 {
      model.execute(.start(number))
      scheduler.run()
      try expectReplay(model.currentState)
    }
  }

  // The recorded state holds the newest price already.
  @Test func aSourceFoldsNothingTwice() throws {
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    for number in 0..<50 { model.execute(.finish(number)) }
    prices.onNext(8)
    scheduler.run()
    recorder.forget()
    try expectReplay(["48", "49", "price 8"])
  }

  @Test func aResumedScreenMayPauseBehindIt() throws {
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    model.didResume()
    model.execute(.finish(1))
    scheduler.run()
    recorder.forget()
    model.didPause()
    scheduler.run()
    #expect(model.currentState == ["price 7", "1", "-1"])
    try expectReplay(model.currentState)
  }

  // `forget` makes a restart point only where the view models rest.
  @Test func forgetDropsNothingWhileAnInputWaits() {
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    model.execute(.finish(1))
    scheduler.run()
    prices.onNext(8)
    let count = recorder.recording.count
    recorder.forget()
    #expect(recorder.recording.count == count)
    scheduler.run()
    recorder.forget()
    #expect(recorder.recording.count < count)
  }

  // contract 9.5: after the restart point, the source's first subscription is its fourth in the recording.
  @Test func aSourceThatHasSubscribedAgainGetsItsElements() throws {
    func lines(_ recorder: SessionRecorder, _ scheduler: any Scheduler, _ prices: Observable<Int>) -> LinesViewModel {
      recorder.record("lines") {
        LinesViewModel(
          on: scheduler, sources: [prices.recorded("prices", by: recorder).retry(9).mutate { $0 = ["\($1)"] }])
      }
    }
    let subjects = Locked<[PublishSubject<Int>]>([])
    let prices = Observable<Int>.deferred {
      let subject = PublishSubject<Int>()
      subjects.mutate { $0.append(subject) }
      return subject.asObservable()
    }
    let model = lines(recorder, scheduler, prices)
    for _ in 0..<3 {
      subjects.value.last?.onError(CancellationError())
      scheduler.run()
    }
    recorder.forget()
    subjects.value.last?.onNext(5)
    scheduler.run()
    #expect(model.currentState == ["5"])
    #expect(recorder.recording.description.contains(#""prices",4,5]"#))
    let result = try playLines(recorder.recording) { lines($0, $1, .never()) }
    #expect(result == Fidelity(states: ["5"], departures: []))
  }

  @Test func aSubscriptionThatHasEndedLeavesNoElement() {
    let streams = Observable<Int>.interval(.seconds(1), scheduler: scheduler).flatMapLatest { [recorder] number in
      Observable.just(number).concat(.never()).recorded("stream \(number)", by: recorder)
    }
    let model = recorder.record { LinesViewModel(on: scheduler, sources: [streams.mutate { $0 = ["\($1)"] }]) }
    scheduler.advance(by: .seconds(20))
    recorder.forget()
    let openings = recorder.recording.entries.filter { $0.kind == .opening }
    #expect(openings.map { $0.call?.question } == model.currentState.map { "stream \($0)" })
  }

  // An action that never ends leaves no restart point.
  @Test func aRecordingThatBeginsInTheMiddleSaysSo() {
    let model = recorder.record { LinesViewModel(on: scheduler) { _, _ in .never() } }
    func middles() -> Int { recorder.recording.entries.count { $0.kind == .middle } }
    model.execute(.run("without end"))
    scheduler.run()
    #expect(middles() == 0)
    for number in 0..<64 { model.execute(.add(number)) }
    scheduler.run()
    #expect(middles() == 1)
  }

  // A view model that has not been made never rests.
  @Test func aViewModelThatCannotBeMadeIsNotWaitedFor() throws {
    let _: TripViewModel? = try? recorder.record("broken") { throw CancellationError() }
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    for number in 0..<50 {
      model.execute(.finish(number))
      scheduler.run()
    }
    try expectReplay(["47", "48", "49"])
  }
}
