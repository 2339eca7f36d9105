/// The steps of a line view, as functions that await the next step of one kind.
struct LineViewSteps {
  private var iterator: AsyncThrowingStream<LineViewStep, any Error>.Iterator

  init(_ steps: AsyncThrowingStream<LineViewStep, any Error>) {
    iterator = steps.makeAsyncIterator()
  }

  /// Waits for the requested line, and returns it; nil at the end of the input.
  mutating func line() async throws -> String? {
    while true {
      if case .line(let line) = try await next() { return line }
    }
  }

  /// Waits until the view model has set a pair, and returns whether the button is enabled.
  mutating func entered() async throws -> Bool {
    while true {
      if case .entered(let isLoginEnabled) = try await next() { return isLoginEnabled }
    }
  }

  /// Waits until a sign-in has ended, and returns its outcome.
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
