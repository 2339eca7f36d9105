import RxViewModel
import Testing

@testable import TestSupport

/// The thread that ends a view model at some point of its work.
enum Release: CaseIterable {
  /// The thread that runs the code at that point.
  case here
  /// Another thread, for which that code waits.
  case elsewhere
}

// contract 2.9: the last reference is released at each point of an action's life, on any thread
@Suite(.ownThread) struct ReleaseTests {
  /// An action that never ends, one in a lane, one that waits for that one, and one that reaches `point`, in that order.
  private static func plans(reaching point: CallbackPoint) -> [Plan] {
    let script = point == .dropped ? "[m]" : point.script(otherwise: "[m]")
    let plans = [Plan(.parallel, ""), Plan(.sequence, "[m]"), Plan(.sequence, "j"), Plan(.dropWhileBusy, script)]
    return point == .dropped ? plans + [Plan(.dropWhileBusy, "j")] : plans
  }

  /// Runs the plans on a view model that only a box retains. `release` empties the box. Returns the emissions, or nil if the streams have
  /// not ended or the view model has not been released.
  private func run(
    _ point: CallbackPoint, on kind: SchedulerKind, _ release: @escaping @Sendable (Locked<ScriptedViewModel?>) -> Void
  ) async -> [LogEntry]? {
    let plans = Self.plans(reaching: point)
    let (held, lifetimes, scheduler, bag) = (
      Locked<ScriptedViewModel?>(nil), Lifetimes(), kind.scheduler(), DisposeBag()
    )
    let (journal, ended, released, isDue) = (Locked<[LogEntry]>([]), Signal(), Signal(), Locked(true))
    let reached: @Sendable (CallbackPoint, Int) -> Void = { reached, action in
      guard reached == point, action == plans.count - 1 || action == -1, journal.value.count > 2 else { return }
      if isDue.exchange(for: false) {
        release(held)
        released.fire()
      }
    }
    let effects = {
      let viewModel = ScriptedViewModel(plans, scheduler: scheduler, tracker: lifetimes.make(), reached: reached)
      let subscriptions = viewModel.note { line in
        journal.mutate { $0.append(line) }
        if line == .end { ended.fire() }
        if let (point, action) = line.point { reached(point, action) }
      }
      for subscription in subscriptions { subscription.disposed(by: bag) }
      held.mutate { $0 = viewModel }
      return viewModel.effects
    }()
    for action in plans.indices { held.value?.execute(action) }
    let hand = scheduler as? HandScheduler
    hand?.run()
    #expect(await onThread { released.wait() })
    let isGone = await onThread { lifetimes.waitForNone() }
    hand?.run()
    let hasEnded = await onThread { (0..<6).allSatisfy { _ in ended.wait() } }
    for effect in effects where effect.subject.hasObservers { Issue.record("\(effect.action) is not disposed") }
    bag.dispose()
    return isGone && hasEnded ? journal.value : nil
  }

  @Test(arguments: CallbackPoint.allCases, SchedulerKind.allCases)
  func theLastReferenceMayBeReleasedAtAnyPoint(_ point: CallbackPoint, _ kind: SchedulerKind) async throws {
    for way in Release.allCases {
      let lines = try #require(
        await run(point, on: kind) { held in
          switch way {
          case .here: _ = held.mutate { $0.take() }
          case .elsewhere: onOtherThread { _ = held.mutate { $0.take() } }
          }
        })
      #expect(Array(lines.suffix(6)) == [LogEntry](repeating: .end, count: 6))
      #expect(!lines.contains(.started(2)))
      #expect(lines.last(where: { if case .loading = $0 { true } else { false } }) == .loading(false))
    }
  }
}
