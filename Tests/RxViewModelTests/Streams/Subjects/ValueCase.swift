import Foundation
import RxViewModel
import Testing

@testable import TestSupport

/// A type of elements and states. Its values contain a number and refer to an object.
protocol StateValue: Sendable, Equatable {
  init(_ number: Int, _ session: Lifetimes.Object)
  var number: Int { get }
  /// The object, as long as a reference keeps it alive.
  var session: Lifetimes.Object? { get }
  /// Whether the rest of the value belongs to the number.
  var isWhole: Bool { get }
}

extension StateValue {
  var isWhole: Bool { true }

  static func == (left: Self, right: Self) -> Bool { left.number == right.number && left.session === right.session }

  func isRight(_ number: Int, _ session: Lifetimes.Object) -> Bool {
    self.number == number && self.session === session && isWhole
  }
}

struct WeakState: StateValue, @unchecked Sendable {  // Sendable: one thread uses each copy.
  weak var session: Lifetimes.Object?
  var number = 0

  init(_ number: Int, _ session: Lifetimes.Object) {
    (self.number, self.session) = (number, session)
  }
}

/// A weak reference between other fields, more than fits into a few registers.
private struct LargeWeak: StateValue, @unchecked Sendable {  // Sendable: one thread uses each copy.
  var text: String
  weak var session: Lifetimes.Object?
  var numbers: [Int]
  var words: (Int, Int, Int, Int)
  weak var other: Lifetimes.Object?

  init(_ number: Int, _ session: Lifetimes.Object) {
    (text, numbers, words) = ("state number \(number) of many", [number], (number, number, number, number))
    (self.session, other) = (session, session)
  }

  var number: Int { words.3 }
  var isWhole: Bool { text == "state number \(number) of many" && numbers == [number] && other === session }
}

private enum WeakPayload: StateValue {
  case empty
  case some(WeakState)
  case many([WeakState], WeakState?)

  init(_ number: Int, _ session: Lifetimes.Object) {
    self =
      number % 2 == 0
      ? .some(WeakState(number, session)) : .many([WeakState(number, session)], WeakState(number, session))
  }

  private var weak: WeakState? {
    switch self {
    case .empty: nil
    case .some(let weak): weak
    case .many(let all, let last): all.first.map { $0.session === last?.session ? $0 : nil } ?? nil
    }
  }

  var number: Int { weak?.number ?? -1 }
  var session: Lifetimes.Object? { weak?.session }
}

private struct StringsAndArrays: StateValue {
  let name: String
  let sessions: [Lifetimes.Object]
  let table: [String: [Int]]

  init(_ number: Int, _ session: Lifetimes.Object) {
    (name, sessions, table) = ("\(number)", [session, session], ["number of the state": [number]])
  }

  var number: Int { Int(name) ?? -1 }
  var session: Lifetimes.Object? { sessions.last }
  var isWhole: Bool { table == ["number of the state": [number]] && sessions.count == 2 }
}

private final class Reference: StateValue {
  let number: Int
  let session: Lifetimes.Object?

  init(_ number: Int, _ session: Lifetimes.Object) {
    (self.number, self.session) = (number, session)
  }
}

private enum Payloads: StateValue {
  case text(String, Lifetimes.Object)
  case number(Int, Lifetimes.Object)
  indirect case nested(Payloads)

  init(_ number: Int, _ session: Lifetimes.Object) {
    switch number % 3 {
    case 0: self = .text("\(number)", session)
    case 1: self = .number(number, session)
    default: self = .nested(.number(number, session))
    }
  }

  private var content: (Int, Lifetimes.Object) {
    switch self {
    case .text(let text, let session): (Int(text) ?? -1, session)
    case .number(let number, let session): (number, session)
    case .nested(let inner): inner.content
    }
  }

  var number: Int { content.0 }
  var session: Lifetimes.Object? { content.1 }
}

/// An existential. Depending on `Content`, its value is stored inline, in a box, or in an object.
struct Existential<Content: StateValue>: StateValue {
  let content: any StateValue

  init(_ number: Int, _ session: Lifetimes.Object) {
    content = Content(number, session)
  }

  var number: Int { content.number }
  var session: Lifetimes.Object? { content.session }
  var isWhole: Bool { content.isWhole }
}

private struct Unowned: StateValue, @unchecked Sendable {  // Sendable: the reference is not written after `init`.
  unowned let owner: Lifetimes.Object
  let number: Int

  init(_ number: Int, _ session: Lifetimes.Object) {
    (self.number, owner) = (number, session)
  }

  var session: Lifetimes.Object? { owner }
}

/// The checks of `AnyStateTests` for one type. Each returns a list of faults.
struct ValueCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let faultsOfStream: @Sendable (AnyStateTests.Way) -> [String]
  let faultsOfReplay: @Sendable () -> [String]
  let faultsOfProperty: @Sendable () -> [String]
  let faultsOfViewModel: @Sendable () -> [String]
  let useAndRelease: @Sendable (Lifetimes) -> Void
  private let readers: @Sendable (_ folds: Int, _ threads: Int) async -> [String]

  private init<Value: StateValue>(_ name: String, _: Value.Type) {
    testDescription = name
    faultsOfStream = { ValueChecks<Value>.stream($0) }
    faultsOfReplay = { ValueChecks<Value>.replay() }
    faultsOfProperty = { ValueChecks<Value>.property() }
    faultsOfViewModel = { ValueChecks<Value>.viewModel() }
    useAndRelease = { ValueChecks<Value>.useAndRelease($0) }
    readers = { await ValueChecks<Value>.readers(folds: $0, threads: $1) }
  }

  func faultsOfReaders(folds: Int, threads: Int) async -> [String] {
    await readers(folds, threads)
  }

  static let all = [
    ValueCase("weak reference", WeakState.self),
    ValueCase("weak references in a large struct", LargeWeak.self),
    ValueCase("weak reference in an enum", WeakPayload.self),
    ValueCase("weak reference in an existential", Existential<WeakState>.self),
    ValueCase("unowned reference", Unowned.self),
    ValueCase("strings and arrays", StringsAndArrays.self),
    ValueCase("class reference", Reference.self),
    ValueCase("enum with payloads", Payloads.self),
    ValueCase("existential", Existential<Payloads>.self),
    ValueCase("existential of a class", Existential<Reference>.self),
    ValueCase("existential of a large struct", Existential<LargeWeak>.self),
  ]
}
