import RxViewModel

extension TestObserver where Element: Equatable {
  /// Describes how the recorded events differ from the expected ones, as text for a failing test. Returns nil if they are equal.
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
    let lines = difference.text(old: { "\(expected[$0])" }, new: { "\(actual[$0])" })
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
    if wanted == seen { return "The right events, at the wrong times:" }
    if counts(of: wanted) == counts(of: seen) { return "The right events, in the wrong order:" }
    return "Not the expected events:"
  }

  /// How often each event is there, by its text.
  private func counts(of events: [Recorded<Element>]) -> [String: Int] {
    events.reduce(into: [:]) { $0["\($1)", default: 0] += 1 }
  }
}

extension Difference {
  /// The lines, each with `-`, `+` or a space in front, at most a hundred. A list of more lines than `length` is cut down to the
  /// differences, with three lines around each.
  func text(shortensAbove length: Int = 100, old: (Int) -> String, new: (Int) -> String) -> [String] {
    let limit = 100
    let isLong = lines.count > length
    var isNear = [Bool](repeating: !isLong, count: lines.count)
    for (index, line) in lines.enumerated() where !line.isShared {
      for near in max(index - 3, 0)...min(index + 3, lines.count - 1) { isNear[near] = true }
    }
    var text: [String] = []
    var hidden = 0
    func endGap() {
      if hidden > 0 { text.append("  … \(hidden) more in both …") }
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
      switch line {
      case .same(let index): text.append("  \(new(index))")
      case .removed(let index): text.append("- \(old(index))")
      case .added(let index): text.append("+ \(new(index))")
      }
    }
    endGap()
    return text
  }
}

extension Recorded {
  fileprivate var atZero: Recorded {
    Recorded(.zero, event)
  }
}
