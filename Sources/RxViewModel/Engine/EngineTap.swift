/// Learns what an engine takes, in the order in which its driver takes it: a recorder, or the player of a recording.
///
/// An engine has a tap only if `Taps.maker` was bound while the view model was made. The driver calls the methods of the first group with
/// no lock held. The methods of the second group run under the lock of the engine, and call no user code.
@usableFromInline
package protocol EngineTap: AnyObject, Sendable {
  /// This object, if it plays a recording.
  var player: (any EnginePlayer)? { get }
  /// Returns the initial state: called once before the sources are followed, and once after that. A player returns the recorded state.
  func open<State: Sendable>(_ state: State, isFollowed: Bool) -> State
  func close()
  func fold<State: Sendable>(_ state: State)
  /// The events that an effect has sent so far have been handled, or are handled now. Called if they may not have been taken as inputs.
  /// Also called under the lock of the engine.
  func forward(_ id: UInt64)
  func end(_ id: UInt64)
  /// The actions of a batch that come after this one will be dropped.
  func stop(_ batch: UInt64, at id: UInt64)
  /// The origin of what the effect of an action does; 0 stands for the turn itself.
  func origin(of id: UInt64) -> any WorkOrigin

  /// An action has been accepted on this thread.
  func accept(_ id: UInt64)
  /// An effect has sent an event on this thread, which is not the driver's.
  func send(_ id: UInt64)
  /// The driver takes an input, in this state, a ``Box``.
  func take(_ input: TappedInput, in state: AnyObject)
  /// Nothing is left to do, in this state, a ``Box``.
  func rest(in state: AnyObject)
  /// Running actions are to be cancelled, after the driver has looked this often; nil if the driver itself cancels them. Returns whether
  /// they are cancelled.
  func cancel(_ running: [UInt64], after looks: Int?) -> Bool
}

/// Decides when an engine takes its inputs. The engine calls it under its lock.
@usableFromInline
package protocol EnginePlayer: AnyObject, Sendable {
  /// Whether no mapper is called and the state stays, because the player is beginning the unfinished actions of a recording again. The
  /// driver reads this without the lock.
  var isFrozen: Bool { get }
  /// Whether an input waits until the player releases it.
  func parks(_ input: TappedInput) -> Bool
  /// The actions to cancel now, if there are any.
  func cancelled(after looks: Int) -> Set<UInt64>?
}

/// An input of an engine, for its tap.
@usableFromInline
package enum TappedInput {
  /// An action, its mode if it was executed with one, its batch, whether it is cancelled, and whether its batch has been stopped.
  case action(UInt64, any Sendable, ExecutionMode?, UInt64?, Bool, Bool)
  /// Something else, with the number of its action or screen, or 0 if it has none.
  case other(Kind, UInt64)

  @usableFromInline
  package enum Kind: String { case event, quiet, resume, pause, failure, call }
}

/// Makes the tap of an engine, from the types of its actions and states. A type of its own: in an optimized build, the runtime may not know
/// the type of the closure, and a task-local traps.
package struct TapMaker: Sendable {
  let make: @Sendable (Any.Type, Any.Type) -> (any EngineTap)?

  package init(_ make: @escaping @Sendable (Any.Type, Any.Type) -> (any EngineTap)?) { self.make = make }
}

extension Taps {
  /// Makes the taps of the engines that are made in its context.
  @TaskLocal package static var maker: TapMaker?
}

@usableFromInline
func makeTap(_ action: Any.Type, _ state: Any.Type) -> (any EngineTap)? { Taps.maker?.make(action, state) }

extension Engine {
  /// Calls `body` in the context of an action's effect.
  @inline(__always)
  @inlinable
  func attributing<Result>(to id: UInt64, _ body: () -> Result) -> Result {
    tap == nil && !isVirtual ? body() : withOrigin(of: id, body)
  }

  @usableFromInline
  func withOrigin<Result>(of id: UInt64, _ body: () -> Result) -> Result {
    guard let tap else { return named(id, body) }
    return Taps.$origin.withValue(tap.origin(of: id)) { named(id, body) }
  }

  private func named<Result>(_ id: UInt64, _ body: () -> Result) -> Result {
    guard isVirtual, id > 0 else { return body() }
    let action = EffectAction { [weak viewModel] in viewModel?.unfinishedAction(id) }
    return EffectTasks.$action.withValue(action, operation: body)
  }

  /// The driver checks whether something has been cancelled. Under the lock.
  @usableFromInline
  func look(_ shared: inout Shared) {
    let ids = tap!.player?.cancelled(after: looks)
    if let ids { for run in shared.runs where ids.contains(run.id) { shared.interrupt(run, as: .cancelled) } }
    looks += 1
  }

  /// The driver takes an input. Under the lock.
  @inline(__always)
  @inlinable
  func note(_ input: @autoclosure () -> EngineInput<Action, State>) {
    guard let tap else { return }
    looks = 0
    tap.take(input().tapped, in: current!)
  }
}

extension EngineInput {
  @inlinable
  var tapped: TappedInput {
    switch self {
    case .action(let run): .action(run.id, run.action, run.mode, run.batch?.first, !run.isUnfinished, run.isDropped)
    case .event(let run, _): .other(.event, run.id)
    case .quiet(let run): .other(.quiet, run.id)
    // With a tap there are no plain inputs.
    case .plain, .failure: .other(.failure, 0)
    case .call: .other(.call, 0)
    case .resume(let screen): .other(.resume, screen)
    case .pause(let screen): .other(.pause, screen)
    }
  }
}
