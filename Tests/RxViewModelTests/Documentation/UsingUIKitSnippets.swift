// Code of the article *UIKit and AppKit*, word for word. `SnippetTests` compares the two. The rest of its code is the sample Books.
import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

enum ProfileAction: Sendable, Equatable {
  case setName(String)
  case save
}

struct ProfileState: Sendable, Equatable {
  var name = ""
}

final class ProfileViewModel: RxViewModel<ProfileAction, ProfileState>, @unchecked Sendable {
  override func createInitialState() -> ProfileState { ProfileState() }

  override func createObservable(_ action: ProfileAction) -> Effect {
    switch action {
    case .setName(let name): .mutate { $0.name = name }
    case .save: .empty()
    }
  }
}

/// A text field, reduced to the parts that a binding uses.
@MainActor
final class TextInput {
  let edits = PublishSubject<String>()
  /// All texts that the field has shown.
  private(set) var shown: [String] = []
  var text = "" {
    didSet { if shown.last != text { shown.append(text) } }
  }

  func type(_ text: String) {
    self.text = text
    edits.onNext(text)
  }
}

@MainActor
final class NameScreen {
  let field = TextInput()
  private let viewModel: ProfileViewModel
  private let bag = DisposeBag()

  init(_ viewModel: ProfileViewModel) {
    self.viewModel = viewModel
    viewModel.property(\.name, set: ProfileAction.setName)
      .bind(edits: field.edits) { [field] text in field.text = text }
      .disposed(by: bag)
  }
}

@MainActor
final class PlainNameScreen {
  let field = TextInput()
  let viewModel = ProfileViewModel(scheduler: MainScheduler())
  private let bag = DisposeBag()

  init() {
    viewModel.stateObservable.map(\.name).bind(to: field, \.text).disposed(by: bag)
    field.edits.map { ProfileAction.setName($0) }.execute(on: viewModel).disposed(by: bag)
  }
}

// contract 5
@MainActor
@Suite struct TextFieldSnippetTests {
  @Test func theFieldNeverRunsBackwards() async throws {
    let viewModel = ProfileViewModel()
    let screen = NameScreen(viewModel)
    for text in ["a", "ab", "abc"] { screen.field.type(text) }
    let state = try await viewModel.perform(.save)
    #expect(state.name == "abc")
    #expect(screen.field.shown == ["", "a", "ab", "abc"])
  }

  @Test func onTheMainQueueTheFieldNeverRunsBackwardsEither() async throws {
    let viewModel = ProfileViewModel(scheduler: DispatchQueue.main)
    let screen = NameScreen(viewModel)
    for text in ["a", "ab", "abc"] { screen.field.type(text) }
    let state = try await viewModel.perform(.save)
    #expect(state.name == "abc")
    #expect(screen.field.shown == ["", "a", "ab", "abc"])
  }

  @Test func withAPlainBindingOnTheMainSchedulerTheFieldNeverRunsBackwards() {
    let screen = PlainNameScreen()
    for text in ["a", "ab", "abc"] {
      screen.field.type(text)
      #expect(screen.viewModel.currentState.name == text)
    }
    #expect(screen.field.shown == ["", "a", "ab", "abc"])
  }
}

// MARK: A screen that is not always visible

@MainActor
final class CounterScreen {
  private(set) var text = ""
  private(set) var alerts: [String] = []
  private let viewModel: CounterViewModel
  private let lifecycle = Lifecycle()
  private let bag = DisposeBag()

  init(_ viewModel: CounterViewModel) {
    // Nothing else holds it.
    self.viewModel = viewModel
    // As long as the screen lives.
    viewModel.stateObservable.map { "\($0)" }.bind(to: self, \.text).disposed(by: bag)
    // While the screen is visible.
    viewModel.errorObservable.asLiveEvents(viewModel)
      .observe(lifecycle) { [weak self] error in self?.alerts.append("\(error)") }
      .disposed(by: bag)
  }

  func appear() { lifecycle.resume() }
  func disappear() { lifecycle.pause() }
}

@MainActor
@Suite struct BindingSnippetTests {
  @Test func theScreenShowsTheCount() {
    let viewModel = CounterViewModel(scheduler: ImmediateScheduler())
    let screen = CounterScreen(viewModel)
    screen.appear()
    #expect(screen.text == "0")
    viewModel.execute(.increment)
    #expect(screen.text == "1")
    screen.disappear()
    #expect(screen.alerts.isEmpty)
  }
}

// MARK: Other controls

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import UIKit

  extension UIStepper {
    var steps: Observable<Double> { values { $0.value } }
  }
#endif
