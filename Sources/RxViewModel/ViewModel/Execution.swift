/// A step in the life of one action.
public struct Execution<Action: Sendable, State: Sendable>: Sendable {
  /// `started`, `emitted` for each mapper, then exactly one of `completed`, `failed` and `cancelled`; or, for an action
  /// that never started, `cancelled` or `dropped` alone.
  public enum Phase: Sendable {
    /// The view model has been asked what it does.
    case started
    /// A mapper has been folded into this state.
    case emitted(State)
    /// With the state that the action's last mapper produced.
    case completed(State)
    /// Also where `handleError` took care of the error.
    case failed(any Error)
    /// Ended before its time: cancelled, superseded, or by a `CancellationError` of its effect.
    case cancelled
    /// The action was turned away: by its mode, or because its batch had broken.
    case dropped
  }

  /// The same in all steps of one action, unique in its view model, ascending in the order of acceptance.
  public let id: UInt64
  /// What was executed.
  public let action: Action
  /// The mode in which it runs.
  public let mode: ExecutionMode
  /// What has happened.
  public let phase: Phase

  /// A step that a test expects; a view model makes its own.
  @inlinable
  public init(id: UInt64, action: Action, mode: ExecutionMode, phase: Phase) {
    self.id = id
    self.action = action
    self.mode = mode
    self.phase = phase
  }
}

// MARK: Comparing, for tests

/// Errors are equal if their types and their descriptions are.
extension Execution.Phase: Equatable where State: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.started, .started), (.cancelled, .cancelled), (.dropped, .dropped): true
    case (.emitted(let left), .emitted(let right)), (.completed(let left), .completed(let right)): left == right
    case (.failed(let left), .failed(let right)): areAlike(left, right)
    default: false
    }
  }
}

/// Errors are equal if their types and their descriptions are.
extension Execution: Equatable where Action: Equatable, State: Equatable {}

extension Execution: CustomStringConvertible {
  /// As in `#3 search("a") switchLatest: started`.
  public var description: String {
    "#\(id) \(action) \(mode): \(phase)"
  }
}

extension Execution.Phase: CustomStringConvertible {
  public var description: String {
    switch self {
    case .started: "started"
    case .emitted(let state): "emitted \(state)"
    case .completed(let state): "completed \(state)"
    case .failed(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    case .dropped: "dropped"
    }
  }
}

/// Whether two errors have the same type and the same description.
package func areAlike(_ left: any Error, _ right: any Error) -> Bool {
  type(of: left) == type(of: right) && "\(left)" == "\(right)"
}
