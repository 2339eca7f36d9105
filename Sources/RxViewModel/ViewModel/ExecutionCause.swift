/// Why a step of an action has come as it has. A number is the ``Execution/id`` of another action.
public indirect enum ExecutionCause: Sendable, Hashable {
  /// `waiting` or `dropped`: its lane is busy with this action.
  case busy(with: UInt64)
  /// `waiting`: its debounce isn't over.
  case debounced
  /// `waiting`, `completed` or `failed`: the action has joined this one, and ends as it ends.
  case joined(UInt64)
  /// `started`: the action has waited in its lane until this one ended.
  case waited(for: UInt64)
  /// `cancelled`: this later action of its lane has taken its place.
  case superseded(by: UInt64)
  /// `cancelled`: by ``RxViewModel/RxViewModel/cancelActions(where:)``.
  case request
  /// `cancelled`: the task that awaits the action in `perform` was cancelled.
  case task
  /// `cancelled`: its `DisposeBag` was disposed, or the resume has ended to whose scope it belongs.
  case bag
  /// `cancelled`: by `cancel(where:)` of a ``FeatureContext``, in the effect of this action.
  case effect(of: UInt64)
  /// `cancelled`: its own effect has ended with a `CancellationError`.
  case cancellationError
  /// `cancelled`: its child has been removed or replaced. `dropped`: the same, for a retry; or a child has executed it, and that child is
  /// hidden by an unconfirmed change, or its own child is absent.
  case removedChild
  /// `dropped`: this earlier action of its batch has failed or been cancelled.
  case batch(stoppedBy: UInt64)
  /// `dropped`: the child with this name is absent.
  case absentChild(String)
  /// `dropped`: the effect of a child has executed it for another child.
  case misplacedChild
}

extension ExecutionCause: CustomStringConvertible {
  public var description: String { text { "#\($0)" } }

  /// The cause as text, with the names of other actions.
  package func text(_ name: (UInt64) -> String) -> String {
    switch self {
    case .busy(let id): "busy with \(name(id))"
    case .debounced: "debounced"
    case .joined(let id): "joined \(name(id))"
    case .waited(let id): "waited for \(name(id))"
    case .superseded(let id): "superseded by \(name(id))"
    case .request: "by request"
    case .task: "with its task"
    case .bag: "with its bag"
    case .effect(let id): "by the effect of \(name(id))"
    case .cancellationError: "by a CancellationError"
    case .removedChild: "with its child"
    case .batch(let id): "its batch was stopped by \(name(id))"
    case .absentChild(let name): "no \(name)"
    case .misplacedChild: "executed by another child"
    }
  }
}
