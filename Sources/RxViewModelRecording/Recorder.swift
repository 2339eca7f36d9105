import RxViewModel

/// Records what enters the view models that you make with it: actions, answers, timers, in the order in which they come.
///
///     let recorder = Recorder()
///     let model = recorder.record("cities") {
///       CitySearch { text in try await recorder.answer("find \(text)") { try await service.find(text) } }
///     }
///     report.attach(recorder.recording.description)
///
/// In a test, `replay` of RxViewModelTesting passes you a recorder that returns the recorded answers. So make your view models in one
/// function that takes the recorder, and call it from the app and from the test.
///
/// **Cost.** The recorder keeps the values themselves: an action, an answer, now and then a state. That is O(1) for each, and half a
/// microsecond for an action, however large the state. No text is made before you ask for ``recording``. You can call every method from any
/// thread.
///
/// **Memory.** The recorder keeps the newest `limit` entries with their values, at most nine states of each view model, and of each source
/// at most 32 elements. Leave out values that are too large with ``omit(_:where:)``. The recorder retains no view model.
///
/// **Long sessions.** When older entries have been dropped, the recording begins, for each view model, where it was idle: where none of its
/// actions was unfinished. A view model that is never idle can't be played back then; its newest entries are still there to be read. So make
/// what never ends, such as following a socket, a source (`createSources()`) and not the effect of an action.
///
/// **Privacy.** The recording has the actions, and the modes with which you execute them; the answers, elements, values and questions of
/// the calls below; the types and the descriptions of errors; the names and the types of the view models; and the states, if their type is
/// `Codable`. Everything else stays in the process. Change what is secret with ``redact(_:_:)``.
public final class Recorder: Sendable {
  fileprivate let session: any RecordingSession

  /// Makes a recorder.
  ///
  /// - Parameter limit: The most entries that it keeps: at least 8, and at most 100,000, so that the text of its recording can be read.
  public init(limit: Int = 2_000) { session = Log(limit: min(max(limit, 8), 100_000)) }

  package init(playing session: any RecordingSession) { self.session = session }

  deinit { log?.close() }

  /// Nil in a test.
  var log: Log? { session as? Log }

  package var codes: Codes { session.codes }

  /// Makes a view model with `make`, and records it from its first moment. In a test it gets the recorded initial state.
  ///
  /// The recorded view model is the one that `make` returns, and not another that it makes on the way, such as a child.
  /// The view model doesn't know the recorder. If several have the same name, the order in which you make them tells them apart.
  public func record<A: Codable & Sendable, S, M: RxViewModel<A, S>>(
    _ name: String, _ make: () throws -> M
  ) rethrows -> M {
    try session.make(codes.text(name), make)
  }

  /// Calls a service and records its answer, or its error. In a test, returns the recorded one, and never calls the service.
  ///
  /// The recording has the answer at the place where the service returned it. What the service itself asks the recorder isn't recorded,
  /// because a test doesn't call the service. In a test, even a cancelled task gets its answer.
  public func answer<V: Codable & Sendable>(
    _ question: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ service: () async throws -> V
  ) async throws -> V {
    try await session.answer(to: codes.text(question()), isolation: isolation, service)
  }

  /// Calls a service that returns nothing. Otherwise like the `answer` of a service that returns a value.
  public func answer(
    _ question: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ service: () async throws -> Void
  ) async throws {
    _ = try await answer(question(), isolation: isolation) {
      try await service()
      return Nothing()
    }
  }

  /// Reads a date, an identifier or a random number, and records it. In a test, returns the recorded one. An error isn't recorded.
  ///
  /// A test fails if it reads a value that can't be decoded, or that was left out (``omit(_:where:)``). If the recording doesn't have it at
  /// all, the test reads it itself, and the report names that departure.
  public func value<V: Codable & Sendable>(_ question: @autoclosure () -> String, _ read: () throws -> V) rethrows -> V
  {
    try session.value(of: codes.text(question()), read)
  }

  /// Changes each value of this type before it is written: actions, states, answers, elements and errors. The type is exactly this one, an
  /// optional of it or, for a class, a subclass. If several redactions cover a value, it goes through each of them. A redaction of `String`
  /// also changes questions, the names of view models and the descriptions of errors, and what an inspector shows of lanes and keys.
  ///
  /// `redact` is called when you ask for the ``recording``, by an inspector, and, for questions and the names of view models, in the call.
  /// A second redaction of the same type replaces the first. Register the same redactions in your test before you make its view models,
  /// because states are compared after redaction.
  public func redact<V: Codable & Sendable>(_ type: V.Type, _ redact: @escaping @Sendable (V) -> V) {
    codes.redact(type, redact)
  }

  /// Leaves out each answer, element or value of exactly this type, or of its optional, for which `isOmitted` returns true. Use it for
  /// values that take too much memory. A test that needs one of them fails. Unless you call this for `Data`, the recorder leaves out `Data`
  /// of more than 64 kilobytes.
  public func omit<V: Codable & Sendable>(
    _ type: V.Type, where isOmitted: @escaping @Sendable (V) -> Bool = { _ in true }
  ) {
    codes.omit(type, isOmitted)
  }

  /// Records errors of this type as they are. Other errors come back as ``RecordedError``. Register the same types in your test.
  public func encode<F: Error & Codable>(errors: F.Type) { codes.add(errors) }

  /// The recording so far, which is empty in a test. Makes the text on the calling thread: O(n) in the number of entries and in the size of
  /// their values. Meanwhile no view model waits.
  public var recording: Recording { log?.recording ?? Recording(lines: []) }

  /// Drops the entries so far, with their values. From now on, the recording begins with the current states. It has the state of a view
  /// model with unfinished actions as soon as the view model is idle.
  public func forget() { log?.forget() }
}

/// What calls services, reads clocks and follows streams: a recorder's log, which notes what they return, or the player of a recording.
package protocol RecordingSession: AnyObject, Sendable {
  var codes: Codes { get }
  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(_ name: String, _ make: () throws -> M) rethrows -> M
  func answer<V: Codable & Sendable>(
    to question: String, isolation: isolated (any Actor)?, _ service: () async throws -> V
  ) async throws -> V
  func value<V: Codable & Sendable>(of question: String, _ read: () throws -> V) rethrows -> V
  func stream<E: Codable & Sendable>(_ name: String, _ source: Observable<E>) -> Observable<E>
}

extension Observable where Element: Codable & Sendable {
  /// Records the elements and the end of a stream from elsewhere: a socket, a location, a store that is not recorded itself.
  ///
  /// In a test, the stream doesn't subscribe to its source, and sends the recorded events instead, each in its recorded place.
  public func recorded(_ name: String, by recorder: Recorder) -> Observable {
    recorder.session.stream(recorder.codes.text(name), self)
  }
}
