extension TestStore {
  /// Calls `body`, and requires meanwhile what another exhaustivity requires.
  ///
  ///     try store.exhaustivity(.off) { try store.send(.load) { $0.items = [1] } }
  ///
  /// What has happened before must have been named; otherwise this throws a ``TestFailure`` before it calls `body`. So must be, at the end
  /// of `body`, what has happened in it, as far as `exhaustivity` requires that. The rest of it needs no name afterwards.
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

  /// Requires that everything has been named, and forgets what needed no name. From then on, requires what `next` requires.
  private func enter(_ next: Exhaustivity, _ place: Place) throws {
    try failing { try checkNothingIsLeft(place, changes: true, occurrences: .max) }
    forget()
    exhaustivity = next
  }
}
