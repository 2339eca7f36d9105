// What waits in the reference model.

extension ReferenceModel {
  /// An action is unknown until it is executed, queued until its turn comes, taken once it is asked for its mode, and waiting while it
  /// waits in its lane.
  enum Status { case unknown, queued, taken, waiting, running, over }

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
    }

    let action: Int
    let kind: Kind

    var isInLane: Bool { if case .follows(inLane: false, _) = kind { false } else { true } }
  }
}
