import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private struct Item: Sendable, Equatable, Identifiable {
  let id: Int
  var version = 0
  var text = ""
}

private struct ItemFeature: Feature {
  enum Action: Sendable, Equatable { case load, touch, replaceAndTouch }

  var answer: Observable<String> = .never()
  var duringTheFold: @Sendable () -> Void = {}
  /// The number of calls of `identity(of:)`.
  let identities = Locked(0)

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<Item>> {
    switch action {
    case .load: answer.mutate { $0.text += $1 }
    case .touch: .mutate { $0.text = "touched" }
    case .replaceAndTouch:
      .mutate { item in
        context.execute(.touch)
        duringTheFold()
        item.version += 1
      }
    }
  }

  func identity(of state: Item) -> AnyHashable? {
    identities.increment()
    return state.version < 0 ? nil : AnyHashable(state.version)
  }
}

private enum ListAction: Sendable, Equatable {
  case item(Int, ItemFeature.Action)
  case set([Item])
}

private func list(_ items: [Item], _ feature: ItemFeature) -> ClosureViewModel<ListAction, [Item]> {
  ClosureViewModel(items, scheduler: ImmediateScheduler()) { _, action in
    if case .set(let items) = action { .mutate { $0 = items } } else { .handledByChild() }
  } overrides: {
    $0.child = { _, action in
      guard case .item(let id, let action) = action else { return nil }
      return .init(feature, action, at: \.self, id: id, as: { .item(id, $0) })
    }
  }
}

private struct Group: Sendable, Equatable, Identifiable {
  let id: Int
  var item = Item(id: 1)
}

private struct GroupFeature: Feature {
  let item: ItemFeature

  func child(for action: ItemFeature.Action) -> ChildAction<ItemFeature.Action, Group>? {
    .init(item, action, at: \.item, as: { $0 })
  }

  func createObservable(_ action: ItemFeature.Action, context: FeatureContext<Self>) -> Observable<StateMapper<Group>> {
    .handledByChild()
  }
}

private struct GroupAction: Sendable {
  let group: Int
  let action: ItemFeature.Action
}

struct RowInstanceTests {
  // contract 2.19: an instance ends in the fold whose state has another `identity(of:)` in its place
  @Test(arguments: [(5, 6), (1, 6), (1, -1), (-1, 1), (-1, 6)])
  func anElementWithAnotherIdentityIsAnotherInstance(_ versions: (Int, Int)) {
    let answer = PublishSubject<String>()
    let list = list([Item(id: 1, version: versions.0)], ItemFeature(answer: answer.asObservable()))
    list.execute(.item(1, .load))
    list.execute(.set([Item(id: 1, version: versions.1)]))
    answer.onNext("late")
    #expect(list.currentState == [Item(id: 1, version: versions.1)])
  }

  @Test func aFoldOfOneElementLooksAtNoOther() {
    let feature = ItemFeature()
    let list = list((0..<100).map { Item(id: $0) }, feature)
    for id in 0..<100 { list.execute(.item(id, .load)) }
    // The first fold searches all elements.
    list.execute(.item(5, .touch))
    let before = feature.identities.value
    list.execute(.item(7, .touch))
    #expect(feature.identities.value - before < 10)
    #expect(list.currentState[7].text == "touched")
  }

  // contract 2.19: a further action ends as cancelled if its instance goes first, whether another element is busy or not
  @Test(arguments: [(false, false), (true, false), (true, true)])
  func aFurtherActionReachesNoOtherInstance(isOtherBusy: Bool, cancelsOthers: Bool) {
    let groups = ClosureViewModel<GroupAction, [Group]>(
      [Group(id: 1), Group(id: 2)], scheduler: ImmediateScheduler()
    ) {
      $0.child = { groups, action in
        let group = action.group
        let item = ItemFeature { [weak groups] in if cancelsOthers { groups?.cancelActions { $0.group == 2 } } }
        return .init(
          GroupFeature(item: item), action.action, at: \.self, id: group, as: { .init(group: group, action: $0) })
      }
    }
    if isOtherBusy { groups.execute(.init(group: 2, action: .load)) }
    let cancelled = groups.executionObservable.filter { $0.phase == .cancelled }.map(\.action.action).test()
    groups.execute(.init(group: 1, action: .replaceAndTouch))
    #expect(groups.currentState[0].item == Item(id: 1, version: 1))
    #expect(cancelled.values == (cancelsOthers ? [.load, .touch] : [.touch]))
  }
}
