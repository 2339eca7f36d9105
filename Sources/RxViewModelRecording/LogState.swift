import RxViewModel

extension Log: RecordingSession {
  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(_ name: String, _ make: () throws -> M) rethrows -> M {
    try RecorderTap(self, name, M.self, value: { unsafeDowncast($0, to: Box<S>.self).value }).tapping(make)
  }

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
    note(Noted(.value, model: call.model, value: codes.kept(value), call: call), of: call.origin)
    return value
  }

  func stream<E: Codable & Sendable>(_ name: String, _ source: Observable<E>) -> Observable<E> {
    .create { [self] observer in
      let origin = Taps.origin
      let call = ask(name)
      let opening: Lock<ThreadID?> = Lock(.current)
      defer { opening.withLock { $0 = nil } }
      let send: @Sendable (Entry.Kind, (any Sendable)?, () -> Void) -> Void = { [self] kind, value, body in
        note(Noted(kind, model: call.model, value: value, call: call), of: call.origin)
        Taps.$origin.withValue(origin ?? Taps.origin, operation: body)
      }
      return source.subscribe(
        onNext: { [self] element in
          let isOpening = opening.withLock { $0?.isCurrent == true }
          send(isOpening ? .opening : .element, codes.kept(element)) { observer.onNext(element) }
        },
        onError: { error in send(.failed, error) { observer.onError(error) } },
        onCompleted: { send(.completed, nil) { observer.onCompleted() } })
    }
  }
}
