import RxViewModel

// The assertions after a call: ends, routes and loading, in the order in which they happened. None of these calls runs work.

extension TestStore {
  /// Asserts the next end that the test must assert.
  ///
  /// Without exhaustivity this skips the ends and routes before it.
  public func expect(_ end: End, file: StaticString = #fileID, line: UInt = #line) throws {
    try expect("end", end.description, end.error, Place(file: file, line: line)) { occurrence in
      occurrence.end?.end.isEqual(to: end) ?? false
    }
  }

  /// Asserts the next end that the test must assert, and its action.
  public func expect(
    _ end: End, of action: Action, file: StaticString = #fileID, line: UInt = #line
  ) throws where Action: Equatable {
    try expect("end", "\(logText(of: action)): \(end)", end.error, Place(file: file, line: line)) { occurrence in
      guard let (other, ended) = occurrence.end else { return false }
      return other.isEqual(to: end) && ended == action
    }
  }

  /// Asserts the next route that the test must assert, after the steps for the changes that came before it.
  ///
  /// Without exhaustivity this skips the ends and routes before it.
  public func expect<Route: Sendable & Equatable>(
    route: Route, file: StaticString = #fileID, line: UInt = #line
  ) throws {
    let place = Place(file: file, line: line)
    try checkRouteType(Route.self, place)
    try expect("route", "route \(logText(of: route))", nil, place) { occurrence in
      if case .route(let other) = occurrence.kind { other as? Route == route } else { false }
    }
  }

  /// Asserts the next route that the test must assert, by a condition: for a route that holds a `Reply`, which equals only itself.
  ///
  ///     try store.expect(route: AppRoute.self) { if case .edit = $0 { true } else { false } }
  ///
  /// Without exhaustivity this skips the ends and routes before it.
  public func expect<Route: Sendable>(
    route type: Route.Type, file: StaticString = #fileID, line: UInt = #line, _ matches: (Route) -> Bool
  ) throws {
    let place = Place(file: file, line: line)
    try checkRouteType(type, place)
    try expect("route", "a route that fits", nil, place) { occurrence in
      if case .route(let route) = occurrence.kind { (route as? Route).map(matches) ?? false } else { false }
    }
  }

  /// Asserts the next begin or end of loading, with an exhaustivity that includes ``Exhaustivity/Included/loading``.
  ///
  /// Loading is that of `isLoadingObservable`: a started action with `showSpinner` is unfinished. The begin comes before the action's
  /// changes, routes and end, and the end of loading after them.
  public func expect(isLoading: Bool, file: StaticString = #fileID, line: UInt = #line) throws {
    let place = Place(file: file, line: line)
    guard log.included.contains(.loading) else {
      throw TestFailure("The store does not record loading: write exhaustivity: .on(including: .loading)", place)
    }
    try expect("change of loading", "isLoading: \(isLoading)", nil, place) { occurrence in
      if case .loading(let other) = occurrence.kind { other == isLoading } else { false }
    }
  }
}
