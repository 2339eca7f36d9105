import DirectoryScreens
import RxViewModel

final class PersonScreen: Screen {
  let viewModel: PersonViewModel
  private var nickname: NicknameField?

  init(_ id: Person.ID, _ viewModel: PersonViewModel, _ outbox: Outbox) {
    self.viewModel = viewModel
    super.init(viewModel, outbox, path: "/people/\(id)")
    let view = viewModel.view { state, isBusy in
      PersonView(
        name: state.person?.name ?? "", color: state.person?.color, secondsAgo: state.secondsAgo, isBusy: isBusy,
        error: state.error)
    }
    show(view, of: viewModel) { outbox.send(.person(view: $0)) }
  }

  /// The page clears the field for a new screen, so the first text comes after that.
  override func appear() {
    if nickname != nil { return }
    nickname = NicknameField(viewModel.nickname, bag) { [outbox] in outbox.send(.nickname(text: $0, edit: $1)) }
  }

  override func receive(_ action: PageAction) -> Bool {
    switch action {
    case .setNickname(let text, let edit): nickname?.receive(text, edit: edit.value)
    case .endEditing: viewModel.execute(.form(.endEditing))
    case .chooseColor: viewModel.execute(.form(.chooseColor))
    case .retry: viewModel.execute(.retry)
    default: return false
    }
    return true
  }
}
