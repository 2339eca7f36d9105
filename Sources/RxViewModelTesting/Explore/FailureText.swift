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

/// The text of a failure: the sequence, what was chosen and what has arrived, and the error.
struct FailureText {
  private let place: TestFailure.Place
  private let outcome: Run.Outcome
  /// How many orders have failed. Nil if this order is the only one that has run.
  private let tally: String?
  /// The most choices and arrivals that are shown.
  static let mostLabels = 50

  init(_ place: TestFailure.Place, _ outcome: Run.Outcome, _ tally: String? = nil) {
    (self.place, self.outcome, self.tally) = (place, outcome, tally)
  }

  /// - Parameter picture: A line about the picture of the order.
  func failure(_ failure: Run.Failure, _ picture: String? = nil) -> TestFailure {
    let (error, verdict): (any Error, String) =
      switch failure {
      case .misuse(let error): (error, "misuses explore in")
      case .found(let error): (error, "fails in" + (tally.map { " \($0)" } ?? ""))
      }
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false) + (picture.map { [$0[...]] } ?? [])
    return TestFailure(headline(verdict), place, lines.map { "  \($0)" })
  }

  /// The choices of the run as text.
  var sequence: String { OrderText.text(of: outcome.tape.choices.map(\.value)) }

  private func headline(_ verdict: String) -> String {
    let order = "\(verdict) \"\(sequence)\"" + (OrderText.explanation(of: sequence).map { " (\($0))" } ?? "")
    if outcome.labels.isEmpty { return order }
    let left = outcome.labels.count - Self.mostLabels
    let labels = outcome.labels.prefix(Self.mostLabels).joined(separator: ", ")
    return "\(order): \(labels)\(left > 0 ? ", and \(left) more" : "")"
  }
}
