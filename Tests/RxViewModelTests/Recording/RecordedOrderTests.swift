import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.1, 9.2
/// A recorder writes down the order in which the engine takes its inputs.
struct RecordedOrderTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  @Test func anActionStandsWhereATurnTakesIt() {
    let model = recordedLines(recorder, on: scheduler)
    model.execute(.add(1))
    model.execute(.add(2))
    model.cancelActions { $0 == .add(1) }
    #expect(recorder.kinds == [])
    scheduler.run()
    #expect(recorder.kinds == [.cancel, .action, .action])
  }

  // MARK: Answers

  /// Asks a service, and waits before it goes on with the answer.
  private func slowly(
    _ name: String, _ service: HeldService, _ goOn: HeldService
  ) -> Observable<String> {
    Observable.task { [recorder] in
      let answer = try await recorder.answer(name) { await service.call() }
      _ = await goOn.call()
      return answer
    }
  }

  @Test(.asyncEffects) func anAnswerStandsWhereItsServiceHasReturned() throws {
    let (service, goOn) = (HeldService(), HeldService())
    let effect = slowly("load", service, goOn)
    let model = recordedLines(recorder, on: scheduler) { _, _ in effect.mutate { $0.append($1) } }
    model.execute(.run("load"))
    scheduler.run()
    service.answer("loaded")
    scheduler.run()
    model.cancelActions { _ in true }
    scheduler.run()
    model.execute(.add(1))
    scheduler.run()
    #expect(recorder.kinds == [.action, .answer, .cancel, .action])
    try expectReplay(of: recorder.recording, ["1"]) { recordedLines($0, on: $1, effect: answers(by: $0)) }
  }

  // The task does nothing else with its answer. It executes an action, or sends to another effect, through a subject that isn't recorded.
  @Test(.asyncEffects, arguments: ["execute", "send"]) func anAnswerStandsBeforeWhatFollowsFromIt(_ step: String) throws
  {
    let goOn = HeldService()
    let make: MakeLines = { recorder, scheduler in
      let news = PublishSubject<String>()
      return recordedLines(recorder, on: scheduler) { model, name in
        if name == "follow" { return news.mutate { $0.append($1) } }
        return Observable.task { [weak model] in
          let answer = try await recorder.answer(name) { name }
          if name == "execute" { model?.execute(.add(answer.count)) } else { news.onNext(answer) }
          return await goOn.call()
        }.mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    for name in ["follow", step] {
      model.execute(.run(name))
      scheduler.run()
    }
    #expect(recorder.kinds == [.action, .action, .answer, step == "execute" ? .own : .event])
    try expectReplay(of: recorder.recording, [step == "execute" ? "7" : "send"], make)
  }

  @Test(.asyncEffects) func anElementStandsBehindTheAnswersBeforeIt() throws {
    let numbers = PublishSubject<Int>()
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, name in
        let answer = Observable.task { try await recorder.answer(name) { name } }
        let number = numbers.asObservable().recorded("numbers", by: recorder).take(1)
        return Observable<String>.combineLatest(number, answer) { "\($1) \($0)" }.mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("compare"))
    scheduler.run()
    numbers.onNext(7)
    scheduler.run()
    #expect(recorder.kinds.prefix(4) == [.action, .answer, .element, .event])
    try expectReplay(of: recorder.recording, ["compare 7"], make)
  }

  // The second call has followed the error.
  @Test(.asyncEffects, arguments: [false, true]) func theErrorOfARetryStandsBeforeACancellation(_ hasDelay: Bool) throws
  {
    let (service, calls) = (HeldService(), Locked(0))
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler, mode: .switchLatest) { _, name in
        let answer = Observable.task {
          try await recorder.answer(name) {
            switch calls.increment() {
            case 1: throw TestError()
            case 2: return await service.call()
            default: return "third"
            }
          }
        }
        let delayed = answer.retry(2, delay: { _ in .milliseconds(1) }, scheduler: scheduler)
        return (hasDelay ? delayed : answer.retry(2)).mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    for _ in 0..<2 {
      model.execute(.run("ask"))
      scheduler.run()
    }
    #expect(recorder.kinds.prefix(2) == [.action, .error])
    try expectReplay(of: recorder.recording, ["third"], make)
  }

  // The task of the first action sends its event while the driver subscribes to the same effect, and takes no input. The driver forwards the
  // event if it is inside the `merge`. Otherwise the event waits, and the driver handles it before its own event of the same effect.
  @Test(.asyncEffects, arguments: [true, false]) func anAnswerWhoseEventIsNoInputIsPlayed(
    isInsideTheMerge: Bool
  ) async throws {
    let (steps, isForwarded, isSent) = (StepScheduler(), Signal(), Signal())
    let model = recordedLines(recorder, on: steps) { [recorder] model, name in
      let effect = answers(by: recorder)(model, name)
      if name == "later" { return effect.afterItsEnd { isSent.fire() } }
      let wait: @Sendable () -> Void = { #expect(isForwarded.wait()) }
      return .merge([
        effect.afterItsEnd { isForwarded.fire() },
        isInsideTheMerge
          ? .mutate { _ in wait() }
          : .deferred {
            wait()
            return .unchanged()
          },
      ])
    }
    model.execute(.run("load"))
    await onThread { steps.runAll() }
    model.execute(.run("later"))
    steps.runAll()
    #expect(await onThread { isSent.wait() })
    steps.runAll()
    #expect(recorder.kinds.filter { $0 == .event }.count > 1, "\(recorder.kinds)")
    try expectReplay(of: recorder.recording, ["load", "later"]) { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { model, name in
        let effect = answers(by: recorder)(model, name)
        return name == "later" ? effect : .merge([effect, .unchanged()])
      }
    }
  }

  // MARK: Elements

  // The element 8 has been sent, and the engine had not taken its event when the action was cancelled. In a replay, too, it waits.
  @Test func anElementStandsWhereItsStreamHasSentIt() throws {
    let prices = PublishSubject<String>()
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        prices.asObservable().recorded("prices", by: recorder).mutate { $0.append($1) }
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("watch"))
    scheduler.run()
    prices.onNext("7")
    scheduler.run()
    prices.onNext("8")
    model.cancelActions { _ in true }
    scheduler.run()
    #expect(recorder.kinds == [.action, .element, .event, .element, .cancel])
    try expectReplay(of: recorder.recording, ["7"], make)
  }

  // contract 9.5: the timer of the window has fired, and the last price comes before its end counts.
  @Test func anElementAtTheEndOfAWindowComesBeforeItsTimer() throws {
    let prices = PublishSubject<Int>()
    let make: MakeLines = { recorder, scheduler in
      let windows = prices.asObservable().recorded("prices", by: recorder).throttle(.seconds(1), scheduler: scheduler)
      return recordedLines(recorder, on: scheduler, sources: [windows.mutate { $0.append("\($1)") }])
    }
    let model = make(recorder, scheduler)
    for price in 1...2 { prices.onNext(price) }
    _ = scheduler.schedule(after: .seconds(1)) { prices.onNext(3) }
    scheduler.advance(by: .seconds(1))
    #expect(model.currentState == ["1", "3"])
    #expect(recorder.kinds == [.element, .element, .event, .element, .timer, .event])
    try expectReplay(of: recorder.recording, ["1", "3"], make)
  }

  // The second action begins when the stream has ended. An end at a subscription is no input, so it has no mark.
  @Test(arguments: [nil, TestError("failed")]) func aStreamMayEndAtItsSubscription(_ error: TestError?) throws {
    let prices = PublishSubject<String>()
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler, mode: .sequence) { _, name in
        prices.asObservable().recorded("prices", by: recorder).catch { .just("\($0)") }.concat(.just("end"))
          .mutate { $0.append("\(name) \($1)") }
      }
    }
    let model = make(recorder, scheduler)
    for name in ["a", "b"] { model.execute(.run(name)) }
    scheduler.run()
    if let error { prices.onError(error) } else { prices.onCompleted() }
    scheduler.run()
    #expect(model.currentState == (error == nil ? ["a end", "b end"] : ["a failed", "a end", "b failed", "b end"]))
    #expect(recorder.kinds.filter { $0 == (error == nil ? .completed : .error) }.count == 2)
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // MARK: Cancellations

  // Another thread cancels while the view model calls the mapper, whose state then counts for nothing.
  @Test(arguments: 0..<3) func aCancellationInterruptsTheSameMapperInTheReplay(_ index: Int) throws {
    let (steps, mapping) = (StepScheduler(), Locked<@Sendable (Int) -> Void>({ _ in }))
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in
        Observable.of(0, 1, 2).mutate { lines, number in
          lines.append("\(number)")
          mapping.value(number)
        }
      }
    }
    let model = make(recorder, steps)
    mapping.mutate {
      $0 = { number in
        if number == index { onOtherThread { model.cancelActions { _ in true } } }
      }
    }
    model.execute(.run(""))
    steps.runAll()
    mapping.mutate { $0 = { _ in } }
    #expect(model.currentState == (0..<index).map { "\($0)" })
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // The turn has begun with the end of another action, and without an input.
  @Test(arguments: 0..<3) func aCancellationInterruptsTheSameMapperOfAnActionThatHasWaited(_ index: Int) throws {
    let (steps, mapping) = (StepScheduler(), Locked<@Sendable (Int) -> Void>({ _ in }))
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler, mode: .sequence) { _, name in
        if name == "first" { return .never() }
        return Observable.of(0, 1, 2).mutate { lines, number in
          lines.append("\(number)")
          mapping.value(number)
        }
      }
    }
    let model = make(recorder, steps)
    mapping.mutate {
      $0 = { number in if number == index { onOtherThread { model.cancelActions { $0 == .run("second") } } } }
    }
    for name in ["first", "second"] { model.execute(.run(name)) }
    steps.runAll()
    model.cancelActions { $0 == .run("first") }
    steps.runAll()
    mapping.mutate { $0 = { _ in } }
    #expect(model.currentState == (0..<index).map { "\($0)" })
    try expectReplay(of: recorder.recording, model.currentState, make)
  }

  // An action that was cancelled in the queue is an input too: a later cancellation belongs to it, and not to the action before.
  @Test func aCancellationBehindACancelledActionInterruptsNoEarlierOne() throws {
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { _, _ in .concat(.mutate { $0.append("1") }, .never()) }
    }
    let model = make(recorder, scheduler)
    model.execute(.run(""))
    model.execute(.add(2))
    model.cancelActions { $0 == .add(2) }
    scheduler.run()
    model.cancelActions { $0 == .run("") }
    scheduler.run()
    #expect(recorder.kinds == [.action, .cancel, .action, .cancel])
    try expectReplay(of: recorder.recording, ["1"], make)
  }

  // The recording has the cancelled action first. The actions before it in the batch run all the same, those behind it do not.
  @Test func aCancellationOfAnActionThatWaitsDropsTheLaterOnesOfItsBatch() throws {
    let model = recordedLines(recorder, on: scheduler)
    model.executeInSequence(.add(1), .add(2), .add(3), .add(4))
    model.cancelActions { $0 == .add(3) }
    scheduler.run()
    #expect(model.currentState == ["1", "2"])
    try expectReplay(of: recorder.recording, ["1", "2"]) { recordedLines($0, on: $1) }
  }
}

