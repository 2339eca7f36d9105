/// When an action starts and when its mappers are folded, in relation to other actions.
///
/// A lane is a name within its mode: `sequence("x")` and `switchLatest("x")` are two lanes. A mode without one uses the
/// default lane of that mode.
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

  @inlinable
  init(_ kind: Kind, lane: Lane? = nil) {
    self.kind = kind
    self.lane = lane
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

  /// Starts at once, or is dropped if the default lane has an unfinished action.
  @inlinable
  public static var dropWhileBusy: ExecutionMode { ExecutionMode(.dropWhileBusy) }

  /// Starts at once, or is dropped if the lane has an unfinished action.
  @inlinable
  public static func dropWhileBusy(_ lane: Lane) -> ExecutionMode { ExecutionMode(.dropWhileBusy, lane: lane) }
}

extension ExecutionMode: CustomStringConvertible {
  public var description: String {
    guard let lane else { return "\(kind)" }
    return "\(kind)(\(lane.name))"
  }
}
