/// The steps of a line view, for whoever waits for them in order.
struct LineViewSteps {
  private var iterator: AsyncThrowingStream<LineViewStep, any Error>.Iterator

  init(_ steps: AsyncThrowingStream<LineViewStep, any Error>) {
    iterator = steps.makeAsyncIterator()
  }

  /// Waits for the line that was asked for, and returns it; nil at the end of the input.
  mutating func line() async throws -> String? {
    while true {
      if case .line(let line) = try await next() { return line }
    }
  }

  /// Waits until a pair has been entered, and returns whether the button can be pressed.
  mutating func entered() async throws -> Bool {
    while true {
      if case .entered(let isLoginEnabled) = try await next() { return isLoginEnabled }
    }
  }

  /// Waits until a sign-in is over, and returns what it came to.
  mutating func outcome() async throws -> LoginOutcome {
    var outcome: LoginOutcome?
    while true {
      switch try await next() {
      case .line, .entered: continue
      case .outcome(let latest): outcome = latest
      case .idle: if let outcome { return outcome }
      }
    }
  }

  private mutating func next() async throws -> LineViewStep {
    guard let step = try await iterator.next() else { throw CancellationError() }
    return step
  }
}
