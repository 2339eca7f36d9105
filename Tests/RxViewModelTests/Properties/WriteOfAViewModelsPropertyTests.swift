import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A view model whose edits the test answers.
private final class Edited: Sendable {
  let viewModel: NameViewModel
  private let answers = Locked<[String: PublishSubject<StateMapper<NameState>>]>([:])

  init(_ mode: ExecutionMode = .parallel) {
    viewModel = NameViewModel(scheduler: ImmediateScheduler(), mode: mode) { [answers] name in
      let answer = PublishSubject<StateMapper<NameState>>()
      answers.mutate { $0[name] = answer }
      return answer.asObservable()
    }
  }

  var name: MutableProperty<String> { viewModel.property(\.name, set: NameEdit.set) }

  /// Sends a mapper as the effect of the edit to `edit`.
  func answer(_ edit: String, _ change: @escaping @Sendable (inout NameState) -> Void) {
    answers.value[edit]?.onNext { state in
      var state = state
      change(&state)
      return state
    }
  }

  func complete(_ edit: String) { answers.value[edit]?.onCompleted() }
}

// contract 5: a write of a view model's property is shown until its action has folded once or ended
struct WriteOfAViewModelsPropertyTests {
  @Test(arguments: [true, false])
  func theFirstFoldOfAnEffectThatNeverEndsEndsTheWrite(changesTheName: Bool) {
    let edited = Edited()
    let name = edited.name
    let shown = name.test()
    name.value = "a"
    edited.answer("a") { if changesTheName { $0.name = "A" } else { $0.note = "n" } }
    edited.viewModel.execute(.rename("x"))
    #expect(shown.values == (changesTheName ? ["", "a", "A", "x"] : ["", "a", "", "x"]))
  }

  @Test func onlyTheNewestWriteIsShownUntilItsOwnActionAnswers() {
    let edited = Edited()
    let name = edited.name
    let shown = name.test()
    for text in ["a", "b", "c"] { name.value = text }
    edited.answer("a") { $0.name = "a" }
    edited.complete("b")
    #expect(name.value == "c")
    edited.answer("c") { $0.name = "c" }
    edited.answer("a") { $0.name = "d" }
    #expect(shown.values == ["", "a", "b", "c", "d"])
  }

  @Test(arguments: [
    ExecutionMode.parallel, .sequence, .sequence("lane"), .parallel("lane", limit: 1), .dropWhileBusy("lane"),
    .switchLatest("lane"), .parallelOrdered,
  ])
  func inEachModeTheStatesValueIsShownWhenTheNewestHasEnded(_ mode: ExecutionMode) {
    let edited = Edited(mode)
    let name = edited.name
    name.value = "a"
    name.value = "b"
    // In the lane that drops it, the newest write has ended already, and the older one does not show again.
    #expect(name.value == (mode == .dropWhileBusy("lane") ? "" : "b"))
    edited.viewModel.cancelActions { $0 == .set("b") }
    #expect(name.value == "")
    edited.answer("a") { $0.name = "A" }
    #expect(name.value == edited.viewModel.currentState.name)
  }

  @Test func aWriteInsideAMapperIsNewerThanItsFold() {
    let edited = Edited()
    let name = edited.name
    name.value = "a"
    edited.answer("a") { state in
      name.value = "b"
      state.name = "a"
    }
    #expect(name.value == "b")
    edited.answer("b") { $0.name = "b" }
    edited.viewModel.execute(.rename("x"))
    #expect(name.value == "x")
  }
}

// contract 5: a property is never older than the state being delivered, for a subscriber too
struct PropertyDuringDeliveryTests {
  private let edited = Edited()
  private let firsts = Locked<[String]>([])
  private let property = Locked<Property<String>?>(nil)
  private let bag = DisposeBag()

  /// Reads the property in each new state's delivery, and subscribes to it, from an observer that is older than the property.
  init() {
    edited.viewModel.stateObservable.skip(1).subscribe(onNext: { [property, firsts] _ in
      guard let property = property.value else { return }
      let value = property.value
      _ = property.take(1).subscribe(onNext: { firsts.append($0) })
      #expect(firsts.value.last == value)
    }).disposed(by: bag)
  }

  @Test(arguments: ["a part", "a mapped part", "a part that can be written"])
  func aSubscriberBeginsWithThePartOfTheStateBeingDelivered(kind: String) {
    let part =
      switch kind {
      case "a part": edited.viewModel.property(\.name)
      case "a mapped part": edited.viewModel.property(\.name).map { $0 + "" }
      default: edited.name.readOnly
      }
    let observer = part.test()
    property.mutate { $0 = part }
    for name in ["a", "b", "b", "c"] { edited.viewModel.execute(.rename(name)) }
    #expect(firsts.value == ["a", "b", "b", "c"])
    #expect(observer.values == ["", "a", "b", "c"])
  }

  // The subscriber gets the written value: the engine says that the action has folded after it has delivered the state.
  @Test func aFoldEndsAWriteAlsoIfTheObserverOfItsStateSubscribes() {
    let name = edited.name
    let observer = name.test()
    property.mutate { $0 = name.readOnly }
    name.value = "a"
    edited.answer("a") { $0.name = "A" }
    #expect(firsts.value == ["a"] && name.value == "A")
    #expect(observer.values == ["", "a", "A"])
  }

  @Test func theStateOfAnotherActionEndsNoWriteAlsoIfItsObserverSubscribes() {
    let name = edited.name
    let observer = name.test()
    property.mutate { $0 = name.readOnly }
    name.value = "a"
    edited.viewModel.execute(.rename("x"))
    #expect(name.value == "a")
    edited.answer("a") { $0.note = "n" }
    #expect(name.value == "x")
    edited.answer("a") { $0.name = "A" }
    #expect(firsts.value == ["a", "a", "A"])
    #expect(observer.values == ["", "a", "x", "A"])
  }

  @Test func aWriteByTheObserverIsShown() {
    let (name, values) = (edited.name, Recorder<String>())
    edited.viewModel.stateObservable.skip(1).take(1).subscribe(onNext: { [bag] _ in
      name.subscribe(values).disposed(by: bag)
      name.value = "b"
    }).disposed(by: bag)
    edited.viewModel.execute(.rename("a"))
    #expect(values.elements == ["a", "b"])
    edited.answer("b") { $0.name = "b" }
    edited.answer("b") { $0.name = "c" }
    #expect(values.elements == ["a", "b", "c"])
  }
}
