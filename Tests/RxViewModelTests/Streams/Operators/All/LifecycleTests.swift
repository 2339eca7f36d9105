import RxViewModel
import Testing

@testable import TestSupport

// contract 1.4: nothing captured is alive after the end, although the test retains the disposable and the producer's observer
struct LifecycleTests {
  enum End: CaseIterable {
    case dispose, completed, error, cutOff, release
    case disposeInside, completedInside, errorInside, disposeInsideTheEnd
  }

  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func nothingIsLeftAlive(after operation: OperatorCase, of kind: SourceCase) {
    for end in End.allCases where end != .release || !operation.holdsSource { check(operation, kind, end) }
  }

  private func check(_ operation: OperatorCase, _ kind: SourceCase, _ end: End) {
    let (subscribers, captures) = (Lifetimes(), Lifetimes())
    let source = Locked<Source?>(kind.make())
    let held = Locked<(any Disposable)?>(nil)
    let recorder = Recorder<Int>()
    do {
      let (subscriber, capture) = (subscribers.make(), captures.make())
      var stream = operation.apply(source.value!.stream, capture)
      if end == .cutOff {
        stream = stream.map { element in
          if element == 1 { throw TestError() }
          return element
        }
      }
      let subscription = stream.subscribe { event in
        subscriber.touch()
        recorder.on(event)
        switch (event, end) {
        case (.next(1), .disposeInside), (.completed, .disposeInsideTheEnd): held.value?.dispose()
        case (.next(1), .completedInside): source.value?.send(.completed)
        case (.next(1), .errorInside): source.value?.send(.error(TestError()))
        default: break
        }
      }
      held.mutate { $0 = subscription }
    }
    source.value!.send(0)
    #expect(recorder.sent == [0] && subscribers.alive == 1)
    switch end {
    case .dispose: held.value?.dispose()
    case .completed, .disposeInsideTheEnd: source.value?.send(.completed)
    case .error: source.value?.send(.error(TestError()))
    case .release: source.mutate { $0 = nil }
    case .cutOff, .disposeInside, .completedInside, .errorInside: source.value?.send(1)
    }
    #expect(subscribers.alive == 0, "\(end)")
    // After the release of the source, the disposable still retains the closure of `do(onDispose:)`.
    if end == .release { held.mutate { $0 = nil } }
    #expect(captures.alive == 0, "\(end)")
    source.value?.send(2)
    #expect(recorder.faults == [], "\(end)")
    #expect(!recorder.sent.contains(2), "\(end)")
    withExtendedLifetime(held) {}
  }

  // A released object may use the source from its `deinit`, because no lock is held then (contract 1.3).
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func deinitsMayUseTheSource(below operation: OperatorCase, of kind: SourceCase) async {
    let deinits = Locked(0)
    let hasFinished = await finish {
      for end in [End.dispose, .completed, .error, .cutOff, .disposeInside, .completedInside] {
        let (source, held) = (kind.make(), Locked<(any Disposable)?>(nil))
        do {
          let object = Lifetimes().make()
          let farewell = Farewell {
            source.send(5)
            operation.apply(source.stream, object).subscribe { _ in }.dispose()
            held.value?.dispose()
            deinits.increment()
          }
          let subscription = operation.apply(source.stream, object).map { element in
            if element == 1, end == .cutOff { throw TestError() }
            return element
          }.subscribe { event in
            withExtendedLifetime(farewell) {}
            guard case .next(1) = event else { return }
            if end == .disposeInside { held.value?.dispose() }
            if end == .completedInside { source.send(.completed) }
          }
          held.mutate { $0 = subscription }
        }
        source.send(1)
        switch end {
        case .dispose: held.value?.dispose()
        case .completed: source.send(.completed)
        case .error: source.send(.error(TestError()))
        default: break
        }
      }
    }
    #expect(hasFinished && deinits.value == 6)
  }

  // contract 1.4: releasing a disposable does not dispose it
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func aSubscriptionContinuesThoughItsDisposableIsReleased(_ operation: OperatorCase, _ kind: SourceCase) {
    for end in ["completed", "error"] {
      let (source, recorder) = (kind.make(), Recorder<Int>())
      _ = operation.apply(source.stream, Lifetimes().make()).subscribe(recorder)
      source.send(0, 1)
      source.send(end == "error" ? .error(TestError()) : .completed)
      #expect(recorder.sent == [0, 1] && recorder.end == end)
    }
  }

  // A subscription is released without a dispose when no producer can send to it any more.
  @Test(arguments: OperatorCase.all)
  func aSubscriptionWithoutAProducerIsReleased(below operation: OperatorCase) {
    let lifetimes = Lifetimes()
    do {
      let object = lifetimes.make()
      for source in [Observable<Int>.never(), .create { _ in Disposables.create() }] {
        _ = operation.apply(source, object).subscribe { _ in object.touch() }
      }
    }
    #expect(lifetimes.alive == 0)
  }
}

/// Runs an action in its `deinit`.
private final class Farewell: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  deinit {
    action()
  }
}
