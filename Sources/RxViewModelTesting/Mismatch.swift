import RxViewModel

extension TestObserver where Element: Equatable {
  /// What is wrong with the recorded events, as text for a failing test; nil if they are the expected ones.
  ///
  ///     #expect(states.mismatch(with: .marbles("a--b|")) == nil)         // Swift Testing
  ///     XCTAssertNil(states.mismatch(with: .marbles("a--b|")))           // XCTest
  ///
  /// The first line says what kind of difference it is. The list below shows the events in order: `-` stands in front
  /// of those that were expected and have not come, `+` in front of those that have come and were not expected. Of a
  /// long list it shows what differs and a few events around it, a hundred lines at most. O(n), whatever differs.
  public func mismatch(with expected: [Recorded<Element>]) -> String? {
    let actual = events
    if actual == expected { return nil }
    let difference = Difference(from: expected.count, to: actual.count) { expected[$0] == actual[$1] }
    let lines = difference.text { line in
      switch line {
      case .same(let index), .added(let index): "\(actual[index])"
      case .removed(let index): "\(expected[index])"
      }
    }
    return ([headline(difference, expected, actual)] + lines).joined(separator: "\n")
  }

  private func headline(
    _ difference: Difference, _ expected: [Recorded<Element>], _ actual: [Recorded<Element>]
  ) -> String {
    func events(_ count: Int) -> String { count == 1 ? "1 event" : "\(count) events" }
    if difference.insertions == 0 { return "\(events(difference.removals)) missing:" }
    if difference.removals == 0 { return "\(events(difference.insertions)) too many:" }
    let (wanted, seen) = (expected.map(\.atZero), actual.map(\.atZero))
    if wanted == seen { return "The right events at other times:" }
    if wanted.isReordered(seen) { return "The right events in another order:" }
    return "Other events than expected:"
  }
}

extension Difference {
  /// The lines with `-`, `+` or a space in front of each. A long list is cut down to what differs, with three lines
  /// around it.
  func text(limit: Int = 100, _ describe: (Line) -> String) -> [String] {
    let isLong = lines.count > limit
    var isNear = [Bool](repeating: !isLong, count: lines.count)
    if isLong {
      // Two passes, so that what a difference makes visible is found in O(n).
      var left = 0
      for index in Array(lines.indices) + lines.indices.reversed() {
        if index == lines.count - 1 { left = 0 }
        if case .same = lines[index] { left -= 1 } else { left = 4 }
        if left > 0 { isNear[index] = true }
      }
    }
    var text: [String] = []
    var hidden = 0
    func endGap() {
      if hidden > 0 { text.append("  … \(hidden) more of both …") }
      hidden = 0
    }
    for (index, line) in lines.enumerated() {
      if !isNear[index] {
        hidden += 1
        continue
      }
      endGap()
      if text.count >= limit {
        text.append("… and \(lines.count - index) more lines")
        return text
      }
      let mark =
        switch line {
        case .same: " "
        case .removed: "-"
        case .added: "+"
        }
      text.append("\(mark) \(describe(line))")
    }
    endGap()
    return text
  }
}

extension Array {
  /// Whether both have the same events, each as often. O(n): events are found by their descriptions. Events that differ
  /// and have the same description are compared with a few others only, so this may miss that they are the same.
  fileprivate func isReordered<Value: Equatable>(_ other: [Recorded<Value>]) -> Bool where Element == Recorded<Value> {
    guard count == other.count else { return false }
    var left: [String: [Recorded<Value>]] = [:]
    for event in other { left[event.name, default: []].append(event) }
    return allSatisfy { event in
      let name = event.name
      guard let index = left[name]?.suffix(100).lastIndex(of: event) else { return false }
      left[name]?.remove(at: index)
      return true
    }
  }
}

extension Recorded {
  fileprivate var atZero: Recorded {
    Recorded(.zero, event)
  }

  /// What happens, without the time.
  fileprivate var name: String {
    event.element.map { "\($0)" } ?? "\(event)"
  }
}
