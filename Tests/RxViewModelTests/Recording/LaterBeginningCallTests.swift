import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.5
@Suite("A call of an effect that has begun again") struct LaterBeginningCallTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  private typealias Make = (SessionRecorder, any Scheduler) -> LinesViewModel

  private func follows(
    _ source: @escaping @Sendable (SessionRecorder, any Scheduler) -> Observable<String>
  ) -> Make {
    { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler, sources: [source(recorder, scheduler).mutate { $0.append($1) }])
      }
    }
  }

  /// A stream that sends the number of its subscriptions at each of them.
  private func subscriptions() -> Observable<String> {
    let count = Locked(0)
    return .deferred {
      let number = count.mutate { count in
        count += 1
        return count
      }
      return .concat(.just("\(number)"), .never())
    }
  }

  private func expectReplay(_ states: [String], _ make: Make, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let played = try playLines(recorder.recording, make)
    #expect(
      played == Fidelity(states: states, departures: []), "\(recorder.recording)", sourceLocation: sourceLocation)
  }

  @Test func eachSubscriptionGetsItsOwnFirstElement() throws {
    let (triggers, numbers) = (PublishSubject<Int>(), subscriptions())
    let make = follows { recorder, _ in
      triggers.asObservable().recorded("triggers", by: recorder)
        .flatMapLatest { _ in numbers.recorded("numbers", by: recorder) }
    }
    let model = make(recorder, scheduler)
    triggers.onNext(1)
    scheduler.run()
    recorder.forget()
    triggers.onNext(2)
    scheduler.run()
    #expect(model.currentState == ["1", "2"])
    try expectReplay(["1", "2"], make)
  }

  // The recording begins before the second tick or, without an input before that, when its event waits.
  @Test(arguments: [false, true]) func aTimersSubscriptionGetsItsOwnFirstElement(_ isWaiting: Bool) throws {
    let numbers = subscriptions()
    let make = follows { recorder, scheduler in
      Observable<Int>.interval(.seconds(1), scheduler: scheduler)
        .flatMapLatest { _ in numbers.recorded("numbers", by: recorder) }
    }
    let model = make(recorder, scheduler)
    scheduler.advance(by: .seconds(1))
    recorder.forget()
    if !isWaiting { model.execute(.add(0)) }
    scheduler.advance(by: .seconds(1))
    let states = isWaiting ? ["1", "2"] : ["1", "0", "2"]
    #expect(model.currentState == states)
    try expectReplay(states, make)
  }

  // The source gets its old answer without asking, and follows the stream again.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSourceGetsTheAnswerOfBefore() throws {
    let prices = PublishSubject<String>()
    let make = follows { recorder, _ in
      Observable.task { try await recorder.answer("shop") { "shop" } }
        .flatMapLatest { _ in prices.asObservable().recorded("prices", by: recorder) }
    }
    let model = scheduler.run { make(recorder, scheduler) }
    recorder.forget()
    prices.onNext("7")
    scheduler.run()
    #expect(model.currentState == ["7"])
    try expectReplay(["7"], make)
  }

  // The recording begins while the source waits for its second answer, which no timer can bring in the test.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSourceThatAsksAgainAndAgainLosesOneAnswer() throws {
    let (clock, count) = (scheduler.clock, Locked(0))
    let make = follows { recorder, scheduler in
      Observable<Int>.interval(.seconds(1), scheduler: scheduler).flatMapLatest { _ in
        Observable.task {
          try await recorder.answer("poll") {
            try await clock.sleep(for: .milliseconds(500))
            return count.mutate { count in
              count += 1
              return "\(count)"
            }
          }
        }
      }
    }
    let model = make(recorder, scheduler)
    scheduler.advance(by: .milliseconds(2_200))
    recorder.forget()
    model.execute(.add(0))
    scheduler.advance(by: .milliseconds(3_500))
    #expect(model.currentState == ["1", "0", "2", "3", "4", "5"])
    let played = try playLines(recorder.recording, make)
    #expect(played.states == ["1", "0", "3", "4", "5"], "\(recorder.recording)")
    #expect(
      played.departures.dropFirst().map { $0.prefix { $0 != "[" } } == [
        "no effect asked for ", "nothing came that the view model took as ",
      ])
  }

  // The recorder forgets the counts of more than 1,024 questions.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anEffectMayAskManyQuestions() throws {
    let make: @Sendable (SessionRecorder, any Scheduler) -> LinesViewModel = { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in
          Observable.task {
            for number in 0..<1_026 { _ = try await recorder.answer("ask \(number % 1_024)") { number } }
            return "all"
          }.mutate { $0.append($1) }
        }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("ask"))
    scheduler.run()
    #expect(model.currentState == ["all"])
    try expectReplay(["all"], make)
  }
}

