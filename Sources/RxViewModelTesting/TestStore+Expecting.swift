import RxViewModel

// The assertions, in the order in which everything has happened. None of these calls runs work.

extension TestStore {
  /// Asserts that the state changes next.
  ///
  ///     try store.send(.load) { $0.isBusy = true }
  ///     try store.expect { $0.items = [1] }
  ///
  /// Your closure changes the previous state into the one that you expect. With exhaustivity off, it gets the current state instead, so
  /// every value that it sets has to be there already. After a part with exhaustivity off, it may assert a change of that part: if no
  /// change that you have to assert fits, it is called for each of those.
  public func expect(file: StaticString = #fileID, line: UInt = #line, _ change: Change) throws {
    try expect(Place(file: file, line: line), change)
  }

  func expect(_ place: Place, _ change: Change) throws {
    let exhaustivity = log.exhaustivity
    let entries = exhaustivity.isOff ? [] : log.entries
    // What a part without exhaustivity has left.
    let others = entries.prefix { !$0.isRequired }.filter { $0.change != nil }
    let candidates = entries.filter(\.isRequired).prefix(1) + others
    let next = others.isEmpty ? candidates.first : try candidates.first { try fits($0, change) } ?? candidates.first
    if let next, next.change == nil { throw another(next, "a change of the state", nil, place) }
    let (before, after) = next?.change ?? (state, state)
    var expected = before
    try change(&expected)
    if expected == before, !exhaustivity.isOff, !exhaustivity.included.contains(.unchanged) {
      throw failure("The closure changes nothing", place)
    }
    if let next {
      log.removeEntries(through: next)
    } else if !exhaustivity.isOff {
      let lines = expected == after ? [] : differences(expected, after)
      throw failure("The state has not changed (- expected, + actual)", place, lines)
    }
    if expected == after { return }
    let rest = leftovers()
    throw failure(
      "The state is not the expected one (- expected, + actual)", place,
      differences(expected, after) + (rest.isEmpty ? [] : ["after it:"] + rest.prefix(10).flatMap { $0 }))
  }

  private func fits(_ entry: StoreLog<Action, State>.Entry, _ change: Change) throws -> Bool {
    guard let (before, after) = entry.change else { return false }
    var expected = before
    try change(&expected)
    return expected == after
  }

  /// Asserts that an action ends next: that it fails, is cancelled, or is dropped.
  public func expect(_ end: End, file: StaticString = #fileID, line: UInt = #line) throws {
    try expect("\(end)", end.error, Place(file: file, line: line)) { kind in
      if case .end(let other, _, _) = kind { other.isEqual(to: end) } else { false }
    }
  }

  /// Asserts that this action ends next.
  public func expect(
    _ end: End, of action: Action, file: StaticString = #fileID, line: UInt = #line
  ) throws where Action: Equatable {
    try expect("\(logText(of: action)): \(end)", end.error, Place(file: file, line: line)) { kind in
      if case .end(let other, let ended, _) = kind { other.isEqual(to: end) && ended == action } else { false }
    }
  }

  /// Asserts that the view model navigates next.
  public func expect<Route: Sendable & Equatable>(
    route: Route, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    try expect("route \(logText(of: route))", Place(file: file, line: line)) { $0 == route }
  }

  /// Asserts the next route by a condition. Use it for a route that holds a `Reply`, because a reply equals only itself.
  ///
  ///     try store.expect(route: AppRoute.self) { if case .edit = $0 { true } else { false } }
  public func expect<Route: Sendable>(
    route type: Route.Type, file: StaticString = #fileID, line: UInt = #line, _ matches: (Route) -> Bool
  ) throws {
    try expect("a matching route", Place(file: file, line: line), matches)
  }

  private func expect<Route: Sendable>(_ expected: String, _ place: Place, _ matches: (Route) -> Bool) throws {
    if !hasNavigator {
      throw failure("The store has no navigator: write withTestStore(viewModel, navigator: navigator)", place)
    }
    try expect(expected, nil, place) { kind in
      if case .route(let route) = kind { (route as? Route).map(matches) ?? false } else { false }
    }
  }

