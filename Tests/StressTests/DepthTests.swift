import RxViewModel
import Testing

@testable import TestSupport

// contract 1.6: all tests run on a 512 KB stack. A stack that overflows ends the process.
@Suite(.stress) struct DepthTests {
  #if DEBUG
    private static let events = 10_000
    private static let operators = 300
  #else
    private static let events = 1_000_000
    private static let operators = 1_000
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
        for _ in 0..<Self.operators { stream = operation.apply(stream, object) }
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
}
