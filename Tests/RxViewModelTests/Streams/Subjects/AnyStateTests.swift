import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.2, 1.5, 2.3, 2.5: an element, or a state, may be of any type. The library may move a value bit by bit only if its type allows
// that, and a type with a weak reference does not.
@Suite struct AnyStateTests {
  @Test(arguments: Way.allCases)
  func everySubscriberReceivesTheWholeElement(by way: Way) {
    func check<Value: StateValue>(_: Value.Type) {
      let (session, source) = (Lifetimes().make(), PublishSubject<Value>())
      let stream = source.asObservable().going(way)
      let observers = [stream.test(), stream.test()]
      let values = (1...5).map { Value($0, session) }
      for value in values { source.onNext(value) }
      for observer in observers { #expect(observer.values == values) }
    }
    check(WeakState.self)
    check(BoxedState.self)
  }

  @Test func aLateSubscriberReceivesTheWholeElement() {
    func check<Value: StateValue>(_: Value.Type) {
      let session = Lifetimes().make()
      let values = (0...5).map { Value($0, session) }
      let (behavior, replay, property) = (
        BehaviorSubject(value: values[0]), ReplaySubject<Value>(bufferSize: 3), MutableProperty(values[0])
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
    check(WeakState.self)
    check(BoxedState.self)
  }

  @Test func aViewModelKeepsTheWholeState() {
    func check<State: StateValue>(_: State.Type) {
      let session = Lifetimes().make()
      let viewModel = StateViewModel<State>(first: session, scheduler: ImmediateScheduler())
      let (states, folds) = (viewModel.stateObservable.test(), viewModel.actionAndStateObservable.map(\.state).test())
      let inside = viewModel.stateObservable.skip(1).compactMap { [weak viewModel] _ in viewModel?.currentState }.test()
      for number in 1...5 { viewModel.execute(StateChange(number: number)) }
      let expected = (0...5).map { State($0, session) }
      #expect(states.values == expected)
      #expect(folds.values == Array(expected.dropFirst()) && inside.values == folds.values)
      viewModel.clear()
      #expect(viewModel.currentState == expected[5])
    }
    check(WeakState.self)
    check(BoxedState.self)
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
    let viewModel = StateViewModel<WeakState>(first: session)
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
      #expect(Self.growth { Self.send(WeakState.self, by: way) } < Self.bound)
      #expect(Self.growth { Self.send(BoxedState.self, by: way) } < Self.bound)
    }

    @Test(.ownThread) func statesLeaveNoMemoryBehind() {
      #expect(Self.growth { Self.fold(WeakState.self) } < Self.bound)
      #expect(Self.growth { Self.fold(BoxedState.self) } < Self.bound)
    }

    /// Runs `work` twice, because the first run allocates memory that the process keeps.
    private static func growth(of work: () -> Void) -> Int {
      work()
      return allocation(of: work)
    }

    /// Sends elements, each with a session of its own.
    private static func send<Value: StateValue>(_: Value.Type, by way: Way) {
      let (source, lifetimes) = (PublishSubject<Value>(), Lifetimes())
      let subscription = source.asObservable().going(way).subscribe { _ in }
      for number in 0..<count { source.onNext(Value(number, lifetimes.make())) }
      subscription.dispose()
    }

    /// Folds states, each with a session of its own.
    private static func fold<State: StateValue>(_: State.Type) {
      let (viewModel, lifetimes) = (StateViewModel<State>(scheduler: ImmediateScheduler()), Lifetimes())
      let subscription = viewModel.stateObservable.subscribe { _ in }
      for number in 0..<count { viewModel.execute(StateChange(number: number, session: lifetimes.make())) }
      subscription.dispose()
    }
  }
#endif
