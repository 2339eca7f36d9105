import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.5
/// A call of a source that has begun again.
struct LaterBeginningCallTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  private func follows(
    _ source: @escaping @Sendable (SessionRecorder, any Scheduler) -> Observable<String>
  ) -> MakeLines {
    { recorder, scheduler in
      recordedLines(recorder, on: scheduler, sources: [source(recorder, scheduler).mutate { $0.append($1) }])
    }
  }

  /// A stream that sends the number of its subscriptions at each of them.
  private func subscriptions() -> Observable<String> {
    let count = Locked(0)
    return .deferred { .concat(.just("\(count.increment())"), .never()) }
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
    try expectReplay(of: recorder.recording, ["1", "2"], make)
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
    #expect(model.currentState == (isWaiting ? ["1", "2"] : ["1", "0", "2"]))
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // The source gets its old answer without asking, and follows the stream again.
  @Test(.asyncEffects) func aSourceGetsTheAnswerOfBefore() throws {
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
    try expectReplay(of: recorder.recording, ["7"], make)
  }

  // The source waits for its second answer where the recorder forgets, so the view model doesn't rest there.
  @Test(.asyncEffects) func aSourceMayAskAgainAndAgain() throws {
    let (clock, count) = (scheduler.clock, Locked(0))
    let make = follows { recorder, scheduler in
      Observable<Int>.interval(.seconds(1), scheduler: scheduler).flatMapLatest { _ in
        Observable.task {
          try await recorder.answer("poll") {
            try await clock.sleep(for: .milliseconds(500))
            return "\(count.increment())"
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
    try expectReplay(of: recorder.recording, model.currentState, make)
    #expect(recorder.kinds.filter { $0 == .answer }.count >= 3)
  }

  // The recorder forgets the counts of more than 1,024 questions.
  @Test(.asyncEffects) func anEffectMayAskManyQuestions() throws {
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        Observable.task {
          for number in 0..<1_026 { _ = try await recorder.answer("ask \(number % 1_024)") { number } }
          return "all"
        }.mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("ask"))
    scheduler.run()
    #expect(model.currentState == ["all"])
    try expectReplay(of: recorder.recording, ["all"], make)
  }
}

// contract 9.5
/// A stream that no effect has subscribed to.
struct UnknownEffectTests {
  private let recorder = SessionRecorder(limit: 64)
  private let scheduler = TestScheduler()
  private let prices = PublishSubject<String>()

  private func other(_ recorder: SessionRecorder, _ scheduler: any Scheduler) -> LinesViewModel {
    recorder.record("other") { LinesViewModel(on: scheduler) }
  }

  /// A view model that shows the newest price, to which the caller has subscribed.
  private var lines: MakeLines {
    { [prices] recorder, scheduler in
      let forwarded = PublishSubject<String>()
      let model = recordedLines(
        recorder, on: scheduler, sources: [forwarded.asObservable().mutate { $0 = ["\($1)"] }])
      _ = prices.asObservable().recorded("prices", by: recorder).subscribe(forwarded)
      return model
    }
  }

  // The first view model goes on, or has ended before the recording begins.
  @Test(arguments: [0, 80]) func sendsToATestThatMakesAnotherViewModelOnly(_ actions: Int) throws {
    var first: LinesViewModel? = other(recorder, scheduler)
    let model = lines(recorder, scheduler)
    for number in 0..<actions {
      if number == 20 { first = nil }
      model.execute(.add(number))
      scheduler.run()
    }
    prices.onNext("7")
    scheduler.run()
    #expect(model.currentState == ["7"])
    try expectReplay(of: recorder.recording, ["7"], lines)
    withExtendedLifetime(first) {}
  }

  // The test makes none of what subscribes.
  @Test func missesNoEntryOfATestThatDoesNotSubscribe() throws {
    let (first, model) = (other(recorder, scheduler), lines(recorder, scheduler))
    first.execute(.add(1))
    for _ in 0..<9 { prices.onNext("7") }
    scheduler.run()
    let played = try replayed(recorder.recording, other)
    #expect(played.state == ["1"] && played.departures.count == 18)
    withExtendedLifetime(model) {}
  }
}
