import RxViewModel
import Testing

/// Where the last reference to a view model is dropped.
enum Release: CaseIterable {
  /// By the code that is at that point, on its thread.
  case here
  /// By another thread, for which that code waits.
  case elsewhere
}

// contract 2.9: the last reference goes, at every point of an action's life, on every thread
@Suite(.ownThread) struct ReleaseTests {
  /// An action that never ends, one of a lane, one that waits for that, and one that gets to `spot`; in that order.
  private static func plans(reaching spot: Spot) -> [Plan] {
    let script: EffectScript =
      switch spot {
      case .completed, .dispose: "[mc]"
      case .failed, .error, .failedWith, .stateMapper, .handleError: "[me]"
      case .cancelled: "[mx]"
      default: "[m]"
      }
    let plans = [Plan(.parallel, ""), Plan(.sequence, "[m]"), Plan(.sequence, "j"), Plan(.dropWhileBusy, script)]
    return spot == .dropped ? plans + [Plan(.dropWhileBusy, "j")] : plans
  }

  /// Runs the plans on a view model that only a box holds, and lets `release` empty the box. Returns what was emitted, or nil if
  /// it has not ended and gone.
  private func run(
    _ spot: Spot?, on ground: Ground, _ release: @escaping @Sendable (Locked<Actor?>) -> Void
  ) async -> [Line]? {
    let plans = Self.plans(reaching: spot ?? .started)
    let (held, lifetimes, scheduler, bag) = (Locked<Actor?>(nil), Lifetimes(), ground.scheduler(), DisposeBag())
    let (journal, ended, released, isDue) = (Locked<[Line]>([]), Signal(), Signal(), Locked(true))
    let reached: @Sendable (Spot, Int) -> Void = { reached, action in
      guard reached == spot, action == plans.count - 1 || action == -1, journal.value.count > 2 else { return }
      if isDue.mutate({ $0.exchange(for: false) }) {
        release(held)
        released.fire()
      }
    }
    let effects = {
      let actor = Actor(plans, scheduler: scheduler, tracker: lifetimes.make(), reached: reached)
      let subscriptions = actor.note { line in
        journal.mutate { $0.append(line) }
        if line == .end { ended.fire() }
        if let (spot, action) = line.spot { reached(spot, action) }
      }
      for subscription in subscriptions { subscription.disposed(by: bag) }
      held.mutate { $0 = actor }
      return actor.effects
    }()
    for action in plans.indices { held.value?.execute(action) }
    let hand = scheduler as? HandScheduler
    hand?.run()
    if spot == nil { release(held) }
    #expect(await onThread { spot == nil || released.wait() })
    let isGone = await onThread { lifetimes.waitForNone() }
    hand?.run()
    let hasEnded = await onThread { (0..<6).allSatisfy { _ in ended.wait() } }
    for effect in effects where effect.subject.hasObservers { Issue.record("\(effect.action) is not disposed") }
    bag.dispose()
    return isGone && hasEnded ? journal.value : nil
  }

  @Test(arguments: Spot.allCases, Ground.allCases)
  func theLastReferenceMayGoAtAnyPoint(_ spot: Spot, _ ground: Ground) async throws {
    for way in Release.allCases {
      let lines = try #require(
        await run(spot, on: ground) { held in
          switch way {
          case .here: _ = held.mutate { $0.take() }
          case .elsewhere: elsewhere { _ = held.mutate { $0.take() } }
          }
        })
      #expect(Array(lines.suffix(6)) == [Line](repeating: .end, count: 6))
      #expect(!lines.contains(.started(2)))
      #expect(lines.last(where: { if case .loading = $0 { true } else { false } }) == .loading(false))
    }
  }

  // While an effect runs, and an action waits in a lane
  @Test(arguments: Ground.allCases)
  func theLastReferenceMayGoWhileTheViewModelIsIdle(_ ground: Ground) async throws {
    let lines = try #require(await run(nil, on: ground) { held in elsewhere { _ = held.mutate { $0.take() } } })
    #expect(!lines.contains(.started(2)))
  }

  // Actions that wait for nothing but their turn still start
  @Test func actionsThatWaitForTheFirstTurnStillStart() async {
    let (scheduler, lifetimes, lines, bag) = (HandScheduler(), Lifetimes(), Locked<[Line]>([]), DisposeBag())
    let plans: [Plan] = [Plan(.sequence, "j"), Plan(.sequence, "[m]"), Plan(.sequence, "j"), Plan(.parallel, "[m]mc")]
    var actor: Actor? = Actor(plans, scheduler: scheduler, tracker: lifetimes.make()) { _, _ in }
    for subscription in actor!.note({ line in lines.mutate { $0.append(line) } }) { subscription.disposed(by: bag) }
    for action in plans.indices { actor!.execute(action) }
    actor = nil
    #expect(lifetimes.alive == 1)
    scheduler.run()
    #expect(lifetimes.alive == 0)
    #expect(
      lines.value.filter { if case .state = $0 { true } else { false } } == [
        .state([]), .state([0]), .state([0, 10]), .state([0, 10, 30]),
      ])
    #expect(Array(lines.value.suffix(7)) == [.loading(false)] + [Line](repeating: .end, count: 6))
    #expect(!lines.value.contains(.started(2)))
    bag.dispose()
  }
}

extension Bool {
  fileprivate mutating func exchange(for value: Bool) -> Bool {
    defer { self = value }
    return self
  }
}