// contract 9.1, 9.5
/// A view model's own actions in a recording.
struct OwnActionTests {
  private let recorder = SessionRecorder()
  private let scheduler = TestScheduler()

  /// A view model that executes actions of its own in every way.
  private func lines(_ recorder: SessionRecorder, on scheduler: any Scheduler) -> LinesViewModel {
    recorder.record("lines") {
      let model = LinesViewModel(on: scheduler) { viewModel, name in
        viewModel.execute(.add(2))
        let task = Observable.task { [weak viewModel] in viewModel?.execute(.add(3)) }
          .mutate { lines, _ in lines.append(name) }
          .then(.add(5), on: viewModel)
        let timer = Observable<Int>.timer(.milliseconds(1), scheduler: scheduler)
          .do(onNext: { [weak viewModel] _ in viewModel?.execute(.add(6)) })
        return .merge([task, timer.flatMap { _ in LinesViewModel.Effect.empty() }])
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

  @Test(.asyncEffects) func areMarksThatAReplayDoesNotExecute() throws {
    let model = lines(recorder, on: scheduler)
    model.execute(.run("elsewhere"))
    scheduler.run()
    #expect(model.currentState.count == 7)
    let entries = recorder.recording.entries
    #expect(entries.filter { $0.kind == .action }.map { $0.json(4) } == [#"{"run":{"_0":"elsewhere"}}"#])
    #expect(entries.count { $0.kind == .own } == 6)
    try expectReplay(of: recorder.recording, model.currentState) { lines($0, on: $1) }
  }

  @Test func ofAnotherViewModelAreMarksToo() {
    let told = recorder.record("told") { LinesViewModel(on: scheduler) }
    let teller = recordedLines(recorder, on: scheduler) { _, _ in
      told.execute(.add(7))
      return .empty()
    }
    teller.execute(.run(""))
    scheduler.run()
    #expect(recorder.recording.entries.filter { $0.kind == .own }.map { $0.json(5) } == ["[1,1]"])
  }

  // Both tasks have their answers when the second one executes its action first.
  @Test(.asyncEffects) func ofTwoTasksAreToldApart() throws {
    let recording = try linesRecording(
      """
      ["action",1,0,1,{"run":{"_0":""}}]
      ["answer",1,0,1,1,"a",1]
      ["answer",1,0,1,2,"b",1]
      ["own",1,0,2,{"add":{"_0":2}},[0,1]]
      ["own",1,0,3,{"add":{"_0":1}},[0,1]]
      ["event",1,0,1]
      """)
    try expectReplay(of: recording, ["2", "1"]) { recorder, scheduler in
      recordedLines(recorder, on: scheduler) { model, _ in
        .merge(
          ["a", "b"].map { name -> LinesViewModel.Effect in
            Observable.task { [weak model] in
              model?.execute(.add(try await recorder.answer(name) { 0 }))
            }.ignoreElements()
          })
      }
    }
  }

  // An action of the view model's own comes into its lane at its mark, behind actions that were executed later.
  @Test(arguments: [ExecutionMode.sequence, .parallelDeferred]) func waitForTheirMarks(_ mode: ExecutionMode) throws {
    let make: MakeLines = { recorder, scheduler in
      recordedLines(recorder, on: scheduler, mode: mode) { model, name in
        if name == "wait" {
          return Observable.just(0).delay(.seconds(1), scheduler: scheduler).mutate { $0.append("\($1)") }
        }
        return .unchanged().then(.add(1), on: model)
      }
    }
    let model = make(recorder, scheduler)
    model.execute(.run("then"))
    model.execute(.run("wait"))
    scheduler.run()
    #expect(model.currentState == ["0", "1"])
    try expectReplay(of: recorder.recording, ["0", "1"], make)
  }
}

extension Observable {
  /// Calls `body` once the subscriber has received the completion.
  fileprivate func afterItsEnd(_ body: @escaping @Sendable () -> Void) -> Observable {
    .create { observer in
      subscribe { event in
        observer.on(event)
        if case .completed = event { body() }
      }
    }
  }
}
