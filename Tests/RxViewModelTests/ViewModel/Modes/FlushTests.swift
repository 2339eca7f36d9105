import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private struct Note: Feature {
  struct State: Sendable, Identifiable { let id: Int }

  enum Action: Sendable { case save, leave, keep }

  let kept: Locked<FeatureContext<Note>?>

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    if action == .keep { kept.mutate { $0 = context } }
    return action == .leave ? context.flush("draft") : .unchanged()
  }

  func executionMode(for action: Action) -> ExecutionMode {
    action == .save ? .keepLatest("draft", after: .seconds(1)) : .parallel
  }
}

// contract 2.19: `flush` of a context
struct ContextFlushTests {
  private enum Act: Sendable {
    case save
    case note(Int, Note.Action)
  }

  private let scheduler = TestScheduler()
  private let kept = Locked<FeatureContext<Note>?>(nil)

  /// Executes actions of a list with two notes, and returns the numbers of those that have started at once.
  private func started(_ acts: [Act], shares: Bool = false, _ then: () -> Void = {}) -> [UInt64] {
    let list = ClosureViewModel<Act, [Note.State]>([.init(id: 1), .init(id: 2)], scheduler: scheduler) { _, _ in
      .unchanged()
    } overrides: {
      $0.mode = { _, _ in .keepLatest("draft", after: .seconds(1)) }
      $0.child = { [kept] _, action in
        guard case .note(let id, let action) = action else { return nil }
        let note = ChildAction<Act, [Note.State]>(
          Note(kept: kept), action, at: \.self, id: id, as: { .note(id, $0) })
        return shares ? note.sharing("draft") : note
      }
    }
    let steps = list.executionObservable.test()
    for act in acts { list.execute(act) }
    scheduler.advance()
    then()
    scheduler.advance()
    list.clear()
    return steps.values.compactMap { if case .started = $0.phase { $0.id } else { nil } }
  }

  private static let saves: [Act] = [.save, .note(1, .save), .note(2, .save)]

  @Test func itFlushesTheLaneOfItsInstance() {
    #expect(started(Self.saves + [.note(1, .leave)]) == [4, 2])
  }

  // There the last one has displaced the others.
  @Test func itFlushesTheLaneThatItsParentShares() {
    #expect(started(Self.saves + [.note(1, .leave)], shares: true) == [4, 3])
  }

  // The action that waits for its turn at the call belongs to the same instance.
  @Test func itFlushesAnActionThatWaitsForItsTurn() {
    #expect(started([.note(1, .leave), .note(1, .save)]) == [1, 2])
  }

  @Test func afterTheEndOfItsActionItDoesNothing() {
    #expect(started([.note(1, .keep), .note(1, .save)]) { kept.value?.flush("draft") } == [1])
  }
}

// contract 2, execution modes: `flush`
struct FlushTests {
  private let scheduler = TestScheduler()

  @Test(arguments: [
    ExecutionMode.switchLatest("draft", after: .seconds(1)), .keepLatest("draft", after: .seconds(1)),
  ])
  func whatIsDebouncedStartsBeforeWhatComesLater(mode: ExecutionMode) {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    screen.execute(Step("a"), mode: mode)
    screen.flush("draft")
    screen.execute(Step("b"))
    scheduler.run()
    #expect(fates.events == events([0: "a started", 0: "a completed", 0: "b started", 0: "b completed"]))
    // The timer is disposed.
    #expect(scheduler.now == .zero)
  }

  @Test func anActionExecutedLaterIsDebounced() {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates(scheduler)
    screen.flush("draft")
    screen.execute(Step("a"), mode: .keepLatest("draft", after: .seconds(1)))
    screen.flush("other")
    scheduler.run()
    #expect(fates.events == events([1_000: "a started", 1_000: "a completed"]))
  }

  // It ends the debounce, and not the wait for the turn.
  @Test func aFlushedOneWaitsForTheOneThatRuns() {
    let screen = Screen(scheduler: scheduler)
    let (fates, gate) = (screen.fates(), PublishSubject<Int>())
    screen.execute(Step("a", on: gate), mode: .keepLatest("draft"))
    screen.execute(Step("b"), mode: .keepLatest("draft", after: .seconds(1)))
    screen.flush("draft")
    scheduler.advance(by: .milliseconds(1))
    #expect(fates.values == ["a started"])
    gate.onCompleted()
    scheduler.advance()
    #expect(fates.values == ["a started", "a completed", "b started", "b completed"])
  }

  // A view that flushes and goes away loses nothing, and one that has ended does nothing.
  @Test func itKeepsTheViewModelAliveUntilItsTurn() {
    let saved = Locked<[String]>([])
    var screen: Screen? = Screen(scheduler: scheduler)
    let save = Step("a") {
      saved.append("a")
      return .unchanged()
    }
    screen!.execute(save, mode: .keepLatest("draft", after: .seconds(1)))
    screen!.flush("draft")
    screen = nil
    scheduler.run()
    #expect(saved.value == ["a"])
    let cleared = Screen(scheduler: scheduler)
    cleared.execute(save, mode: .keepLatest("draft", after: .seconds(1)))
    cleared.clear()
    cleared.flush("draft")
    scheduler.run()
    #expect(saved.value == ["a"])
  }
}
