import RxViewModel

// The end of a test: nothing is left to assert, and no action is unfinished.

extension TestStore {
  /// Asserts that there is no unasserted change, end, route or event, and no unfinished action.
  ///
  /// An action counts as unfinished if its end needs work that has not run yet, even if that work is due now: call
  /// ``advance(by:file:line:_:)`` first. So does an action that begins during the last work and has not ended after it. With something
  /// unasserted, throws before it runs any work. Otherwise runs the work that is due now, even if it then throws. Without exhaustivity it
  /// asserts only that no child was absent.
  public func finish(file: StaticString = #fileID, line: UInt = #line) throws {
    try finishAll([self], Place(file: file, line: line))
  }

  /// Finishes this store and others, as ``finish(file:line:)`` does with one: for view models that work together.
  ///
  /// Asks each of them what is unfinished before it runs any work, and again after it.
  public func finish<each OtherAction, each OtherState>(
    also others: repeat TestStore<each OtherAction, each OtherState>, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    var stores: [any FinishingStore] = [self]
    repeat stores.append(each others)
    try finishAll(stores, Place(file: file, line: line))
  }

  /// Waits for effects in real time: runs the work that is due now, and yields, until no action is unfinished.
  ///
  /// The next call asserts the changes that the effects have made. No virtual time passes: for an effect that sleeps on the scheduler's
  /// clock, use ``advance(by:file:line:_:)``. After `timeout`, this throws a ``TestFailure`` that lists the unfinished actions. It waits
  /// longer on a busy machine, because it measures the time by counting its checks.
  public func settle(
    timeout: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    let place = Place(file: file, line: line)
    begin("settle", place)
    defer { log.endCall() }
    do {
      try await waitForEnds(timeout, place)
    } catch {
      duty = .failed
      throw error
    }
  }

  private func waitForEnds(
    _ timeout: Duration, _ place: Place, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let deadline = ContinuousClock.now + timeout
    var waited = Duration.zero
    var rounds = 0
    while true {
      hasSettled = true
      scheduler.advance()
      let unfinished = unfinishedActions()
      if unfinished.isEmpty { return }
      if waited >= timeout, .now > deadline {
        throw TestFailure("\(headline(unfinished)) within \(timeout)", place, unfinished)
      }
      rounds += 1
      if rounds < 100 {
        await Task.yield()
        try Task.checkCancellation()
      } else {
        try await Task.sleep(for: .milliseconds(1))
        waited += .milliseconds(1)
      }
    }
  }

  /// Why a store that is released now has been forgotten. Nil if nothing is unasserted or unfinished.
  func forgotten() -> TestFailure? {
    let lines = leftovers().flatMap { $0 } + (exhaustivity.isOff ? [] : unfinishedActions())
    if lines.isEmpty { return nil }
    let name = "A store of \(type(of: viewModel)) was released without finish()"
    let hint = "If another failure has ended the test, fix that one first: it has released the store early."
    return TestFailure("\(name), with something unasserted or unfinished. The store was made", origin, lines + [hint])
  }
}

/// The requirements of a store that is released.
enum StoreDuty {
  /// That nothing is unasserted or unfinished.
  case finish
  /// Nothing: `finish` has been called since the last call that runs work.
  case done
  /// Nothing: the test has failed.
  case failed
}

/// A store, whatever its action and state are.
protocol FinishingStore: AnyObject {
  var scheduler: TestScheduler { get }
  var exhaustivity: Exhaustivity { get }
  var duty: StoreDuty { get set }

  func begin(_ call: StaticString, _ place: TestFailure.Place)
  /// The lines of what the test has not asserted.
  func leftovers() -> [[String]]
  /// A line for each action that the view model has accepted and that has not ended.
  func unfinishedActions() -> [String]
}

extension TestStore: FinishingStore {
  func leftovers() -> [[String]] { leftovers(changes: true) }

  func unfinishedActions() -> [String] {
    guard let actions = viewModel.unfinishedActions else { return ["  the view model is at work on another thread"] }
    let started = log.started
    return actions.map { action in
      let mode = action.mode.map { " \($0)" } ?? ""
      let name = "#\(action.id) \(logText(of: action.action))\(mode)"
      if let time = started[action.id]?.time { return "  \(name): running since \(time)" }
      return "  \(name): \(action.hasStarted ? "running" : "not started")"
    }
  }
}

private func headline(_ unfinished: [String]) -> String {
  unfinished.count == 1 ? "1 action has not ended" : "\(unfinished.count) actions have not ended"
}

/// Throws if a store that is exhaustive has something unasserted or unfinished. Asks all stores before it runs any work, and after it.
func finishAll(_ stores: [any FinishingStore], _ place: TestFailure.Place) throws {
  func checkNothingIsLeft() throws {
    let left = stores.flatMap { $0.leftovers() }
    if !left.isEmpty { throw TestFailure(unasserted: left, place) }
  }
  let exhaustive = stores.filter { !$0.exhaustivity.isOff }
  do {
    try checkNothingIsLeft()
    var unfinished = exhaustive.flatMap { $0.unfinishedActions() }
    for store in exhaustive { store.begin("finish", place) }
    for store in exhaustive { store.scheduler.advance() }
    if unfinished.isEmpty { unfinished = exhaustive.flatMap { $0.unfinishedActions() } }
    if !unfinished.isEmpty { throw TestFailure(headline(unfinished), place, unfinished) }
    try checkNothingIsLeft()
    for store in stores where store.duty == .finish { store.duty = .done }
  } catch {
    for store in stores { store.duty = .failed }
    throw error
  }
}
