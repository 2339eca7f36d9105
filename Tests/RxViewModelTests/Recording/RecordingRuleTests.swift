import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.1, 9.5
@Suite("A view model's own actions in a recording") struct OwnActionTests {
  /// A view model that executes actions of its own in every way, and an action from elsewhere.
  private func lines(_ recorder: SessionRecorder, on scheduler: (any Scheduler)?) -> LinesViewModel {
    recorder.record("lines") {
      let model = LinesViewModel(on: scheduler) { viewModel, name in
        viewModel.execute(.add(2))
        return Observable.task { [weak viewModel] in viewModel?.execute(.add(3)) }
          .mutate { lines, _ in lines.append(name) }
          .then(.add(5), on: viewModel)
      }
      model.execute(.add(1))
      let bag = DisposeBag()
      model.actionAndStateObservable.subscribe(onNext: { [weak model] fold in
        if fold.action == .add(3) { model?.execute(.add(4)) }
        withExtendedLifetime(bag) {}
      }).disposed(by: bag)
      return model
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func areMarksThatAReplayDoesNotExecute() async throws {
    let recorder = SessionRecorder()
    let model = lines(recorder, on: nil)
    model.execute(.run("elsewhere"))
    #expect(await eventually { model.currentState.count == 6 })
    // A state can be read before the recorder has it.
    try await rest(model)
    let entries = recorder.recording.entries
    #expect(entries.filter { $0.kind == .action }.map { $0.json(4) } == [#"{"run":{"_0":"elsewhere"}}"#])
    #expect(entries.count { $0.kind == .own } == 5)
    let played = try playLines(recorder.recording, lines)
    #expect(played == Fidelity(states: model.currentState, departures: []))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func ofAnotherViewModelAreMarksToo() async throws {
    let recorder = SessionRecorder()
    let make = { @Sendable (recorder: SessionRecorder, scheduler: (any Scheduler)?) in
      let told = recorder.record("told") { LinesViewModel(on: scheduler) }
      let teller = recorder.record("teller") {
        LinesViewModel(on: scheduler) { _, _ in .task { told.execute(.add(7)) }.mutate { _, _ in } }
      }
      return (told, teller)
    }
    let (told, teller) = make(recorder, nil)
    try await teller.perform(.run(""))
    #expect(await eventually { told.currentState == ["7"] })
    try await rest(told)
    #expect(recorder.recording.entries.filter { $0.kind == .own }.map { $0.json(5) } == ["[1,1]"])
    let states = Locked<[String]>([])
    let report = try replay(recorder.recording) { run in
      let (told, teller) = make(run.recorder, run.scheduler)
      try run.play()
      states.mutate { $0 = told.currentState }
      withExtendedLifetime(teller) {}
    }
    #expect(states.value == ["7"])
    #expect(report.departures == [])
  }

  // An own action is accepted before the action from elsewhere, whose turn comes first in the recording.
  @Test func waitForTheirMarks() throws {
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":"start"}}]
      ["action",2,0,2,{"add":{"_0":5}}]
      ["own",2,0,3,{"add":{"_0":9}},[0,1]]
      """)
    let played = try playLines(recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { viewModel, _ in
          viewModel.execute(.add(9))
          return .empty()
        }
      }
    }
    #expect(played == Fidelity(states: ["5", "9"], departures: []))
  }
}

// contract 9.2, 9.5
@Suite("A replay") struct RecordingRuleTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func tellsCallsWithOneQuestionApart() throws {
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":"a"}}]
      ["action",1,0,2,{"run":{"_0":"b"}}]
      ["answer",2,0,2,"next",1,"b1"]
      ["answer",2,0,1,"next",1,"a1"]
      ["answer",3,0,1,"next",2,"a2"]
      ["answer",3,0,2,"next",2,"b2"]
      """)
    let played = try playLines(recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, name in
          let next = { @Sendable in try await recorder.answer("next") { "" } }
          return Observable.task { try await [name, next(), next()] }.mutate { $0 += $1 }
        }
      }
    }
    #expect(played == Fidelity(states: ["a", "a1", "a2", "b", "b1", "b2"], departures: []))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func callsNoServiceAndSubscribesToNoRecordedStream() throws {
    let (recorder, scheduler, calls) = (SessionRecorder(), TestScheduler(), Locked<[String]>([]))
    let make = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler) in
      let prices = Observable<Int>.just(7).do(onSubscribe: { calls.mutate { $0.append("subscribe") } })
      let recorded = prices.recorded("prices", by: recorder)
      return recorder.record("lines") {
        LinesViewModel(on: scheduler, sources: [recorded.mutate { $0 = ["\($1)"] }]) { _, name in
          let ask = { @Sendable in
            try await recorder.answer("ask") {
              calls.mutate { $0.append("ask") }
              return name
            }
          }
          return Observable.task(ask).mutate { $0.append($1) }
        }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("a"))
    scheduler.run()
    #expect(calls.value == ["subscribe", "ask"])
    #expect(try playLines(recorder.recording, make) == Fidelity(states: ["7", "a"], departures: []))
    #expect(calls.value.count == 2)
  }

  // Only what the recording says lets a quiet time end.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [Duration.milliseconds(1), .seconds(3_600)]) func doesNotDependOnALengthOfTime(_ quiet: Duration)
    throws
  {
    let search = """
      ["action",1,0,1,{"run":{"_0":"a"}}]
      ["action",9000,0,2,{"run":{"_0":"ab"}}]
      """
    let play = { (text: String) in
      try playLines(linesRecording(text)) { recorder, scheduler in
        recorder.record("lines") {
          LinesViewModel(on: scheduler, mode: .switchLatest(after: quiet)) { _, name in
            Observable.task { try await recorder.answer(name) { "" } }.mutate { $0.append($1) }
          }
        }
      }
    }
    #expect(try play(search) == Fidelity(states: [], departures: []))
    let answer = #"["answer",9001,0,2,"ab",1,"found"]"#
    #expect(try play("\(search)\n\(answer)") == Fidelity(states: ["found"], departures: []))
    let marks = #"["quiet",9001,0,2]"# + "\n\(answer)\n" + #"["event",9001,0,2]"#
    #expect(try play("\(search)\n\(marks)") == Fidelity(states: ["found"], departures: []))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func firesATimerOnlyForItsEntry() throws {
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":"poll"}}]
      ["action",1,0,2,{"run":{"_0":"wait"}}]
      ["event",1,0,2]
      """)
    let played = try playLines(recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, name in
          let timer = Observable.timer(name == "poll" ? .seconds(1) : .seconds(60), scheduler: scheduler)
          if name == "wait" { return timer.mutate { lines, _ in lines.append(name) } }
          return timer.flatMap { _ in Observable.task { try await recorder.answer(name) { "" } } }.mutate {
            $0.append($1)
          }
        }
      }
    }
    #expect(played == Fidelity(states: ["wait"], departures: []))
  }

  // Within an effect the timers fire in the order of their times.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func firesTheTimersOfAnEffectInTheirOrder() throws {
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":""}}]
      ["answer",5000,0,1,"last",1,"end"]
      """)
    let played = try playLines(recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in
          let last = Observable.timer(.milliseconds(2_500), scheduler: scheduler).flatMap { _ in
            Observable.task { try await recorder.answer("last") { "" } }
          }
          let numbers = Observable.interval(.seconds(1), scheduler: scheduler).map { "\($0)" }
          return numbers.merge(with: last).mutate { $0.append($1) }
        }
      }
    }
    #expect(played == Fidelity(states: ["0", "1", "end"], departures: []))
  }

  // The debounce is due 0.3 seconds after an element that comes shortly before a tick.
  @Test func firesTheTimersOfAnEffectInTheirOrderThoughTimePassesBetweenThem() throws {
    let recording = try linesRecording(
      """
      ["action",0,0,1,{"run":{"_0":""}}]
      ["timer",1000,0,1]
      ["event",1000,0,1]
      ["element",1900,0,1,"prices",1,7]
      ["timer",2000,0,1]
      ["event",2000,0,1]
      ["timer",2200,0,1]
      ["event",2200,0,1]
      """)
    let played = try playLines(recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in
          let prices = Observable<Int>.never().recorded("prices", by: recorder)
          return Observable.interval(.seconds(1), scheduler: scheduler)
            .merge(with: prices.debounce(.milliseconds(300), scheduler: scheduler)).mutate { $0.append("\($1)") }
        }
      }
    }
    #expect(played == Fidelity(states: ["0", "1", "7"], departures: []))
  }

  // contract 9.3
  @Test func beginsWithTheNewestElementsOfTheStreamsThatSendOneAtOnce() throws {
    let (recorder, steps) = (SessionRecorder(limit: 80), StepScheduler())
    let (prices, rates) = (BehaviorSubject(value: 1), BehaviorSubject(value: 2))
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("lines") {
        LinesViewModel(
          on: scheduler,
          sources: [
            Observable.combineLatest(
              prices.asObservable().recorded("prices", by: recorder),
              rates.asObservable().recorded("rates", by: recorder)
            ) { "\($0) at \($1)" }.mutate { $0 = [$1] + $0.dropFirst() }
          ])
      }
    }
    let model = make(recorder, steps)
    prices.onNext(10)
    for number in 0..<100 {
      model.execute(.add(number))
      steps.runAll()
    }
    rates.onNext(20)
    steps.runAll()
    let states = ["10 at 20"] + (0..<100).map { "\($0)" }
    #expect(model.currentState == states)
    let recording = recorder.recording
    // The element 10 has fallen away.
    #expect(recording.entries.count { $0.kind == .element } == 1)
    #expect(!recording.beginsInTheMiddle)
    let played = try playLines(recording, make)
    #expect(played == Fidelity(states: states, departures: []))
  }

  @Test func comparesRedactedStates() throws {
    let (recorder, steps) = (SessionRecorder(), StepScheduler())
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler, isRedacted: Bool) in
      if isRedacted { recorder.redact([String].self) { $0.map { _ in "…" } } }
      return recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in .mutate { $0.append("secret") } }
      }
    }
    let model = make(recorder, steps, true)
    model.execute(.run(""))
    steps.runAll()
    #expect(!recorder.recording.description.contains("secret"))
    #expect(try playLines(recorder.recording) { make($0, $1, true) }.departures == [])
    #expect(try playLines(recorder.recording) { make($0, $1, false) }.departures.count == 1)
    withExtendedLifetime(model) {}
  }
}
