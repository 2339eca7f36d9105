import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

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

/// A view model with a state that is not `Codable`.
// Sendable: it stores nothing.
private final class OpaqueViewModel: RxViewModel<LinesAction, OpaqueViewModel.Opaque>, @unchecked Sendable {
  struct Opaque: Sendable {
    var password = "secret"
  }

  override func createInitialState() -> Opaque { Opaque() }
  override func createObservable(_ action: LinesAction) -> Effect { .mutate { $0.password += "" } }
}

// contract 9.3
@Suite("Checkpoints") struct CheckpointTests {
  private let recorder = SessionRecorder(limit: 64)
  private let scheduler = TestScheduler()
  private let prices = BehaviorSubject(value: 7)

  /// Expects that the recording begins at a checkpoint, and that its replay departs nowhere and ends in the state.
  private func expectReplay(_ state: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let recording = recorder.recording
    #expect(!recording.beginsInTheMiddle, sourceLocation: sourceLocation)
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

  // The price has been sent, and no turn has taken it.
  @Test func forgetMayComeWhileAnInputWaits() throws {
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    model.execute(.start(1))
    scheduler.run()
    prices.onNext(8)
    model.execute(.finish(2))
    recorder.forget()
    #expect(recorder.recording.entries.map(\.kind) == [.model, .opening, .element, .begin, .state])
    scheduler.run()
    #expect(model.currentState == ["1", "price 8", "2"])
    try expectReplay(model.currentState)
  }

  // contract 9.5: the prices have been sent, two more than the recorder keeps, and five wait where the recording begins.
  @Test func elementsThatWaitComeAgain() throws {
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    for price in 1...10 { prices.onNext(price) }
    let fifth = model.stateObservable.filter { $0.last == "price 5" }
    let forgetting = fifth.subscribe(onNext: { [recorder] _ in recorder.forget() })
    scheduler.run()
    forgetting.dispose()
    try expectReplay(["price 8", "price 9", "price 10"])
  }

  // contract 9.5: the effect begins again, and the action that it has executed waits where the recording begins.
  @Test func anActionOfAnUnfinishedEffectMayWait() throws {
    let make = { [forgotten = recorder] (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { viewModel, _ in
          viewModel.execute(.add(1))
          forgotten.forget()
          return .never()
        }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("endless"))
    scheduler.run()
    #expect(recorder.kinds == [.again, .begin, .action])
    let played = try playLines(recorder.recording, make)
    #expect(played == Fidelity(states: ["1"], departures: []))
    withExtendedLifetime(model) {}
  }

  // contract 9.5: after the restart point, the source's first subscription is its fourth in the recording.
  // Its newest element may be that of an earlier subscription.
  @Test(arguments: [false, true]) func aSourceThatHasSubscribedAgainGetsItsElements(_ hasSent: Bool) throws {
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
    if hasSent { subjects.value.last?.onNext(4) }
    scheduler.run()
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

  // Each subscription begins with an element of its own: the first one with that of the checkpoint.
  @Test func aSourceThatSubscribesAgainGetsTheElementOfThatTime() throws {
    func lines(_ recorder: SessionRecorder, _ scheduler: any Scheduler, _ prices: Observable<Int>) -> LinesViewModel {
      recorder.record("lines") {
        LinesViewModel(
          on: scheduler, sources: [prices.recorded("prices", by: recorder).retry(9).mutate { $0 = ["\($1)"] }])
      }
    }
    let subjects = Locked<[BehaviorSubject<Int>]>([])
    let prices = Observable<Int>.deferred {
      subjects.mutate { subjects in
        subjects.append(BehaviorSubject(value: subjects.count))
        return subjects.last!.asObservable()
      }
    }
    let model = lines(recorder, scheduler, prices)
    scheduler.run()
    recorder.forget()
    model.execute(.add(7))
    scheduler.run()
    #expect(model.currentState == ["0", "7"])
    subjects.value.last?.onError(CancellationError())
    scheduler.run()
    #expect(model.currentState == ["1"])
    let result = try playLines(recorder.recording) { lines($0, $1, .never()) }
    #expect(result == Fidelity(states: ["1"], departures: []))
  }

  // A source that follows one stream after the other keeps the newest elements of at most 32.
  @Test func aSourceKeepsTheNewestElementsOfItsStreams() {
    let streams = Observable<Int>.interval(.seconds(1), scheduler: scheduler).flatMapLatest { [recorder] number in
      Observable.just(number).concat(.never()).recorded("stream \(number)", by: recorder)
    }
    let model = recorder.record { LinesViewModel(on: scheduler, sources: [streams.mutate { $0 = ["\($1)"] }]) }
    scheduler.advance(by: .seconds(50))
    recorder.forget()
    let past = recorder.recording.entries.filter { $0.kind == .opening }.map { $0.call?.question }
    #expect(past == (18..<50).map { "stream \($0)" })
    #expect(model.currentState == ["49"])
  }

  // An action that never ends begins again.
  @Test func anEndlessActionLeavesCheckpoints() throws {
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, name in .concat(.mutate { $0.append(name) }, .never()) }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("without end"))
    for number in 0..<200 {
      model.execute(.add(number))
      if number % 5 == 0 { scheduler.run() }
    }
    scheduler.run()
    #expect(recorder.recording.entries.contains { $0.kind == .again })
    let played = try playLines(recorder.recording, make)
    #expect(played == Fidelity(states: model.currentState, departures: []))
    #expect(model.currentState.count == 201)
  }

  // contract 9.3
  @Test func aRecordingThatBeginsInTheMiddleSaysSo() throws {
    let model = recorder.record("open") { OpaqueViewModel(scheduler: scheduler) }
    for number in 0..<63 { model.execute(.add(number)) }
    scheduler.run()
    #expect(!recorder.recording.beginsInTheMiddle)
    model.execute(.add(63))
    scheduler.run()
    #expect(recorder.recording.beginsInTheMiddle)
    #expect(!recorder.recording.description.contains("secret"))
  }

  // contract 9.5: a test makes the screens that it is about.
  @Test func aViewModelBesideOneWhoseStateIsNotCodableBeginsWithItsState() throws {
    let opaque = recorder.record("open") { OpaqueViewModel(scheduler: scheduler) }
    let model = trip(recorder, on: scheduler, prices: prices.asObservable())
    opaque.execute(.add(1))
    for number in 0..<200 {
      model.execute(.finish(number))
      scheduler.run()
    }
    let recording = recorder.recording
    #expect(recording.beginsInTheMiddle)
    var state: [String] = []
    let report = try replay(recording) { run in
      let model = trip(run.recorder, on: run.scheduler, prices: .never())
      try run.play()
      state = model.currentState
    }
    #expect(report.departures == [])
    #expect(state == model.currentState)
    let failure = #expect(throws: TestFailure.self) {
      try replay(recording) { run in
        let opaque = run.recorder.record("open") { OpaqueViewModel(scheduler: run.scheduler) }
        try run.play()
        withExtendedLifetime(opaque) {}
      }
    }
    #expect("\(failure!)".hasPrefix("reproduces nothing: the recording begins in the middle, behind "), "\(failure!)")
  }