// contract 9.5
@Suite("A stream that no effect has subscribed to") struct UnknownEffectTests {
  private typealias Session = (other: LinesViewModel?, lines: LinesViewModel, subscription: any Disposable)

  /// The body of the session subscribes to the prices.
  private func session(
    _ recorder: SessionRecorder, _ scheduler: any Scheduler, _ prices: Observable<String>, hasOther: Bool = true
  ) -> Session {
    let forwarded = PublishSubject<String>()
    let other = hasOther ? recorder.record("other") { LinesViewModel(on: scheduler) } : nil
    let lines = recorder.record("lines") {
      LinesViewModel(on: scheduler, sources: [forwarded.asObservable().mutate { $0 = ["\($1)"] }])
    }
    return (other, lines, prices.recorded("prices", by: recorder).subscribe(forwarded))
  }

  private func states(_ recording: Recording, hasOther: Bool) throws -> Fidelity {
    var states: [String] = []
    let report = try replay(recording) { run in
      let session = session(run.recorder, run.scheduler, .never(), hasOther: hasOther)
      try run.play()
      states = session.lines.currentState
    }
    return Fidelity(states: states, departures: report.departures)
  }

  @Test func sendsToATestThatMakesAnotherViewModelOnly() throws {
    let (recorder, scheduler, prices) = (SessionRecorder(), TestScheduler(), PublishSubject<String>())
    let session = session(recorder, scheduler, prices.asObservable())
    prices.onNext("7")
    scheduler.run()
    #expect(session.lines.currentState == ["7"])
    #expect(try states(recorder.recording, hasOther: false) == Fidelity(states: ["7"], departures: []))
  }

  @Test func sendsThoughTheFirstViewModelHasEndedBefore() throws {
    let (recorder, scheduler, prices) = (SessionRecorder(limit: 64), TestScheduler(), PublishSubject<String>())
    var session = session(recorder, scheduler, prices.asObservable())
    for number in 0..<40 {
      if number == 20 { session.other = nil }
      session.lines.execute(.add(number))
      scheduler.run()
    }
    for number in 40..<80 {
      session.lines.execute(.add(number))
      scheduler.run()
    }
    prices.onNext("7")
    scheduler.run()
    #expect(session.lines.currentState == ["7"])
    #expect(try states(recorder.recording, hasOther: false) == Fidelity(states: ["7"], departures: []))
  }

  // The test makes none of what subscribes.
  @Test func missesNoEntryOfATestThatDoesNotSubscribe() throws {
    let (recorder, scheduler, prices) = (SessionRecorder(), TestScheduler(), PublishSubject<String>())
    let session = session(recorder, scheduler, prices.asObservable())
    session.other!.execute(.add(1))
    for _ in 0..<9 { prices.onNext("7") }
    scheduler.run()
    let report = try replay(recorder.recording) { run in
      let other = run.recorder.record("other") { LinesViewModel(on: run.scheduler) }
      try run.play()
      #expect(other.currentState == ["1"])
    }
    #expect(report.departures.count == 18)
  }
}
