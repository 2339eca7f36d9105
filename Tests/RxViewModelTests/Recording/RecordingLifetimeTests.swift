import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// Sendable: its property is a `let`.
private final class HeldScreen: RxViewModel<String, [String]>, @unchecked Sendable {
  private let prices: Observable<Int>

  init(on scheduler: any Scheduler, prices: Observable<Int>) {
    self.prices = prices
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }
  override func createSources() -> [Effect] { [prices.mutate { $0.append("price \($1)") }] }

  override func createObservable(_ action: String) -> Effect {
    .create { [weak self] observer in
      if action == "first" { self?.execute("second") }
      observer.onNext { $0 + [action] }
      observer.onCompleted()
      return Disposables.create()
    }
  }
}

private func heldScreen(
  _ recorder: SessionRecorder, _ lifetimes: Lifetimes, on scheduler: any Scheduler, prices: Observable<Int>
) -> HeldScreen {
  let object = lifetimes.make()
  recorder.redact(String.self) { text in
    object.touch()
    return text
  }
  return recorder.record("held") { HeldScreen(on: scheduler, prices: prices.recorded("prices", by: recorder)) }
}

// contract 9.1
@Suite struct RecordingLifetimeTests {
  private func recording() -> Recording {
    let (lifetimes, scheduler, prices) = (Lifetimes(), TestScheduler(), BehaviorSubject(value: 7))
    var recorder: SessionRecorder? = SessionRecorder(limit: 64)
    var screen: HeldScreen? = heldScreen(recorder!, lifetimes, on: scheduler, prices: prices.asObservable())
    let reference = Weak(object: screen!)
    screen!.execute("first")
    scheduler.run()
    screen = nil
    #expect(reference.object == nil)
    scheduler.run()
    defer { #expect(lifetimes.alive == 0) }
    defer { recorder = nil }
    return recorder!.recording
  }

  @Test(arguments: [false, true]) func aRecorderAndAReplayLeaveNoObject(fails: Bool) throws {
    let (recording, lifetimes) = (recording(), Lifetimes())
    let body = { (run: Replay) in
      let screen = heldScreen(run.recorder, lifetimes, on: run.scheduler, prices: .never())
      try run.play()
      #expect(screen.currentState == ["price 7", "first", "second"])
      if fails { throw TestError() }
    }
    if fails {
      #expect(throws: TestFailure.self) { try replay(recording, shrinking: false, body) }
    } else {
      #expect(try replay(recording, body).departures == [])
    }
    #expect(lifetimes.alive == 0)
  }

  // The view model goes on without a recorder, and what that had kept is released.
  @Test func aRecorderMayGoBeforeItsViewModel() {
    let (lifetimes, scheduler) = (Lifetimes(), TestScheduler())
    var recorder: SessionRecorder? = SessionRecorder(limit: 64)
    var screen: HeldScreen? = heldScreen(recorder!, lifetimes, on: scheduler, prices: .just(7))
    screen!.execute("first")
    scheduler.run()
    screen!.execute("third")
    recorder = nil
    scheduler.run()
    screen!.execute("fourth")
    scheduler.run()
    #expect(screen!.currentState == ["price 7", "first", "second", "third", "fourth"])
    screen = nil
    scheduler.run()
    #expect(recorder == nil && lifetimes.alive == 0)
  }

  // contract 9.1: an effect that another recorder knows is elsewhere for this one.
  @Test func anotherRecorderKnowsNothingOfAnEffect() throws {
    let (mine, others, scheduler) = (SessionRecorder(), SessionRecorder(), TestScheduler())
    let told = mine.record("lines") { LinesViewModel(on: scheduler) }
    let teller = others.record("teller") {
      LinesViewModel(on: scheduler) { _, _ in
        told.execute(.add(mine.value("number") { 7 }))
        return .empty()
      }
    }
    teller.execute(.run(""))
    scheduler.run()
    #expect(mine.kinds == [.value, .action])
    let played = try playLines(mine.recording) { recorder, scheduler in
      recorder.record("lines") { LinesViewModel(on: scheduler) }
    }
    #expect(played == Fidelity(states: ["7"], departures: []))
  }
}
