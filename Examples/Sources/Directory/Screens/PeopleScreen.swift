import DirectoryScreens
import RxViewModel

/// The list of people. The page applies the batches of changes one after the other.
final class PeopleScreen: Screen, BatchUpdatingList {
  let viewModel: PeopleViewModel
  private var nickname: NicknameField?
  private lazy var list = ListDataSource<String, Person>(self, sectionID: \.self, itemID: \.id)

  init(_ viewModel: PeopleViewModel, _ outbox: Outbox) {
    self.viewModel = viewModel
    super.init(viewModel, outbox, path: "/people")
    // The rows come first. Otherwise the page would see the end of an empty list, and ask for the next page.
    let shown = viewModel.stateObservable.map(\.shown).distinctUntilChanged()
    show(shown.map(\.sections), of: viewModel) { [weak self] in self?.list.show($0) }
    show(viewModel.view(PeopleView.init), of: viewModel) { outbox.send(.people(view: $0)) }
    show(viewModel.stateObservable.map { $0.newPerson.map(NewPersonView.init) }, of: viewModel) {
      outbox.send(.newPerson(view: $0))
    }
    nickname = NicknameField(viewModel.newNickname, bag) { outbox.send(.newNickname(text: $0, edit: $1)) }
  }

  override func receive(_ action: PageAction) -> Bool {
    switch action {
    case .type(let text): viewModel.execute(.type(text))
    case .reverse: viewModel.execute(.reverse)
    case .loadMore: viewModel.execute(.loadMore)
    case .open(let id): viewModel.execute(.open(id.value))
    case .setAdding(let isAdding): viewModel.execute(.setAdding(isAdding))
    case .setName(let text): viewModel.execute(.newPerson(.setName(text)))
    case .setNickname(let text, let edit): nickname?.receive(text, edit: edit.value)
    case .chooseColor: viewModel.execute(.newPerson(.form(.chooseColor)))
    case .add: viewModel.execute(.newPerson(.add))
    default: return false
    }
    return true
  }

  // MARK: BatchUpdatingList

  var canAnimate: Bool { true }

  func reloadData() {
    outbox.send(.reload(sections: list.sections.map(SectionView.init)))
  }

  func performBatchUpdates(_ changes: ListChanges, setData: () -> Void) {
    setData()
    outbox.send(.batch(changes: ListBatch(changes, in: list.sections)))
  }

  func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) {
    outbox.send(
      .reconfigure(
        items: items.map { ItemView($0, in: list.sections) },
        sections: sections.map { LetterView(index: $0, letter: list.sections[$0].model) }))
  }
}
