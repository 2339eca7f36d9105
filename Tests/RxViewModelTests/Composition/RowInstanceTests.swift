import RxViewModel
import RxViewModelTesting
import Testing

private struct Item: Sendable, Equatable, Identifiable {
  let id: Int
  var version = 0
  var text = ""
}

private struct ItemFeature: Feature {
  enum Action: Sendable, Equatable { case load }
  let answer: Observable<String>
  let hasIdentity: Bool

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<Item>> {
    answer.mutate { $0.text += $1 }
  }

  func identity(of state: Item) -> AnyHashable? {
    !hasIdentity ? nil : state.version < 0 ? nil : AnyHashable(state.version)
  }
}

private enum ListAction: Sendable, Equatable {
  case item(Int, ItemFeature.Action)
  case set([Item])
  case setAndCancel([Item])
}

private final class ListViewModel: RxViewModel<ListAction, [Item]>, @unchecked Sendable {  // Sendable: a `let`.
  let feature: ItemFeature

  init(_ items: [Item], _ answer: Observable<String>, hasIdentity: Bool = true) {
    feature = ItemFeature(answer: answer, hasIdentity: hasIdentity)
    super.init(initialState: items, scheduler: ImmediateScheduler())
  }

  override func child(for action: ListAction) -> ChildAction<ListAction, [Item]>? {
    if case .item(let id, let action) = action {
      .init(feature, action, at: \.self, id: id, as: { .item(id, $0) })
    } else {
      nil
    }
  }

  override func createObservable(_ action: ListAction) -> Observable<StateMapper<[Item]>> {
    switch action {
    case .item: .handledByChild()
    case .set(let items): .mutate { $0 = items }
    case .setAndCancel(let items):
      .mutate { [weak self] state in
        self?.cancelActions { $0 == .setAndCancel(items) }
        state = items
      }
    }
  }
}

@Suite struct RowInstanceTests {
  // contract 2.19: an instance ends in the fold whose state has another `identity(of:)` in its place
  @Test(arguments: [(5, 6), (1, 6), (1, -1), (-1, 1), (-1, 6)])
  func anElementWithAnotherIdentityIsAnotherInstance(_ versions: (Int, Int)) {
    let answer = PublishSubject<String>()
    let list = ListViewModel([Item(id: 1, version: versions.0)], answer.asObservable())
    list.execute(.item(1, .load))
    list.execute(.set([Item(id: 1, version: versions.1)]))
    answer.onNext("late")
    #expect(list.currentState == [Item(id: 1, version: versions.1)])
  }
}
