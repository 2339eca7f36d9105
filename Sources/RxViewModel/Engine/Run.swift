/// An accepted action: a number, a mode, and where somebody waits for it, a ticket.
@usableFromInline
struct Record<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let id: UInt64
  @usableFromInline let action: Action
  @usableFromInline let mode: ExecutionMode
  @usableFromInline let ticket: Ticket<State>?
  @usableFromInline var showsSpinner = false

  @inlinable
  init(id: UInt64, action: Action, mode: ExecutionMode, ticket: Ticket<State>?) {
    self.id = id
    self.action = action
    self.mode = mode
    self.ticket = ticket
  }

  /// Whether its end concerns anybody but the listeners.
  @inlinable
  var needsEnd: Bool { showsSpinner || ticket != nil }

  /// An earlier one of its batch has failed or been cancelled: it is not run.
  @inlinable
  var isDropped: Bool {
    guard let breach = ticket?.batch?.breach else { return false }
    return id > breach
  }
}

/// What an action was given at `execute` beyond itself. Most have none, and cost nothing for it.
@usableFromInline
final class Ticket<State: Sendable>: @unchecked Sendable {  // Sendable: the inbox's lock guards what varies.
  @usableFromInline let mode: ExecutionMode?
  @usableFromInline let batch: Batch?
  /// Who awaits the end, in `perform`.
  @usableFromInline var continuation: CheckedContinuation<State, any Error>?
  @usableFromInline var isCancelled = false

  @inlinable
  init(mode: ExecutionMode?, batch: Batch? = nil) {
    self.mode = mode
    self.batch = batch
  }
}

/// The actions of one `executeInSequence`.
@usableFromInline
final class Batch: @unchecked Sendable {  // Sendable: only the engine's drain touches it.
  /// The first of those that have failed or been cancelled: what is behind it is not run.
  @usableFromInline var breach: UInt64?

  @inlinable
  init() {}

  @inlinable
  func breaks(at id: UInt64) {
    breach = min(breach ?? id, id)
  }
}

/// An action that takes its time: its observable has been subscribed, or waits for that.
@usableFromInline
final class Run<Action: Sendable, State: Sendable>: @unchecked Sendable {  // Sendable: see each property.
  @usableFromInline typealias Mapper = StateMapper<State>

  // The drain's.
  @exclusivity(unchecked) @usableFromInline var record: Record<Action, State>
  @exclusivity(unchecked) @usableFromInline var hasStarted = false
  /// Its end is on the agenda.
  @exclusivity(unchecked) @usableFromInline var isEnding = false
  /// What its last mapper produced.
  @exclusivity(unchecked) @usableFromInline var lastState: State?
  /// Events that wait for earlier ordered actions.
  @exclusivity(unchecked) @usableFromInline var held = Queue<Event<Mapper>>()

  // Written by the drain under the inbox's lock.
  @exclusivity(unchecked) @usableFromInline var isOver = false
  @exclusivity(unchecked) @usableFromInline var effect: (any Disposable)?
  /// How many of its events are in the inbox.
  @exclusivity(unchecked) @usableFromInline var queued = 0

  @inlinable
  init(_ record: Record<Action, State>) {
    self.record = record
  }
}
