/// A step in the life of one action.
public struct Execution<Action: Sendable, State: Sendable>: Sendable {
  /// The steps of an action: `waiting`, if it has to wait in its lane; `started`; `emitted` for each mapper; then exactly one of
  /// `completed`, `failed` and `cancelled`. An action that never starts ends with `cancelled` or `dropped` or, if it has joined another one,
  /// as that one. If ``RxViewModel/RxViewModel/clear()`` or the release of the view model ends an action, there is no step for that, because the stream
  /// completes.
  public enum Phase: Sendable {
    /// The action waits in its lane, for its turn, until its debounce is over, or for the end of the one that it has joined. It hasn't
    /// started, and doesn't count as loading. An action that starts or is dropped as soon as the view model takes it doesn't have this step.
    case waiting
    /// The action has started: the view model is about to call `createObservable` for it.
    case started
    /// The view model has folded one of the action's mappers, and this is the new state.
    case emitted(State)
    /// The action has completed. The state is the one that its last mapper produced.
    case completed(State)
    /// The action has failed with this error, whether or not `handleError` has handled it.
    case failed(any Error)
    /// The action has ended early: it was cancelled or superseded, or its effect ended with a `CancellationError`.
    case cancelled
    /// The action was never started, because its mode is `dropWhileBusy` and its lane was busy, because an earlier action of its batch
    /// failed or was cancelled, or because its child is absent.
    case dropped
  }

  /// The number of the action: the same in all its steps, unique in its view model, and ascending in the order in which the actions were
  /// accepted.
  public let id: UInt64
  /// The action that was executed.
  public let action: Action
  /// The mode in which the action runs.
  public let mode: ExecutionMode
  /// The step that the action has reached.
  public let phase: Phase
  /// Why the action waits, has been cancelled or dropped, or what it has waited for. Nil for a step that needs no explanation. `==` ignores
  /// it.
  public let cause: ExecutionCause?

  /// Makes a step that a test expects. A view model makes its own steps.
  @inlinable
  public init(id: UInt64, action: Action, mode: ExecutionMode, phase: Phase) {
    self.init(id, action, mode, (phase, nil))
  }

  @inlinable
  init(_ id: UInt64, _ action: Action, _ mode: ExecutionMode, _ phase: (Phase, ExecutionCause?)) {
    (self.id, self.action, self.mode, (self.phase, cause)) = (id, action, mode, phase)
  }
}

// MARK: Comparing, for tests

/// Two errors are equal if they have the same type and `==` says so, or, without `Equatable`, if their descriptions and stored values are
/// the same.
extension Execution.Phase: Equatable where State: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.waiting, .waiting), (.started, .started), (.cancelled, .cancelled), (.dropped, .dropped): true
    case (.emitted(let left), .emitted(let right)), (.completed(let left), .completed(let right)): left == right
    case (.failed(let left), .failed(let right)): areEqual(left, right)
    default: false
    }
  }
}

extension Execution: Equatable where Action: Equatable, State: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.action == right.action && left.mode == right.mode && left.phase == right.phase
  }
}

extension Execution: CustomStringConvertible {
  /// The step as a line of text, such as `#3 search("a") switchLatest: cancelled (superseded by #4)`.
  public var description: String { "#\(id) \(action) \(mode): \(phase)\(cause.map { " (\($0))" } ?? "")" }
}

extension Execution.Phase: CustomStringConvertible {
  public var description: String {
    switch self {
    case .waiting: "waiting"
    case .started: "started"
    case .emitted(let state): "emitted \(state)"
    case .completed(let state): "completed \(state)"
    case .failed(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    case .dropped: "dropped"
    }
  }
}
