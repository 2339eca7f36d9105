import RxViewModel

extension TestObserver where Element: Equatable {
  /// Describes the difference between the recorded and the expected events, as text for a failing test. Returns nil if they are equal.
  ///
  ///     #expect(states.mismatch(with: .marbles("a--b|")) == nil)         // Swift Testing
  ///     XCTAssertNil(states.mismatch(with: .marbles("a--b|")))           // XCTest
  ///
  /// The first line names the kind of difference. The list below it shows the events in order. A `-` marks an expected event that is
  /// missing. A `+` marks an unexpected event. For a long list, the text shows the differences and a few events around each, at most a
  /// hundred lines. O(n) for n events, however they differ.
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
    let errors = hiddenDifferences(expected.last?.event.error, actual.last?.event.error)
    return ([headline(difference, expected, actual)] + lines + errors).joined(separator: "\n")
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
  /// The lines, each with `-`, `+` or a space in front, at most a hundred. A list of more lines than `length` is cut down to the
  /// differences, with three lines around each.
  func text(shortensAbove length: Int = 100, _ describe: (Line) -> String) -> [String] {
    let limit = 100
    let isLong = lines.count > length
    var isNear = [Bool](repeating: !isLong, count: lines.count)
    if isLong {
      // Two passes, so that the lines around all differences are found in O(n).
      for pass in [Array(lines.indices), lines.indices.reversed()] {
        var left = 0
        for index in pass {
          if case .same = lines[index] { left -= 1 } else { left = 4 }
          if left > 0 { isNear[index] = true }
        }
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
  /// Whether both arrays have the same events, each equally often. O(n), because it finds events by their descriptions. It compares
  /// different events with the same description with only a few others, so it may return false for arrays that do have the same events.
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

  /// The event without its time.
  fileprivate var name: String {
    event.element.map { "\($0)" } ?? "\(event)"
  }
}
