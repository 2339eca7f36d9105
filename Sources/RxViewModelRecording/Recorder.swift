import RxViewModel

/// Records what the view models that it makes take, in the order in which they take it.
///
///     let recorder = Recorder()
///     let model = recorder.record("cities") {
///       CitySearch { text in try await recorder.answer("find \(text)") { try await service.find(text) } }
///     }
///     report.attach(recorder.recording.description)
///
/// In a test, `replay` of RxViewModelTesting gives its body a recorder that gives the recorded answers. So app and test share one function
/// that makes the view models.
///
/// **Threads.** Every method may be called from any thread. Actions, answers and elements are encoded on the thread on which they come, and
/// with no lock held.
///
/// **Memory.** The recorder keeps at most `limit` entries and `bytes` bytes of text, and a line for each view model and each call without
/// an answer. It retains no view model, and no state but the newest: each fold writes its state as text, which costs O(n) in the size of
/// the state. A state whose text is larger than `bytes` / 16 leaves only its digest, and one larger than `bytes` / 8 is not recorded where
/// a recording begins that has lost older entries.
public final class Recorder: Sendable {
  enum Mode: Sendable {
    case recording(Log)
    case playing(Playback)
  }

  let mode: Mode
  let codes = Codes()

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - limit: The most entries that it keeps.
  ///   - bytes: The most bytes of text that it keeps. A value that is larger alone is recorded as missing.
  public init(limit: Int = 2_000, bytes: Int = 1 << 20) {
    mode = .recording(Log(limit: max(limit, 1), bytes: max(bytes, 1), codes: codes))
  }

  package init(playing playback: Playback) {
    mode = .playing(playback)
  }

  /// Makes a view model inside `make`, and records it from its first moment. In a test it gets the recorded initial state.
  ///
  /// The view model does not know the recorder. Names that are equal are told apart by the order in which the view models are made.
  public func record<A: Codable & Sendable, S, M: RxViewModel<A, S>>(
    _ name: String = "", _ make: () throws -> M
  ) rethrows -> M {
    switch mode {
    case .recording(let log):
      return try RecorderTap<A, S>.making(make) { RecorderTap<A, S>(log, name, M.self) }
    case .playing(let playback):
      let tap = PlayerTap<A, S>(playback, playback.index(ofNext: name), codes)
      let model = try RecorderTap<A, S>.making(make) { tap }
      tap.viewModel = model
      playback.add(tap, on: model.scheduler)
      return model
    }
  }

  /// Calls a service and records its answer, or its error. In a test it returns the recorded one, and never calls the service.
  ///
  /// The answer stands in the recording before what its effect does next: an input, another call, an element of a stream. A cancelled task
  /// gets its answer all the same in a test, at the place where it came.
  public func answer<V: Codable & Sendable>(
    _ question: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ service: () async throws -> V
  ) async throws -> V {
    let question = question()
    switch mode {
    case .playing(let playback):
      switch try await playback.answer(to: question) {
      case .value(let json):
        return try playback.decoding("the answer to \(question)") { try codes.decode(V.self, json) }
      case .error(let fields): throw codes.error(fields)
      }
    case .recording(let log):
      let call = log.ask(question)
      do {
        let value = try await service()
        log.answer(call, .answer, codes.encode(value, within: log.bytes))
        return value
      } catch {
        log.answer(call, .error, codes.encode(error))
        throw error
      }
    }
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

  private struct Nothing: Codable {}

  /// Reads a date, an identifier or a random number, and records it. In a test it returns the recorded one. An error is not recorded.
  public func value<V: Codable & Sendable>(_ question: @autoclosure () -> String, _ read: () throws -> V) rethrows -> V
  {
    let question = question()
    switch mode {
    case .playing(let playback):
      if let json = playback.value(of: question), let value = try? codes.decode(V.self, json) { return value }
      return try read()
    case .recording(let log):
      let value = try read()
      log.add(.value, log.ask(question, isOpen: false), codes.encode(value, within: log.bytes))
      return value
    }
  }

  /// Changes each value of this type before it is recorded: actions, states, answers and elements of exactly this type.
  ///
  /// The test registers the same redactions before it makes its view models, because states are compared after them.
  public func redact<V: Codable & Sendable>(_ type: V.Type, _ redact: @escaping @Sendable (V) -> V) {
    codes.redact(type, redact)
  }

  /// Records errors of this type as they are. Other errors come back as ``RecordedError``. The test registers the same types.
  public func encode<F: Error & Codable>(errors: F.Type) {
    codes.add(errors)
  }

  /// The recording so far. In a test it is empty. O(n) in the number of entries.
  public var recording: Recording {
    if case .recording(let log) = mode { log.recording } else { Recording([]) }
  }

  /// Drops the entries before the newest restart point: a moment at which all view models rested, and their states could be encoded.
  ///
  /// If they rest now, that is now.
  public func forget() {
    if case .recording(let log) = mode { log.forget() }
  }
}

extension Observable where Element: Codable & Sendable {
  /// Records the elements and the end of a stream from elsewhere: a socket, a location, a store that is not recorded itself.
  ///
  /// In a test the stream sends the recorded events, and does not subscribe to its source. The elements come in their recorded places.
  public func recorded(_ name: String, by recorder: Recorder) -> Observable {
    let codes = recorder.codes
    switch recorder.mode {
    case .playing(let playback):
      return .create { observer in
        playback.subscribe(to: name) { event in
          switch event {
          case .element(let json):
            let element = try? playback.decoding("an element of \(name)") { try codes.decode(Element.self, json) }
            if let element { observer.onNext(element) }
          case .failed(let error): observer.onError(codes.error(error))
          case .completed: observer.onCompleted()
          }
        }
      }
    case .recording(let log):
      return .create { observer in
        let origin = Taps.origin
        let call = log.ask(name, isOpen: false)
        let opening = Opening()
        defer { opening.end() }
        let send: @Sendable (@escaping () -> Void) -> Void = { body in
          Taps.$origin.withValue(origin ?? Taps.origin, operation: body)
        }
        let subscription = subscribe(
          onNext: { element in
            let text = codes.encode(element, within: log.bytes)
            log.deliver {
              log.add(opening.isHere ? .opening : .element, call, text)
              send { observer.onNext(element) }
            }
          },
          onError: { error in
            log.add(.failed, call, codes.encode(error))
            send { observer.onError(error) }
          },
          onCompleted: {
            opening.complete()
            log.add(.completed, call, nil)
            send { observer.onCompleted() }
          })
        return Disposables.create {
          subscription.dispose()
          if !opening.isCompleted { log.removeOpening(of: call) }
        }
      }
    }
  }
}

/// Whether the calling thread is inside the subscription to a stream, and whether the stream has completed.
private final class Opening: Sendable {
  private let thread: Lock<ThreadID?> = Lock(.current)
  private let completion = Lock(false)

  var isCompleted: Bool { completion.withLock { $0 } }

  func complete() { completion.withLock { $0 = true } }

  var isHere: Bool { thread.withLock { $0?.isCurrent == true } }

  func end() { thread.withLock { $0 = nil } }
}
