extension TestStore {
  /// Calls `body`, and requires meanwhile what another exhaustivity requires.
  ///
  ///     try store.exhaustivity(.off) { try store.send(.load) { $0.items = [1] } }
  ///
  /// The test must have asserted what has happened before; otherwise this throws a ``TestFailure`` before it calls `body`. At the end of
  /// `body` it must have asserted what has happened in it, as far as `exhaustivity` requires that. The test may assert the other ends,
  /// routes and events of `body` afterwards, and need not. The steps that follow change the state at the end of `body`.
  public func exhaustivity<Result>(
    _ exhaustivity: Exhaustivity, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
  ) throws -> Result {
    let (place, outer) = (Place(file: file, line: line), self.exhaustivity)
    try enter(exhaustivity, place)
    do {
      let result = try body()
      try enter(outer, place)
      return result
    } catch {
      self.exhaustivity = outer
      throw error
    }
  }

  /// Calls an asynchronous `body`, and requires meanwhile what another exhaustivity requires. Otherwise like the synchronous form.
  public func exhaustivity<Result>(
    _ exhaustivity: Exhaustivity, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line, _ body: () async throws -> Result
  ) async throws -> Result {
    let (place, outer) = (Place(file: file, line: line), self.exhaustivity)
    try enter(exhaustivity, place)
    do {
      let result = try await body()
      try enter(outer, place)
      return result
    } catch {
      self.exhaustivity = outer
      throw error
    }
  }

  /// Requires that the test has asserted everything so far. From then on, requires what `next` requires.
  private func enter(_ next: Exhaustivity, _ place: Place) throws {
    try failing { try checkNothingIsLeft(place) }
    change(to: next)
  }
}
