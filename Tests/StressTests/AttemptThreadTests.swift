import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// A stream that ends on another thread while it is being subscribed is followed on the subscribing thread, so that what it has returned is
// disposed before the next attempt.
// contract 1.6, 1.10: the stack does not grow with the number of attempts.
@Suite(.stress) struct AttemptThreadTests {
  /// An operator that makes several attempts, and the event that ends each of them.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let attempts: Int
    let end: Event<Int>
    /// The terminal event that the subscriber gets.
    let expected: String
    let apply: @Sendable (Observable<Int>) -> Observable<Int>

    init(
      _ name: String, attempts: Int, eachEndsBy end: Event<Int>, _ expected: String,
      _ apply: @escaping @Sendable (Observable<Int>) -> Observable<Int>
    ) {
      testDescription = name
      self.attempts = attempts
      self.end = end
      self.expected = expected
      self.apply = apply
    }

    static let all = [
      Case("retry(2)", attempts: 2, eachEndsBy: .error(TestError()), "error") { $0.retry(2) },
      Case("retry(20,000)", attempts: 20_000, eachEndsBy: .error(TestError()), "error") { $0.retry(20_000) },
      Case("retry without delay", attempts: 2_000, eachEndsBy: .error(TestError()), "error") { source in
        source.retry(2_000, delay: { _ in .zero }, scheduler: ImmediateScheduler())
      },
      Case("concat of two", attempts: 2, eachEndsBy: .completed, "completed") { $0.concat($0) },
      Case("concat of 2,000", attempts: 2_000, eachEndsBy: .completed, "completed") { source in
        .concat([Observable](repeating: source, count: 2_000))
      },
      Case("catch", attempts: 2, eachEndsBy: .error(TestError()), "error") { source in source.catch { _ in source } },
    ]
  }

  // A new worker thread ends each attempt while the thread that makes the attempt is still inside the closure of `create`.
  @Test(arguments: Case.all)
  func theSubscribingThreadMakesTheNextAttempt(_ operation: Case) async {
    let source = EndedElsewhere(operation.end)
    let (recorder, done) = (Recorder<Int>(), Signal())
    let hasEnded = await onThread(stackSize: smallStack) {
      _ = operation.apply(source.stream).subscribe { event in
        recorder.on(event)
        if case .next = event { return }
        done.fire()
      }
      return done.wait()
    }
    #expect(hasEnded)
    let isInOrder = recorder.elements == Array(1...operation.attempts)
    #expect(isInOrder)
    #expect(recorder.end == operation.expected)
    #expect(recorder.faults == [])
    #expect(source.misplaced == [])
    #expect(!source.isStuck)
  }

  // Another thread ends the first attempt, while that is being subscribed. The later attempts end by themselves.
  @Test(arguments: [2, 20_000])
  func theAttemptsStayOnTheSubscribingThread(count: Int) async {
    let (here, elsewhere, subscriber, done) = (Locked(0), Locked(0), Locked<Thread?>(nil), Signal())
    await onThread(stackSize: smallStack) {
      subscriber.mutate { $0 = .current }
      let source = Observable<Int>.create { observer in
        if Thread.current === subscriber.value {
          if here.mutate({
            $0 += 1
            return $0
          }) == 1 {
            #expect(onOtherThread { observer.onError(TestError()) })
          } else {
            observer.onError(TestError())
          }
        } else {
          elsewhere.mutate { $0 += 1 }
          observer.onError(TestError())
        }
        return Disposables.create()
      }
      _ = source.retry(count).subscribe(onError: { _ in done.fire() })
      #expect(done.wait())
    }
    #expect(here.value == count)
    #expect(elsewhere.value == 0)
  }
}

/// A source whose attempts send their number and then end, each on a new thread.
///
/// The thread that subscribes waits in the closure of `create` until the worker's call has returned. So an attempt always ends while it is
/// still being subscribed.
private final class EndedElsewhere: Sendable {
  private struct State {
    var attempts = 0
    /// The thread that is to make the next attempt.
    var maker: Thread?
    /// Fired when the last attempt may return from the closure of `create`.
    var turn: Signal?
    /// The numbers of the first attempts that the wrong thread made.
    var misplaced: [Int] = []
    var isStuck = false
  }

  private let state = Locked(State())
  private let end: Event<Int>

  init(_ end: Event<Int>) {
    self.end = end
  }

  /// The numbers of the first attempts that another thread has made.
  var misplaced: [Int] { state.value.misplaced }

  var isStuck: Bool { state.value.isStuck }

  var stream: Observable<Int> {
    .create { [self] observer in
      attempt(observer)
      return Disposables.create()
    }
  }

  private func attempt(_ observer: AnyObserver<Int>) {
    if isStuck { return observer.onError(TestError("stuck")) }
    let turn = Signal()
    let number = state.mutate { state in
      state.attempts += 1
      if let maker = state.maker, Thread.current !== maker, state.misplaced.count < 5 {
        state.misplaced.append(state.attempts)
      }
      state.turn?.fire()
      state.turn = turn
      return state.attempts
    }
    let worker = Thread { [self] in
      observer.onNext(number)
      observer.on(end)
      turn.fire()
    }
    worker.stackSize = smallStack
    state.mutate { $0.maker = .current }
    worker.start()
    if !turn.wait() { state.mutate { $0.isStuck = true } }
  }
}
