import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1, `bind`
@MainActor
struct BindTests {
  @MainActor
  private final class Label {
    var text = ""
    var title: String?
  }

  private let subject = PublishSubject<Int>()
  private let seen = Locked<[Int]>([])

  @Test func theFirstValueIsThereBeforeBindReturnsAndTheTargetIsNotRetained() {
    let subject = BehaviorSubject(value: "a")
    var label: Label? = Label()
    weak let released = label
    let subscriptions = [subject.bind(to: label!, \.text), subject.bind(to: label!, \.title)]
    #expect((label?.text, label?.title) == ("a", "a"))
    subject.onNext("b")
    #expect((label?.text, label?.title) == ("b", "b"))
    subscriptions[0].dispose()
    subject.onNext("c")
    #expect((label?.text, label?.title) == ("b", "c"))
    label = nil
    #expect(released == nil)
    subject.onNext("d")
    subscriptions[1].dispose()
    #expect(!subject.hasObservers)
  }

  @Test func valuesOfSeveralThreadsComeOnTheMainActorInTheOrderOfEachThread() async {
    let subscription = subject.bind { [seen] number in
      MainActor.assertIsolated()
      dispatchPrecondition(condition: .onQueue(.main))
      seen.append(number)
    }
    await race(threads: 4) { [subject] thread in
      for number in 0..<500 { subject.onNext(thread * 1_000 + number) }
    }
    // The main actor sends too, while some of the threads' values may still wait.
    subject.onNext(4_000)
    await settle { seen.value.count == 2_001 }
    for thread in 0..<4 {
      #expect(seen.value.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
    }
    #expect(seen.value.last == 4_000)
    subscription.dispose()
  }

  // contract 1.10: events from another thread and other work on the main queue keep their order
  @Test func otherWorkOnTheMainQueueKeepsItsOrder() async {
    let subscription = subject.bind { [seen] in seen.append($0) }
    onOtherThread { [subject, seen] in
      subject.onNext(1)
      subject.onNext(2)
      DispatchQueue.main.async { seen.append(-1) }
      subject.onNext(3)
    }
    // This value is sent on the main actor, and still comes after the values that wait.
    subject.onNext(4)
    #expect(seen.value == [])
    await settle { seen.value.count == 5 }
    #expect(seen.value == [1, 2, -1, 3, 4])
    subscription.dispose()
  }

  // contract 1.10: for each value another thread sends the next, and the callback waits for that call. The call that subscribes delivers
  // at most 1,024.
  @Test(arguments: ["bind", "live data"]) func valuesSentMeanwhileDoNotKeepACallFromReturning(call: String) async {
    let (subject, sent, hasReturned) = (BehaviorSubject(value: 0), Locked(0), Locked(false))
    let onNext: @MainActor @Sendable (Int) -> Void = { [seen] number in
      seen.append(number)
      guard !hasReturned.value, number < 5_000 else { return }
      sent.mutate { $0 = number + 1 }
      #expect(onOtherThread { subject.onNext(number + 1) })
    }
    let subscription = call == "bind" ? subject.bind(onNext) : subject.asLiveData().observeForever(onNext)
    hasReturned.mutate { $0 = true }
    #expect(seen.value.count == 1_024)
    await settle { seen.value.count == sent.value + 1 }
    #expect(seen.value == Array(0...sent.value))
    subscription.dispose()
  }

  @Test func nothingIsDeliveredAfterADisposeOnTheMainActor() async {
    let subscription = subject.bind { [seen] in seen.append($0) }
    await onThread { [subject] in subject.onNext(1) }
    // The value may have reached the main actor or not. After this line none does.
    subscription.dispose()
    let before = seen.value
    await onThread { [subject] in subject.onNext(2) }
    for _ in 0..<100 { await Task.yield() }
    #expect(seen.value == before)
  }
}
