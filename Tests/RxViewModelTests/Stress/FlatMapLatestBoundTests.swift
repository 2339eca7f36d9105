import Foundation
import RxViewModel
import Testing

// contract 1.10: a thread subscribes and disposes again and again while two others send
@Test(.stress) func aSubscriberOfFlatMapLatestComesAndGoesBesideFastSenders() async {
  let (subject, inner, isOver) = (BehaviorSubject(value: 0), BehaviorSubject(value: 0), Locked(false))
  let rounds = Locked(0)
  await withTaskGroup(of: Void.self) { group in
    for source in [subject, inner] {
      group.addTask { await onThread { while !isOver.value { source.onNext(1) } } }
    }
    group.addTask {
      await onThread {
        let stream = subject.flatMapLatest { _ in inner }
        for _ in 0..<50 {
          stream.subscribe(onNext: { _ in }).dispose()
          rounds.mutate { $0 += 1 }
        }
        isOver.mutate { $0 = true }
      }
    }
  }
  #expect(rounds.value == 50)
}
