import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.6: all tests run on a 512 KB stack. A stack that overflows ends the process.
@Suite(.stress) struct ManyAttemptsTests {
  #if DEBUG
    private static let million = 100_000
  #else
    private static let million = 1_000_000
  #endif

  /// An operator that subscribes `million` times, and how each attempt ends.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let end: Event<Int>
    let apply: @Sendable (Observable<Int>) -> Observable<Int>

    init(
      _ name: String, eachEndsBy end: Event<Int>, _ apply: @escaping @Sendable (Observable<Int>) -> Observable<Int>
    ) {
      testDescription = name
      self.end = end
      self.apply = apply
    }

    static let all = [
      Case("retry", eachEndsBy: .error(TestError())) { $0.retry(million) },
      Case("retry of share", eachEndsBy: .error(TestError())) { $0.share().retry(million) },
      Case("retry of concat", eachEndsBy: .error(TestError())) { Observable.empty().concat($0).retry(million) },
      Case("retry without delay", eachEndsBy: .error(TestError())) { source in
        source.retry(million, delay: { _ in .zero }, scheduler: ImmediateScheduler())
      },
      Case("concat of an array", eachEndsBy: .completed) { .concat([Observable](repeating: $0, count: million)) },
      Case("catch in concatMap", eachEndsBy: .error(TestError())) { source in
        Observable.from(0..<million).concatMap { _ in source.catch { _ in .empty() } }
      },
      Case("concatMap", eachEndsBy: .completed) { source in Observable.from(0..<million).concatMap { _ in source } },
      Case("flatMap(maxConcurrent: 1)", eachEndsBy: .completed) { source in
        Observable.from(0..<million).flatMap(maxConcurrent: 1) { _ in source }
      },
    ]

    /// Operators that subscribe to all their sources at once. They are tested only with attempts that end by themselves.
    static let concurrent = [
      Case("catch in flatMap", eachEndsBy: .error(TestError())) { source in
        Observable.from(0..<million).flatMap { _ in source.catch { _ in .empty() } }
      },
      Case("retry in flatMap", eachEndsBy: .error(TestError())) { source in
        Observable.from(0..<(million / 2)).flatMap { _ in source.retry(2).catch { _ in .empty() } }
      },
      Case("catch in flatMapLatest", eachEndsBy: .error(TestError())) { source in
        Observable.from(0..<million).flatMapLatest { _ in source.catch { _ in .empty() } }
      },
      Case("merge of an array", eachEndsBy: .completed) { .merge([Observable](repeating: $0, count: million)) },
    ]
  }

  // Each attempt sends its number and ends, before `subscribe` returns.
  @Test(arguments: Case.all + Case.concurrent)
  func attemptsThatEndByThemselves(through operation: Case) async {
    let (attempts, progress) = (Locked(0), Progress())
    await onThread(stackSize: smallStack) {
      let source = Observable<Int>.create { observer in
        let number = attempts.mutate { count in
          count += 1
          return count
        }
        observer.onNext(number)
        observer.on(operation.end)
        return Disposables.create()
      }
      _ = operation.apply(source).subscribe { progress.receive($0) }
    }
    #expect(progress.isEnded)
    #expect(progress.last == Self.million)
    #expect(progress.isInOrder)
  }

  // `subscribe` has returned. One thread then ends the attempts one after the other.
  @Test(arguments: Case.all)
  func attemptsThatAnotherThreadEnds(through operation: Case) async {
    let (observers, progress) = (Locked<[AnyObserver<Int>]>([]), Progress())
    let source = Observable<Int>.create { observer in
      observers.mutate { $0.append(observer) }
      return Disposables.create()
    }
    let subscription = operation.apply(source).subscribe { progress.receive($0) }
    await onThread(stackSize: smallStack) {
      var number = 0
      while let observer = observers.mutate({ $0.popLast() }) {
        number += 1
        observer.onNext(number)
        observer.on(operation.end)
      }
    }
    #expect(progress.isEnded)
    #expect(progress.last == Self.million)
    #expect(progress.isInOrder)
    subscription.dispose()
  }
}

/// The progress of a subscriber that receives the numbers from 1 on.
private final class Progress: Sendable {
  private let state = Locked((last: 0, isInOrder: true, isEnded: false))

  var last: Int { state.value.last }
  var isInOrder: Bool { state.value.isInOrder }
  var isEnded: Bool { state.value.isEnded }

  func receive(_ event: Event<Int>) {
    state.mutate { state in
      if case .next(let number) = event {
        if number != state.last + 1 { state.isInOrder = false }
        state.last = number
      } else {
        state.isEnded = true
      }
    }
  }
}
