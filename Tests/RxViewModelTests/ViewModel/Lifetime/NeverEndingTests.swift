import RxViewModel
import Testing

@testable import TestSupport

// contract 2, the table: a never-ending action delays only the actions whose own row makes them wait for it
@Suite struct NeverEndingTests {
  enum Fate {
    /// Started and folded at once.
    case folded
    /// Started, but its mapper waits.
    case held
    case waiting
    case dropped
    /// Folded, after the never-ending action has been cancelled.
    case supersedes
  }

  private static func fate(of mode: Mode, behind other: Mode) -> Fate {
    if !mode.sharesLane(with: other) { return .folded }
    return switch mode.kind {
    // One unfinished action before it is fewer than its limit of two.
    case .parallel, .limited: .folded
    case .ordered: .held
    case .deferred, .sequence: .waiting
    case .switchLatest, .debounced: .supersedes
    case .dropWhileBusy: .dropped
    }
  }

  private static let modes: [Mode] = Mode.Kind.allCases.flatMap { kind -> [Mode] in
    let hasLanes = [.sequence, .limited, .switchLatest, .debounced, .dropWhileBusy].contains(kind)
    return (hasLanes ? [nil, "x", "y"] : [nil]).map { Mode(kind: kind, lane: $0) }
  }

  @Test(arguments: modes)
  func aNeverEndingActionDelaysOnlyItsOwnLane(other: Mode) {
    for mode in Self.modes {
      let scheduler = HandScheduler()
      let plans = [Plan(other.kind, "", lane: other.lane), Plan(mode.kind, "j", lane: mode.lane), Plan(.parallel, "j")]
      let viewModel = ScriptedViewModel(plans, scheduler: scheduler) { _, _ in }
      let (journal, bag) = (Locked<[LogEntry]>([]), DisposeBag())
      for subscription in viewModel.note({ line in journal.mutate { $0.append(line) } }) {
        subscription.disposed(by: bag)
      }
      for action in plans.indices {
        viewModel.execute(action)
        scheduler.run()
        scheduler.passTime()
        scheduler.run()
      }
      let (lines, fate) = (journal.value, Self.fate(of: mode, behind: other))
      #expect(lines.contains(.started(0)))
      #expect(lines.contains(.started(1)) == [.folded, .held, .supersedes].contains(fate), "\(mode)")
      #expect(viewModel.currentState == ([.folded, .supersedes].contains(fate) ? [10, 20] : [20]), "\(mode)")
      #expect(lines.contains(.dropped(1)) == (fate == .dropped), "\(mode)")
      #expect(lines.contains(.cancelled(0)) == (fate == .supersedes), "\(mode)")
      bag.dispose()
    }
  }
}
