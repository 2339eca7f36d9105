import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.2, 1.5, 2.3, 2.5: an element, or a state, may be of any type. The library may move a value bit by bit only if its type allows
// that, and a type with a weak reference does not.
@Suite struct AnyStateTests {
  /// A way from a sender to two subscribers.
  enum Way: CaseIterable {
    case publish, behavior, replay, share, shareReplay
    case create, merge, combineLatest, flatMapLatest, chain, arrays, observeOn
  }

  @Test(arguments: ValueCase.all, Way.allCases)
  func everySubscriberReceivesTheWholeElement(of kind: ValueCase, by way: Way) {
    #expect(kind.faultsOfStream(way) == [])
  }

  @Test(arguments: ValueCase.all)
  func aLateSubscriberReceivesTheWholeElement(of kind: ValueCase) {
    #expect(kind.faultsOfReplay() == [])
  }

  @Test(arguments: ValueCase.all)
  func aPropertyKeepsTheWholeValue(of kind: ValueCase) {
    #expect(kind.faultsOfProperty() == [])
  }

  @Test(arguments: ValueCase.all)
  func aViewModelKeepsTheWholeState(of kind: ValueCase) {
    #expect(kind.faultsOfViewModel() == [])
  }

  // A session is alive until its last strong reference is released. Its memory is freed with the last copy of a state.
  @Test(arguments: ValueCase.all)
  func theLastStateIsReleasedWithItsOwner(of kind: ValueCase) {
    let lifetimes = Lifetimes()
    kind.useAndRelease(lifetimes)
    #expect(lifetimes.alive == 0)
  }

  // contract 2.5
  @Test(arguments: ValueCase.all)
  func readersOnOtherThreadsGetTheWholeState(of kind: ValueCase) async {
    let faults = await kind.faultsOfReaders(folds: 50, threads: 2)
    #expect(faults == [])
  }

  // ThreadSanitizer reports a reader that copies a state while the view model writes it.
  @Test(.stress, arguments: ValueCase.all)
  func manyReadersOnOtherThreadsGetTheWholeState(of kind: ValueCase) async {
    let faults = await kind.faultsOfReaders(folds: 2_000, threads: 8)
    #expect(faults == [])
  }
}

#if os(Linux)
  // contract 1.4: the memory of a weak reference, beside that of the object, is freed with the last copy of the element.
  @Suite(.stress, .serialized) struct WeakReferenceMemoryTests {
    private static let count = 20_000
    // A leak of the side table takes 48 bytes for each session.
    private static let bound = count * 4

    @Test(.ownThread, arguments: AnyStateTests.Way.allCases)
    func elementsLeaveNoMemoryBehind(by way: AnyStateTests.Way) {
      #expect(Self.growth { Self.send(WeakState.self, by: way) } < Self.bound)
    }

    // The existential keeps the reference in a box, which can be moved bit by bit.
    @Test(.ownThread, arguments: AnyStateTests.Way.allCases)
    func boxedElementsLeaveNoMemoryBehind(by way: AnyStateTests.Way) {
      #expect(Self.growth { Self.send(Existential<WeakState>.self, by: way) } < Self.bound)
    }

    @Test(.ownThread) func statesLeaveNoMemoryBehind() {
      #expect(Self.fold(WeakState.self) == 0)
      #expect(Self.growth { _ = Self.fold(WeakState.self) } < Self.bound)
    }

    @Test(.ownThread) func boxedStatesLeaveNoMemoryBehind() {
      #expect(Self.fold(Existential<WeakState>.self) == 0)
      #expect(Self.growth { _ = Self.fold(Existential<WeakState>.self) } < Self.bound)
    }

    /// Runs `work` twice, because the first run allocates memory that the process keeps.
    private static func growth(of work: () -> Void) -> Int {
      work()
      return allocation(of: work)
    }

    /// Sends elements, each with a session of its own.
    private static func send<Value: StateValue>(_: Value.Type, by way: AnyStateTests.Way) {
      let (source, lifetimes) = (PublishSubject<Value>(), Lifetimes())
      let subscription = source.asObservable().going(way).subscribe { _ in }
      for number in 0..<count { source.onNext(Value(number, lifetimes.make())) }
      subscription.dispose()
    }

    /// Folds states, each with a session of its own. Returns how many states have lost it.
    private static func fold<State: StateValue>(_: State.Type) -> Int {
      let (viewModel, lifetimes) = (StateViewModel<State>(scheduler: ImmediateScheduler()), Lifetimes())
      let subscription = viewModel.stateObservable.subscribe { _ in }
      var faults = 0
      for number in 0..<count {
        let session = lifetimes.make()
        viewModel.execute(.init(number: number, session: session))
        if !viewModel.currentState.isRight(number, session) { faults += 1 }
      }
      subscription.dispose()
      return faults
    }
  }
#endif
