import RxViewModel

/// A stream of one-time events that a ``TestStore`` records, such as messages, analytics, or the outputs of a feature.
///
///     let outputs = store.record(viewModel.outputs)
///     try store.send(.save) { $0.isSaved = true }
///     try outputs.expect(.saved)
///
/// The test asserts each element, in the order of the stream, before the next call that runs work. An element that it does not assert
/// fails it there, or at the end, as a route does. So does an error of the stream, which no `expect` accepts. A completion needs none.
/// It retains the store.
public struct RecordedEvents<Element: Sendable> {
  typealias Assert = (
    _ expected: String, _ place: TestFailure.Place, _ matches: (Event<any Sendable>) -> Bool
  ) throws -> Void

  let assert: Assert

  /// Asserts the next element of the stream.
  ///
  /// Without exhaustivity this skips the elements before it.
  public func expect(_ element: Element, file: StaticString = #fileID, line: UInt = #line) throws
  where Element: Equatable {
    try assert(logText(of: element), TestFailure.Place(file: file, line: line)) { $0.element as? Element == element }
  }

  /// Asserts the next element of the stream by a condition.
  ///
  /// Without exhaustivity this skips the elements before it.
  public func expect(file: StaticString = #fileID, line: UInt = #line, _ matches: (Element) -> Bool) throws {
    try assert("an event that fits", TestFailure.Place(file: file, line: line)) {
      ($0.element as? Element).map(matches) ?? false
    }
  }
}

/// Which of the streams of a store an event comes from.
struct RecordedStream: Sendable, Hashable, CustomStringConvertible {
  let number: Int
  let place: TestFailure.Place

  var description: String { "the stream of \(place)" }

  static func == (left: RecordedStream, right: RecordedStream) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension TestStore {
  /// Subscribes to a stream of one-time events, and requires the test to assert each of them from now on.
  ///
  /// The stream may send on any thread. The store disposes the subscription when it is released.
  public func record<Element: Sendable>(
    _ stream: some ObservableType<Element>, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordedEvents<Element> {
    let (recorded, log) = (makeStream(file, line), log)
    subscriptions.insert(
      stream.asObservable().subscribe { event in
        switch event {
        case .next(let element): log.note(.next(element), of: recorded)
        case .error(let error): log.note(.error(error), of: recorded)
        case .completed: break
        }
      })
    return events(of: recorded)
  }

  /// Observes messages, and requires the test to assert each of them from now on, and those that no observer has received before.
  ///
  ///     let messages = store.record(viewModel.messages)
  ///     try store.send(.save)
  ///     try messages.expect("Saved")
  ///
  /// Messages come on the main actor. In a test on the main actor they come during the call that runs the work.
  @MainActor public func record<Element: Sendable>(
    _ messages: RxLiveEvents<Element>, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordedEvents<Element> {
    let (recorded, log) = (makeStream(file, line), log)
    subscriptions.insert(messages.observeForever { log.note(.next($0), of: recorded) })
    return events(of: recorded)
  }

  private func makeStream(_ file: StaticString, _ line: UInt) -> RecordedStream {
    recordedCount += 1
    return RecordedStream(number: recordedCount, place: Place(file: file, line: line))
  }

  private func events<Element: Sendable>(of stream: RecordedStream) -> RecordedEvents<Element> {
    RecordedEvents { [self] expected, place, matches in
      try expect("event", "\(expected) of \(stream)", nil, place, of: stream) { occurrence in
        if case .event(let event, _) = occurrence.kind { matches(event) } else { false }
      }
    }
  }
}
