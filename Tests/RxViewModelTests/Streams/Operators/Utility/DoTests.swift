import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct DoTests {
  private final class Notes: Sendable {
    private let lines = Locked<[String]>([])
    var all: [String] { lines.value }
    func callAsFunction(_ text: String) { lines.append(text) }

    /// The source with a note of each call.
    func watching(_ source: some ObservableType<Int>) -> Observable<Int> {
      source.do(
        onNext: { self("on \($0)") }, afterNext: { self("after \($0)") }, onError: { self("on \($0)") },
        onCompleted: { self("on end") }, onSubscribe: { self("subscribe") }, onDispose: { self("dispose") })
    }

    func subscribe(to source: Observable<Int>) -> any Disposable {
      source.subscribe { event in
        switch event {
        case .next(let element): self("got \(element)")
        case .error(let error): self("got \(error)")
        case .completed: self("got end")
        }
      }
    }
  }

  // contract 1: do(afterNext:) runs after the subscriber has received the element
  @Test func afterNextRunsAfterTheSubscriberHasReceivedTheElement() {
    let (completing, failing) = (Notes(), Notes())
    _ = completing.subscribe(to: completing.watching(Observable.of(1, 2)))
    #expect(
      completing.all == [
        "subscribe", "on 1", "got 1", "after 1", "on 2", "got 2", "after 2", "on end", "dispose", "got end",
      ])
    _ = failing.subscribe(to: failing.watching(Observable.error(TestError())))
    #expect(failing.all == ["subscribe", "on test error", "dispose", "got test error"])
  }

  // contract 1: even if the subscriber has disposed the subscription
  @Test func afterNextRunsThoughTheSubscriberHasDisposedInsideTheElement() {
    let (notes, subject) = (Notes(), PublishSubject<Int>())
    let subscription = notes.subscribe(
      to: notes.watching(subject).do(onNext: { if $0 == 2 { subject.onCompleted() } }).take(2))
    for number in 1...3 { subject.onNext(number) }
    #expect(notes.all == ["subscribe", "on 1", "got 1", "after 1", "on 2", "got 2", "dispose", "got end", "after 2"])
    #expect(!subject.hasObservers)
    subscription.dispose()
  }

  // contract 1.2: an element that the subscriber or a closure sends waits until the one before is done
  @Test func anElementThatIsSentInsideAnotherOneComesAfterIt() {
    let (notes, subject) = (Notes(), PublishSubject<Int>())
    let watched = notes.watching(subject).do(onNext: { if $0 == 1 { subject.onNext(2) } })
      .do(afterNext: { if $0 == 2 { subject.onNext(3) } })
    let subscription = notes.subscribe(to: watched)
    subject.onNext(1)
    #expect(
      notes.all == ["subscribe", "on 1", "got 1", "after 1", "on 2", "got 2", "after 2", "on 3", "got 3", "after 3"])
    subscription.dispose()
  }

  // contract 1, 1.1, 1.7: its error follows the element, unless `take` has ended the stream
  @Test(arguments: [false, true])
  func anErrorOfAfterNextFollowsTheElement(hasEnded: Bool) {
    let (notes, subject) = (Notes(), PublishSubject<Int>())
    let failing = subject.do(
      afterNext: { _ in throw TestError() }, onDispose: { notes("dispose") })
    _ = notes.subscribe(to: hasEnded ? failing.take(1) : failing)
    subject.onNext(1)
    subject.onNext(2)
    #expect(notes.all == (hasEnded ? ["got 1", "dispose", "got end"] : ["got 1", "dispose", "got test error"]))
    #expect(!subject.hasObservers)
  }

  @Test(arguments: ["next", "error", "completed"])
  func anErrorReplacesTheEventAndHasNoAfterClosure(event: String) {
    let (notes, subject) = (Notes(), PublishSubject<Int>())
    let failing = subject.do(
      onNext: { _ in throw TestError("thrown") }, afterNext: { _ in notes("after next") },
      onError: { _ in throw TestError("thrown") }, onCompleted: { throw TestError("thrown") })
    _ = notes.subscribe(to: failing)
    switch event {
    case "next": subject.onNext(1)
    case "error": subject.onError(TestError())
    default: subject.onCompleted()
    }
    #expect(notes.all == ["got thrown"])
  }

  // contract 1, 1.4: once, before the terminal event is passed on, in one order for every operator that ends the stream
  @Test(arguments: [
    "dispose", "completed", "error", "take", "take(while:)", "take(while:inclusive:)", "take(until:)", "timeout",
    "merge", "flatMap", "catch", "share",
  ])
  func onDisposeRunsOnceAndBeforeTheTerminalEvent(end: String) {
    let (notes, subject, stop, clock) = (Notes(), PublishSubject<Int>(), PublishSubject<Int>(), TestScheduler())
    let watched = subject.do(onDispose: { notes("dispose") })
    let stream: Observable<Int> =
      switch end {
      case "take": watched.take(1)
      case "take(while:)": watched.take(while: { _ in false })
      case "take(while:inclusive:)": watched.take(while: { _ in false }, inclusive: true)
      case "take(until:)": watched.take(until: stop)
      case "timeout": watched.timeout(.seconds(1), scheduler: clock)
      case "merge": watched.merge(with: Observable.empty())
      case "flatMap": Observable.of(0).flatMap { _ in watched }
      case "catch": watched.catch { _ in .never() }
      case "share": watched.share()
      default: watched
      }
    let subscription = stream.ignoreElements().subscribe(
      onNext: { (_: Int) in }, onError: { _ in notes("end") }, onCompleted: { notes("end") },
      onDisposed: { notes("last") })
    switch end {
    case "dispose": subscription.dispose()
    case "error": subject.onError(TestError())
    case "take", "take(while:)", "take(while:inclusive:)": subject.onNext(1)
    case "take(until:)": stop.onNext(1)
    case "timeout": clock.run()
    default: subject.onCompleted()
    }
    subscription.dispose()
    #expect(notes.all == (end == "dispose" ? ["dispose", "last"] : ["dispose", "end", "last"]))
  }
}

