/// What two failures have to have in common to be the same one.
struct FailureKind: Equatable {
  let type: ObjectIdentifier
  /// The place of a call that has failed.
  let place: String?

  init(_ error: any Error) {
    type = ObjectIdentifier(Swift.type(of: error))
    place = (error as? TestFailure)?.place.description
  }
}

/// The text of a failure: the sequence, what has arrived, and the error.
struct FailureText {
  private let place: TestFailure.Place
  private let outcome: Run.Outcome
  private let beginning: String
  /// The most arrivals that are named.
  private static let mostLabels = 50

  init(_ place: TestFailure.Place, _ outcome: Run.Outcome, _ beginning: String) {
    (self.place, self.outcome, self.beginning) = (place, outcome, beginning)
  }

  func failure(_ failure: Run.Failure) -> TestFailure {
    let error: any Error =
      switch failure {
      case .misuse(let error): error
      case .found(let error): error
      }
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
    return TestFailure(headline, place, lines)
  }

  private var headline: String {
    let order = "\(beginning) \"\(OrderText.text(of: outcome.tape.choices.map(\.value)))\""
    if outcome.labels.isEmpty { return order }
    let left = outcome.labels.count - Self.mostLabels
    let labels = outcome.labels.prefix(Self.mostLabels).joined(separator: ", ")
    return "\(order): \(labels)\(left > 0 ? ", and \(left) more" : "")"
  }
}
