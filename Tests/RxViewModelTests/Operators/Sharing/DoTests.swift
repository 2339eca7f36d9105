import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct DoTests {
  @Test func doSeesEverythingInOrder() {
    let log = Locked<[String]>([])
    @Sendable func note(_ text: String) { log.mutate { $0.append(text) } }
    let watched = Observable.of(1).do(
      onNext: { note("next \($0)") }, onError: { note("error \($0)") }, onCompleted: { note("completed") },
      onSubscribe: { note("subscribe") }, onDispose: { note("dispose") })
    watched.subscribe { if case .next = $0 { note("got next") } else { note("got end") } }.dispose()
    #expect(log.value == ["subscribe", "next 1", "got next", "completed", "got end", "dispose"])
  }

  // contract 1: do(onDispose:) runs once at any end
  @Test(arguments: ["dispose", "completed", "error", "cut off"])
  func onDisposeRunsOnce(end: String) {
    let (subject, count) = (PublishSubject<Int>(), Locked(0))
    let subscription = subject.do(onDispose: { count.mutate { $0 += 1 } })
      .map { _ in throw TestError() }.subscribe(onNext: { (_: Int) in })
    switch end {
    case "completed": subject.onCompleted()
    case "error": subject.onError(TestError())
    case "cut off": subject.onNext(1)
    default: break
    }
    subscription.dispose()
    subscription.dispose()
    #expect(count.value == 1)
    #expect(!subject.hasObservers)
  }
}
