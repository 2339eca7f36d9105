import RxViewModel
import Testing

@testable import TestSupport

struct ValuesTests {
  // contract 1: subscribes when it is read; buffers without bound; the end ends the loop
  @Test(arguments: [true, false])
  func nothingSentAfterTheReadIsMissed(fails: Bool) async {
    let subject = PublishSubject<Int>()
    let values = subject.values
    #expect(subject.hasObservers)
    for number in 0..<10_000 { subject.onNext(number) }
    if fails { subject.onError(TestError()) } else { subject.onCompleted() }
    var seen: [Int] = []
    do {
      for try await value in values { seen.append(value) }
      #expect(!fails)
    } catch { #expect(fails && error is TestError) }
    #expect(seen == Array(0..<10_000))
  }

  // contract 1: ending the loop disposes the subscription
  @Test func leavingTheLoopDisposes() async throws {
    let subject = PublishSubject<Int>()
    func first() async throws -> Int? {
      let values = subject.values
      subject.onNext(5)
      for try await value in values { return value }
      return nil
    }
    #expect(try await first() == 5)
    #expect(!subject.hasObservers)
    _ = subject.values
    #expect(!subject.hasObservers)
  }

  // contract 1: so does cancelling its task
  @Test func cancellingTheTaskDisposes() async throws {
    let (subject, started, disposed) = (PublishSubject<Int>(), Signal(), Signal())
    let values = subject.do(onDispose: { disposed.fire() }).values
    let task = Task {
      var seen = 0
      for try await _ in values {
        seen += 1
        started.fire()
      }
      return seen
    }
    subject.onNext(1)
    #expect(await onThread { started.wait() })
    task.cancel()
    #expect(await onThread { disposed.wait() })
    subject.onNext(2)
    #expect(try await task.value == 1)
    #expect(!subject.hasObservers)
  }

  @Test(arguments: [true, false])
  func anObservableOfTheValuesOfASequence(fails: Bool) async {
    let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    let (recorder, ended) = (Recorder<Int>(), Signal())
    let subscription = Observable.values(of: stream).subscribe { event in
      recorder.on(event)
      if case .next = event { return }
      ended.fire()
    }
    for number in 1...100 { continuation.yield(number) }
    continuation.finish(throwing: fails ? TestError() : nil)
    #expect(await onThread { ended.wait() })
    #expect(recorder.elements == Array(1...100))
    #expect(recorder.end == (fails ? "error" : "completed"))
    subscription.dispose()
  }

  // Disposing cancels the task that iterates, and nothing is delivered after that.
  @Test func disposingEndsTheIteration() async {
    let (recorder, first, cancelled) = (Recorder<Int>(), Signal(), Signal())
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.onTermination = { reason in
      if case .cancelled = reason { cancelled.fire() }
    }
    let subscription = Observable.values(of: stream).subscribe { event in
      recorder.on(event)
      first.fire()
    }
    continuation.yield(1)
    #expect(await onThread { first.wait() })
    subscription.dispose()
    #expect(await onThread { cancelled.wait() })
    continuation.yield(2)
    #expect(recorder.elements == [1] && recorder.end == nil)
  }
}
