import Dispatch
import RxViewModel

/// Keeps the newest entries of a recorder. What it guards is a ``LogState``.
///
/// An entry comes into the log in one of these ways:
///
/// - **An input of a view model.** The engine calls ``RecorderTap/take(_:in:)`` under its own lock, so the entries have the engine's order.
/// - **An answer.** `answer(to:isolation:_:)` numbers the call with `ask`, calls the service, and lets the answer wait with the effect that
///   has asked. `settle` appends it right before what the effect does next, because that is where it takes effect. If the effect is
///   cancelled before it does anything, it hasn't used the answer, which then comes after the cancellation.
/// - **What an effect reads, what a stream sends to it, and its timers.** `note` appends them, behind the answers that the effect has had.
///
/// An entry leaves the log when a newer one takes its place in the ring. Its value, which may be the user's, is released in `sweep`. The
/// entries become text only in `recording`.
final class Log: RecordingSession {
  private let limit: Int
  let codes = Codes()
  let state: Lock<LogState>
  private let start = DispatchTime.now().uptimeNanoseconds

  init(limit: Int) { (self.limit, state) = (limit, Lock(LogState(limit: limit))) }

  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(_ name: String, _ make: () throws -> M) rethrows -> M {
    try RecorderTap(self, name, M.self, unboxed: { unsafeDowncast($0, to: Box<S>.self).value }).tapping(make)
  }

  // MARK: Calls

  func answer<V: Codable & Sendable>(
    to question: String, isolation: isolated (any Actor)?, _ service: () async throws -> V
  ) async throws -> V {
    let call = ask(question, isOpen: true)
    do {
      let value = try await service()
      answer(call, .answer, codes.kept(value))
      return value
    } catch {
      answer(call, .error, error)
      throw error
    }
  }

  func value<V: Codable & Sendable>(of question: String, _ read: () throws -> V) rethrows -> V {
    let value = try read()
    let call = ask(question)
    note(KeptEntry(.value, model: call.model, value: codes.kept(value), call: call), of: call.effect)
    return value
  }

  func stream<E: Codable & Sendable>(_ name: String, _ source: Observable<E>) -> Observable<E> {
    .create { [self] observer in
      let origin = Taps.origin
      let call = ask(name)
      let opening: Lock<ThreadID?> = Lock(.current)
      defer { opening.withLock { $0 = nil } }
      let isOpening: @Sendable () -> Bool = { opening.withLock { $0?.isCurrent == true } }
      let send: @Sendable (Entry.Kind, (any Sendable)?, () -> Void) -> Void = { [self] kind, value, body in
        note(KeptEntry(kind, model: call.model, value: value, call: call), of: call.effect)
        Taps.$origin.withValue(origin ?? Taps.origin, operation: body)
      }
      return source.subscribe(
        onNext: { [self] element in
          send(isOpening() ? .opening : .element, codes.kept(element)) { observer.onNext(element) }
        },
        onError: { error in send(isOpening() ? .closing : .failed, error) { observer.onError(error) } },
        onCompleted: { send(isOpening() ? .closing : .completed, nil) { observer.onCompleted() } })
    }
  }

  /// The effect in whose context this thread is, if a view model of this recorder has made it.
  var currentEffect: RecordedEffect? { (Taps.origin as? RecordedEffect).flatMap { $0.log === self ? $0 : nil } }

  private func ask(_ question: String, isOpen: Bool = false) -> KeptEntry.Call {
    let caller = currentEffect
    return state.withLock { $0.ask(question, of: caller, isOpen: isOpen) }
  }

  private func answer(_ call: KeptEntry.Call, _ kind: Entry.Kind, _ value: any Sendable) {
    // It has its time from the beginning, because a recording may have it while it waits.
    let entry = KeptEntry(kind, model: call.model, value: value, call: call, time: DispatchTime.now().uptimeNanoseconds)
    state.withLock { $0.answer(call, entry) }
    sweep()
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
    let entries = state.withLock { $0.recorded }
    return Recording(lines: entries.map { $0.line(since: start, codes) })
  }
}
