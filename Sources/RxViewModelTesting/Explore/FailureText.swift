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

/// The choices of a run.
struct Order: CustomStringConvertible {
  let choices: [Choice]
  private let worldPlaces: Set<Int>

  init(_ state: Exploration.State) { (choices, worldPlaces) = (state.tape.choices, state.worldPlaces) }

  var numbers: String { OrderText.text(of: choices.map(\.value)) }

  /// Whether there were several orders of this world.
  var isOneOfMany: Bool { choices.indices.contains { choices[$0].options > 1 && !worldPlaces.contains($0) } }

  /// The simplest order of the same world, in numbers.
  var simplest: [Int] { choices.indices.map { worldPlaces.contains($0) ? choices[$0].value : 0 } }

  var description: String { text(comparedWith: nil) }

  /// The order in numbers. `replaying:` finds the order with which it was compared, if that one is the simplest.
  func text(comparedWith other: Order?) -> String {
    guard let other, other.choices.map(\.value) != simplest else { return "\"\(numbers)\"" }
    return "\"\(numbers)\(OrderText.comparison)\(other.numbers)\""
  }
}

extension Explorer {
  /// The failure of a run: its order and a table of it, the order with which it was compared, and the error. Nil if it has not failed.
  ///
  /// - Parameters:
  ///   - drawing: The drawing of the run.
  ///   - tally: How many orders have failed, and the words before the order. Nil if this order is the only one that has run.
  func failure(of outcome: Exploration.Outcome, _ drawing: Drawing? = nil, _ tally: String? = nil) -> TestFailure? {
    if let misuse = outcome.misuse {
      return TestFailure("misuses explore in \(outcome.order)", options.place, outcome.lines(of: misuse, options.seed))
    }
    guard let error = outcome.error else { return nil }
    let other = (error as? DifferentEndings)?.other
    let compared = other.map { ["in \($0):"] + table(of: $0) } ?? []
    return TestFailure(
      "\(tally ?? "fails in") \(outcome.order.text(comparedWith: other))", options.place,
      (drawing?.table ?? []) + compared + outcome.lines(of: error, options.seed)
        + drawPicture(of: outcome.order, error))
  }
}

extension Exploration.Outcome {
  /// The error, what to say about effects that had left the scheduler, and the seed.
  fileprivate func lines(of error: any Error, _ seed: ExplorationSeed) -> [String] {
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines + outside.filter { !lines.contains($0) } + seed.lines
  }
}
