import Dispatch
import RxViewModel

/// Keeps the newest entries of a recorder. What it guards is a ``LogState``.
///
/// An entry comes into the log when it happens: an input of a view model in ``RecorderTap/take(_:in:after:)``, under the lock of the engine, so the
/// entries have the engine's order; everything else in `note`: an answer when its service returns, an element, a reading, a timer.
///
/// An entry leaves the log when a newer one takes its place in the ring. Its value, which may be the user's, is released in `sweep`. The
/// entries become text only in `recording`.
final class Log: RecordingSession {
  private let limit: Int
  let codes = Codes()
  let state: Lock<LogState>
  let start = DispatchTime.now().uptimeNanoseconds

  init(limit: Int) { (self.limit, state) = (limit, Lock(LogState(limit: limit))) }

  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(_ name: String, _ make: () throws -> M) rethrows -> M {
    if Self.isDrawn { return try make() }
    // Nil once `make` has returned: a task that it has started knows the maker, too.
    let taps = Lock<[RecorderTap]?>([])
    let maker = TapMaker { [self] action, state in
      guard action == A.self, state == S.self else { return nil }
      return taps.withLock { taps in
        guard let skipped = taps?.count else { return nil }
        let unboxed = { @Sendable in unsafeDowncast($0, to: Box<S>.self).value as any Sendable }
        taps?.append(RecorderTap(self, name, M.self, skipped: skipped, unboxed: unboxed))
        return taps?.last
      }
    }
    var made: (any EngineTap)?
    // A view model that is made in there, such as a child, is not the one that is recorded.
    defer { for tap in taps.withLock({ $0.take() }) ?? [] where tap !== made { tap.turnOff() } }
    let model = try maker.tapping(from: RecordedEffect(self, model: Entry.noModel, action: 0), make)
    made = model.tap
    if taps.withLock({ $0?.contains { $0 === made } }) != true {
      reportInDebug("record(\"\(name)\") records nothing: its closure has returned a view model that was made before")
    }
    return model
  }

  // MARK: The boundary

  private static var isDrawn: Bool { Taps.maker?.draws == true }

  /// Whether a call is not recorded: inside a recorded service, or in a run that a test draws.
  private var isOff: Bool { Taps.origin === ServiceCall.shared || Self.isDrawn }

  func answer<V: Codable & Sendable>(
    to question: String, isolation: isolated (any Actor)?, _ service: () async throws -> V
  ) async throws -> V {
    if isOff { return try await service() }
    let call = ask(question, isOpen: true)
    do {
      let value = try await Taps.$origin.withValue(ServiceCall.shared, operation: service)
      note(.answer, codes.kept(value), call)
      return value
    } catch {
      note(.error, error, call)
      throw error
    }
  }

  func value<V: Codable & Sendable>(of question: String, _ read: () throws -> V) rethrows -> V {
    if isOff { return try read() }
    let value = try Taps.$origin.withValue(ServiceCall.shared, operation: read)
    note(.value, codes.kept(value), ask(question))
    return value
  }

  func stream<E: Codable & Sendable>(_ name: String, _ source: Observable<E>) -> Observable<E> {
    .create { [self] observer in
      if isOff { return source.subscribe(observer) }
      let origin = Taps.origin
      let call = ask(name)
      let opening: Lock<ThreadID?> = Lock(.current)
      defer { opening.withLock { $0 = nil } }
      let send: @Sendable (Entry.Kind, (any Sendable)?, () -> Void) -> Void = { [self] kind, value, body in
        let source = call.effect.flatMap { $0.action < 0 ? $0 : nil }
        if let source { state.withLock { _ in source.delivering += 1 } }
        note(kind, value, call)
        Taps.$origin.withValue(origin, operation: body)
        if let source { state.withLock { _ in source.delivering -= 1 } }
      }
      return Taps.$origin.withValue(ServiceCall.shared) {
        source.subscribe(
          onNext: { [self] element in
            let isOpening = opening.withLock { $0?.isCurrent == true }
            send(isOpening ? .value : .element, codes.kept(element)) { observer.onNext(element) }
          },
          onError: { error in send(.error, error) { observer.onError(error) } },
          onCompleted: { send(.completed, nil) { observer.onCompleted() } })
      }
    }
  }

  /// The effect in whose context this thread is, if a view model of this recorder has made it.
  var currentEffect: RecordedEffect? { (Taps.origin as? RecordedEffect).flatMap { $0.log === self ? $0 : nil } }

  private func ask(_ question: String, isOpen: Bool = false) -> KeptEntry.Call {
    let caller = currentEffect
    return state.withLock { $0.ask(question, of: caller, isOpen: isOpen) }
  }

  private func note(_ kind: Entry.Kind, _ value: (any Sendable)?, _ call: KeptEntry.Call) {
    note(KeptEntry(kind, model: call.model, number: call.effect?.number, value: value, call: call), of: call.effect)
  }

  func note(_ entry: KeptEntry, of effect: RecordedEffect?) {
    state.withLock { $0.note(entry, of: effect) }
    sweep()
  }

  // MARK: Releasing

  /// The number of dropped values that may wait while a view model works.
  static let mostLost = 8

  /// Releases what the log has dropped, if that is more than `most` values. The caller holds no lock.
  func sweep(most: Int = 0) {
    var lost: [any Sendable] = []
    state.withLock { if $0.lost.count > most { swap(&$0.lost, &lost) } }
  }

  func forget() {
    state.withLock { $0.forget() }
    sweep()
  }

  /// Called when the recorder is released. Breaks the cycle: what the log holds retains the log.
  func close() {
    var old = LogState(limit: limit, isClosed: true)
    state.withLock { swap(&$0, &old) }
  }

  // MARK: Reading

  var recording: Recording {
    let entries = state.withLock { $0.contents }.recorded
    return Recording(lines: entries.map { $0.line(since: start, codes) })
  }
}
