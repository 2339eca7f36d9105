import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.1, 9.2
@Suite("A recorder writes down the order in which the engine takes its inputs") struct RecordedOrderTests {
  private let recorder = SessionRecorder()
  private let steps = StepScheduler()

  private func lines(_ effect: @escaping @Sendable (LinesViewModel, String) -> LinesViewModel.Effect) -> LinesViewModel
  {
    recorder.record("lines") { LinesViewModel(on: steps, effect: effect) }
  }

  @Test func anActionStandsWhereATurnTakesIt() {
    let model = lines { _, _ in .empty() }
    model.execute(.add(1))
    model.execute(.add(2))
    #expect(recorder.kinds == [])
    model.cancelActions { $0 == .add(1) }
    #expect(recorder.kinds == [])
    steps.runAll()
    #expect(recorder.kinds == [.gone, .action])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anAnswerStandsWithTheEventThatItsTaskHasSent() async throws {
    let (first, second) = (HeldService(), HeldService())
    let haveFirst = Signal()
    let goOn = HeldService()
    let effect: @Sendable (SessionRecorder) -> LinesViewModel.Effect = { recorder in
      .merge([
        Observable.task {
          let answer = try await recorder.answer("first") { await first.call() }
          haveFirst.fire()
          _ = await goOn.call()
          return answer
        }.mutate { $0.append($1) }.do(afterCompleted: { first.answered.fire() }),
        Observable.task { try await recorder.answer("second") { await second.call() } }
          .mutate { $0.append($1) }.do(afterCompleted: { second.answered.fire() }),
      ])
    }
    let model = lines { [recorder] _, _ in effect(recorder) }
    model.execute(.run(""))
    steps.runAll()
    #expect(await onThread { first.asked.wait() && second.asked.wait() })
    first.answer("1")
    #expect(await onThread { haveFirst.wait() })
    second.answer("2")
    #expect(await onThread { second.answered.wait() })
    steps.runAll()
    goOn.answer("")
    #expect(await onThread { first.answered.wait() })
    steps.runAll()
    #expect(recorder.answeredQuestions == ["second", "first"])
    #expect(model.currentState == ["2", "1"])
    let played = try playLines(recorder.recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in
          .merge(
            ["first", "second"].map { name in
              Observable.task { try await recorder.answer(name) { "" } }.mutate { $0.append($1) }
            })
        }
      }
    }
    #expect(played == Fidelity(states: ["2", "1"], departures: []))
  }

  // The task of the first action sends its event while the driver subscribes to the same effect, and takes no input. The driver forwards the
  // event if it is inside the `merge`. Otherwise the event waits, and the driver handles it before its own event of the same effect.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [true, false]) func anAnswerWhoseEventTheDriverForwardsIsPlayed(isInsideTheMerge: Bool) async throws
  {
    let (isForwarded, isSent) = (Signal(), Signal())
    let effect: @Sendable (SessionRecorder, String) -> LinesViewModel.Effect = { recorder, name in
      Observable.task { try await recorder.answer(name) { name } }.mutate { $0.append($1) }
    }
    let model = lines { [recorder] _, name in
      if name == "later" { return effect(recorder, name).do(afterCompleted: { isSent.fire() }) }
      let wait: @Sendable () -> Void = { #expect(isForwarded.wait()) }
      return .merge([
        effect(recorder, name).do(afterCompleted: { isForwarded.fire() }),
        isInsideTheMerge
          ? .mutate { _ in wait() }
          : .deferred {
            wait()
            return .unchanged()
          },
      ])
    }
    model.execute(.run("load"))
    await onThread { [steps] in steps.runAll() }
    model.execute(.run("later"))
    steps.runAll()
    #expect(await onThread { isSent.wait() })
    steps.runAll()
    #expect(recorder.kinds == [.action, .answer, .forwarded, .action, .answer, .event, .event])
    #expect(recorder.recording.entries.filter(\.isMark).map(\.kind) == [.forwarded, .event, .event])
    let played = try playLines(recorder.recording) { recorder, scheduler in
      recorder.record("lines") { LinesViewModel(on: scheduler) { _, name in effect(recorder, name) } }
    }
    #expect(played == Fidelity(states: ["load", "later"], departures: []))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anAnswerThatComesTooLateStandsBehindTheCancellation() async throws {
    let (service, goOn, hasAnswer) = (HeldService(), HeldService(), Signal())
    let model = lines { [recorder] _, name in
      Observable.task {
        let answer = try await recorder.answer(name) { await service.call() }
        hasAnswer.fire()
        _ = await goOn.call()
        return answer
      }.mutate { $0.append($1) }
    }
    model.execute(.run("load"))
    steps.runAll()
    #expect(await onThread { service.asked.wait() })
    service.answer("loaded")
    #expect(await onThread { hasAnswer.wait() })
    model.cancelActions { _ in true }
    steps.runAll()
    goOn.answer("")
    model.execute(.add(1))
    steps.runAll()
    #expect(recorder.kinds == [.action, .cancel, .answer, .action])
    let played = try playLines(recorder.recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, name in
          Observable.task { try await recorder.answer(name) { "" } }.mutate { $0.append($1) }
        }
      }
    }
    #expect(played == Fidelity(states: ["1"], departures: []))
  }

  // The effect does nothing with the element 8.
  @Test func anElementStandsWhereItsStreamHasSentIt() throws {
    let prices = PublishSubject<String>()
    let effect: @Sendable (SessionRecorder) -> LinesViewModel.Effect = { recorder in
      prices.asObservable().recorded("prices", by: recorder).filter { $0 != "8" }.mutate { $0.append($1) }
    }
    let model = lines { [recorder] _, _ in effect(recorder) }
    model.execute(.run("watch"))
    steps.runAll()
    prices.onNext("7")
    steps.runAll()
    prices.onNext("8")
    model.cancelActions { _ in true }
    steps.runAll()
    #expect(recorder.kinds == [.action, .element, .event, .element, .cancel])
    let played = try playLines(recorder.recording) { recorder, scheduler in
      recorder.record("lines") { LinesViewModel(on: scheduler) { _, _ in effect(recorder) } }
    }
    #expect(played == Fidelity(states: ["7"], departures: []))
  }

  // Another thread cancels while the view model calls the mapper, whose state then counts for nothing.
  @Test(arguments: 0..<3) func aCancellationInterruptsTheSameMapperInTheReplay(_ index: Int) throws {
    let mapping = Locked<@Sendable (Int) -> Void>({ _ in })
    let model = lines { _, _ in
      Observable.of(0, 1, 2).mutate { lines, number in
        lines.append("\(number)")
        mapping.value(number)
      }
    }
    mapping.mutate {
      $0 = { number in
        if number == index { onOtherThread { model.cancelActions { _ in true } } }
      }
    }
    model.execute(.run(""))
    steps.runAll()
    mapping.mutate { $0 = { _ in } }
    let lines = (0..<index).map { "\($0)" }
    #expect(model.currentState == lines)
    let played = try playLines(recorder.recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in Observable.of(0, 1, 2).mutate { $0.append("\($1)") } }
      }
    }
    #expect(played == Fidelity(states: lines, departures: []))
  }

  // An action that was cancelled in the queue is an input too: a later cancellation belongs to it, and not to the action before.
  @Test func aCancellationBehindACancelledActionInterruptsNoEarlierOne() throws {
    let model = lines { _, name in name.isEmpty ? .concat(.mutate { $0.append("1") }, .never()) : .never() }
    model.execute(.run(""))
    model.execute(.add(2))
    model.cancelActions { $0 == .add(2) }
    steps.runAll()
    model.cancelActions { $0 == .run("") }
    steps.runAll()
    #expect(recorder.kinds == [.action, .gone, .cancel])
    let played = try playLines(recorder.recording) { recorder, scheduler in
      recorder.record("lines") {
        LinesViewModel(on: scheduler) { _, _ in .concat(.mutate { $0.append("1") }, .never()) }
      }
    }
    #expect(played == Fidelity(states: ["1"], departures: []))
  }

  // contract 9.5: the timer of the window has fired, and the last price comes before its end counts.
  @Test func anElementAtTheEndOfAWindowComesBeforeItsTimer() throws {
    let lines = { (recorder: SessionRecorder, scheduler: any Scheduler, prices: Observable<Int>) in
      let windows = prices.recorded("prices", by: recorder).throttle(.seconds(1), scheduler: scheduler)
      return recorder.record("lines") {
        LinesViewModel(on: scheduler, sources: [windows.mutate { $0.append("\($1)") }])
      }
    }
    let (scheduler, prices) = (TestScheduler(), PublishSubject<Int>())
    let model = lines(recorder, scheduler, prices.asObservable())
    for price in 1...2 { prices.onNext(price) }
    _ = scheduler.schedule(after: .seconds(1)) { prices.onNext(3) }
    scheduler.advance(by: .seconds(1))
    #expect(model.currentState == ["1", "3"])
    #expect(recorder.kinds == [.element, .element, .event, .element, .timer, .event])
    let played = try playLines(recorder.recording) { lines($0, $1, .never()) }
    #expect(played == Fidelity(states: ["1", "3"], departures: []))
  }
}
