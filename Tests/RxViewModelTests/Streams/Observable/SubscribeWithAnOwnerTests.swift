import RxViewModel
import Testing

@testable import TestSupport

// contract 1, 3, `subscribe`, `bind`: the forms with an owner hold it weakly, and pass it to their closures
struct SubscribeWithAnOwnerTests {
  private final class Owner: Sendable {
    let log: Locked<[String]>
    let object: Lifetimes.Object

    init(_ log: Locked<[String]>, _ lifetimes: Lifetimes) { (self.log, object) = (log, lifetimes.make()) }
  }

  @Test(arguments: [false, true])
  func itsClosuresGetTheOwnerWhichItDoesNotRetain(fails: Bool) {
    let (lifetimes, log) = (Lifetimes(), Locked<[String]>([]))
    let subjects = (0..<2).map { _ in PublishSubject<Int>() }
    func end(_ subject: PublishSubject<Int>) {
      if fails { subject.onError(TestError("failed")) } else { subject.onCompleted() }
    }
    do {
      let owner = Owner(log, lifetimes)
      for subject in subjects {
        _ = subject.subscribe(
          with: owner, onNext: { $0.log.append("\($1)") }, onError: { $0.log.append("\($1)") },
          onCompleted: { $0.log.append("completed") })
      }
      subjects[0].onNext(1)
      end(subjects[0])
    }
    #expect(lifetimes.alive == 0)
    subjects[1].onNext(2)
    end(subjects[1])
    #expect(log.value == ["1", fails ? "failed" : "completed"])
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
