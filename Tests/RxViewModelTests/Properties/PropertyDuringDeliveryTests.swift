import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 5: a property is never older than the state being delivered, for a subscriber too
@Suite struct PropertyDuringDeliveryTests {
  private struct Choice: Sendable, Equatable {
    var filter = 0
    var rows = 0
  }

  private enum Action: Sendable, Equatable {
    case choose(Int)
    case set(Int)
  }

  /// `choose` ends when the test says so.
  // Sendable: it stores one `let`.
  private final class ChoiceViewModel: RxViewModel<Action, Choice>, @unchecked Sendable {
    let answers = PublishSubject<StateMapper<Choice>>()

    override func createInitialState() -> Choice { Choice() }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .choose: answers.asObservable()
      case .set(let number): .mutate { $0.filter = number }
      }
    }

    func answer(_ change: @escaping @Sendable (inout Choice) -> Void) {
      answers.onNext { state in
        var state = state
        change(&state)
        return state
      }
    }

    var filter: MutableProperty<Int> { property(\.filter, set: Action.choose) }
  }

  /// Subscribes to the property of each new state's delivery, from an observer that is older than the property.
  private final class Early: Sendable {
    let viewModel = ChoiceViewModel(scheduler: ImmediateScheduler())
    let firsts = Locked<[Int]>([])
    private let property = Locked<Observable<Int>?>(nil)
    private let bag = DisposeBag()

    init() {
      viewModel.stateObservable.skip(1).subscribe(onNext: { [property, firsts] _ in
        _ = property.value?.take(1).subscribe(onNext: { value in firsts.mutate { $0.append(value) } })
      }).disposed(by: bag)
    }

    func subscribe(to values: Observable<Int>) {
      property.mutate { $0 = values }
    }
  }

  @Test func aSubscriberBeginsWithThePartOfTheStateBeingDelivered() {
    let early = Early()
    let filter = early.viewModel.property(\.filter)
    let observer = filter.test()
    early.subscribe(to: filter.asObservable())
    for number in [1, 2, 2, 3] { early.viewModel.execute(.set(number)) }
    #expect(early.firsts.value == [1, 2, 2, 3])
    #expect(observer.values == [0, 1, 2, 3])
  }

  @Test func soDoesASubscriberOfAMappedProperty() {
    let early = Early()
    early.subscribe(to: early.viewModel.property(\.filter).map { $0 * 10 }.asObservable())
    for number in [1, 2] { early.viewModel.execute(.set(number)) }
    #expect(early.firsts.value == [10, 20])
  }

  @Test func soDoesASubscriberOfAPropertyThatIsWritten() {
    let early = Early()
    let filter = early.viewModel.filter
    let observer = filter.test()
    early.subscribe(to: filter.asObservable())
    for number in [1, 2, 2, 3] { early.viewModel.execute(.set(number)) }
    #expect(early.firsts.value == [1, 2, 2, 3])
    #expect(observer.values == [0, 1, 2, 3])
  }

  // The subscriber sees the written value: the engine says that the action has folded after it has delivered the state.
  @Test func aFoldEndsAWriteAlsoIfTheObserverOfItsStateSubscribes() {
    let early = Early()
    let filter = early.viewModel.filter
    let observer = filter.test()
    early.subscribe(to: filter.asObservable())
    filter.value = 5
    early.viewModel.answer { $0.filter = 9 }
    #expect(early.firsts.value == [5])
    #expect(filter.value == 9)
    #expect(observer.values == [0, 5, 9])
  }

  @Test func theStateOfAnotherActionEndsNoWriteAlsoIfItsObserverSubscribes() {
    let early = Early()
    let filter = early.viewModel.filter
    let observer = filter.test()
    early.subscribe(to: filter.asObservable())
    filter.value = 5
    early.viewModel.execute(.set(3))
    #expect(filter.value == 5)
    early.viewModel.answer { $0.rows = 1 }
    #expect(filter.value == 3)
    early.viewModel.answer { $0.filter = 4 }
    #expect(early.firsts.value == [5, 5, 4])
    #expect(observer.values == [0, 5, 3, 4])
  }

  @Test func aWriteByTheObserverIsShown() {
    let viewModel = ChoiceViewModel(scheduler: ImmediateScheduler())
    let property = Locked<MutableProperty<Int>?>(nil)
    let values = Locked<[Int]>([])
    let bag = DisposeBag()
    viewModel.stateObservable.skip(1).take(1).subscribe(onNext: { _ in
      guard let filter = property.value else { return }
      filter.subscribe(onNext: { value in values.mutate { $0.append(value) } }).disposed(by: bag)
      filter.value = 7
    }).disposed(by: bag)
    property.mutate { $0 = viewModel.filter }
    viewModel.execute(.set(1))
    #expect(values.value == [1, 7])
    viewModel.answer { $0.filter = 7 }
    viewModel.answer { $0.filter = 8 }
    #expect(values.value == [1, 7, 8])
  }
}
