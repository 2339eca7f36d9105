/// Two failures are the same one if these values are equal.
struct FailureKind: Equatable {
  let type: ObjectIdentifier
  /// The place of a call that has failed.
  let place: String?

  init(_ error: any Error) {
    type = ObjectIdentifier(Swift.type(of: error))
    place = (error as? TestFailure)?.place.description
  }
}

/// The choices of a run, with what was chosen and has arrived.
struct Order: CustomStringConvertible {
  let choices: [Choice]
  let labels: [String]
  private let worldPlaces: Set<Int>
  /// The most choices and arrivals that are shown.
  static let mostLabels = 50

  init(_ state: Exploration.State) {
    (choices, labels, worldPlaces) = (state.tape.choices, state.labels, state.worldPlaces)
  }

  var numbers: String { OrderText.text(of: choices.map(\.value)) }

  /// Whether there were several orders of this world.
  var isOneOfMany: Bool { choices.indices.contains { choices[$0].options > 1 && !worldPlaces.contains($0) } }

  /// The simplest order of the same world, in numbers.
  var simplest: [Int] { choices.indices.map { worldPlaces.contains($0) ? choices[$0].value : 0 } }

  var description: String { text(comparedWith: nil) }

  /// The order in numbers and in words. `replaying:` finds the order with which it was compared, if that one is the simplest.
  func text(comparedWith other: Order?) -> String {
    let rest =
      other.flatMap { $0.choices.map(\.value) == simplest ? nil : "\(OrderText.comparison)\($0.numbers)" } ?? ""
    let order = "\"\(numbers)\(rest)\"" + (OrderText.explanation(of: numbers).map { " (\($0))" } ?? "")
    if labels.isEmpty { return order }
    let left = labels.count - Self.mostLabels
    return "\(order): \(labels.prefix(Self.mostLabels).joined(separator: ", "))\(left > 0 ? ", and \(left) more" : "")"
  }
}

extension Exploration.Outcome {
  /// The failure of `explore`: the order, what was chosen and has arrived, and the error.
  ///
  /// - Parameters:
  ///   - tally: How many orders have failed. Nil if this order is the only one that has run.
  ///   - picture: A line about the picture of the order.
  func testFailure(_ place: TestFailure.Place, _ tally: String? = nil, _ picture: String? = nil) -> TestFailure? {
    let (error, verdict): (any Error, String)
    switch failure {
    case .misuse(let misuse)?: (error, verdict) = (misuse, "misuses explore in")
    case .found(let found)?: (error, verdict) = (found, "fails in" + (tally.map { " \($0)" } ?? ""))
    case nil: return nil
    }
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let notes = outside.filter { !lines.contains($0) } + (picture.map { [$0] } ?? [])
    let other: Order? = if case .found(let error)? = failure { (error as? DifferentEndings)?.other } else { nil }
    return TestFailure("\(verdict) \(order.text(comparedWith: other))", place, (lines + notes).map { "  \($0)" })
  }
}
