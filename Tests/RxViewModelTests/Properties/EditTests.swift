import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The actions of ``NameViewModel``.
enum NameEdit: Sendable, Equatable {
  case set(String)
  /// Another action that changes the name.
  case rename(String)
  case note(String)
}

struct NameState: Sendable, Equatable {
  var name = ""
  var note = ""
}

// Sendable: its properties are `let`s.
final class NameViewModel: RxViewModel<NameEdit, NameState>, @unchecked Sendable {
  let effect: @Sendable (String) -> Effect
  let mode: ExecutionMode

  init(
    scheduler: any Scheduler, mode: ExecutionMode = .parallel,
    effect: @escaping @Sendable (String) -> Effect = { name in .mutate { $0.name = name } }
  ) {
    self.effect = effect
    self.mode = mode
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> NameState { NameState() }

  override func executionMode(for action: NameEdit) -> ExecutionMode { mode }

  override func createObservable(_ action: NameEdit) -> Effect {
    switch action {
    case .set(let name): effect(name)
    case .rename(let name): .mutate { $0.name = name }
    case .note(let note): .mutate { $0.note = note }
    }
  }

  /// Does nothing, because the tests provoke errors that reach no subscriber, and the default writes a line for each of them.
  override func diagnose(_ diagnostic: ViewModelDiagnostic<NameEdit>) {}
}

// contract 5: a part of a view model's state
struct EditTests {
  private let scheduler = TestScheduler()

  @Test func aPartKeepsTheLastValueAndDoesNotRetainTheViewModel() {
    var viewModel: NameViewModel? = NameViewModel(scheduler: scheduler)
    weak let released = viewModel
    let name = viewModel!.property(\.name)
    let edited = viewModel!.property(\.name, set: NameEdit.set)
    let (values, edits) = (Recorder<String>(), Recorder<String>())
    let bag = DisposeBag()
    name.subscribe(values).disposed(by: bag)
    edited.subscribe(edits).disposed(by: bag)
    viewModel!.execute(.rename("a"))
    scheduler.run()
    viewModel = nil
    scheduler.run()
    #expect(released == nil && (name.value, edited.value) == ("a", "a"))
    #expect((values.elements, values.end) == (["", "a"], "completed"))
    #expect((edits.elements, edits.end) == (["", "a"], "completed"))
    edited.value = "b"
    #expect(edited.value == "a")
  }

  @Test(arguments: ["dropped", "failed", "cancelled", "superseded", "cancelled while queued", "empty", "mapper throws"])
  func thePropertyShowsTheStateAgainHoweverTheEditEnds(_ end: String) {
    let mode: ExecutionMode = end == "dropped" ? .dropWhileBusy : end == "superseded" ? .switchLatest : .parallel
    let viewModel = NameViewModel(scheduler: scheduler, mode: mode) { _ in
      switch end {
      case "failed": .error(TestError())
      case "empty": .empty()
      case "mapper throws": .just { _ in throw TestError() }
      default: .never()
      }
    }
    let name = viewModel.property(\.name, set: NameEdit.set)
    let values = name.test()
    if end == "dropped" {
      viewModel.execute(.set("busy"))
      scheduler.run()
    }
    name.value = "a"
    #expect(name.value == "a")
    if end == "cancelled while queued" { viewModel.cancelActions { _ in true } }
    scheduler.run()
    if end == "cancelled" { viewModel.cancelActions { _ in true } }
    if end == "superseded" { viewModel.execute(.note("n")) }
    scheduler.run()
    #expect(name.value == "")
    #expect(values.values == ["", "a", ""])
  }

  @Test func atClearThePropertyShowsTheStateAgainAndThenCompletes() {
    let viewModel = NameViewModel(scheduler: scheduler) { _ in .never() }
    let name = viewModel.property(\.name, set: NameEdit.set)
    let values = Recorder<String>()
    let subscription = name.subscribe(values)
    name.value = "a"
    scheduler.run()
    name.value = "ab"
    viewModel.clear()
    #expect(name.value == "")
    name.value = "abc"
    #expect(name.value == "")
    scheduler.run()
    #expect(values.elements == ["", "a", "ab", ""] && values.end == "completed")
    subscription.dispose()
  }
}

// contract 5: a control
@MainActor
struct ControlTests {
  private let scheduler = TestScheduler()
  private let edits = PublishSubject<String>()

  @MainActor
  private final class Field {
    var rendered: [String] = []
  }

  @Test func typedTextIsNeverRenderedBack() {
    let (viewModel, field) = (NameViewModel(scheduler: scheduler), Field())
    let name = viewModel.property(\.name, set: NameEdit.set)
    let binding = name.bind(edits: edits) { field.rendered.append($0) }
    for text in ["a", "ab", "abc"] { edits.onNext(text) }
    scheduler.run()
    #expect(field.rendered == [""] && viewModel.currentState.name == "abc")
    binding.dispose()
    edits.onNext("x")
    #expect(name.value == "abc" && !edits.hasObservers)
  }

  @Test func textThatTheViewModelTrimsIsRenderedOnce() {
    let viewModel = NameViewModel(scheduler: scheduler) { name in
      .mutate { $0.name = String(name.filter { $0 != " " }) }
    }
    let field = Field()
    let binding = viewModel.property(\.name, set: NameEdit.set).bind(edits: edits) { field.rendered.append($0) }
    edits.onNext("abc ")
    #expect(field.rendered == [""])
    scheduler.run()
    #expect(field.rendered == ["", "abc"])
    binding.dispose()
  }

  @Test func textThatAStoreRejectsIsReplacedByItsValue() {
    let (number, field) = (MutableProperty(7), Field())
    let text = number.map(get: { String($0) }, set: { $0 = Int($1) ?? $0 })
    let binding = text.bind(edits: edits) { field.rendered.append($0) }
    edits.onNext("7x")
    #expect(field.rendered == ["7", "7"])
    binding.dispose()
  }

  // The control sends its text again, as at a subscription or when it becomes the first responder, while a newer value is on its way.
  @Test func aControlThatRepeatsItsTextOverwritesNothing() async {
    let (text, field) = (MutableProperty(""), Field())
    let binding = text.bind(edits: edits) { field.rendered.append($0) }
    let isWritten = Signal()
    Thread.detachNewThread {
      text.value = "saved"
      isWritten.fire()
    }
    #expect(isWritten.wait())
    edits.onNext("")
    #expect(text.value == "saved")
    await settle { field.rendered == ["", "saved"] }
    #expect(field.rendered == ["", "saved"])
    binding.dispose()
  }

  @Test func aValueFromElsewhereNeverOverwritesANewerEdit() async {
    let (text, field) = (MutableProperty(""), Field())
    let binding = text.bind(edits: edits) { field.rendered.append($0) }
    // The main actor does not handle this write before the edit, because the test occupies it.
    let isWritten = Signal()
    Thread.detachNewThread {
      text.value = "old"
      isWritten.fire()
    }
    #expect(isWritten.wait())
    edits.onNext("new")
    // The main actor runs other work a hundred times, so that it has handled the earlier write.
    var rounds = 0
    await settle {
      rounds += 1
      return rounds > 100
    }
    #expect(text.value == "new" && field.rendered == [""])
    binding.dispose()
  }
}
