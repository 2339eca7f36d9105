// What waits in the reference model, and for what.

extension ReferenceModel {
  /// An action is unknown until it is executed, queued until its turn comes, taken once it is asked for its mode, and waiting while it
  /// waits in its lane, joined while it waits for the end of another one, and next while it is about to start in its place.
  enum Status { case unknown, queued, taken, waiting, joined, next, running, over }

  typealias End = (action: Int, line: LogEntry)

  enum Input {
    case action(Int)
    case beat(Sent)
    case quiet(Int)
  }

  /// An event that an effect has sent. `number` is that of the mapper, if the event is one.
  struct Sent {
    let action: Int
    let beat: EffectEvent
    let number: Int
  }

  struct Job {
    enum Kind {
      /// The action has ended. The actions that waited for it in its lane may start, and it no longer counts as loading.
      case follows(inLane: Bool, stopsLoading: Bool)
      /// The quiet time of the action is over.
      case passesLane
      case announcesWaiting
      /// The action starts in place of a cancelled one that it had joined.
      case startsInstead
    }

    let action: Int
    let kind: Kind

    var isInLane: Bool { if case .follows(inLane: false, _) = kind { false } else { true } }
  }
}

extension ReferenceModel {
  func mode(_ action: Int) -> Mode { scenario.plans[action].mode }

  func isUnfinished(_ action: Int) -> Bool { [.waiting, .joined, .next, .running].contains(status[action]) }

  func areOfOneLane(_ one: Int, _ other: Int) -> Bool {
    ownerOfLanes(one) == ownerOfLanes(other) && mode(one).sharesLane(with: mode(other))
  }

  /// The child whose lanes the action uses. Those of a batch are the view model's own.
  func ownerOfLanes(_ action: Int) -> [Int]? {
    scenario.batch?.contains(action) == true ? [] : instances[action]
  }

  /// The unfinished actions before this one in its lane.
  func rivals(of action: Int) -> [Int] {
    (0..<action).filter { isUnfinished($0) && areOfOneLane($0, action) }
  }

  /// Whether a waiting action may start.
  func mayStart(_ action: Int) -> Bool {
    if mode(action).isDebounced, !ready.contains(action) { return false }
    guard let limit = mode(action).limit else { return true }
    let rivals = rivals(of: action)
    return rivals.count < limit && !rivals.contains { status[$0] == .waiting }
  }

  /// The unfinished actions that share the end of this one.
  func joined(with action: Int) -> [Int] {
    scenario.plans.indices.filter {
      $0 != action && isUnfinished($0) && !ending.contains($0) && areOfOneLane($0, action) && mode($0) == mode(action)
    }
  }
}
