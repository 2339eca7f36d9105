/// Decides what happens when actions overlap: when an action starts, and when the view model folds its mappers.
///
/// A named lane is one lane, whatever the modes of the actions in it. A `sequence` action waits for all unfinished actions of the lane, a
/// `parallel` action with a limit until fewer than its limit are unfinished, a `switchLatest` action cancels them, a `keepLatest` action
/// waits as a `sequence` action does but cancels the waiting `keepLatest` actions, a `join` action ends with an unfinished one of the same
/// key, and a `dropWhileBusy` action is dropped if there are any. So in the lane `"list"` a search can be `switchLatest("list")` and loading
/// more `dropWhileBusy("list")`: the search cancels the request for a page, and no page is requested during a search. A mode without a name
/// uses a default lane of that mode alone, except that `parallelOrdered` and `parallelDeferred` share one, and so do all limits.
public struct ExecutionMode: Sendable, Hashable {
  /// The name of a lane. You can make it at run time: `.sequence("user \(id)")`.
  public struct Lane: Sendable, Hashable, ExpressibleByStringInterpolation {
    @usableFromInline let name: String

    @inlinable
    public init(stringLiteral value: String) { name = value }
  }

  @usableFromInline
  enum Kind: Sendable, Hashable, Codable {
    case parallel, parallelOrdered, parallelDeferred, sequence, dropWhileBusy
    case limited(Int)
    /// The action starts after this time without another `switchLatest` in the lane.
    case switchLatest(after: Duration?)
    /// The action waits for this time without another `keepLatest` in the lane, then for its turn.
    case keepLatest(after: Duration?)
    case join(key: String)
  }

  @usableFromInline let kind: Kind
  @usableFromInline let lane: Lane?

  /// The name of the lane, unless it is a default lane.
  package var laneName: String? { lane?.name }

  @inlinable
  init(_ kind: Kind, lane: Lane? = nil) { (self.kind, self.lane) = (kind, lane) }

  /// Starts the action immediately, and folds its mappers as they arrive: the default.
  @inlinable
  public static var parallel: ExecutionMode { ExecutionMode(.parallel) }

  /// Starts the action when no earlier action of the lane waits, and fewer than `limit` earlier ones are unfinished.
  ///
  /// Without a `lane`, it is the default lane of all limits. Each action has its own limit: a `sequence` action has the limit 1, and an
  /// action with a higher limit may start beside it.
  ///
  /// - Precondition: `limit` is at least 1.
  @inlinable
  public static func parallel(_ lane: Lane? = nil, limit: Int) -> ExecutionMode {
    require(limit > 0, "parallel: limit must be greater than 0")
    return ExecutionMode(.limited(limit), lane: lane)
  }

  /// Starts the action immediately, but folds its mappers in the order of the actions.
  ///
  /// The mappers wait until every earlier ordered or deferred action has finished.
  @inlinable
  public static var parallelOrdered: ExecutionMode { ExecutionMode(.parallelOrdered) }

  /// Starts the action when every earlier ordered or deferred action has finished, so that it sees their state.
  @inlinable
  public static var parallelDeferred: ExecutionMode { ExecutionMode(.parallelDeferred) }

  /// Starts the action when the previous action of the default lane has finished, whatever its outcome.
  @inlinable
  public static var sequence: ExecutionMode { ExecutionMode(.sequence) }

  /// Starts the action when the previous action of the lane has finished, whatever its outcome.
  @inlinable
  public static func sequence(_ lane: Lane) -> ExecutionMode { ExecutionMode(.sequence, lane: lane) }

  /// Cancels the unfinished actions of the default lane, and starts the action immediately.
  @inlinable
  public static var switchLatest: ExecutionMode { ExecutionMode(.switchLatest(after: nil)) }

  /// Debounces: cancels the unfinished actions of the default lane, and starts the action once no other ``switchLatest`` has come for
  /// `quiet`.
  @inlinable
  public static func switchLatest(after quiet: Duration) -> ExecutionMode { ExecutionMode(.switchLatest(after: quiet)) }

  /// Cancels the unfinished actions of the lane, and starts the action immediately, or, if you pass `quiet`, once no other `switchLatest`
  /// has come into the lane for that time: a debounce.
  ///
  /// The view model's scheduler measures the time. Until it is over, the action hasn't started and doesn't count as loading, but it is
  /// unfinished in its lane: `dropWhileBusy` is dropped, `sequence` waits for it, and another `switchLatest` cancels it and takes its
  /// place. If that one debounces too, the time starts again.
  @inlinable
  public static func switchLatest(_ lane: Lane, after quiet: Duration? = nil) -> ExecutionMode {
    ExecutionMode(.switchLatest(after: quiet), lane: lane)
  }

  /// Starts the action when the previous action of the default lane has finished. Of the `keepLatest` actions that come meanwhile, only the
  /// newest waits.
  @inlinable
  public static var keepLatest: ExecutionMode { ExecutionMode(.keepLatest(after: nil)) }

