import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9, 9.1, 9.2, 9.3
struct RecorderTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  // A call that is open when the report is sent is no departure.
  @Test(.asyncEffects) func anOpenCallIsRecordedAsOpen() throws {
    let service = HeldService()
    let model = recordedLines(recorder, on: scheduler) { [recorder] _, name in
      Observable.task { try await recorder.answer(name) { await service.call() } }.mutate { $0.append($1) }
    }
    model.execute(.run("ask"))
    scheduler.run()
    #expect(recorder.kinds == [.action, .open])
    try expectReplay(of: recorder.recording, []) { recordedLines($0, on: $1, effect: answers(by: $0)) }
    withExtendedLifetime(model) {}
  }

  @Test func anEntryHasTheMillisecondsSinceTheBeginning() {
    let model = recordedLines(recorder, on: scheduler)
    for number in 1...2 {
      let start = ContinuousClock.now
      #expect(waitUntil { ContinuousClock.now - start > .milliseconds(10) })
      model.execute(.add(number))
      scheduler.run()
    }
    let times = recorder.recording.entries.filter { $0.kind == .action }.map(\.time)
    #expect(times[0] >= 9 && times[1] >= times[0] + 9, "\(times)")
  }

  @Test func theEndOfAViewModelIsRecorded() {
    var model: LinesViewModel? = recordedLines(recorder, on: scheduler)
    model?.execute(.add(1))
    scheduler.run()
    model = nil
    scheduler.run()
    #expect(recorder.kinds == [.action, .end])
  }

  @Test func equalNamesAreToldApartByTheirOrder() throws {
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      (0..<2).map { _ in recordedLines(recorder, on: scheduler) }
    }
    let models = make(recorder, scheduler)
    for (number, model) in models.enumerated() { model.execute(.add(number)) }
    scheduler.run()
    var states: [[String]] = []
    let report = try replay(recorder.recording) { run in
      let models = make(run.recorder, run.scheduler)
      try run.play()
      states = models.map(\.currentState)
    }
    #expect(states == [["0"], ["1"]])
    #expect(report.departures == [])
  }

  // An effect that another recorder knows is elsewhere for this one.
  @Test func anotherRecorderKnowsNothingOfAnEffect() throws {
    let others = SessionRecorder()
    let told = recordedLines(recorder, on: scheduler)
    let teller = recordedLines(others, on: scheduler) { [recorder] _, _ in
      told.execute(.add(recorder.value("number") { 7 }))
      return .empty()
    }
    teller.execute(.run(""))
    scheduler.run()
    #expect(recorder.kinds == [.value, .action])
    try expectReplay(of: recorder.recording, ["7"]) { recordedLines($0, on: $1) }
  }
}

// contract 9.1
struct RecordingLifetimeTests {
  /// A view model that follows prices. It retains an object, and the recorder another one.
  private func held(
    _ recorder: SessionRecorder, _ lifetimes: Lifetimes, on scheduler: any Scheduler, prices: Observable<Int> = .never()
  ) -> LinesViewModel {
    let (object, other) = (lifetimes.make(), lifetimes.make())
    recorder.redact(String.self) { text in
      object.touch()
      return text
    }
    let prices = prices.recorded("prices", by: recorder)
    return recordedLines(recorder, on: scheduler, sources: [prices.mutate { $0.append("price \($1)") }]) {
      model, name in
      .create { [weak model] observer in
        other.touch()
        if name == "first" { model?.execute(.run("second")) }
        observer.onNext { $0 + [name] }
        observer.onCompleted()
        return Disposables.create()
      }
    }
  }

