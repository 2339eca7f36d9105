/// When an action starts and when its mappers are folded, in relation to other actions.
///
/// A named lane is one lane, whatever the modes of the actions in it: `sequence` waits for all that is unfinished there,
/// `switchLatest` cancels it, and `dropWhileBusy` is dropped because of it. In the lane `"list"` a search can be
/// `switchLatest("list")` and loading more `dropWhileBusy("list")`: a search cancels a page on its way, and the view model asks for
/// no page during a search. A mode without a name uses a default lane of that mode alone. `parallelOrdered` and
/// `parallelDeferred` share one.
public struct ExecutionMode: Sendable, Hashable {
  /// The name of a lane. It may be made at run time: `.sequence("user \(id)")`.
  public struct Lane: Sendable, Hashable, ExpressibleByStringInterpolation {
    @usableFromInline let name: String

    /// A lane with this name.
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
  /// How long nothing else may have come into the lane before the action starts.
  @usableFromInline let quiet: Duration?

  @inlinable
  init(_ kind: Kind, lane: Lane? = nil, quiet: Duration? = nil) {
    self.kind = kind
    self.lane = lane
    self.quiet = quiet
  }

  /// Starts at once; mappers are folded as they arrive. The default.
  @inlinable
  public static var parallel: ExecutionMode { ExecutionMode(.parallel) }

  /// Starts at once; mappers wait until every earlier ordered or deferred action has finished, so that states come in the
  /// order of the actions.
  @inlinable
  public static var parallelOrdered: ExecutionMode { ExecutionMode(.parallelOrdered) }

  /// Starts when every earlier ordered or deferred action has finished, so that it sees their state.
  @inlinable
  public static var parallelDeferred: ExecutionMode { ExecutionMode(.parallelDeferred) }

  /// Starts when the previous action of the default lane has finished, well or not.
  @inlinable
  public static var sequence: ExecutionMode { ExecutionMode(.sequence) }

  /// Starts when the previous action of the lane has finished, well or not.
  @inlinable
  public static func sequence(_ lane: Lane) -> ExecutionMode { ExecutionMode(.sequence, lane: lane) }

  /// Cancels the unfinished action of the default lane and starts at once.
  @inlinable
  public static var switchLatest: ExecutionMode { ExecutionMode(.switchLatest) }

  /// Cancels the unfinished action of the lane and starts at once.
  @inlinable
  public static func switchLatest(_ lane: Lane) -> ExecutionMode { ExecutionMode(.switchLatest, lane: lane) }

  /// Cancels the unfinished actions of the default lane, and starts when no other ``switchLatest`` has come for `quiet`.
  @inlinable
  public static func switchLatest(after quiet: Duration) -> ExecutionMode {
    ExecutionMode(.switchLatest, quiet: quiet)
  }

  /// Cancels the unfinished actions of the lane, and starts when no other `switchLatest` has come into it for `quiet`, measured on
  /// the view model's scheduler.
  ///
  /// Until then the action has not started and does not count as loading, but it is unfinished in its lane: `dropWhileBusy` is
  /// dropped, `sequence` waits behind it, and another `switchLatest` takes its place and starts the time again.
  @inlinable
  public static func switchLatest(_ lane: Lane, after quiet: Duration) -> ExecutionMode {
    ExecutionMode(.switchLatest, lane: lane, quiet: quiet)
  }

  /// Starts at once, or is dropped if the default lane has an unfinished action.
  @inlinable
  public static var dropWhileBusy: ExecutionMode { ExecutionMode(.dropWhileBusy) }

  /// Starts at once, or is dropped if the lane has an unfinished action.
  @inlinable
  public static func dropWhileBusy(_ lane: Lane) -> ExecutionMode { ExecutionMode(.dropWhileBusy, lane: lane) }
}

extension ExecutionMode: CustomStringConvertible {
  public var description: String {
    let details = [lane?.name, quiet.map { "after: \($0)" }].compactMap { $0 }
    return details.isEmpty ? "\(kind)" : "\(kind)(\(details.joined(separator: ", ")))"
  }
}
