import Foundation
import RxViewModel
import Testing

@testable import TestSupport

/// A sender that is always ahead of a subscriber that is being subscribed, until that call has returned.
private final class Flood: Sendable {
  private let state = Locked((sent: 0, received: 0, isOver: false))

  /// The subscriber calls this for each number. It returns when the next number has been sent.
  func receive(_ number: Int) {
    state.mutate { $0.received = number }
    #expect(waitUntil { state.value.isOver || state.value.sent > number })
  }

  /// Sends the numbers from 1 on, until `subscribe`, which runs on another thread, has returned, and then a few more.
  ///
  /// Returns the result, and the last number. Nil instead of the result if `subscribe` did not return before all numbers had been sent.
  func run<Result: Sendable>(
    sending send: @escaping @Sendable (Int) -> Void, while subscribe: @escaping @Sendable () -> Result
  ) async -> (result: Result?, last: Int) {
    async let last = onThread { [state] in
      for number in 1...5_000 {
        send(number)
        state.mutate { $0.sent = number }
        if state.value.isOver { return number }
        #expect(waitUntil { state.value.isOver || number < state.value.received + 100 })
      }
      state.mutate { $0.isOver = true }
      return 5_000
    }
    let result = await onThread { [state] in
      let result = subscribe()
      return state.mutate { state -> Result? in
        defer { state.isOver = true }
        return state.isOver ? nil : result
      }
    }
    return await (result, last)
  }
}

/// contract 1.10: a replay ends, although another thread sends faster than the subscriber receives.
struct ReplayEndTests {
  // contract 1.2, 1.5: each number exactly once and in order, whichever thread delivers it
  @Test(arguments: Stream.replaying)
  func aSubscribeReturns(to stream: Stream) async {
    let (source, flood) = (stream.make(), Flood())
    let recorder = Recorder<Int> { event in if case .next(let number) = event { flood.receive(number) } }
    let (subscription, last) = await flood.run(
      sending: { source.send($0) }, while: { source.stream.subscribe(recorder) })
    #expect(subscription != nil)
    source.send(last + 1)
    #expect(await eventually { recorder.elements.last == last + 1 })
    let (numbers, first) = (recorder.elements, recorder.elements.first ?? 0)
    let isComplete = numbers == Array(first...last + 1)
    #expect(isComplete && recorder.faults == [])
    subscription?.dispose()
  }

  // contract 1.4: the dispose comes after the call has returned, and the subscriber is released
  @Test(arguments: Stream.replaying)
  func theSubscriptionCanBeDisposed(to stream: Stream) async {
    let (source, flood, lifetimes) = (stream.make(), Flood(), Lifetimes())
    let subscribe: @Sendable () -> any Disposable = {
      let object = lifetimes.make()
      return source.stream.subscribe(onNext: { number in
        object.touch()
        flood.receive(number)
      })
    }
    let (subscription, last) = await flood.run(sending: { source.send($0) }, while: subscribe)
    subscription?.dispose()
    source.send(last + 1)
    #expect(await onThread { lifetimes.waitForNone() })
  }

  // contract 1.5: no thread is sending when the subscribing one leaves the rest, so a queue delivers it, and does the same after as many
  @Test(arguments: Stream.replaying, [false, true])
  func whatIsLeftArrives(from stream: Stream, isReleased: Bool) async {
    let (source, subscriber, returned) = (Locked(Optional(stream.make())), Locked<Thread?>(nil), Signal())
    let (elsewhere, sent) = (Locked(0), Locked(0))
    // During each callback another thread sends the next number.
    let recorder = Recorder<Int> { event in
      guard case .next(let number) = event else { return }
      if Thread.current !== subscriber.value, elsewhere.increment() == 1 { #expect(returned.wait()) }
      guard number < 3_000, let source = source.value else { return }
      #expect(onOtherThread { source.send(number + 1) })
      sent.mutate { $0 = number + 1 }
    }
    let subscription = await onThread {
      subscriber.mutate { $0 = .current }
      let subscription = source.value!.stream.subscribe(recorder)
      if isReleased { source.mutate { $0 = nil } }
      returned.fire()
      return subscription
    }
    #expect(await eventually { recorder.elements.last == sent.value && (isReleased || sent.value == 3_000) })
    let isComplete = recorder.elements == Array(0...sent.value)
    #expect(isComplete && recorder.faults == [] && elsewhere.value > 0 && sent.value > 1_000)
    subscription.dispose()
  }

  // contract 2.17
  @Test func anInitWhoseSourceReplaysReturns() async {
    let (subject, flood) = (BehaviorSubject(value: 0), Flood())
    let (screen, last) = await flood.run(
      sending: { subject.onNext($0) }, while: { FollowingScreen(subject.do(onNext: { flood.receive($0) })) })
    #expect(await eventually { screen?.currentState == last })
  }
}

// Sendable: it stores only a `let`.
private final class FollowingScreen: RxViewModel<Never, Int>, @unchecked Sendable {
  private let numbers: Observable<Int>

  init(_ numbers: Observable<Int>) {
    self.numbers = numbers
    super.init()
  }

  override func createInitialState() -> Int { 0 }
  override func createSources() -> [Effect] { [numbers.mutate { $0 = $1 }] }
}