  // MARK: Texts that have been changed

  private func asking(
    _ recorder: SessionRecorder, on scheduler: any Scheduler, prices: Observable<Int> = .never()
  ) -> LinesViewModel {
    recorder.record("lines") {
      LinesViewModel(
        on: scheduler, mode: .sequence, sources: [prices.recorded("prices", by: recorder).mutate { $0 = ["\($1)"] }]
      ) { _, name in
        Observable.task { try await recorder.answer(name) { name } }.mutate { $0.append($1) }
      }
    }
  }

  /// The lines of a recording that begins later, with unfinished actions.
  private func lines() -> [Substring] {
    let model = asking(recorder, on: scheduler, prices: prices.asObservable())
    for number in 0..<40 {
      model.execute(number % 3 == 0 ? .run("ask") : .add(number))
      if number % 4 == 0 { prices.onNext(number) }
      if number % 7 == 0 { model.executeInSequence(.add(1), .run("ask"), .add(2)) }
      if number % 9 == 0 { model.cancelActions { $0 == .run("ask") } }
      if number % 5 == 0 { model.didResume() } else { model.didPause() }
      if number % 2 == 0 { scheduler.run() }
    }
    let lines = recorder.recording.description.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("[\"begin\"") } && lines.count > 50)
    return lines
  }

  /// Plays lines if they are a recording. The test fails when the view model has so many lines.
  private func play(_ lines: [Substring], failingAt count: Int = .max) -> Bool {
    guard let recording = try? Recording(lines.joined(separator: "\n")) else { return false }
    _ = try? replay(recording, tolerant: true) { run in
      let model = asking(run.recorder, on: run.scheduler)
      try run.play { try run.expect(model.currentState.count < count) }
    }
    return true
  }

  // contract 9.4: any line may be deleted, and a text may end anywhere.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func everyLineMayBeMissing() {
    let lines = lines()
    for index in 1..<(lines.count - 1) {
      #expect(play(Array(lines[..<index]) + ["end"]))
      #expect(play(Array(lines[..<index] + lines[(index + 1)...])))
    }
  }

  // contract 9.4, 9.6
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func linesMayStandAnywhereAndHaveAnyNumber() {
    let (all, numbers) = (lines(), ["0", "-1", "1", "7", "\(Int.max)", "\(Int.min)", "null", "[]", "\"ask\""])
    var (random, played) = (SplitMix64(seed: 64), 0)
    func roll(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    for round in 0..<300 {
      var lines = round % 3 == 0 ? Array(all[..<20]) + ["end"] : all
      for _ in 0...roll(4) {
        let place = 1 + roll(lines.count - 2)
        switch roll(3) {
        case 0: lines.swapAt(place, 1 + roll(lines.count - 2))
        case 1: lines.insert(lines[place], at: 1 + roll(lines.count - 2))
        default:
          var fields = lines[place].split(separator: ",")
          fields[roll(fields.count)] = Substring(numbers[roll(numbers.count)])
          lines[place] = Substring(fields.joined(separator: ","))
        }
      }
      if play(lines, failingAt: round % 3 == 0 ? 3 : .max) { played += 1 }
    }
    #expect(played > 100)
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