  /// Debounces: starts the action when the previous action of the default lane has finished and no other ``keepLatest`` has come for
  /// `quiet`. Of those that come meanwhile, only the newest waits.
  @inlinable
  public static func keepLatest(after quiet: Duration) -> ExecutionMode { ExecutionMode(.keepLatest(after: quiet)) }

  /// Starts the action when the previous action of the lane has finished, whatever its outcome. It cancels the `keepLatest` action that
  /// waits in the lane, and never one that runs.
  ///
  /// Use it to save or to synchronize: requests never overlap, none is cut off, and the last one is sent. Each action has to carry, or to
  /// read when it starts, everything that it sends, because the ones between are never sent.
  ///
  /// If you pass `quiet`, the action also waits until no other `keepLatest` has come into the lane for that time: a debounce. The view
  /// model's scheduler measures it, also while another action runs.
  @inlinable
  public static func keepLatest(_ lane: Lane, after quiet: Duration? = nil) -> ExecutionMode {
    ExecutionMode(.keepLatest(after: quiet), lane: lane)
  }

  /// Starts the action immediately, or drops it if the default lane has an unfinished action.
  @inlinable
  public static var dropWhileBusy: ExecutionMode { ExecutionMode(.dropWhileBusy) }

  /// Starts the action immediately, or drops it if the lane has an unfinished action.
  @inlinable
  public static func dropWhileBusy(_ lane: Lane) -> ExecutionMode { ExecutionMode(.dropWhileBusy, lane: lane) }
}

extension ExecutionMode {
  /// Starts the action immediately, or joins the unfinished `join` action of the default lane.
  @inlinable
  public static var join: ExecutionMode { ExecutionMode(.join(key: "")) }

  /// Starts the action immediately, unless a `join` action of the lane with the same key is unfinished. Then the action never starts, and
  /// ends as that one ends: `perform` of both returns the same state or throws the same error, which is reported once.
  ///
  /// Use it for work whose result several actions share: the renewal of a token, or a pull to refresh beside the first load. If
  /// the running action is cancelled, the first one that has joined it starts in its place, so a screen that closes doesn't end what others
  /// wait for. The actions may differ: the key says what is the same. Actions with different keys run side by side.
  @inlinable
  public static func join(_ lane: Lane, key: String = "") -> ExecutionMode {
    ExecutionMode(.join(key: key), lane: lane)
  }

  /// Joins as ``join(_:key:)`` does, in the default lane.
  @inlinable
  public static func join(key: String) -> ExecutionMode { ExecutionMode(.join(key: key)) }
}

extension ExecutionMode {
  /// - `limit`: The action starts when fewer than this many earlier actions of its lane are unfinished.
  /// - `defaultLane`: The number of the lane of an action without a lane's name. Modes with the same number share it.
  @inlinable
  var laneRules: (limit: Int, defaultLane: Int) {
    switch kind {
    case .parallel: (.max, 0)
    case .parallelOrdered: (.max, 1)
    case .parallelDeferred: (1, 1)
    case .sequence: (1, 2)
    case .limited(let limit): (limit, 3)
    case .switchLatest: (.max, 4)
    case .dropWhileBusy: (.max, 5)
    case .keepLatest: (1, 6)
    case .join: (.max, 7)
    }
  }

  /// Whether the action starts immediately, and its mappers wait for those of earlier actions.
  @inlinable
  var isOrdered: Bool { if case .parallelOrdered = kind { true } else { false } }

  /// Whether the action takes a place in a lane. Only a `parallel` one without a limit doesn't.
  @inlinable
  var usesLane: Bool { if case .parallel = kind { false } else { true } }

  /// Whether the action cancels the unfinished actions of its lane.
  @inlinable
  var switches: Bool { if case .switchLatest = kind { true } else { false } }

  /// Whether the action cancels the waiting actions of its lane whose mode does the same.
  @inlinable
  var keepsLatest: Bool { if case .keepLatest = kind { true } else { false } }

  /// Whether the action is dropped if its lane has an unfinished one.
  @inlinable
  var drops: Bool { if case .dropWhileBusy = kind { true } else { false } }

  /// Whether the action ends with an unfinished one of its lane that has the same mode.
  @inlinable
  var joins: Bool { if case .join = kind { true } else { false } }

  /// The time by which the action is debounced.
  @inlinable
  var quiet: Duration? {
    switch kind {
    case .switchLatest(let quiet), .keepLatest(let quiet): quiet
    default: nil
    }
  }
}

extension ExecutionMode: CustomStringConvertible {
  public var description: String {
    let (name, detail): (String, String?) =
      switch kind {
      case .limited(let limit): ("parallel", "limit: \(limit)")
      case .switchLatest(let quiet): ("switchLatest", quiet.map { "after: \($0)" })
      case .keepLatest(let quiet): ("keepLatest", quiet.map { "after: \($0)" })
      case .join(let key): ("join", key.isEmpty ? nil : "key: \(key)")
      case .parallel, .parallelOrdered, .parallelDeferred, .sequence, .dropWhileBusy: ("\(kind)", nil)
      }
    let details = [lane?.name, detail].compactMap { $0 }
    return details.isEmpty ? name : "\(name)(\(details.joined(separator: ", ")))"
  }
}
