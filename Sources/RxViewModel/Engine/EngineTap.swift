/// Learns what an engine takes, in the order in which its driver takes it. One that plays a recording also decides: when an input is
/// taken, what cancels, and with which state the view model begins.
///
/// An engine has a tap only if `Taps.maker` was bound while the view model was made. The driver calls the methods of the first group with
/// no lock held, and `handle` also under its locks. The methods of the second group run under a lock of the engine, and call no user code.
@usableFromInline
package protocol EngineTap: AnyObject, Sendable {
  /// Returns the state with which the view model begins.
  func open<State: Sendable>(_ initial: State) -> State
  func close()
  /// A mapper is about to be called. A player may cancel actions.
  func willFold()
  func fold<State: Sendable>(_ state: State)
  /// An action begins to wait in its lane.
  func wait(_ id: UInt64, _ cause: ExecutionCause)
  func start(_ id: UInt64, _ cause: ExecutionCause?)
  func end(_ id: UInt64, _ outcome: Outcome)
  /// The driver handles an event of an effect that is no input, because it has arrived inside the view model's own work.
  func handle(_ id: UInt64)
  /// The origin of what the effect or the debounce of an action does; 0 stands for the turn itself.
  func origin(of id: UInt64) -> any WorkOrigin

  /// An action has been accepted on this thread.
  func accept(_ id: UInt64)
  /// Whether an input waits until a player releases it.
  func parks(_ input: () -> TappedInput) -> Bool
  /// The driver takes an input, in this state, a ``Box``, after so many states.
  func take(_ input: TappedInput, in state: any AnyObject & Sendable, after states: UInt64)
  /// Something cancels actions that the driver has taken, or only others if there are none here: inside the view model's own work, or
  /// elsewhere, after so many states if the driver is at work. Returns whether it may.
  func cancel(_ ids: [UInt64], isInside: Bool, after states: UInt64?) -> Bool
  /// Nothing is left to do, in this state, a ``Box``.
  func rest(in state: any AnyObject & Sendable)
}

/// An input of an engine, for its tap.
@usableFromInline
package enum TappedInput {
  /// An action, its mode if it was executed with one, its batch, and whether it has been cancelled already.
  case action(UInt64, any Sendable, ExecutionMode?, UInt64?, isOver: Bool)
  /// What an effect, or the debounce of an action, has sent; 0 stands for an output of a feature, an error that belongs to no action, or a
  /// flush by the view model's own work.
  case event(UInt64)
  /// A flush of the lane with this name, from elsewhere.
  case flush(String)
  case resume(UInt64)
  case pause(UInt64)
}

/// Makes the tap of an engine, from the types of its actions and states. A type of its own: in an optimized build, the runtime may not know
/// the type of the closure, and a task-local traps.
package struct TapMaker: Sendable {
  let make: @Sendable (Any.Type, Any.Type) -> (any EngineTap)?
  /// Whether a test draws its run. A recorder in there records nothing.
  package let draws: Bool

  package init(draws: Bool = false, _ make: @escaping @Sendable (Any.Type, Any.Type) -> (any EngineTap)?) {
    (self.draws, self.make) = (draws, make)
  }
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
    Taps.$origin.withValue(tap?.origin(of: id) ?? Taps.origin) {
      if !isVirtual || id == 0 { return body() }
      let action = EffectAction { [weak viewModel] in viewModel?.unfinishedAction(id) }
      return EffectTasks.$action.withValue(action, operation: body)
    }
  }
}

extension EngineInput {
  @inlinable
  var tapped: TappedInput {
    switch self {
    case .action(let run):
      .action(run.id, run.action, run.mode, run.batch?.first, isOver: !run.isUnfinished)
    case .event(let run, _), .quiet(let run): .event(run.id)
    // With a tap there are no plain inputs.
    case .plain, .failure, .call, .flush(_, isOwn: true): .event(0)
    case .flush(let lane, isOwn: false): .flush(lane.name)
    case .resume(let screen): .resume(screen)
    case .pause(let screen): .pause(screen)
    }
  }
}
