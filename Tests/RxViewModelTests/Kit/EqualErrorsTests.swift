import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Its values differ, although all print the same text.
private struct HTTPError: Error, Equatable, CustomStringConvertible {
  let status: Int
  var description: String { "failed" }

  init(_ status: Int) { self.status = status }
}

/// Its values are equal, although each prints a text of its own.
private struct Trace: Error, Equatable, CustomStringConvertible {
  let description: String

  static func == (left: Trace, right: Trace) -> Bool { true }
}

/// Has a description, and no `==`.
private struct Opaque: Error, CustomStringConvertible {
  let description: String
}

/// Prints the same text as `HTTPError`.
private struct OtherError: Error, Equatable, CustomStringConvertible {
  var description: String { "failed" }
}

/// Prints the same text as every other value of its type, and has no `==`.
private struct Hidden: Error, CustomStringConvertible {
  var status = 404
  var cause: (any Error)?
  var details: [String: any Sendable] = [:]
  var parts: [HiddenObject] = []
  var description: String { "failed" }
}

/// An object without `==` that prints the same text, and that refers to itself or to another one.
// Sendable: `own` is set in init only.
private final class HiddenObject: Error, CustomStringConvertible, @unchecked Sendable {
  let status: Int
  var own: HiddenObject?
  var description: String { "failed" }

  init(_ status: Int, own: HiddenObject? = nil) {
    self.status = status
    self.own = own ?? self
  }
}

/// What it stores stands in its superclass.
// Sendable: it is immutable.
private class InheritedFailure: Error, CustomStringConvertible, @unchecked Sendable {
  let status: Int
  var description: String { "failed" }

  init(_ status: Int) { self.status = status }
}

// Sendable: it is immutable.
private final class InheritingFailure: InheritedFailure, @unchecked Sendable {}

private enum Cause: Sendable {
  case timeout(Int)
  case refused(Int)
}

private class Failure: Error, Equatable, CustomStringConvertible, @unchecked Sendable {  // Sendable: it stores nothing.
  var description: String { "failed" }
  static func == (left: Failure, right: Failure) -> Bool { true }
}

// Sendable: it stores nothing.
private final class SpecialFailure: Failure, @unchecked Sendable {}

// contract 2.16
struct EqualErrorsTests {
  private let scheduler = TestScheduler()
  private static let object = HiddenObject(404)
  private static let pairs: [(left: any Error, right: any Error, areEqual: Bool)] = [
    (HTTPError(404), HTTPError(404), true),
    (HTTPError(404), HTTPError(500), false),
    (Trace(description: "a"), Trace(description: "b"), true),
    (Opaque(description: "a"), Opaque(description: "a"), true),
    (Opaque(description: "a"), Opaque(description: "b"), false),
    (HTTPError(404), OtherError(), false),
    (OtherError(), HTTPError(404), false),
    (OtherError(), Opaque(description: "failed"), false),
    (Opaque(description: "failed"), OtherError(), false),
    (Failure(), Failure(), true),
    (Failure(), SpecialFailure(), false),
    (SpecialFailure(), Failure(), false),
    (RxError.timeout, RxError.timeout, true),
    (Hidden(), Hidden(), true),
    (Hidden(), Hidden(status: 500), false),
    (Hidden(cause: HTTPError(404)), Hidden(cause: HTTPError(404)), true),
    (Hidden(cause: HTTPError(404)), Hidden(cause: HTTPError(500)), false),
    (Hidden(cause: Hidden()), Hidden(cause: Hidden(status: 500)), false),
    (Hidden(cause: nil), Hidden(cause: Hidden()), false),
    (Hidden(details: ["a": 1, "b": 2]), Hidden(details: ["b": 2, "a": 1]), true),
    (Hidden(details: ["a": 1]), Hidden(details: ["a": 2]), false),
    (Hidden(details: ["a": Hidden()]), Hidden(details: ["a": Hidden()]), true),
    (Hidden(details: ["a": Hidden()]), Hidden(details: ["a": Hidden(status: 500)]), false),
    (Hidden(details: ["a": Cause.timeout(1)]), Hidden(details: ["a": Cause.timeout(1)]), true),
    (Hidden(details: ["a": Cause.timeout(1)]), Hidden(details: ["a": Cause.refused(1)]), false),
    (InheritingFailure(404), InheritingFailure(404), true),
    (InheritingFailure(404), InheritingFailure(500), false),
    (HiddenObject(404), HiddenObject(404), true),
    (HiddenObject(404), HiddenObject(500), false),
    (HiddenObject(404), HiddenObject(404, own: HiddenObject(500)), false),
    (Hidden(parts: [object, object]), Hidden(parts: [HiddenObject(404), HiddenObject(404)]), true),
    (Hidden(parts: [object, object]), Hidden(parts: [HiddenObject(404), HiddenObject(500)]), false),
  ]

  @Test(arguments: pairs.indices) func errorsAreEqual(pair: Int) {
    let (left, right, areEqual) = Self.pairs[pair]
    #expect((Execution<CounterAction, Int>.Phase.failed(left) == .failed(right)) == areEqual)
  }

  // contract 2.5, 4, 8.1, 2.16
  @Test(arguments: [404, 500]) func everyComparisonUsesThisEquality(status: Int) throws {
    let (error, other, areEqual) = (HTTPError(404), HTTPError(status), status == 404)
    func step(_ error: any Error) -> Execution<CounterAction, Int> {
      Execution(id: 1, action: .increment, mode: .parallel, phase: .failed(error))
    }
    #expect((step(error) == step(other)) == areEqual)
    func pages(_ error: any Error) -> Pages<String, Int, Int> {
      var pages = Pages<String, Int, Int>()
      let request = pages.begin("a")
      pages.receive(.failure(error), for: request)
      return pages
    }
    #expect((pages(error) == pages(other)) == areEqual && pages(error) != Pages())
    let observer = Observable<Int>.error(error).test()
    #expect((observer.mismatch(with: [Recorded(.zero, .error(other))]) == nil) == areEqual)
    try withTestStore(Screen(scheduler: scheduler)) { store in
      try store.send(.failing("a", error))
      if !areEqual { #expect(throws: TestFailure.self) { try store.expect(.failed(other)) } }
      try store.expect(.failed(areEqual ? other : error))
    }
  }

  // contract 4: the text of a failure shows the difference
  @Test func aFailureShowsTheDifferenceOfErrorsThatPrintTheSame() throws {
    let observer = Observable<Int>.error(HTTPError(404)).test()
    var texts = [try #require(observer.mismatch(with: [Recorded(.zero, .error(HTTPError(500)))]))]
    try withTestStore(Screen(scheduler: scheduler)) { store in
      try store.send(.failing("a", HTTPError(404)))
      texts.append(failureText { try store.expect(.failed(HTTPError(500))) })
      try store.expect(.failed(HTTPError(404)))
    }
    for text in texts { #expect(text.contains("status: 404") && text.contains("status: 500"), "\(text)") }
  }
}
