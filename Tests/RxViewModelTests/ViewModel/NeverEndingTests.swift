import RxViewModel
import Testing

// contract 2, the table: a never-ending action holds up only what its own row says
@Suite struct NeverEndingTests {
  enum Fate {
    /// Started and folded at once.
    case folded
    /// Started, but its mapper waits.
    case held
    case waiting
    case dropped
    /// Folded, and the never-ending one cancelled.
    case supersedes
  }

  private static func fate(of kind: Mode.Kind, lane: String?, behind other: Mode.Kind) -> Fate {
    switch (other, kind) {
    case (.ordered, .ordered), (.deferred, .ordered): .held
    case (.ordered, .deferred), (.deferred, .deferred): .waiting
    case (.sequence, .sequence) where lane == nil: .waiting
    case (.switchLatest, .switchLatest) where lane == nil: .supersedes
    case (.dropWhileBusy, .dropWhileBusy) where lane == nil: .dropped
    default: .folded
    }
  }

  @Test(arguments: Mode.Kind.allCases, Mode.Kind.allCases)
  func holdsUp(_ other: Mode.Kind, _ kind: Mode.Kind) {
    for lane in [nil, "x"] {
      let scheduler = HandScheduler()
      let plans = [Plan(other, ""), Plan(kind, "j", lane: lane), Plan(.parallel, "j")]
      let actor = Actor(plans, scheduler: scheduler) { _, _ in }
      let (journal, bag) = (Locked<[Line]>([]), DisposeBag())
      for subscription in actor.note({ line in journal.mutate { $0.append(line) } }) { subscription.disposed(by: bag) }
      for action in plans.indices { actor.execute(action) }
      scheduler.run()
      let lines = journal.value
      let fate = Self.fate(of: kind, lane: lane, behind: other)
      #expect(lines.contains(.started(1)) == [.folded, .held, .supersedes].contains(fate))
      #expect(actor.currentState == ([.folded, .supersedes].contains(fate) ? [10, 20] : [20]))
      #expect(lines.contains(.dropped(1)) == (fate == .dropped))
      #expect(lines.contains(.cancelled(0)) == (fate == .supersedes))
      bag.dispose()
    }
  }
}
