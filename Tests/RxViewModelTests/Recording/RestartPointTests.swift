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

  override func createSources() -> [Observable<StateMapper<[String]>>] {
    [prices.mutate { $0 = Array(($0 + ["price \($1)"]).suffix(3)) }]
  }

  override func createObservable(_ action: TripAction) -> Observable<StateMapper<[String]>> {
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
}
