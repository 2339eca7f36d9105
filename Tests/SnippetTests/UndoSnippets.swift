// The code of *Undo* on ⌘Z, word for word. `SnippetTests` compares the two.
import RxViewModel
import Testing

struct Contact: Sendable, Equatable {
  var name = ""
}

private final class ContactViewModel: RxViewModel<ContactViewModel.Action, ContactViewModel.State>, @unchecked Sendable
{
  enum Action: Sendable {
    case began, ended, undo, redo
    case typed(String)
  }

  struct State: Sendable, Equatable {
    var contact = History(Contact())
  }

  init() { super.init(initialState: State(), scheduler: ImmediateScheduler()) }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .began: .mutate { $0.contact.beginGroup() }
    case .typed(let name): .mutate { $0.contact.value.name = name }
    case .ended: .mutate { $0.contact.endGroup() }
    case .undo: .mutate { $0.contact.undo() }
    case .redo: .mutate { $0.contact.redo() }
    }
  }
}

struct HistorySnippetTests {
  @Test func aForm() {
    let form = ContactViewModel()
    for action: ContactViewModel.Action in [.began, .typed("A"), .typed("Ad"), .typed("Ada"), .ended] {
      form.execute(action)
    }
    form.execute(.undo)
    #expect(form.currentState.contact.value.name == "")
    form.execute(.redo)
    #expect(form.currentState.contact.value.name == "Ada")
  }
}
