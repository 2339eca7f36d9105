import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

// contract 1.10: a call handles at most 1,024 elements, and subscribes to at most 1,024 inner streams, of other threads.
@Suite(.stress) struct ExpandBoundTests {
  // A thread that is subscribing to an inner stream sends 5,000 elements, whose inner streams wait for it. Meanwhile another thread sends
  // one element of its own.
  @Test func aCallSubscribesToABoundedNumberOfWaitingInnerStreams() async {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<Int>())
    let (sender, here, total) = (Locked<Thread?>(nil), Locked(0), Locked(0))
    let (reached, gate, done) = (Signal(), Signal(), Signal())
    let subscription = source.expand { number -> Observable<Int> in
      switch number {
      case -2: return other.asObservable()
      case -1:
        return .deferred {
          for number in 1...5_000 { other.onNext(number) }
          reached.fire()
          #expect(gate.wait())
          return .empty()
        }
      default:
        return .deferred {
          if Thread.current === sender.value { here.mutate { $0 += 1 } }
          total.mutate { $0 += 1 }
          if total.value == 5_001 { done.fire() }
          return .empty()
        }
      }
    }.subscribe { _ in }
    source.onNext(-2)
    let busy = Signal()
    Thread {
      source.onNext(-1)
      busy.fire()
    }.start()
    let subscribedHere = await onThread {
      #expect(reached.wait())
      sender.mutate { $0 = .current }
      other.onNext(0)
      let count = here.value
      sender.mutate { $0 = nil }
      gate.fire()
      #expect(busy.wait())
      #expect(done.wait())
      return count
    }
    #expect(subscribedHere <= WaitingElementsBoundTests.bound)
    #expect(total.value == 5_001)
    subscription.dispose()
  }

  // Two threads send as fast as they can until the calls of a third have returned, or until each has sent a million elements. They
  // may handle all elements of the third.
  @Test func aCallAmongFastSendersHandlesABoundedNumber() async {
    let (source, subjects) = (PublishSubject<Int>(), (0...2).map { _ in PublishSubject<Int>() })
    let (sender, inners, total) = (Locked<Thread?>(nil), Locked(0), Locked(0))
    let (isOver, begun) = (Locked(false), Locked(0))
    let subscription = source.expand { number -> Observable<Int> in
      if number < 0 { return subjects[-1 - number].asObservable() }
      if number > 1_000_000 { return .empty() }
      return .deferred {
        total.mutate { $0 += 1 }
        // The third thread's own elements are 0.
        if number > 0, Thread.current === sender.value { inners.mutate { $0 += 1 } }
        return .from([1_000_001 + number])
      }
    }.subscribe { _ in }
    for number in 1...3 { source.onNext(-number) }
    let handled = await withTaskGroup(of: Int?.self) { group in
      for subject in subjects.dropFirst() {
        group.addTask {
          await onThread {
            for number in 1...1_000_000 {
              if isOver.value { break }
              subject.onNext(number)
              if number == 100 { begun.mutate { $0 += 1 } }
            }
            return nil
          }
        }
      }
      group.addTask {
        await onThread {
          while begun.value < 2 { sched_yield() }
          sender.mutate { $0 = .current }
          var most = 0
          for _ in 0..<5_000 {
            let before = inners.value
            subjects[0].onNext(0)
            most = max(most, inners.value - before)
          }
          isOver.mutate { $0 = true }
          return most
        }
      }
      var handled: Int?
      for await result in group { handled = result ?? handled }
      return handled!
    }
    // Only the inner streams have this bound. The call delivers up to 1,024 elements of other threads for each event of its own.
    #expect(handled <= WaitingElementsBoundTests.bound)
    #expect(total.value > 0)
    subscription.dispose()
  }
}
