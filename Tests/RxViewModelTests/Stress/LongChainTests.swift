import RxViewModel
import Testing

// contract 1.6: a chain of 100,000 operators subscribed and released, on a 512 KB stack. A stack that overflows ends the process.
@Suite(.stress) struct LongChainTests {
  private static let operators: [String: @Sendable (Observable<Int>, Lifetimes.Object) -> Observable<Int>] = [
    "map": { source, object in source.map { object.passing($0) } },
    "filter": { source, object in source.filter { object.passing($0) > 0 } },
    "do": { source, object in source.do(onNext: { _ in object.touch() }) },
    "scan": { source, object in source.scan(0) { object.passing($1) } },
    "take(while:)": { source, object in source.take(while: { object.passing($0) > 0 }) },
  ]

  /// A hundred thousand of one operator, or of all in turn.
  private static func chain(of name: String?, on source: Observable<Int>, _ object: Lifetimes.Object) -> Observable<Int>
  {
    let operators = name.map { [Self.operators[$0]!] } ?? Array(Self.operators.values)
    return (0..<100_000).reduce(source) { stream, step in operators[step % operators.count](stream, object) }
  }

  enum End: CaseIterable {
    case dispose, sourceReleased, notSubscribed
    /// The chain goes first, the subscription last.
    case chainReleasedFirst
  }

  @Test(arguments: operators.keys.sorted())
  func isSubscribedAndReleased(of name: String) async {
    await release(of: name, endedBy: .dispose)
  }

  @Test(arguments: End.allCases)
  func isSubscribedAndReleased(endedBy end: End) async {
    await release(of: nil, endedBy: end)
  }

  private func release(of name: String?, endedBy end: End) async {
    let lifetimes = Lifetimes()
    await onThread(stackSize: smallStack) {
      var subject: PublishSubject<Int>? = PublishSubject()
      var stream = Self.chain(of: name, on: subject!.asObservable(), lifetimes.make())
      if end == .notSubscribed { return }
      let object = lifetimes.make()
      let subscription = stream.subscribe { _ in object.touch() }
      #expect(subject!.hasObservers)
      switch end {
      case .sourceReleased:
        stream = .never()
        subject = nil
      case .chainReleasedFirst:
        stream = .never()
        subscription.dispose()
      default:
        subscription.dispose()
        #expect(!subject!.hasObservers)
      }
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func anEventGoesThroughAChainThatIsLongerThanTheDistanceOfItsCuts() {
    var stream = PublishSubject<Int>().asObservable()
    let subject = PublishSubject<Int>()
    stream = subject.asObservable()
    for _ in 0..<300 { stream = stream.map { $0 + 1 } }
    let recorder = Recorder<Int>()
    let subscription = stream.subscribe(recorder)
    subject.onNext(0)
    subject.onNext(1)
    subscription.dispose()
    subject.onNext(2)
    #expect(recorder.elements == [300, 301])
  }

  // What is released at the end of a chain may release another chain, and wait for another thread that does so.
  @Test func chainsThatHoldEachOtherAndAreReleasedOnSeveralThreads() async {
    let lifetimes = Lifetimes()
    await race(threads: 4) { _ in
      var stream = Observable<Int>.never()
      for _ in 0..<100 {
        let inner = stream
        let object = lifetimes.make()
        stream = Observable.never()
        for _ in 0..<200 {
          stream = stream.do(onNext: { _ in
            object.touch()
            withExtendedLifetime(inner) {}
          })
        }
      }
    }
    #expect(lifetimes.alive == 0)
  }
}
