/// Learns what an engine takes, in the order in which its driver takes it: a recorder, or the player of a recording.
///
/// An engine has a tap only if ``TapMaker`` was bound while the view model was made. The methods marked so run under the lock of the
/// engine, and call no user code. The others run on the driver with no lock held.
@usableFromInline
package protocol EngineTap: AnyObject, Sendable {
  /// Returns the initial state, before the sources are followed and after that: a player returns the recorded one.
  func open<State>(_ state: State, isFollowed: Bool) -> State
  func close()
  /// No input waits, and no turn runs. Under the lock.
  func rest()
  /// An action has been accepted on this thread. Under the lock.
  func accept(_ id: UInt64)
  /// An effect has sent an event on this thread, which is not the driver's. Under the lock.
  func send(_ id: UInt64)
  /// Running actions are cancelled from elsewhere, after the driver has looked so often; nil from the driver. Returns whether they are.
  /// Under the lock.
  func cancel(_ running: [UInt64], after looks: Int?) -> Bool
  /// The actions that a player cancels now. Under the lock.
  func cancelled(after looks: Int) -> [UInt64]
  /// The driver takes an input, of which ``take(_:later:)`` tells more. Under the lock.
  func begin()
  /// Returns whether the driver handles the input now. If not, `later` sends the input again.
  func take(_ input: TappedInput, later: @escaping @Sendable () -> Void) -> Bool
  func fold(_ state: Any)
  func end(_ id: UInt64)
  /// The origin of what the effect of an action does; 0 stands for the turn itself.
  func origin(of id: UInt64) -> any WorkOrigin
}

extension EngineTap {
  package func begin() {}
  package func cancelled(after looks: Int) -> [UInt64] { [] }
}

/// An input of an engine, for its tap.
@usableFromInline
package enum TappedInput {
  case action(UInt64, Any, TappedMode?, batch: UInt64?, isCancelled: Bool)
  case event(UInt64)
  case quiet(UInt64)
  case resume(UInt64)
  case pause(UInt64)
  case failure, call
}

/// The mode with which an action has been executed.
@usableFromInline
package struct TappedMode: Codable, Sendable {
  let kind: ExecutionMode.Kind
  let lane: String?

  var mode: ExecutionMode { ExecutionMode(kind, lane: lane.map { .init($0) }) }
}

/// Makes the tap of each engine that is made in its context.
package protocol TapMaker: Sendable {
  func tap(_ action: Any.Type, _ state: Any.Type) -> (any EngineTap)?
}

extension Taps {
  @TaskLocal package static var maker: (any TapMaker)?
}

@usableFromInline
func makeTap(_ action: Any.Type, _ state: Any.Type) -> (any EngineTap)? { Taps.maker?.tap(action, state) }

extension Engine {
  /// Calls `body` in the context of an action's effect.
  @inline(__always)
  @inlinable
  func inside<Result>(_ id: UInt64, _ body: () -> Result) -> Result { tap == nil ? body() : within(id, body) }

  @usableFromInline
  func within<Result>(_ id: UInt64, _ body: () -> Result) -> Result {
    Taps.$origin.withValue(tap!.origin(of: id), operation: body)
  }

  /// The driver looks whether something has been cancelled. Under the lock.
  @inlinable
  func look(_ shared: inout EngineState<Action, State>) { if let tap, shared.isDrivenHere { look(&shared, tap) } }

  @usableFromInline
  func look(_ shared: inout EngineState<Action, State>, _ tap: any EngineTap) {
    let cancelled = tap.cancelled(after: looks)
    if !cancelled.isEmpty { for run in shared.runs where cancelled.contains(run.id) { shared.end(run, .cancelled) } }
    looks += 1
  }

  /// Whether the driver handles the input now. The tap calls user code, which may end the view model.
  @usableFromInline
  func passes(_ input: EngineInput<Action, State>) -> Bool {
    let tapped: TappedInput
    switch input {
    case .action(let run):
      let mode = run.mode.map { TappedMode(kind: $0.kind, lane: $0.lane?.name) }
      tapped = .action(run.id, run.action, mode, batch: run.batch?.first, isCancelled: run.stage == .over)
    case .plain: return true
    case .event(let run, _): tapped = .event(run.id)
    case .quiet(let run): tapped = .quiet(run.id)
    case .failure: tapped = .failure
    case .call: tapped = .call
    case .resume(let screen): tapped = .resume(screen)
    case .pause(let screen): tapped = .pause(screen)
    }
    if tap!.take(tapped, later: { [weak self] in self?.send(input) }) { return !isOver }
    // It waits again.
    if case .action(let run) = input { shared.withLock { _ in run.stage = .queued } }
    return false
  }
}
