import Foundation
import RxViewModel
import Testing

/// Counts the attempts of an endless loop, and stops a loop that the library does not end: the test then fails instead of hanging.
///
/// The closures of a loop call `next()` to ask whether to continue. It returns false when the loop has made 20,000 attempts since
/// `areOver()`, or has run for as long as `waitLimit` since its first attempt.
final class Attempts: Sendable {
  private struct State {
    var count = 0
    var limit = Int.max
    var isOverdue = false
    var deadline: Date?
    var atThousandth: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Expects that the library has ended the loop, not `next()`.
  func expectEnded(sourceLocation: SourceLocation = #_sourceLocation) {
    let isOverdue = state.value.isOverdue
    #expect(!isOverdue, "the loop went on after its end", sourceLocation: sourceLocation)
  }

  /// Sets the closure that the loop's thread calls once, inside attempt 1,000.
  func atThousandth(_ body: @escaping @Sendable () -> Void) {
    state.mutate { $0.atThousandth = body }
  }

  /// The test calls this when the call that ends the loop has returned.
  func areOver() {
    state.mutate { $0.limit = $0.count + 20_000 }
  }

  /// Counts an attempt. Returns false if the loop must stop.
  func next() -> Bool {
    var body: (@Sendable () -> Void)?
    let goesOn = state.mutate { state in
      if state.count % 4_096 == 0 {
        if state.deadline == nil { state.deadline = Date(timeIntervalSinceNow: Double(waitLimit)) }
        if Date() > state.deadline! { state.isOverdue = true }
      }
      state.count += 1
      if state.count == 1_000 { swap(&body, &state.atThousandth) }
      if state.count > state.limit { state.isOverdue = true }
      return !state.isOverdue
    }
    body?()
    return goesOn
  }
}

/// A stream that never ends and never emits an element. Its `subscribe` does not return.
struct EndlessLoop: Sendable, CustomTestStringConvertible {
  typealias GoesOn = @Sendable () -> Bool

  let testDescription: String
  private let make: @Sendable (_ goesOn: @escaping GoesOn) -> Observable<Int>

  private init(_ name: String, _ make: @escaping @Sendable (_ goesOn: @escaping GoesOn) -> Observable<Int>) {
    testDescription = name
    self.make = make
  }

  /// - Parameter object: An object that the loop's closures retain.
  func stream(_ attempts: Attempts, _ object: Lifetimes.Object) -> Observable<Int> {
    make {
      object.touch()
      return attempts.next()
    }.filter { _ in false }
  }

  static let all = [
    EndlessLoop("retry") { goesOn in failing(goesOn).retry(.max) },
    EndlessLoop("retry of one element") { goesOn in failing(goesOn, after: .just(1)).retry(.max) },
    EndlessLoop("retry of two elements") { goesOn in failing(goesOn, after: .of(1, 2)).retry(.max) },
    EndlessLoop("retry of catch") { goesOn in
      Observable<Int>.error(TestError()).catch { _ in failing(goesOn) }.retry(.max)
    },
    EndlessLoop("retry of concat") { goesOn in
      .concat([.just(1), failing(goesOn, after: .just(2)), .just(3)]).retry(.max)
    },
    EndlessLoop("retry of share") { goesOn in failing(goesOn, after: .just(1)).share().retry(.max) },
    EndlessLoop("retry without delay") { goesOn in
      failing(goesOn).retry(.max, delay: { _ in .zero }, scheduler: ImmediateScheduler())
    },
    EndlessLoop("endless sequence") { goesOn in .from(Endless(goesOn: goesOn)) },
    EndlessLoop("endless sequence, ignored") { goesOn in Observable.from(Endless(goesOn: goesOn)).ignoreElements() },
    EndlessLoop("flatMap of an endless sequence") { goesOn in
      Observable.from(Endless(goesOn: goesOn)).flatMap { _ in Observable<Int>.empty() }
    },
    EndlessLoop("flatMapLatest of an endless sequence") { goesOn in
      Observable.from(Endless(goesOn: goesOn)).flatMapLatest { _ in Observable<Int>.empty() }
    },
    EndlessLoop("concatMap of an endless sequence") { goesOn in
      Observable.from(Endless(goesOn: goesOn)).concatMap { _ in Observable<Int>.empty() }
    },
    // The form of `repeat` that contract 1.6 names.
    EndlessLoop("concatMap to one stream again and again") { goesOn in
      let source = Observable.of(1, 2)
      return Observable.from(Endless(goesOn: goesOn)).concatMap { _ in source }
    },
  ]

  /// Emits `elements` and fails while the loop may continue, and then completes, which ends `retry`.
  private static func failing(_ goesOn: @escaping GoesOn, after elements: Observable<Int> = .empty()) -> Observable<Int>
  {
    .deferred { goesOn() ? elements.concat(.error(TestError())) : .empty() }
  }
}

private struct Endless: Sequence, IteratorProtocol, Sendable {
  let goesOn: EndlessLoop.GoesOn
  private var number = 0

  init(goesOn: @escaping EndlessLoop.GoesOn) {
    self.goesOn = goesOn
  }

  mutating func next() -> Int? {
    number &+= 1
    return goesOn() ? number : nil
  }
}
