import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.2, 1.5, 2.3, 2.5: an element, or a state, may be of any type. The library may move a value bit by bit only if its type allows
// that, and a type with a weak reference does not.
struct AnyStateTests {
  @Test(arguments: Way.allCases)
  func everySubscriberReceivesTheWholeElement(by way: Way) {
    let (session, source) = (Lifetimes().make(), PublishSubject<WeakState>())
    let stream = source.asObservable().going(way)
    let observers = [stream.test(), stream.test()]
    let values = (1...5).map { WeakState($0, session) }
    for value in values { source.onNext(value) }
    for observer in observers { #expect(observer.values == values) }
  }

  @Test func aLateSubscriberReceivesTheWholeElement() {
    let session = Lifetimes().make()
    let values = (0...5).map { WeakState($0, session) }
    let (behavior, replay, property) = (
      BehaviorSubject(value: values[0]), ReplaySubject<WeakState>(bufferSize: 3), MutableProperty(values[0])
    )
    let shared = replay.share(replay: 2)
    let subscription = shared.subscribe { _ in }
    for value in values {
      behavior.onNext(value)
      replay.onNext(value)
      property.value = value
      #expect(behavior.value == value && property.value == value)
      #expect(behavior.test().values == [value] && property.test().values == [value])
    }
    #expect(replay.test().values == Array(values.suffix(3)))
    #expect(shared.test().values == Array(values.suffix(2)))
    subscription.dispose()
  }

  @Test func aViewModelKeepsTheWholeState() {
    let session = Lifetimes().make()
    let viewModel = StateViewModel(first: session, scheduler: ImmediateScheduler())
    let (states, folds) = (viewModel.stateObservable.test(), viewModel.actionAndStateObservable.map(\.state).test())
    let inside = viewModel.stateObservable.skip(1).compactMap { [weak viewModel] _ in viewModel?.currentState }.test()
    for number in 1...5 { viewModel.execute(StateChange(number: number)) }
    let expected = (0...5).map { WeakState($0, session) }
    #expect(states.values == expected)
    #expect(folds.values == Array(expected.dropFirst()) && inside.values == folds.values)
    viewModel.clear()
    #expect(viewModel.currentState == expected[5])
  }

  // contract 2.5
  @Test func readersOnOtherThreadsGetTheWholeState() async {
    await Self.read(folds: 50, threads: 2)
  }

  // ThreadSanitizer reports a reader that copies a state while the view model writes it.
  @Test(.stress) func manyReadersOnOtherThreadsGetTheWholeState() async {
    await Self.read(folds: 2_000, threads: 8)
  }

  /// One thread folds, and the others read.
  private static func read(folds: Int, threads: Int) async {
    let (session, faults, isOver) = (Lifetimes().make(), Locked<[String]>([]), Locked(false))
    let viewModel = StateViewModel(first: session)
    await race(threads: threads + 1) { thread in
      if thread == 0 {
        for number in 1...folds { viewModel.execute(StateChange(number: number)) }
        #expect(waitUntil { viewModel.currentState.number >= folds || faults.value != [] })
        return isOver.mutate { $0 = true }
      }
      var last = 0
      while !isOver.value {
        let state = viewModel.currentState
        if state != WeakState(state.number, session) || state.number < last {
          faults.append("\(state) after \(last)")
          return
        }
        last = state.number
      }
    }
    #expect(faults.value == [])
  }
}

#if os(Linux)
  // contract 1.4: the memory of a weak reference, beside that of the object, is freed with the last copy of the element.
  @Suite(.stress, .serialized) struct WeakReferenceMemoryTests {
    private static let count = 20_000
    // A leak of the side table takes 48 bytes for each session.
    private static let bound = count * 4

    @Test(.ownThread, arguments: Way.allCases)
    func elementsLeaveNoMemoryBehind(by way: Way) {
      #expect(Self.growth { Self.send(by: way) } < Self.bound)
    }

    @Test(.ownThread) func statesLeaveNoMemoryBehind() {
      #expect(Self.growth(of: Self.fold) < Self.bound)
    }

    /// Runs `work` twice, because the first run allocates memory that the process keeps.
    private static func growth(of work: () -> Void) -> Int {
      work()
      return allocation(of: work)
    }

    /// Sends elements, each with a session of its own.
    private static func send(by way: Way) {
      let (source, lifetimes) = (PublishSubject<WeakState>(), Lifetimes())
      let subscription = source.asObservable().going(way).subscribe { _ in }
      for number in 0..<count { source.onNext(WeakState(number, lifetimes.make())) }
      subscription.dispose()
    }

    /// Folds states, each with a session of its own.
    private static func fold() {
      let (viewModel, lifetimes) = (StateViewModel(scheduler: ImmediateScheduler()), Lifetimes())
      let subscription = viewModel.stateObservable.subscribe { _ in }
      for number in 0..<count { viewModel.execute(StateChange(number: number, session: lifetimes.make())) }
      subscription.dispose()
    }
  }
#endif

/// A weak reference between other fields, more than fits into a few registers. Such a value must not be moved bit by bit.
struct WeakState: Equatable, @unchecked Sendable {  // Sendable: one thread uses each copy.
  private var text: String
  weak var session: Lifetimes.Object?
  private var words: (Int, Int, Int, Int)

  init(_ number: Int, _ session: Lifetimes.Object) {
    (text, words) = ("state number \(number) of many", (number, number, number, number))
    self.session = session
  }

  var number: Int { words.3 }

  static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.text == right.text && left.session === right.session
  }
}

struct StateChange: Sendable {
  let number: Int
  /// Nil if the next state takes the session from the state before it.
  var session: Lifetimes.Object?
}

/// A view model whose actions set its state.
// Sendable: it stores one `let`.
final class StateViewModel: RxViewModel<StateChange, WeakState>, @unchecked Sendable {
  private let first: Lifetimes.Object

  init(first: Lifetimes.Object = Lifetimes().make(), scheduler: (any Scheduler)? = nil) {
    self.first = first
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> WeakState { WeakState(0, first) }

  override func createObservable(_ change: StateChange) -> Effect {
    // A state that has lost its session gets another one, so that the comparison fails.
    .just { state in WeakState(change.number, change.session ?? state.session ?? Lifetimes().make()) }
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
