import RxViewModel

extension TestObserver where Element: Equatable {
  /// What is wrong with the recorded events, as text for a failing test; nil if they are the expected ones.
  ///
  ///     #expect(states.mismatch(with: .marbles("a--b|")) == nil)         // Swift Testing
  ///     XCTAssertNil(states.mismatch(with: .marbles("a--b|")))           // XCTest
  ///
  /// The first line says what kind of difference it is; the list below shows all events in order: `-` in front of those that were
  /// expected and have not come, `+` in front of those that have come and were not expected.
  public func mismatch(with expected: [Recorded<Element>]) -> String? {
    expected.mismatch(of: events)
  }
}

extension Array {
  fileprivate func mismatch<Value: Equatable>(of actual: [Recorded<Value>]) -> String?
  where Element == Recorded<Value> {
    let difference = actual.difference(from: self)
    if difference.isEmpty { return nil }
    var lines = map { "  \($0)" }
    for case .remove(let offset, let event, _) in difference.removals { lines[offset] = "- \(event)" }
    // Where the offset of an insertion counts the events that have come, a removed line is passed over.
    for case .insert(let offset, let event, _) in difference.insertions {
      var (index, come) = (0, 0)
      while index < lines.count, come < offset || lines[index].hasPrefix("-") {
        if !lines[index].hasPrefix("-") { come += 1 }
        index += 1
      }
      lines.insert("+ \(event)", at: index)
    }
    return ([headline(difference, actual)] + lines).joined(separator: "\n")
  }

  private func headline<Value: Equatable>(
    _ difference: CollectionDifference<Recorded<Value>>, _ actual: [Recorded<Value>]
  ) -> String where Element == Recorded<Value> {
    let (missing, extra) = (difference.removals.count, difference.insertions.count)
    func events(_ count: Int) -> String { count == 1 ? "1 event" : "\(count) events" }
    if extra == 0 { return "\(events(missing)) missing:" }
    if missing == 0 { return "\(events(extra)) too many:" }
    let (wanted, seen) = (map(\.atZero), actual.map(\.atZero))
    if wanted == seen { return "The right events at other times:" }
    var left = seen
    let haveAllCome = wanted.allSatisfy { event in
      guard let index = left.firstIndex(of: event) else { return false }
      left.remove(at: index)
      return true
    }
    if haveAllCome, left.isEmpty { return "The right events in another order:" }
    return "Other events than expected:"
  }
}

extension Recorded {
  fileprivate var atZero: Recorded {
    Recorded(.zero, event)
  }
}
