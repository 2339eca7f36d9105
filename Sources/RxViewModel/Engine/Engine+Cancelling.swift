// Cancelling single actions: `cancelActions(where:)`, and `perform` whose task is cancelled (contract 2.10, 2.11).

extension Engine {
  /// Asks for the cancellation of those actions accepted so far that match. The drain sees to it before it folds or begins
  /// anything else.
  @usableFromInline
  func cancel(where matches: @escaping @Sendable (Action, Ticket<State>?) -> Bool) {
    let needsTurn = inbox.withLock { inbox -> Bool in
      if inbox.isClosed { return false }
      inbox.cancellations.append(Cancellation(last: inbox.lastID, matches: matches))
      return inbox.needsTurn()
    }
    if needsTurn { schedule() }
  }

  /// An action that may have to be cancelled.
  struct Candidate {
    enum Place {
      case inbox
      case lane(ActionRun)
      case flight
    }

    let id: UInt64
    let action: Action
    let ticket: Ticket<State>?
    let place: Place
  }

  /// Ends the actions that match, in the order of their acceptance.
  @usableFromInline
  func cancelMatching() {
    while let cancellation = nextCancellation() {
      let matching = candidates(upTo: cancellation.last).filter { cancellation.matches($0.action, $0.ticket) }
      let queued = matching.filter { if case .inbox = $0.place { true } else { false } }
      // The predicate may have withdrawn some by a request of its own.
      let withdrawn = withdraw(Set(queued.map(\.id)))
      for candidate in matching { cancel(candidate, withdrawn) }
      lanes.purge()
    }
  }

  private func nextCancellation() -> Cancellation<Action, State>? {
    inbox.withLock { $0.cancellations.popFirst() }
  }

  private func candidates(upTo last: UInt64) -> [Candidate] {
    var all = inbox.withLock { inbox in
      inbox.inputs.elements.compactMap { input -> Candidate? in
        guard case .action(let id, let action, let ticket) = input else { return nil }
        return Candidate(id: id, action: action, ticket: ticket, place: .inbox)
      } + inbox.runs.values.map { Candidate($0) }
    }
    all += lanes.waiting.map { Candidate($0) }
    if flight != nil {
      let record = flight!.record
      all.append(Candidate(id: record.id, action: record.action, ticket: record.ticket, place: .flight))
    }
    return all.filter { $0.id <= last }.sorted { $0.id < $1.id }
  }

  /// Takes actions out of the inbox. Returns those that were there.
  private func withdraw(_ ids: Set<UInt64>) -> Set<UInt64> {
    if ids.isEmpty { return [] }
    var all: [Input<Action, State>] = []
    var withdrawn: Set<UInt64> = []
    inbox.withLock { inbox in
      all = inbox.inputs.elements
      inbox.inputs.removeAll { input in
        guard case .action(let id, _, _) = input, ids.contains(id) else { return false }
        withdrawn.insert(id)
        return true
      }
    }
    return withExtendedLifetime(all) { withdrawn }
  }

  private func cancel(_ candidate: Candidate, _ withdrawn: Set<UInt64>) {
    guard let host, !isCleared else { return }
    switch candidate.place {
    case .inbox:
      guard withdrawn.contains(candidate.id) else { return }
      let mode = candidate.ticket?.mode ?? host._withUnsafeGuaranteedRef { $0.executionMode(for: candidate.action) }
      let record = Record(id: candidate.id, action: candidate.action, mode: mode, ticket: candidate.ticket)
      end(record, .cancelled, hasStarted: false)
    case .lane(let run):
      end(run, .cancelled)
    case .flight:
      flight?.isCancelled = true
    }
  }
}

extension Engine.Candidate {
  init(_ run: Run<Action, State>) {
    self.init(id: run.record.id, action: run.record.action, ticket: run.record.ticket, place: .lane(run))
  }
}
