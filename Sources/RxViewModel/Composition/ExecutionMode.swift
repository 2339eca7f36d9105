/// Decides when an action starts and when the view model folds its mappers, relative to other actions.
///
/// A named lane is one lane, whatever the modes of the actions in it. A `sequence` action waits for all unfinished actions of the lane, a
/// `switchLatest` action cancels them, and a `dropWhileBusy` action is dropped if there are any. In the lane `"list"` a search can be
/// `switchLatest("list")` and loading more `dropWhileBusy("list")`: a search cancels the request for a page, and the view model requests no
/// page during a search. A mode without a name uses a default lane of that mode alone. `parallelOrdered` and `parallelDeferred` share one.
public struct ExecutionMode: Sendable, Hashable {
  /// The name of a lane, which may be made at run time: `.sequence("user \(id)")`.
  public struct Lane: Sendable, Hashable, ExpressibleByStringInterpolation {
    @usableFromInline let name: String

    /// Makes the name of a lane.
    @inlinable
    public init(_ name: String) {
      self.name = name
    }

    @inlinable
    public init(stringLiteral value: String) {
      name = value
    }
  }

  @usableFromInline
  enum Kind: Sendable, Hashable {
    case parallel, parallelOrdered, parallelDeferred, sequence, switchLatest, dropWhileBusy
  }

  @usableFromInline let kind: Kind
  @usableFromInline let lane: Lane?
  /// The time without another `switchLatest` in the lane after which the action starts.
  @usableFromInline let quiet: Duration?

  @inlinable
  init(_ kind: Kind, lane: Lane? = nil, quiet: Duration? = nil) {
    self.kind = kind
    self.lane = lane
    self.quiet = quiet
  }

  /// Starts the action at once, and folds its mappers as they arrive: the default.
  @inlinable
  public static var parallel: ExecutionMode { ExecutionMode(.parallel) }

  /// Starts the action at once, and folds its mappers in the order of the actions.
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

  /// Cancels the unfinished actions of the default lane, and starts the action at once.
  @inlinable
  public static var switchLatest: ExecutionMode { ExecutionMode(.switchLatest) }

  /// Cancels the unfinished actions of the lane, and starts the action at once.
  @inlinable
  public static func switchLatest(_ lane: Lane) -> ExecutionMode { ExecutionMode(.switchLatest, lane: lane) }

  /// Cancels the unfinished actions of the default lane, and starts the action when no other ``switchLatest`` has come
  /// for `quiet`.
  @inlinable
  public static func switchLatest(after quiet: Duration) -> ExecutionMode {
    ExecutionMode(.switchLatest, quiet: quiet)
  }

  /// Cancels the unfinished actions of the lane, and starts the action when no other `switchLatest` has come into the
  /// lane for `quiet`.
  ///
  /// The view model's scheduler measures the time. Until it is over the action has not started, and does not count as
  /// loading. But it is unfinished in its lane: `dropWhileBusy` is dropped, `sequence` waits for it, and another
  /// `switchLatest` cancels it and takes its place. If that one has a time too, the time starts again.
  @inlinable
  public static func switchLatest(_ lane: Lane, after quiet: Duration) -> ExecutionMode {
    ExecutionMode(.switchLatest, lane: lane, quiet: quiet)
  }

  /// Starts the action at once, or drops it if the default lane has an unfinished action.
  @inlinable
  public static var dropWhileBusy: ExecutionMode { ExecutionMode(.dropWhileBusy) }

  /// Starts the action at once, or drops it if the lane has an unfinished action.
  @inlinable
  public static func dropWhileBusy(_ lane: Lane) -> ExecutionMode { ExecutionMode(.dropWhileBusy, lane: lane) }
}

extension ExecutionMode: CustomStringConvertible {
  public var description: String {
    let details = [lane?.name, quiet.map { "after: \($0)" }].compactMap { $0 }
    return details.isEmpty ? "\(kind)" : "\(kind)(\(details.joined(separator: ", ")))"
  }
}
