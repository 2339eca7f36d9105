import RxViewModel

extension TestStore {
  /// Notes the call, for the texts of failures, and that the store has thrown if it fails.
  func running<Result>(_ call: StaticString, _ place: Place, _ body: () throws -> Result) throws -> Result {
    begin(call, place)
    defer { log.endCall() }
    return try failing(body)
  }

  func begin(_ call: StaticString, _ place: Place) {
    if duty == .done { duty = .finish }
    log.begin(call, place)
  }

  /// Notes that the store has thrown an error.
  func failing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      duty = .failed
      throw error
    }
  }

  func checkNothingIsLeft(_ place: Place, changes: Bool, occurrences: Int) throws {
    let left = leftovers(changes: changes, occurrences: occurrences)
    if !left.isEmpty { throw TestFailure(unnamed: left, place) }
  }

  /// The lines of each change and of each end or route that the test has to name, and has not named.
  func leftovers(changes: Bool = true, occurrences: Int = .max) -> [[String]] {
    let changes = changes && !exhaustivity.isOff
    let unnamed = log.occurrences.prefix(occurrences).filter(isRequired).map { ["  \($0)\(suffix($0.moment))"] }
    return unnamed + (changes ? describe(log.changes) : [])
  }

  private func isRequired(_ occurrence: StoreLog<Action, State>.Occurrence) -> Bool {
    if exhaustivity.isOff { return occurrence.isRefused }
    return !(exhaustivity.ignoresSuperseded && occurrence.isSuperseded)
  }

  private func suffix(_ moment: StoreLog<Action, State>.Moment?) -> String {
    moment.map { " (\($0))" } ?? " (before the first call of the store)"
  }

  private func describe(_ changes: [StoreLog<Action, State>.Change]) -> [[String]] {
    zip([asserted] + changes.map(\.state), changes).map { before, change in
      ["  the state changed\(suffix(change.moment)), - before, + after:"] + differences(before, change.state)
    }
  }

  /// Forgets what has happened so far.
  func forget() {
    _ = log.takeChanges()
    let count = log.occurrences.count
    if count > 0 { log.removeOccurrences(through: count - 1) }
    (asserted, overdueCount, hasSettled) = (state, 0, false)
  }

  // MARK: Steps

  func check(_ steps: [Step], _ place: Place) throws {
    let changes = log.takeChanges().map(\.state)
    let before = asserted
    (asserted, overdueCount, hasSettled) = (state, log.occurrences.count, false)
    if exhaustivity.isOff {
      try checkThatStateFits(steps, place)
    } else {
      try check(steps, against: changes, after: before, place)
    }
  }

  private func check(_ steps: [Step], against changes: [State], after before: State, _ place: Place) throws {
    func changeCount(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }
    var before = before
    for (index, step) in steps.enumerated() {
      var expected = before
      try step(&expected)
      if expected == before { throw TestFailure("Step \(index + 1) of \(steps.count) changes nothing", place) }
      guard index < changes.count else {
        throw TestFailure(
          "\(changeCount(steps.count - changes.count)) fewer than expected (- expected, + actual)", place,
          differences(expected, before))
      }
      try compare(expected, changes[index], steps.count > 1 ? " after step \(index + 1) of \(steps.count)" : "", place)
      before = expected
    }
    if changes.count > steps.count {
      let more = changes[steps.count...]
      throw TestFailure(
        "\(changeCount(more.count)) more than expected (- before, + after)", place,
        zip([before] + more, more).flatMap { differences($0, $1) })
    }
  }

  private func checkThatStateFits(_ steps: [Step], _ place: Place) throws {
    let actual = state
    for step in steps {
      var expected = actual
      try step(&expected)
      try compare(expected, actual, "", place)
    }
  }

  private func compare(_ expected: State, _ actual: State, _ step: String, _ place: Place) throws {
    if expected == actual { return }
    throw TestFailure(
      "The state\(step) is not the expected one (- expected, + actual)", place, differences(expected, actual))
  }

  // MARK: Ends and routes

  /// Names the next end or route. Those that need no name are skipped.
  ///
  /// - Parameter noun: What the test names: an end, or a route.
  func expect(
    _ noun: String, _ expected: String, _ error: (any Error)?, _ place: Place,
    _ matches: (StoreLog<Action, State>.Occurrence) -> Bool
  ) throws {
    try failing {
      let occurrences = log.occurrences
      let next = occurrences.firstIndex(where: isRequired)
      let candidates = occurrences.prefix(next.map { $0 + 1 } ?? occurrences.count)
      if let index = candidates.firstIndex(where: matches) {
        log.removeOccurrences(through: index)
        overdueCount = max(overdueCount - index - 1, 0)
        return
      }
      guard let next else { throw TestFailure("There is no such \(noun)", place, ["- \(expected)"]) }
      let actual = occurrences[next]
      throw TestFailure(
        "The \(noun) is not the expected one (- expected, + actual)", place,
        ["- \(expected)", "+ \(actual)\(suffix(actual.moment))"] + hiddenDifferences(error, actual.error))
    }
  }

  func checkRouteType(_ type: any Sendable.Type, _ place: Place) throws {
    guard let routeType else {
      throw TestFailure("The store has no navigator: write TestStore(viewModel, navigator: navigator)", place)
    }
    if routeType != type {
      throw TestFailure("The navigator's routes are of the type \(routeType), not \(type)", place)
    }
  }
}

extension TestFailure {
  /// - Parameter leftovers: The lines of each thing that the test has not named.
  init(unnamed leftovers: [[String]], _ place: Place) {
    let count = leftovers.count == 1 ? "an event" : "\(leftovers.count) events"
    self.init("The test did not name \(count)", place, leftovers.flatMap { $0 })
  }
}

extension TestStore.End: CustomStringConvertible {
  public var description: String {
    switch self {
    case .failed(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    case .dropped: "dropped"
    case .refused: "refused, because its child is absent"
    }
  }

  var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  func isEqual(to other: Self) -> Bool {
    switch (self, other) {
    case (.failed(let left), .failed(let right)): areEqual(left, right)
    case (.cancelled, .cancelled), (.dropped, .dropped), (.refused, .refused): true
    default: false
    }
  }
}
