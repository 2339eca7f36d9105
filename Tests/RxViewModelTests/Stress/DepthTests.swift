import RxViewModel
import Testing

// contract 1.6: all of it on a 512 KB stack. A stack that overflows ends the process.
@Suite(.stress) struct DepthTests {
  #if DEBUG
    private static let events = 10_000
  #else
    private static let events = 1_000_000
  #endif

  @Test(arguments: OperatorCase.all)
  func synchronousEvents(through operation: OperatorCase) async {
    let (sum, isCompleted) = (Locked(0), Locked(false))
    await onThread(stackSize: smallStack) {
      _ = operation.apply(Observable.from(repeatElement(1, count: Self.events)), Lifetimes().make()).subscribe(
        onNext: { number in sum.mutate { $0 += max(number, 0) } }, onCompleted: { isCompleted.mutate { $0 = true } })
    }
    #expect(sum.value == (operation.missesReplays ? 1 : Self.events))
    #expect(isCompleted.value)
  }

  // Each event sends the next one from inside its callback.
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func eventsThatSendTheNext(through operation: OperatorCase, of kind: SourceCase) async {
    let count = Self.events / 5
    let last = await onThread(stackSize: smallStack) {
      let (source, last, object) = (kind.make(), Locked(0), Lifetimes().make())
      let subscription = operation.apply(source.stream, object).subscribe(onNext: { number in
        last.mutate { $0 = number }
        if number >= 0, number < count { source.send(number + 1) }
      })
      source.send(0)
      subscription.dispose()
      return last.value
    }
    #expect(last == count)
  }

  enum End: CaseIterable {
    case completed, error, dispose, cutOff, release
  }

  @Test(arguments: OperatorCase.stateless, End.allCases)
  func aChain(of operation: OperatorCase, endedBy end: End) async {
    let (lifetimes, recorder) = (Lifetimes(), Recorder<Int>())
    await onThread(stackSize: smallStack) {
      var source: Source? = SourceCase.publish.make()
      var stream = source!.stream
      do {
        let object = lifetimes.make()
        for _ in 0..<1_000 { stream = operation.apply(stream, object) }
      }
      stream = stream.map { number in
        if number == 2 { throw TestError() }
        return number
      }
      let subscription = stream.subscribe(recorder)
      stream = .never()
      source!.send(0, 1)
      switch end {
      case .completed: source!.send(.completed)
      case .error: source!.send(.error(TestError()))
      case .dispose: subscription.dispose()
      case .cutOff: source!.send(2)
      case .release: source = nil
      }
    }
    #expect(recorder.sent == [0, 1])
    #expect(lifetimes.alive == 0)
  }

  // Nested 10,000 deep around a subject: run, ended in every way, released.
  @Test(arguments: Nesting.allCases, End.allCases)
  func nested(_ nesting: Nesting, endedBy end: End) async {
    let (lifetimes, recorder) = (Lifetimes(), Recorder<Int>())
    await onThread(stackSize: smallStack) {
      var source: Source? = SourceCase.publish.make()
      var stream = source!.stream
      do {
        let object = lifetimes.make()
        stream = stream.map { object.passing($0) }
        for step in 0..<10_000 { stream = nesting.nest(stream, step) }
      }
      stream = stream.map { number in
        if number == 2 { throw TestError() }
        return number
      }
      let subscription = stream.subscribe(recorder)
      stream = .never()
      source!.send(0, 1)
      switch end {
      case .completed: source!.send(.completed)
      case .error: source!.send(.error(TestError()))
      case .dispose: subscription.dispose()
      case .cutOff: source!.send(2)
      case .release: source = nil
      }
    }
    #expect(recorder.sent == [0, 1])
    #expect(recorder.end == (end == .completed ? "completed" : end == .dispose || end == .release ? nil : "error"))
    #expect(lifetimes.alive == 0)
  }

  @Test(arguments: Nesting.allCases)
  func nestedAndReleasedWithoutASubscription(_ nesting: Nesting) async {
    let lifetimes = Lifetimes()
    await onThread(stackSize: smallStack) {
      let object = lifetimes.make()
      var stream = Observable.just(0).map { object.passing($0) }
      for step in 0..<10_000 { stream = nesting.nest(stream, step) }
    }
    #expect(lifetimes.alive == 0)
  }

  enum Nesting: CaseIterable {
    case leftConcat, rightConcat, leftMerge, rightMerge, startWith, mixed

    func nest(_ stream: Observable<Int>, _ step: Int) -> Observable<Int> {
      let other = Observable.just(-1)
      switch (self, step % 5) {
      case (.leftConcat, _), (.mixed, 0): return stream.concat(other)
      case (.rightConcat, _), (.mixed, 1): return other.concat(stream)
      case (.leftMerge, _), (.mixed, 2): return stream.merge(with: other)
      case (.rightMerge, _), (.mixed, 3): return other.merge(with: stream)
      case (.startWith, _), (.mixed, _): return stream.startWith(-1)
      }
    }
  }
}
