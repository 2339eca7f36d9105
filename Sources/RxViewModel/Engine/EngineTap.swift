/// Learns what an engine takes, in the order in which its driver takes it: a recorder, or the player of a recording.
///
/// An engine has a tap only if ``TapMaker`` was bound while the view model was made. The methods marked so run under the lock of the
/// inbox, and call no user code. The others run on the driver with no lock held.
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
  /// Returns whether the engine carries out a request to cancel. Under the lock.
  func request(isOwn: Bool) -> Bool
  /// Returns whether the driver handles the input now. If not, `later` sends the input again.
  func take(_ input: TappedInput, later: @escaping @Sendable () -> Void) -> Bool
  /// Returns whether the driver does its next step now, and counts it: a player may have requests that come first. A fold counts later.
  func arrive(counts: Bool) -> Bool
  func fold(_ state: Any)
  /// The running actions that a request ends, and those that no turn has taken.
  func cancel(_ running: [UInt64], _ queued: [TappedInput])
  func end(_ id: UInt64)
  /// The origin of what the effect of an action does; 0 stands for the turn itself.
  func origin(of id: UInt64) -> any WorkOrigin
}

/// An input of an engine, for its tap.
@usableFromInline
package enum TappedInput {
  case action(UInt64, Any, TappedMode?, batch: UInt64?)
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
  func inside<Result>(_ id: UInt64, _ body: () -> Result) -> Result {
    tap == nil ? body() : within(id, body)
  }

  @usableFromInline
  func within<Result>(_ id: UInt64, _ body: () -> Result) -> Result {
    Taps.$origin.withValue(tap!.origin(of: id), operation: body)
  }

  /// Whether the driver admits the run now. A request of the tap finds it.
  @usableFromInline
  func passesTap(admitting run: Run) -> Bool {
    machine.setAside(run, .admit)
    defer { machine.beginning = nil }
    return tap!.arrive(counts: true)
  }

  /// Whether the driver handles the input now. The tap calls user code, which may end the view model.
  @usableFromInline
  func passesTap(_ input: EngineInput<Action, State>) -> Bool {
    var (input, tapped) = (input, TappedInput.call)
    switch input {
    case .action(let id, let action):
      // A request to cancel one that waits finds its run.
      let run = ActionRun<Action, State>(action, id: id)
      (input, tapped) = (.run(run), run.tapped)
    case .run(let run):
      if run.stage != .queued { return true }
      tapped = run.tapped
    case .event(let run, let number):
      if run.stage == .over || inbox.withLock({ _ in !run.mail.has(number) }) { return true }
      tapped = .event(run.id)
    case .quiet(let run):
      if run.stage != .waiting { return true }
      tapped = .quiet(run.id)
    case .failure: tapped = .failure
    case .call: break
    case .resume(let screen): tapped = .resume(screen.number)
    case .pause(let screen): tapped = .pause(screen.number)
    }
    return tap!.take(tapped) { [weak self, input] in self?.send(input) } && !isCleared()
  }
}

extension EngineRun {
  var tapped: TappedInput {
    .action(id, action, mode.map { TappedMode(kind: $0.kind, lane: $0.lane?.name) }, batch: batch?.first)
  }
}

extension ScreenID {
  var number: UInt64 { if case .bound(let number) = self { number } else { 0 } }

  init(_ number: UInt64) { self = number == 0 ? .own : .bound(number) }
}
