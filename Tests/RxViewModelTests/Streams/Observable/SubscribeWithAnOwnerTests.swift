import RxViewModel
import Testing

@testable import TestSupport

// contract 1, `subscribe`, `bind`: the forms with an owner hold it weakly, and pass it to their closures
@Suite struct SubscribeWithAnOwnerTests {
  private final class Owner: Sendable {
    let log = Locked<[String]>([])
    let object: Lifetimes.Object

    init(_ lifetimes: Lifetimes) { object = lifetimes.make() }
  }

  @Test(arguments: [false, true])
  func itsClosuresGetTheOwner(fails: Bool) {
    let (owner, subject) = (Owner(Lifetimes()), PublishSubject<Int>())
    let subscription = subject.subscribe(
      with: owner, onNext: { owner, number in owner.log.mutate { $0.append("\(number)") } },
      onError: { owner, error in owner.log.mutate { $0.append("\(error)") } },
      onCompleted: { owner in owner.log.mutate { $0.append("completed") } })
    subject.onNext(1)
    if fails { subject.onError(TestError("offline")) } else { subject.onCompleted() }
    #expect(owner.log.value.count == 2 && owner.log.value[0] == "1")
    #expect((owner.log.value[1] == "completed") == !fails)
    subscription.dispose()
  }

  @Test func itDoesNotRetainTheOwner() {
    let (lifetimes, subject, calls) = (Lifetimes(), PublishSubject<Int>(), Locked(0))
    do {
      let owner = Owner(lifetimes)
      _ = subject.subscribe(
        with: owner, onNext: { _, _ in calls.increment() }, onCompleted: { _ in calls.mutate { $0 += 10 } })
      subject.onNext(1)
    }
    #expect(lifetimes.alive == 0)
    subject.onNext(2)
    subject.onCompleted()
    #expect(calls.value == 1)
  }

  @MainActor
  @Test func aBindingPassesTheOwnerAndDoesNotRetainIt() {
    @MainActor final class Label {
      var numbers: [Int] = []
    }
    let (subject, calls) = (BehaviorSubject(value: 1), Locked<[Int]>([]))
    weak var released: Label?
    do {
      let label = Label()
      released = label
      _ = subject.bind(with: label) { label, number in
        label.numbers.append(number)
        calls.mutate { $0 = label.numbers }
      }
      subject.onNext(2)
    }
    #expect(released == nil)
    subject.onNext(3)
    #expect(calls.value == [1, 2])
  }
}
