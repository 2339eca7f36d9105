import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.3, 9.5
/// What a view model reads, follows and executes outside of effects.
struct ReplayTurnTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()
  private let feed = BehaviorSubject(value: 0)

  private func follows(
    _ limit: Int = .max, effect: @escaping @Sendable (SessionRecorder) -> LinesViewModel.Effect = { _ in .empty() }
  ) -> MakeLines {
    { [feed] recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in
          effect(recorder)
        } resumed: { model, scope in
          feed.asObservable().recorded("feed", by: recorder).take(limit).map { .add($0) }.execute(on: model)
            .disposed(by: scope)
        }
      }
    }
  }

  @Test func eachResumeGetsItsOwnElements() throws {
    let make = follows(1)
    let model = make(recorder, scheduler)
    model.didResume()
    scheduler.run()
    model.didPause()
    feed.onNext(5)
    model.didResume()
    scheduler.run()
    #expect(model.currentState == ["0", "5"])
    try expectReplay(of: recorder.recording, ["0", "5"], make)
  }

  // The second action is over before the view model takes it. Nothing has cancelled it.
  @Test func aBatchThatFailsImmediatelyIsDroppedThereToo() throws {
    let make = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler, isFixed: Bool) in
      recordedLines(recorder, on: scheduler) { _, _ in
        isFixed
          ? .mutate { $0.append("fixed") }
          : .create { observer in
            observer.onError(RxError.timeout)
            return Disposables.create()
          }
      }
    }
    let model = make(recorder, ImmediateScheduler(), false)
    model.executeInSequence(.run("fails"), .add(1))
    #expect(!recorder.kinds.contains(.cancel))
    for isFixed in [false, true] {
      var (fates, state): ([String], [String]) = ([], [])
      try replay(recorder.recording, allowingDepartures: isFixed) { run in
        let model = make(run.recorder, run.scheduler, isFixed)
        let phases = model.executionObservable.filter { $0.action == .add(1) }.map { "\($0.phase)" }.test()
        try run.play()
        (fates, state) = (phases.values, model.currentState)
      }
      #expect(isFixed ? state == ["fixed", "1"] : fates == ["dropped"] && state == [], "\(fates) \(state)")
    }
  }

  // The sign-out releases both. The second one took the completion of the first one's stream before its own end.
  @Test func aSignOutReleasesSeveralViewModels() throws {
    let make = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler) in
      let screens = Locked<[LinesViewModel]>([])
      let session = recordedLines(recorder, on: scheduler)
      let cart = recorder.record("cart") { LinesViewModel(on: scheduler) }
      let list = recorder.record("list") {
        LinesViewModel(on: scheduler, sources: [cart.stateObservable.mutate { $0 = $1 }])
      }
      screens.mutate { $0 = [cart, list] }
      _ = session.stateObservable.filter { $0 != [] }.subscribe(onNext: { _ in
        while !screens.value.isEmpty { _ = screens.mutate { $0.removeFirst() } }
      })
      return session
    }
    let session = make(recorder, ImmediateScheduler())
    session.execute(.add(2))
    #expect(recorder.kinds.suffix(3) == [.end, .event, .end], "\(recorder.recording)")
    let report = try replay(recorder.recording) { run in
      let session = make(run.recorder, run.scheduler)
      try run.play()
      #expect(session.currentState == ["2"])
    }
    #expect(report.departures == [])
  }

  // Its release comes in front of what the recording has of it.
  @Test func aViewModelThatIsReleasedTooEarlyDeparts() throws {
    let make = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler, feed: Observable<Int>) in
      recordedLines(
        recorder, on: scheduler, sources: [feed.recorded("feed", by: recorder).mutate { $0.append("\($1)") }])
    }
    let feed = PublishSubject<Int>()
    var model: LinesViewModel? = make(recorder, ImmediateScheduler(), feed.asObservable())
    feed.onNext(1)
    model?.execute(.add(2))
    feed.onNext(3)
    model = nil
    #expect(recorder.kinds.suffix(5) == [.event, .action, .element, .event, .end], "\(recorder.recording)")
    let report = try replay(recorder.recording, allowingDepartures: true) { run in
      make(run.recorder, run.scheduler, .never()).clear()
      try run.play()
    }
    #expect(report.departures.contains { $0.contains("[\"event\",") && $0.contains(",0,-1]") }, "\(report.departures)")
  }

  // A view model that is paused when the recording is cut isn't resumed there.
  @Test func aRecordingThatBeginsAfterAPauseHasNoResume() throws {
    let make = follows(1)
    let model = make(recorder, scheduler)
    model.didResume()
    scheduler.run()
    model.didPause()
    scheduler.run()
    recorder.forget()
    model.execute(.add(7))
    scheduler.run()
    #expect(recorder.kinds == [.begin, .action] && model.currentState == ["0", "7"])
    try expectReplay(of: recorder.recording, ["0", "7"], make)
  }

  @Test func aResumeTakesNoElementOfAnAction() throws {
    let make = follows { [feed] recorder in
      feed.asObservable().recorded("feed", by: recorder).take(1).mutate { $0.append("got \($1)") }
    }
    let model = make(recorder, scheduler)
    for _ in 0..<2 {
      model.didResume()
      scheduler.run()
      model.didPause()
    }
    model.execute(.run("once"))
    scheduler.run()
    model.didResume()
    scheduler.run()
    #expect(model.currentState == ["0", "0", "got 0", "0"])
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // Their makers follow the feed, in no effect of a view model.
  @Test func eachScreenGetsItsOwnElements() throws {
    let make = { @Sendable [feed] (recorder: SessionRecorder, scheduler: any Scheduler) in
      (0..<2).map { _ in
        recorder.record("lines") {
          let source = BehaviorSubject(value: 0)
          _ = feed.asObservable().recorded("feed", by: recorder).subscribe(onNext: { source.onNext($0) })
          return LinesViewModel(on: scheduler, sources: [source.mutate { $0.append("\($1)") }])
        }
      }
    }
    let models = make(recorder, scheduler)
    scheduler.run()
    feed.onNext(8)
    scheduler.run()
    var states: [[String]] = []
    try replay(recorder.recording) { run in
      let models = make(run.recorder, run.scheduler)
      try run.play()
      states = models.map(\.currentState)
    }
    #expect(models.map(\.currentState) == [["0", "8"], ["0", "8"]] && states == [["0", "8"], ["0", "8"]])
  }

  // What a resumed screen has executed and read is in the state with which the recording begins.
  @Test(arguments: [false, true]) func aScreenIsResumedAgain(_ hasMarks: Bool) throws {
    let make: MakeLines = { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, name in
          .merge([.mutate { $0.append(name) }, .empty()])
        } resumed: { model, _ in
          model.execute(.add(recorder.value("number") { 7 }))
        }
      }
    }
    let model = make(recorder, scheduler)
    model.didResume()
    scheduler.run()
    recorder.forget()
    model.execute(hasMarks ? .run("x") : .add(1))
    scheduler.run()
    if hasMarks {
      model.didPause()
      model.didResume()
      scheduler.run()
    }
    #expect(model.currentState == (hasMarks ? ["7", "x", "7"] : ["7", "1"]))
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // The recording is full where an action of the view model's own waits.
  @Test(.asyncEffects, arguments: 0..<6) func noCutStandsInFrontOfAnActionThatWaits(_ before: Int) throws {
    let recorder = SessionRecorder(limit: 8)
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { model, name in
        Observable.task { try await recorder.answer(name) { name } }.mutate { $0.append($1) }.then(.add(9), on: model)
      }
    }
    let model = make(recorder, scheduler)
    for number in 0..<before { model.execute(.add(number)) }
    for number in 0..<4 {
      model.execute(.run("\(number)"))
      scheduler.run()
    }
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // The flush waits behind the end of its action, so the view model seems to rest.
  @Test(.asyncEffects, arguments: 0..<6) func noCutStandsInFrontOfAFlushThatWaits(_ behind: Int) throws {
    let recorder = SessionRecorder(limit: 8)
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { model, name in
        Observable.task { [weak model] in
          let answer = try await recorder.answer(name) { name }
          model?.cancelActions { _ in true }
          model?.flush("lane")
          return answer
        }.mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    for number in 0..<4 {
      model.execute(.run("\(number)"))
      scheduler.run()
    }
    for number in 0..<behind { model.execute(.add(number)) }
    scheduler.run()
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  @Test func aReadingInsideAReadingIsNotRecorded() throws {
    let reads = Locked(0)
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        let a = recorder.value("a") { recorder.value("b") { reads.increment() } + 100 }
        let b = recorder.value("b") { reads.increment() }
        return .mutate { $0.append("\(a) \(b)") }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run(""))
    scheduler.run()
    #expect(model.currentState == ["101 2"])
    try expectReplay(of: recorder.recording, ["101 2"], make)
  }

  // A view model that makes one of its name first, and one whose maker has thrown before it was made.
  @Test func theOrderInWhichViewModelsAreMadeTellsThemApart() throws {
    struct Failure: Error {}
    let recorded = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler) in
      _ = try? recorder.record("lines") { () throws -> LinesViewModel in throw Failure() }
      let inner = Locked<LinesViewModel?>(nil)
      let outer = recorder.record("lines") {
        inner.mutate { $0 = recordedLines(recorder, on: scheduler) }
        return LinesViewModel(on: scheduler)
      }
      return [inner.value!, outer]
    }
    let models = recorded(recorder, scheduler)
    for (number, model) in models.enumerated() { model.execute(.add(number)) }
    scheduler.run()
    var states: [[String]] = []
    let report = try replay(recorder.recording) { run in
      let models = recorded(run.recorder, run.scheduler)
      try run.play()
      states = models.map(\.currentState)
    }
    #expect(states == [["0"], ["1"]])
    #expect(report.departures == [])
  }

  private enum A { struct Failure: Error, Codable, Equatable {} }
  private enum B { struct Failure: Error, Codable, Equatable {} }

  @Test(.asyncEffects) func errorsOfTheSameNameAreToldApart() throws {
    let make: MakeLines = { recorder, scheduler in
      recorder.encode(errors: A.Failure.self)
      recorder.encode(errors: B.Failure.self)
      return recordedLines(recorder, on: scheduler) { _, name in
        Observable.task {
          do {
            return try await recorder.answer(name) { () throws -> String in
              if name == "a" { throw A.Failure() } else { throw B.Failure() }
            }
          } catch {
            return error is A.Failure ? "A" : error is B.Failure ? "B" : "?"
          }
        }.mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    for name in ["a", "b"] {
      model.execute(.run(name))
      scheduler.run()
    }
    #expect(model.currentState == ["A", "B"])
    try expectReplay(of: recorder.recording, ["A", "B"], make)
  }

  // Numbers at which arithmetic would trap.
  @Test(arguments: ["9223372036854775807,null,null,\"c\",\"C\"", "0,null,null,\"lines\",\"C\",-9223372036854775808"])
  func hugeNumbersDoNotTrap(_ rest: String) throws {
    let recording = try? Recording("RxViewModel recording 3\n[\"model\",0,\(rest)]\n[\"end\",0,1]\nend")
    guard let recording else { return }
    _ = try? replay(recording, allowingDepartures: true) { run in
      _ = recordedLines(run.recorder, on: run.scheduler)
      try run.play()
    }
  }

  @Test func aRecordingWithoutEntriesReproducesNothing() throws {
    let text = failureText {
      try replay(Recording("RxViewModel recording 3\nend")) { run in
        _ = recordedLines(run.recorder, on: run.scheduler)
        try run.play()
      }
    }
    #expect(text.contains("The recording has no entries"), "\(text)")
  }

  // Readings are found in constant time.
  @Test(.stress) func manyReadingsArePlayed() {
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        let number = recorder.value("number") { 1 }
        return .mutate { $0 = ["\(number)"] }
      }
    }
    expectGrowth(from: 500, below: 9) { count in
      let recorder = SessionRecorder(limit: 20_000)
      let model = make(recorder, scheduler)
      for _ in 0..<count { model.execute(.run("")) }
      scheduler.run()
      #expect(throws: Never.self) { try expectReplay(of: recorder.recording, ["1"], make) }
    }
  }
}