  private func recording() -> Recording {
    let (lifetimes, scheduler, prices) = (Lifetimes(), TestScheduler(), BehaviorSubject(value: 7))
    var recorder: SessionRecorder? = SessionRecorder(limit: 64)
    var model: LinesViewModel? = held(recorder!, lifetimes, on: scheduler, prices: prices.asObservable())
    let reference = Weak(object: model!)
    model!.execute(.run("first"))
    scheduler.run()
    model = nil
    #expect(reference.object == nil)
    scheduler.run()
    defer { #expect(lifetimes.alive == 0) }
    defer { recorder = nil }
    return recorder!.recording
  }

  @Test(arguments: [false, true]) func aRecorderAndAReplayLeaveNoObject(fails: Bool) throws {
    let (recording, lifetimes) = (recording(), Lifetimes())
    let body = { (run: Replay) in
      let model = held(run.recorder, lifetimes, on: run.scheduler)
      try run.play()
      #expect(model.currentState == ["price 7", "first", "second"])
      if fails { throw TestError() }
    }
    if fails {
      #expect(throws: TestFailure.self) { try replay(recording, shrinking: false, body) }
    } else {
      #expect(try replay(recording, body).departures == [])
    }
    #expect(lifetimes.alive == 0)
  }

  // The view model goes on without a recorder, and what the recorder had kept is released.
  @Test func aRecorderMayGoBeforeItsViewModel() {
    let (lifetimes, scheduler) = (Lifetimes(), TestScheduler())
    var recorder: SessionRecorder? = SessionRecorder(limit: 64)
    var model: LinesViewModel? = held(recorder!, lifetimes, on: scheduler, prices: .just(7))
    model!.execute(.run("first"))
    scheduler.run()
    model!.execute(.run("third"))
    recorder = nil
    scheduler.run()
    model!.execute(.run("fourth"))
    scheduler.run()
    #expect(model!.currentState == ["price 7", "first", "second", "third", "fourth"])
    model = nil
    scheduler.run()
    #expect(recorder == nil && lifetimes.alive == 0)
  }

  // It fails when its view model has ended, because that cancels it.
  @Test(.asyncEffects) func aCallOfASourceThatIsOpenAtTheEndKeepsNothing() {
    let (lifetimes, scheduler) = (Lifetimes(), TestScheduler())
    var recorder: SessionRecorder? = SessionRecorder()
    recorder!.redact(String.self) { [object = lifetimes.make()] text in
      object.touch()
      return text
    }
    let service = HeldService()
    func source(_ recorder: SessionRecorder) -> Observable<String> {
      .task { try await recorder.answer("config") { await service.call() } }
    }
    var model: LinesViewModel? = scheduler.run {
      recordedLines(recorder!, on: scheduler, sources: [source(recorder!).mutate { $0.append($1) }])
    }
    #expect(recorder!.kinds == [.open])
    (model, recorder) = (nil, nil)
    scheduler.run()
    #expect(model == nil && lifetimes.alive == 0)
  }

  // A task inherits the context in which view models are recorded.
  @Test func aTaskThatWasStartedInThereMakesAnUnrecordedViewModel() async {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let (returned, other) = (AsyncStream<Void>.makeStream(), Locked<Task<LinesViewModel, Never>?>(nil))
    let model: LinesViewModel = recorder.record("lines") {
      let task = Task {
        for await _ in returned.stream {}
        return LinesViewModel(on: scheduler)
      }
      other.mutate { $0 = task }
      return LinesViewModel(on: scheduler)
    }
    returned.continuation.finish()
    await other.value?.value.execute(.add(1))
    model.execute(.add(2))
    scheduler.run()
    #expect(recorder.recording.entries.filter { $0.kind == .model }.count == 1)
    #expect(recorder.kinds.filter { $0 == .action }.count == 1)
  }

  // contract 9.5: as in the app, another attempt makes the recorded one.
  @Test func aFunctionThatThrowsMakesNoViewModel() throws {
    let scheduler = TestScheduler()
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      let refused: LinesViewModel? = try? recorder.record("lines") {
        _ = LinesViewModel(on: scheduler)
        throw TestError()
      }
      #expect(refused == nil)
      return recordedLines(recorder, on: scheduler)
    }
    let recorder = SessionRecorder()
    let model = make(recorder, scheduler)
    model.execute(.add(1))
    scheduler.run()
    try expectReplay(of: recorder.recording, ["1"], make)
  }

  // contract 9.4
  @Test(.asyncEffects) func openCallsStandInTheirOrder() throws {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let model = recordedLines(recorder, on: scheduler) { [recorder, clock = scheduler.clock] _, name in
      Observable<String>.task {
        try await recorder.answer(name) {
          try await clock.sleep(for: .seconds(1))
          return ""
        }
      }.mutate { $0.append($1) }
    }
    for number in 10..<40 { model.execute(.run("\(number)")) }
    scheduler.advance()
    let open = recorder.recording.entries.filter { $0.kind == .open }.compactMap { $0.call?.question }
    #expect(open == (10..<40).map { "\($0)" })
    model.clear()
    scheduler.run()
  }
}
