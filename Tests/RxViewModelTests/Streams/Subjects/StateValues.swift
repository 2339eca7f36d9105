import RxViewModel

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
  static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.session === right.session && left.isWhole && right.isWhole
  }
}

/// A weak reference between other fields, more than fits into a few registers. Such a value must not be moved bit by bit.
struct WeakState: StateValue, @unchecked Sendable {  // Sendable: one thread uses each copy.
  var text: String
  weak var session: Lifetimes.Object?
  var words: (Int, Int, Int, Int)

  init(_ number: Int, _ session: Lifetimes.Object) {
    (text, words) = ("state number \(number) of many", (number, number, number, number))
    self.session = session
  }

  var number: Int { words.3 }
  var isWhole: Bool { text == "state number \(number) of many" }
}

/// An existential, whose value is in a box. The box can be moved bit by bit.
struct BoxedState: StateValue {
  let content: any StateValue

  init(_ number: Int, _ session: Lifetimes.Object) {
    content = WeakState(number, session)
  }

  var number: Int { content.number }
  var session: Lifetimes.Object? { content.session }
  var isWhole: Bool { content.isWhole }
}

struct StateChange: Sendable {
  let number: Int
  /// Nil if the next state takes the session from the state before it.
  var session: Lifetimes.Object?
}

/// A view model whose actions set its state.
// Sendable: it stores one `let`.
final class StateViewModel<State: StateValue>: RxViewModel<StateChange, State>, @unchecked Sendable {
  private let first: Lifetimes.Object

  init(first: Lifetimes.Object = Lifetimes().make(), scheduler: (any Scheduler)? = nil) {
    self.first = first
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State(0, first) }

  override func createObservable(_ change: StateChange) -> Effect {
    // A state that has lost its session gets another one, so that the comparison fails.
    .just { state in State(change.number, change.session ?? state.session ?? Lifetimes().make()) }
  }
}

/// A way from a sender to its subscribers: through subjects, and through operators of each template.
enum Way: CaseIterable {
  case subject, replay, share, lifting, joining, flatten, scheduled
}

extension Observable {
  /// Sends the same elements.
  func going(_ way: Way) -> Observable<Element> {
    switch way {
    case .subject: return self
    case .replay:
      return .deferred {
        let replay = ReplaySubject<Element>(bufferSize: 2)
        return replay.merge(with: self.do(onNext: replay.onNext).ignoreElements())
      }
    case .share: return share(replay: 2)
    case .lifting:
      return map { $0 }.filter { _ in true }.do(onNext: { _ in }).scan(Element?.none) { $1 }.compactMap { $0 }
    case .joining:
      let merged = merge(with: Observable.never())
      return .combineLatest(merged, Observable<Int>.just(0), Observable<Int>.just(0)) { element, _, _ in element }
    case .flatten: return concatMap { Observable.from([$0]).toArray() }.map { $0[0] }.materialize().elements()
    case .scheduled:
      return observe(on: ImmediateScheduler()).flatMapLatest {
        Observable.of($0).delay(.zero, scheduler: ImmediateScheduler())
      }
    }
  }
}
