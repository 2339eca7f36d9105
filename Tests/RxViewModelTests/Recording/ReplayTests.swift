import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

private let (short, long) = (
  ExecutionMode.switchLatest(after: .milliseconds(1)), ExecutionMode.switchLatest(after: .seconds(3_600))
)
private let (quiet, event) = ("[\"timer\",9001,0,2]\n[\"event\",9001,0,2]", #"["event",9001,0,2]"#)
private let (found, late) = (#"["answer",9001,0,2,"found","ab",1]"#, #"["answer",9002,0,1,"late","a",1]"#)

// contract 9.2, 9.5
struct ReplayTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  // It is unequal to itself.
  @Test func aStateWithANumberThatIsNoneIsTheSame() throws {
    let make = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("gauge") {
        ClosureViewModel<Double, [Double]>([], scheduler: scheduler) { _, number in .mutate { $0.append(number / 0) } }
      }
    }
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let model = make(recorder, scheduler)
    for number in [0.0, 1] { model.execute(number) }
    scheduler.run()
    #expect(model.currentState.count == 2 && model.currentState[0].isNaN)
    #expect(try replayed(recorder.recording, make).departures == [])
  }

  private enum Mark: Int, Codable, Sendable, CustomStringConvertible {
    case first, second
    var description: String { "mark" }
  }

  // They look the same.
  @Test func statesThatDifferInACaseDiffer() throws {
    let make = { @Sendable (recorder: SessionRecorder, scheduler: any Scheduler, last: Mark) in
      recorder.record("marks") {
        ClosureViewModel<Int, [Mark]>([], scheduler: scheduler) { _, _ in .mutate { $0.append(last) } }
      }
    }
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let model = make(recorder, scheduler, .first)
    model.execute(1)
    scheduler.run()
    #expect(model.currentState == [.first])
    #expect(try replayed(recorder.recording) { make($0, $1, .second) }.departures.count == 1)
  }

  @Test(.asyncEffects) func tellsCallsWithOneQuestionApart() throws {
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":"a"}}]
      ["action",1,0,2,{"run":{"_0":"b"}}]
      ["answer",2,0,2,"b1","next",1]
      ["answer",2,0,1,"a1","next",1]
      ["answer",3,0,1,"a2","next",2]
      ["answer",3,0,2,"b2","next",2]
      """)
    try expectReplay(of: recording, ["a", "a1", "a2", "b", "b1", "b2"]) { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, name in
        let next = { @Sendable in try await recorder.answer("next") { "" } }
        return Observable.task { try await [name, next(), next()] }.mutate { $0 += $1 }
      }
    }
  }

  // The service returns nothing.
  @Test(.asyncEffects) func callsNoServiceAndSubscribesToNoRecordedStream() throws {
    let calls = Locked<[String]>([])
    let make: MakeLines = { recorder, scheduler in
      let prices = Observable<Int>.just(7).do(onSubscribe: { calls.append("subscribe") })
      let source = prices.recorded("prices", by: recorder).mutate { $0 = ["\($1)"] }
      return recordedLines(recorder, on: scheduler, sources: [source]) { _, name in
        Observable.task {
          try await recorder.answer(name) { calls.append(name) }
          return name
        }.mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("delete"))
    scheduler.run()
    #expect(calls.value == ["subscribe", "delete"])
    #expect(recorder.recording.description.contains(#"{},"delete",1]"#))
    try expectReplay(of: recorder.recording, ["7", "delete"], make)
    #expect(calls.value.count == 2)
  }

  // MARK: Time

  // Only what the recording says lets a debounce end: its timer, or an answer that needs it. In the last two cases the test has a mode, or a
  // debounce, with which the late answer does no harm, and the recording doesn't.
  @Test(
    .asyncEffects,
    arguments: [
      (short, []), (long, []), (short, [found]), (long, [found]), (short, [quiet, found, event]),
      (long, [quiet, found, event]), (.switchLatest, [found, late]), (long, [found, event, event, late]),
    ] as [(ExecutionMode, [String])])
  func doesNotDependOnALengthOfTime(_ mode: ExecutionMode, _ rest: [String]) throws {
    let actions = [#"["action",1,0,1,{"run":{"_0":"a"}}]"#, #"["action",9000,0,2,{"run":{"_0":"ab"}}]"#]
    let recording = try linesRecording((actions + rest).joined(separator: "\n"))
    try expectReplay(of: recording, rest.isEmpty ? [] : ["found"]) {
      recordedLines($0, on: $1, mode: mode, effect: answers(by: $0))
    }
  }

  // The other action's timer is due first. Within an effect the timers fire in the order of their times.
  @Test(.asyncEffects) func firesTheTimersOfAnEffectInTheirOrderUntilItsEntryComes() throws {
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":"poll"}}]
      ["action",1,0,2,{"run":{"_0":"count"}}]
      ["answer",5000,0,2,"end","last",1]
      """)
    try expectReplay(of: recording, ["0", "1", "end"]) { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, name in
        let numbers = Observable.interval(.seconds(1), scheduler: scheduler).map { "\($0)" }
        if name == "poll" { return numbers.mutate { $0.append("poll \($1)") } }
        let last = Observable.timer(.milliseconds(2_500), scheduler: scheduler).flatMap { _ in
          Observable.task { try await recorder.answer("last") { "" } }
        }
        return numbers.merge(with: last).mutate { $0.append($1) }
      }
    }
  }

  // The debounce is due 0.3 seconds after an element that comes shortly before a tick.
  @Test func firesTheTimersOfAnEffectInTheirOrderThoughTimePassesBetweenThem() throws {
    let recording = try linesRecording(
      """
      ["action",0,0,1,{"run":{"_0":""}}]
      ["timer",1000,0,1]
      ["event",1000,0,1]
      ["element",1900,0,1,7,"prices",1]
      ["timer",2000,0,1]
      ["event",2000,0,1]
      ["timer",2200,0,1]
      ["event",2200,0,1]
      """)
    try expectReplay(of: recording, ["0", "1", "7"]) { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        let prices = Observable<Int>.never().recorded("prices", by: recorder)
        return Observable.interval(.seconds(1), scheduler: scheduler)
          .merge(with: prices.debounce(.milliseconds(300), scheduler: scheduler)).mutate { $0.append("\($1)") }
      }
    }
  }

  // The element 1 comes before the delay of the element 0, which is zero, has passed.
  @Test func firesATimerWithoutATimeWhereItHasFired() throws {
    let feed = BehaviorSubject(value: 0)
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        feed.asObservable().recorded("feed", by: recorder)
          .flatMapLatest { .just($0).delay(.zero, scheduler: scheduler) }
          .mutate { $0.append("\($1)") }
      }
    }
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let model = make(recorder, scheduler)
    model.execute(.run(""))
    scheduler.schedule { feed.onNext(1) }
    scheduler.run()
    #expect(model.currentState == ["1"])
    try expectReplay(of: recorder.recording, ["1"], make)
  }
}

