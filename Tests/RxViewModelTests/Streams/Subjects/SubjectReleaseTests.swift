import Testing

@testable import RxViewModel
@testable import TestSupport

// contract 1.4
struct SubjectReleaseTests {
  // The optimizer may release a subject while it delivers. The delivery still reaches both subscribers, and then releases them, outside its
  // lock: their bag disposes the subscriptions.
  @Test func aSubjectMayBeReleasedInsideItsOwnDelivery() {
    let (core, lifetimes, seen) = (SubjectCore<Int>(SubjectState(size: 1)), Lifetimes(), Locked<[Int]>([]))
    do {
      let (object, bag) = (lifetimes.make(), DisposeBag())
      for number in 1...2 {
        core.stream.subscribe { (_: Event<Int>) in
          withExtendedLifetime((object, bag)) { seen.append(number) }
          core.releaseAll()
        }.disposed(by: bag)
      }
    }
    core.send(1)
    #expect(seen.value == [1, 2] && lifetimes.alive == 0)
  }
}
