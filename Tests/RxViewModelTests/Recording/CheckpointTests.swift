import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.3
struct CheckpointTests {
  private let recorder = SessionRecorder(limit: 64)
  private let scheduler = TestScheduler()
  private let prices = BehaviorSubject(value: 7)

  /// A view model that follows the prices. Its other action executes `add`.
  private var trip: MakeLines {
    { [prices] recorder, scheduler in
      let source = prices.asObservable().recorded("prices", by: recorder)
      return recordedLines(recorder, on: scheduler, sources: [source.mutate { $0.append("price \($1)") }]) { model, _ in
        model.execute(.add(1))
        return .empty()
      }
    }
  }

  @Test func aResumedScreenMayPauseBehindIt() throws {
    let make = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("model") {
        ClosureViewModel<LinesAction, [String]>([], scheduler: scheduler) { _, _ in
          .mutate { $0.append("paused") }
        } overrides: {
          $0.paused = { $0.execute(.add(1)) }
        }
      }
    }
    let model = make(recorder, scheduler)
    model.didResume()
    scheduler.run()
    recorder.forget()
    model.didPause()
    scheduler.run()
    #expect(model.currentState == ["paused"])
    try expectReplay(of: recorder.recording, ["paused"], make)
  }

  // The price has been sent, and no turn has taken it. So the view model doesn't rest yet.
  @Test func forgetMayComeWhileAnInputWaits() throws {
    let model = trip(recorder, scheduler)
    model.execute(.run(""))
    scheduler.run()
    prices.onNext(8)
    model.execute(.add(2))
    recorder.forget()
    #expect(recorder.recording.entries.map(\.kind) == [.model, .begin])
    scheduler.run()
    #expect(model.currentState == ["price 7", "1", "price 8", "2"])
    try expectReplay(of: recorder.recording, model.currentState, trip)
  }

  // The view model still rests: the tick sends nothing, and no turn comes.
  @Test func aTickThatSendsNothingIsNotUnderWay() {
    let ticks = Observable<Int>.interval(.seconds(1), scheduler: scheduler).filter { _ in false }
    let model = recordedLines(recorder, on: scheduler, sources: [ticks.mutate { lines, _ in lines.append("tick") }])
    scheduler.advance()
    scheduler.advance(by: .seconds(1))
    recorder.forget()
    #expect(recorder.recording.entries.first?.json(4) == "[]")
    withExtendedLifetime(model) {}
  }

  @Test func forgetMayComeInsideATurn() throws {
    let model = trip(recorder, scheduler)
    for price in 1...10 { prices.onNext(price) }
    let fifth = model.stateObservable.filter { $0.last == "price 5" }
    let forgetting = fifth.subscribe(onNext: { [recorder] _ in recorder.forget() })
    scheduler.run()
    forgetting.dispose()
    #expect(model.currentState.count == 11)
    try expectReplay(of: recorder.recording, model.currentState, trip)
  }

  // contract 9.5: where the recording begins, no effect is at work. The question that is open when it is forgotten belongs to none.
  @Test(.asyncEffects) func itBeginsWhereNoActionIsUnfinished() throws {
    let services = ["first": HeldService(), "second": HeldService()]
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, name in
        Observable.task { try await recorder.answer(name) { await services[name]!.call() } }.mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    for name in ["first", "second"] {
      model.execute(.run(name))
      scheduler.run()
      if name == "first" { recorder.forget() }
      services[name]!.answer(name)
      scheduler.run()
    }
    #expect(recorder.kinds == [.begin, .action, .answer, .event, .event])
    #expect(recorder.recording.entries.first?.json(4) == #"["first"]"#)
    try expectReplay(of: recorder.recording, ["first", "second"], make)
  }

  /// A view model whose source follows the stream again after each error.
  private func retrying(_ prices: Observable<Int>) -> MakeLines {
    { recorder, scheduler in
      let source = prices.recorded("prices", by: recorder).retry(9)
      return recordedLines(recorder, on: scheduler, sources: [source.mutate { $0 = ["\($1)"] }])
    }
  }

  // contract 9.5: after the restart point, the source's first subscription is its fourth in the recording.
  // Its newest element may be that of an earlier subscription.
  @Test(arguments: [false, true]) func aSourceThatHasSubscribedAgainGetsItsElements(_ hasSent: Bool) throws {
    let prices = Producer()
    let model = retrying(prices.stream)(recorder, scheduler)
    if hasSent { prices.observer.onNext(4) }
    scheduler.run()
    for _ in 0..<3 {
      prices.observer.onError(TestError())
      scheduler.run()
    }
    recorder.forget()
    prices.observer.onNext(5)
    scheduler.run()
    #expect(model.currentState == ["5"])
    #expect(recorder.recording.description.contains(#"5,"prices",4]"#))
    try expectReplay(of: recorder.recording, ["5"], retrying(.never()))
  }

  // Each subscription begins with an element of its own: the first one with that of the checkpoint.
  @Test func aSourceThatSubscribesAgainGetsTheElementOfThatTime() throws {
    let count = Locked(0)
    let prices = Producer { $0.onNext(count.increment()) }
    let model = retrying(prices.stream)(recorder, scheduler)
    scheduler.run()
    recorder.forget()
    model.execute(.add(7))
    scheduler.run()
    #expect(model.currentState == ["1", "7"])
    prices.observer.onError(TestError())
    scheduler.run()
    #expect(model.currentState == ["2"])
    try expectReplay(of: recorder.recording, ["2"], retrying(.never()))
  }

  @Test func aSourceKeepsTheNewestElementOfAStream() {
    let model = trip(recorder, scheduler)
    for price in 8...9 {
      prices.onNext(price)
      scheduler.run()
    }
    recorder.forget()
    #expect(recorder.recording.entries.filter { $0.kind == .value }.map { $0.json(4) } == ["9"])
    #expect(model.currentState == ["price 7", "price 8", "price 9"])
  }

  // A source that follows one stream after the other keeps the newest elements of at most 32.
  @Test func aSourceKeepsTheNewestElementsOfItsStreams() {
    let streams = Observable<Int>.interval(.seconds(1), scheduler: scheduler).flatMapLatest { [recorder] number in
      Observable.just(number).concat(.never()).recorded("stream \(number)", by: recorder)
    }
    let model = recordedLines(recorder, on: scheduler, sources: [streams.mutate { $0 = ["\($1)"] }])
    scheduler.advance(by: .seconds(50))
    recorder.forget()
    let past = recorder.recording.entries.filter { $0.kind == .value }.map { $0.call?.question }
    #expect(past == (18..<50).map { "stream \($0)" })
    #expect(model.currentState == ["49"])
  }

  // contract 9.5: the newest price has fallen out of the recording, and the rate that comes later needs it.
  @Test func streamsThatSendAnElementImmediatelyBeginWithTheirNewest() throws {
    let rates = BehaviorSubject(value: 2)
    let make: MakeLines = { [prices] recorder, scheduler in
      let costs = Observable.combineLatest(
        prices.asObservable().recorded("prices", by: recorder), rates.asObservable().recorded("rates", by: recorder)
      ) { "\($0) at \($1)" }
      return recordedLines(recorder, on: scheduler, sources: [costs.mutate { $0 = [$1] + $0.dropFirst() }])
    }
    let model = make(recorder, scheduler)
    prices.onNext(10)
    for number in 0..<100 {
      model.execute(.add(number))
      scheduler.run()
    }
    rates.onNext(20)
    scheduler.run()
    #expect(model.currentState == ["10 at 20"] + (0..<100).map { "\($0)" })
    #expect(recorder.kinds.filter { $0 == .element }.count == 1)
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // contract 9.5: it would have to begin with an effect that is at work. Its entries are there to be read.
  @Test func aViewModelThatNeverRestsIsNamedWithItsAction() throws {
    let makeOther = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("other") { LinesViewModel(on: scheduler) }
    }
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, name in .concat(.mutate { $0.append(name) }, .never()) }
    }
    let (model, other) = (make(recorder, scheduler), makeOther(recorder, scheduler))
    model.execute(.run("without end"))
    for number in 0..<200 {
      model.execute(.add(number))
      other.execute(.add(number))
      if number % 5 == 0 { scheduler.run() }
    }
    scheduler.run()
    #expect(recorder.recording.entries.contains { $0.kind == .action && $0.model == 0 && $0.time >= 0 })
    let failure = #expect(throws: TestFailure.self) { try replayed(recorder.recording, make) }
    #expect("\(failure!)".contains(#"{"run":{"_0":"without end"}}, since "#), "\(failure!)")
    // The other view model is played.
    try expectReplay(of: recorder.recording, other.currentState, makeOther)
  }

  // contract 9.5: a test makes the screens that it is about.
  @Test func aViewModelBesideOneWhoseStateIsNotCodableBeginsWithItsState() throws {
    struct Opaque: Sendable {}
    let makeOpaque = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("open") { ClosureViewModel<Int, Opaque>(Opaque(), scheduler: scheduler) { _, _ in .unchanged() } }
    }
    let (opaque, model) = (makeOpaque(recorder, scheduler), trip(recorder, scheduler))
    opaque.execute(1)
    for number in 0..<200 {
      model.execute(.add(number))
      scheduler.run()
    }
    try expectReplay(of: recorder.recording, model.currentState, trip)
    let failure = #expect(throws: TestFailure.self) { try replayed(recorder.recording, makeOpaque) }
    #expect(
      "\(failure!)".hasPrefix("reproduces nothing: the recording begins without a state of \"open\""), "\(failure!)")
  }

  // contract 9.5: nothing of the second view model begins again.
  @Test func aViewModelThatIsMadeBehindItTakesItsOwnAction() throws {
    let makeSecond = { (recorder: SessionRecorder, scheduler: any Scheduler) in
      recorder.record("second") {
        let model = LinesViewModel(on: scheduler)
        model.execute(.add(1))
        return model
      }
    }
    let first = trip(recorder, scheduler)
    scheduler.run()
    recorder.forget()
    let second = makeSecond(recorder, scheduler)
    scheduler.run()
    #expect(second.currentState == ["1"] && recorder.kinds == [.value, .begin, .own])
    try expectReplay(of: recorder.recording, ["1"]) { recorder, scheduler in
      _ = trip(recorder, scheduler)
      return makeSecond(recorder, scheduler)
    }
    withExtendedLifetime(first) {}
  }

  @Test func aViewModelThatCannotBeMadeIsNotInTheRecording() throws {
    let _: LinesViewModel? = try? recorder.record("broken") { throw TestError() }
    let model = trip(recorder, scheduler)
    for number in 0..<100 {
      model.execute(.add(number))
      scheduler.run()
    }
    #expect(recorder.kinds.contains(.begin) && !recorder.recording.description.contains("broken"))
    try expectReplay(of: recorder.recording, model.currentState, trip)
  }
}