// contract 9.6
struct ReplayShrinkingTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  @Test(.asyncEffects) func anOwnActionWithoutItsMarkGetsItsAnswer() throws {
    let text = """
      ["action",1,0,1,{"run":{"_0":"outer"}}]
      ["own",1,0,2,{"run":{"_0":"inner"}},[0,1]]
      ["answer",2,0,2,"7","inner",1]
      ["event",2,0,2]
      """
    let failure = #expect(throws: TestFailure.self) {
      try replay(linesRecording(text)) { run in
        let answer = answers(by: run.recorder)
        let model = recordedLines(run.recorder, on: run.scheduler) { model, name in
          if name != "outer" { return answer(model, name) }
          model.execute(.run("inner"))
          return .empty()
        }
        try run.play { try run.expect(model.currentState == []) }
      }
    }
    #expect("\(failure!)".contains("fails with 3 of 5 entries"), "\(failure!)")
  }

  // 900 ticks lead to the state in which the action fails, so each of them is needed.
  @Test(.asyncEffects, .stress) func shrinkingEndsThoughNothingCanBeLeftOut() throws {
    let make: MakeLines = { recorder, scheduler in
      let ticks = Observable<Int>.interval(.seconds(1), scheduler: scheduler)
      return recordedLines(
        recorder, on: scheduler,
        sources: [ticks.mutate { lines, _ in lines = ["\((lines.first.flatMap { Int($0) } ?? 0) + 1)"] }])
    }
    let model = make(recorder, scheduler)
    scheduler.advance(by: .seconds(901))
    model.execute(.add(7))
    scheduler.advance(by: .seconds(10))
    let fail = { (recording: Recording, shrinking: Bool) in
      #expect(throws: TestFailure.self) {
        try replay(recording, shrinking: shrinking) { run in
          let model = make(run.recorder, run.scheduler)
          try run.play { try run.expect(model.currentState != ["901", "7"]) }
        }
      }
    }
    let start = ContinuousClock.now
    let failure = fail(recorder.recording, true)
    #expect(ContinuousClock.now - start < .seconds(Double(waitLimit)))
    let lines = "\(failure!)".split(separator: "\n").map { $0.drop { $0 == " " } }
    let first = try #require(lines.firstIndex { $0.hasPrefix("RxViewModel recording") })
    let last = try #require(lines.firstIndex { $0 == "end" })
    #expect(last - first > 900, "\(failure!)")
    // The printed recording fails alone.
    _ = try fail(Recording(lines[first...last].joined(separator: "\n")), false)
  }
}
