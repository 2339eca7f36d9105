import Dispatch
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1, `bind`
@MainActor
@Suite struct BindTests {
  @MainActor
  private final class Label {
    var text = ""
    var history: [Int] = []
  }

  @Test func theFirstValueIsThereBeforeBindReturns() {
    let (subject, label) = (BehaviorSubject(value: "a"), Label())
    let subscription = subject.bind(to: label, \.text)
    #expect(label.text == "a")
    subject.onNext("b")
    #expect(label.text == "b")
    subscription.dispose()
    subject.onNext("c")
    #expect(label.text == "b")
    #expect(!subject.hasObservers)
  }

  @Test func valuesFromOtherThreadsComeOnTheMainActorInOrder() async {
    let (subject, label) = (PublishSubject<Int>(), Label())
    let subscription = subject.bind { number in
      MainActor.assertIsolated()
      dispatchPrecondition(condition: .onQueue(.main))
      label.history.append(number)
    }
    await onThread { for number in 0..<1_000 { subject.onNext(number) } }
    // The main actor sends too, while some of the thread's values may still wait.
    subject.onNext(1_000)
    await settle { label.history.count == 1_001 }
    #expect(label.history == Array(0...1_000))
    subscription.dispose()
  }

  @Test func valuesFromSeveralThreadsKeepEachThreadsOrder() async {
    let (subject, label) = (PublishSubject<Int>(), Label())
    let subscription = subject.bind { label.history.append($0) }
    await race(threads: 4) { thread in
      for number in 0..<500 { subject.onNext(thread * 1_000 + number) }
    }
    await settle { label.history.count == 2_000 }
    for thread in 0..<4 {
      #expect(label.history.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
    }
    subscription.dispose()
  }

  // contract 1.10: events from another thread and other work on the main queue keep their order
  @Test func otherWorkOnTheMainQueueKeepsItsOrder() async {
    let (subject, label) = (PublishSubject<Int>(), Label())
    let subscription = subject.bind { label.history.append($0) }
    onOtherThread {
      subject.onNext(1)
      subject.onNext(2)
      DispatchQueue.main.async { MainActor.assumeIsolated { label.history.append(-1) } }
      subject.onNext(3)
    }
    // This value is sent on the main actor, and still comes after the values that wait.
    subject.onNext(4)
    #expect(label.history == [])
    await settle { label.history.count == 5 }
    #expect(label.history == [1, 2, -1, 3, 4])
    subscription.dispose()
  }

  // contract 1.10: for each value another thread sends the next, and the callback waits for that call
  @Test(arguments: ["bind", "live data"]) func valuesSentMeanwhileDoNotKeepACallFromReturning(call: String) async {
    let (subject, label, sent, hasReturned) = (BehaviorSubject(value: 0), Label(), Locked(0), Locked(false))
    let onNext: @MainActor @Sendable (Int) -> Void = { number in
      label.history.append(number)
      guard !hasReturned.value, number < 5_000 else { return }
      sent.mutate { $0 = number + 1 }
      #expect(onOtherThread { subject.onNext(number + 1) })
    }
    let subscription = call == "bind" ? subject.bind(onNext) : subject.asLiveData().observeForever(onNext)
    hasReturned.mutate { $0 = true }
    #expect(label.history.count == 1_024)
    await settle { label.history.count == sent.value + 1 }
    #expect(label.history == Array(0...sent.value))
    subscription.dispose()
  }

  // contract 1.10: `bind` delivers at most 1,024 events while it subscribes, those of its own thread among them
  @Test func theRestOfALongSequenceLeavesRoomForOtherWork() async {
    let label = Label()
    let subscription = Observable.from(1...2_000).bind { label.history.append($0) }
    #expect(label.history == Array(1...1_024))
    await settle { label.history.count == 2_000 }
    #expect(label.history == Array(1...2_000))
    subscription.dispose()
  }

  @Test func nothingIsDeliveredAfterADisposeOnTheMainActor() async {
    let (subject, label) = (PublishSubject<Int>(), Label())
    let subscription = subject.bind { label.history.append($0) }
    await onThread { subject.onNext(1) }
    // The value may have reached the main actor or not. After this line none does.
    subscription.dispose()
    let seen = label.history
    await onThread { subject.onNext(2) }
    for _ in 0..<100 { await Task.yield() }
    #expect(label.history == seen)
  }

  @Test func sendingFromInsideTheCallbackComesAfterIt() {
    let (subject, label) = (PublishSubject<Int>(), Label())
    let subscription = subject.bind { number in
      if number < 3 { subject.onNext(number + 1) }
      label.history.append(number)
    }
    subject.onNext(1)
    #expect(label.history == [1, 2, 3])
    subscription.dispose()
  }

  @Test func theTargetIsReferencedWeakly() {
    let subject = BehaviorSubject(value: "a")
    weak var weakLabel: Label?
    let subscription: any Disposable
    do {
      let label = Label()
      weakLabel = label
      subscription = subject.bind(to: label, \.text)
    }
    #expect(weakLabel == nil)
    subject.onNext("b")
    subscription.dispose()
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func anErrorEndsTheSubscription() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let (subject, label, lifetimes) = (PublishSubject<Int>(), Label(), Lifetimes())
          let object = Locked<Lifetimes.Object?>(lifetimes.make())
          let subscription = subject.bind { [held = object.value] number in
            withExtendedLifetime(held) { label.history.append(number) }
          }
          object.mutate { $0 = nil }
          subject.onNext(1)
          subject.onError(TestError())
          #expect(label.history == [1])
          #expect(lifetimes.alive == 0)
          subscription.dispose()
        }
      }
      #expect(
        reports(result)
          == inDebugBuilds(
            "RxViewModel: a stream of Int failed, and its bind doesn't handle the error: test error"))
    }
  #endif

  @Test func aViewModelOnItsOwnQueue() async {
    let (screen, label) = (Screen(), Label())
    let subscription = screen.stateObservable.map(\.count).bind { label.history.append($0) }
    #expect(label.history == [0])
    for number in 0..<50 { screen.execute(Step("\(number)")) }
    await settle { label.history.count == 51 }
    #expect(label.history == Array(0...50))
    subscription.dispose()
  }

  // contract 1: `bind(to:)` for observers passes every event on, on the thread of that event
  @Test func bindToObservers() {
    let (source, first, second) = (PublishSubject<Int>(), ReplaySubject<Int>(bufferSize: 9), TestObserver<Int>())
    let subscription = source.bind(to: first, second)
    source.onNext(1)
    source.onError(TestError())
    #expect(first.test().values == [1])
    #expect(first.test().error is TestError)
    #expect(second.values == [1])
    #expect(second.error is TestError)
    subscription.dispose()
  }
}
