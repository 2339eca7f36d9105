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

  func checkNothingIsLeft(_ place: Place, changes: Bool = true, occurrencesBefore limit: Int = .max) throws {
    let left = leftovers(changes: changes, occurrencesBefore: limit)
    if !left.isEmpty { throw TestFailure(unasserted: left, place) }
  }

  /// The lines of each change, and of each occurrence before `limit`, that the test has to assert, and has not asserted.
  func leftovers(changes: Bool = true, occurrencesBefore limit: Int = .max) -> [[String]] {
    let occurrences = log.occurrences.filter { $0.number < limit && isRequired($0) }.map { ["  \(text(of: $0))"] }
    return occurrences + (changes && !exhaustivity.isOff ? describe(log.changes, after: asserted) : [])
  }

  func isRequired(_ occurrence: StoreLog<Action, State>.Occurrence) -> Bool {
    if occurrence.isWaived || exhaustivity.isOff { return occurrence.isRefusal }
    let ignored = exhaustivity.ignored
    if case .loading = occurrence.kind { return exhaustivity.included.contains(.loading) }
    return
      !(ignored.contains(.superseded) && occurrence.isSuperseded || ignored.contains(.dropped) && occurrence.isDropped)
  }

  private func text(of occurrence: StoreLog<Action, State>.Occurrence) -> String {
    "\(occurrence)\(suffix(occurrence.moment))"
  }

  private func suffix(_ moment: StoreLog<Action, State>.Moment?) -> String {
    moment.map { " (\($0))" } ?? " (before the first call of the store)"
  }

  private func describe(_ changes: [StoreLog<Action, State>.Change], after first: State) -> [[String]] {
    zip([first] + changes.map(\.state), changes).map { before, change in
      if before == change.state { return ["  a fold changed nothing\(suffix(change.moment))"] }
      return ["  the state changed\(suffix(change.moment)), - before, + after:"] + differences(before, change.state)
    }
  }

  /// Requires what `next` requires from now on, and no more than now of what has happened so far.
  func change(to next: Exhaustivity) {
    log.waiveOccurrences()
    _ = log.takeChanges()
    (asserted, overdue, hasSettled) = (state, log.count, false)
    exhaustivity = next
    log.include(next.included)
  }

  // MARK: Steps

  /// Compares the steps with the changes before the next route that the test has to assert. Those behind it are left for the next call.
  func check(_ steps: [Step], _ place: Place) throws {
    let route = log.occurrences.first { $0.isRoute && isRequired($0) }
    let changes = log.takeChanges(before: route?.number ?? .max)
    let before = asserted
    (asserted, overdue, hasSettled) = (changes.last?.state ?? asserted, log.changes.first?.number ?? log.count, false)
    if exhaustivity.isOff {
      try checkThatStateFits(steps, place)
    } else {
      try check(steps, against: changes, after: before, before: route, place)
    }
  }

  private func check(
    _ steps: [Step], against changes: [StoreLog<Action, State>.Change], after first: State,
    before route: StoreLog<Action, State>.Occurrence?, _ place: Place
  ) throws {
    func changeCount(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }
    var before = first
    for (index, step) in steps.enumerated() {
      var expected = before
      try step(&expected)
      if expected == before, !exhaustivity.included.contains(.unchanged) {
        throw TestFailure("Step \(index + 1) of \(steps.count) changes nothing", place)
      }
      guard index < changes.count else {
        if let route, let change = log.changes.first { throw outOfOrder(route, change, after: before, place) }
        throw TestFailure(
          "\(changeCount(steps.count - changes.count)) fewer than expected (- expected, + actual)", place,
          differences(expected, before))
      }
      if expected != changes[index].state {
        let difference = differences(expected, changes[index].state)
        if steps.count < changes.count {
          throw TestFailure(
            "Change \(index + 1) of \(changes.count) is not the expected one (- expected, + actual)", place,
            difference + list(changes, after: first))
        }
        let step = steps.count > 1 ? " after step \(index + 1) of \(steps.count)" : ""
        throw TestFailure("The state\(step) is not the expected one (- expected, + actual)", place, difference)
      }
      before = expected
    }
    if changes.count > steps.count {
      let more = changes[steps.count...].map(\.state)
      throw TestFailure(
        "\(changeCount(more.count)) more than expected (- before, + after)", place,
        zip([before] + more, more).flatMap { $0 == $1 ? ["  a fold changed nothing"] : differences($0, $1) }
          + (route.map { ["  behind it: \(text(of: $0))"] } ?? []))
    }
  }

  /// The changes of a call with fewer steps, at most ten.
  private func list(_ changes: [StoreLog<Action, State>.Change], after first: State) -> [String] {
    let lines = describe(changes, after: first).prefix(10).enumerated().flatMap { index, lines in
      ["Change \(index + 1) of \(changes.count):"] + lines
    }
    return lines + (changes.count > 10 ? ["… and \(changes.count - 10) more changes"] : [])
  }

  /// A route and a change that the test asserts in the other order.
  private func outOfOrder(
    _ route: StoreLog<Action, State>.Occurrence, _ change: StoreLog<Action, State>.Change, after before: State,
    _ place: Place
  ) -> TestFailure {
    let isRouteFirst = route.number < change.number
    let (routeLines, changeLines) = (["  \(text(of: route))"], describe([change], after: before).flatMap { $0 })
    return TestFailure(
      isRouteFirst
        ? "The route came before the change. Assert it first, and the change then with a step of advance"
        : "The change came before the route. Assert it first, with a step of advance",
      place, isRouteFirst ? routeLines + changeLines : changeLines + routeLines)
  }

  private func checkThatStateFits(_ steps: [Step], _ place: Place) throws {
    let actual = state
    for step in steps {
      var expected = actual
      try step(&expected)
      if expected == actual { continue }
      throw TestFailure(
        "The state is not the expected one (- expected, + actual)", place, differences(expected, actual))
    }
  }

  // MARK: Ends, routes and events

  /// Asserts the next occurrence of a recorded stream or, without one, the next of the others. Those that the test need not assert are
  /// skipped.
  ///
  /// - Parameter noun: The kind of event that the test asserts: an end, a route.
  func expect(
    _ noun: String, _ expected: String, _ error: (any Error)?, _ place: Place, of stream: RecordedStream? = nil,
    _ matches: (StoreLog<Action, State>.Occurrence) -> Bool
  ) throws {
    try failing {
      let occurrences = log.occurrences.filter { $0.stream == stream }
      let next = occurrences.firstIndex(where: isRequired)
      let candidates = occurrences.prefix(next.map { $0 + 1 } ?? occurrences.count)
      if let index = candidates.firstIndex(where: matches) {
        let occurrence = candidates[index]
        if occurrence.isRoute, !occurrence.isWaived, !exhaustivity.isOff, let change = log.changes.first,
          change.number < occurrence.number
        {
          throw outOfOrder(occurrence, change, after: asserted, place)
        }
        return log.removeOccurrences(Set(candidates[...index].map(\.number)))
      }
      guard let next else { throw TestFailure("There is no such \(noun)", place, ["- \(expected)"]) }
      let actual = occurrences[next]
      throw TestFailure(
        "The \(noun) is not the expected one (- expected, + actual)", place,
        ["- \(expected)", "+ \(text(of: actual))"] + hiddenDifferences(error, actual.error))
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
  /// - Parameter leftovers: The lines of each thing that the test has not asserted.
  init(unasserted leftovers: [[String]], _ place: Place) {
    let count = leftovers.count == 1 ? "an event" : "\(leftovers.count) events"
    self.init("The test did not assert \(count)", place, leftovers.flatMap { $0 })
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
