import RxViewModel

/// A stream of one-time events that a ``TestStore`` records, such as messages, analytics, or the outputs of a feature.
///
///     let outputs = store.record(viewModel.outputs)
///     try store.send(.save) { $0.isSaved = true }
///     try store.expect(outputs, .saved)
///
/// Assert each element with `expect`, in the store's sequence. An error of the stream is a failure that you can't assert. A completion is
/// no event.
public final class RecordedEvents<Element: Sendable>: Sendable, CustomStringConvertible {
  /// The stream, by the place at which the test began to record it.
  public let description: String

  init(_ place: TestFailure.Place) {
    description = "the stream of \(place)"
  }
}

extension TestStore {
  /// Subscribes to a stream of one-time events. From now on, you have to assert each of them.
  ///
  /// The stream may send on any thread. The store disposes the subscription when it is released.
  public func record<Element: Sendable>(
    _ stream: some ObservableType<Element>, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordedEvents<Element> {
    let (recorded, log) = (RecordedEvents<Element>(Place(file: file, line: line)), log)
    subscriptions.insert(
      stream.asObservable().subscribe { event in
        switch event {
        case .next(let element): log.note(.next(element), of: recorded)
        case .error(let error): log.note(.error(error), of: recorded)
        case .completed: break
        }
      })
    return recorded
  }

  /// Observes messages. From now on, you have to assert each of them, and those that no observer has received before.
  ///
  ///     let messages = store.record(viewModel.messages)
  ///     try store.send(.save)
  ///     try store.expect(messages, "Saved")
  ///
  /// Messages come on the main actor. In a test on the main actor they come during the call that runs the work.
  @MainActor public func record<Element: Sendable>(
    _ messages: RxLiveEvents<Element>, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordedEvents<Element> {
    let (recorded, log) = (RecordedEvents<Element>(Place(file: file, line: line)), log)
    subscriptions.insert(messages.observeForever { log.note(.next($0), of: recorded) })
    return recorded
  }
}
