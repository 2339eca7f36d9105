// The code of the article on text fields, word for word. `SnippetTests` compares the two.
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

#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct NameView: View {
    let viewModel: ProfileViewModel

    var body: some View {
      TextField("Name", text: viewModel.binding(\.name, set: ProfileAction.setName))
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct ProfileView: View {
    let viewModel: ProfileViewModel

    var body: some View {
      Form {
        TextField("Name", text: viewModel.binding(\.name, set: ProfileAction.setName))
        Button("Save") { viewModel.execute(.save) }.disabled(viewModel.observed.name.isEmpty)
        if viewModel.activity.isLoading { ProgressView() }
      }
    }
  }
#endif