  /// Asserts that loading begins or ends next.
  ///
  /// This is the loading of `isLoadingObservable`: it lasts while an action with `showSpinner` has started and not ended. It begins before
  /// the changes, routes and end of the action, and ends after them. You may assert it; with ``Exhaustivity/Included/loading`` you have to.
  public func expect(isLoading: Bool, file: StaticString = #fileID, line: UInt = #line) throws {
    try expect("isLoading: \(isLoading)", nil, Place(file: file, line: line)) { kind in
      if case .loading(let other) = kind { other == isLoading } else { false }
    }
  }

  /// Asserts that a recorded stream sends this element next.
  public func expect<Element: Sendable & Equatable>(
    _ events: RecordedEvents<Element>, _ element: Element, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    try expect("\(logText(of: element)) of \(events)", events, Place(file: file, line: line)) { $0 == element }
  }

  /// Asserts the next element of a recorded stream by a condition.
  public func expect<Element: Sendable>(
    _ events: RecordedEvents<Element>, file: StaticString = #fileID, line: UInt = #line, _ matches: (Element) -> Bool
  ) throws {
    try expect("a matching event of \(events)", events, Place(file: file, line: line), matches)
  }

  private func expect<Element: Sendable>(
    _ expected: String, _ events: RecordedEvents<Element>, _ place: Place, _ matches: (Element) -> Bool
  ) throws {
    try expect(expected, nil, place) { kind in
      guard case .sent(.next(let element), let stream) = kind, stream === events else { return false }
      return (element as? Element).map(matches) ?? false
    }
  }

  // MARK: What is left

  /// Asserts the next entry that the test has to assert, or one before it that it need not assert.
  private func expect(
    _ expected: String, _ error: (any Error)?, _ place: Place, _ matches: (StoreLog<Action, State>.Kind) -> Bool
  ) throws {
    let entries = log.entries
    let next = entries.first(where: \.isRequired)
    let candidates = next.map { next in entries.prefix { $0.number <= next.number } } ?? entries[...]
    if let entry = candidates.first(where: { matches($0.kind) }) { return log.removeEntries(through: entry) }
    if let next { throw another(next, expected, error, place) }
    throw failure("There is no such event", place, ["- \(expected)"])
  }

  private func another(
    _ next: StoreLog<Action, State>.Entry, _ expected: String, _ error: (any Error)?, _ place: Place
  ) -> TestFailure {
    var lines = log.lines(of: next)
    lines[0] = "+ \(lines[0])"
    return failure(
      "The next event is a different one (- expected, + actual)", place,
      ["- \(expected)"] + lines + hiddenDifferences(error, next.kind.error))
  }

  func requireNothingIsLeft(_ place: Place) throws {
    let left = leftovers()
    if left.isEmpty { return }
    let count = left.count == 1 ? "an event" : "\(left.count) events"
    throw failure("The test did not assert \(count)", place, left.flatMap { $0 })
  }

  /// The lines of each entry that the test has to assert, and has not asserted.
  private func leftovers() -> [[String]] {
    log.entries.filter(\.isRequired).map { entry in
      let lines = log.lines(of: entry)
      return ["  \(lines[0])"] + lines.dropFirst()
    }
  }
}

// MARK: A part of a test

extension TestStore {
  /// Calls `body` with another exhaustivity than the rest of the test.
  ///
  ///     try store.exhaustivity(.off) { try store.send(.load) { $0.items = [1] } }
  ///
  /// Before this call, you must have asserted what has happened so far. At the end of `body`, you must have asserted what has happened in
  /// it, as far as `exhaustivity` requires that. You may assert the rest right after this call.
  public func exhaustivity<Result>(
    _ exhaustivity: Exhaustivity, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
  ) throws -> Result {
    let (place, outer) = (Place(file: file, line: line), log.exhaustivity)
    try requireNothingIsLeft(place)
    log.exhaustivity = exhaustivity
    defer { log.exhaustivity = outer }
    let result = try body()
    try requireNothingIsLeft(place)
    return result
  }

  /// Calls an asynchronous `body` with another exhaustivity. Otherwise like the synchronous form.
  public func exhaustivity<Result>(
    _ exhaustivity: Exhaustivity, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line, _ body: () async throws -> Result
  ) async throws -> Result {
    let (place, outer) = (Place(file: file, line: line), log.exhaustivity)
    try requireNothingIsLeft(place)
    log.exhaustivity = exhaustivity
    defer { log.exhaustivity = outer }
    let result = try await body()
    try requireNothingIsLeft(place)
    return result
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