struct DoAndDisposeTests {
  @Test(arguments: [false, true]) func nothingIsSubscribedAfterADisposeInOnSubscribe(hasOnDispose: Bool) {
    let (stop, started, disposed) = (PublishSubject<Void>(), Locked(0), Locked(0))
    let request = Observable<Int>.create { _ in
      started.increment()
      return Disposables.create()
    }
    let onDispose: (@Sendable () -> Void)? = hasOnDispose ? { @Sendable in _ = disposed.increment() } : nil
    let events = Locked<[String]>([])
    _ = request.do(onSubscribe: { stop.onNext(()) }, onDispose: onDispose).take(until: stop)
      .subscribe { event in events.append("\(event)") }
    #expect(started.value == 0 && disposed.value == (hasOnDispose ? 1 : 0))
    #expect(events.value == ["completed"])
  }
}

struct DebugTests {
  private struct Local: Sendable { var tags: Set<Int> }

  private func lines<Element>(of source: Observable<Element>) -> [String] {
    let lines = Locked<[String]>([])
    let subscription = source.debug("taps") { lines.append($0) }.subscribe { _ in }
    subscription.dispose()
    subscription.dispose()
    return lines.value
  }

  @Test func aLineForEachStep() {
    #expect(
      lines(of: .of("a", "b")) == [
        "taps: subscribed", #"taps: next("a")"#, #"taps: next("b")"#, "taps: completed", "taps: disposed",
      ])
    #expect(
      lines(of: Observable<Int>.error(TestError("oops"))) == [
        "taps: subscribed", "taps: error(oops)", "taps: disposed",
      ])
    #expect(lines(of: Observable<Int>.never()) == ["taps: subscribed", "taps: disposed"])
    // A set is described the same in each run.
    #expect(lines(of: .just(Local(tags: [3, 1, 2])))[1] == "taps: next(Local(tags: [1, 2, 3]))")
  }
}
