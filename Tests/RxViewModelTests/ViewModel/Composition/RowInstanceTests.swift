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
  enum Action: Sendable, Equatable { case load, touch }
  let answer: Observable<String>
  var hasIdentity = true
  /// The number of calls of `identity(of:)`.
  let identities = Locked(0)

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<Item>> {
    switch action {
    case .load: answer.mutate { $0.text += $1 }
    case .touch: .mutate { $0.text = "touched" }
    }
  }

  func identity(of state: Item) -> AnyHashable? {
    identities.mutate { $0 += 1 }
    return !hasIdentity ? nil : state.version < 0 ? nil : AnyHashable(state.version)
  }
}

private enum ListAction: Sendable, Equatable {
  case item(Int, ItemFeature.Action)
  case set([Item])
  case setAndCancel([Item])
}

private func list(_ items: [Item], _ feature: ItemFeature) -> ClosureViewModel<ListAction, [Item]> {
  ClosureViewModel(items, scheduler: ImmediateScheduler()) { list, action in
    switch action {
    case .item: .handledByChild()
    case .set(let items): .mutate { $0 = items }
    case .setAndCancel(let items):
      .mutate { [weak list] state in
        list?.cancelActions { $0 == .setAndCancel(items) }
        state = items
      }
    }
  } overrides: {
    $0.child = { _, action in
      guard case .item(let id, let action) = action else { return nil }
      return .init(feature, action, at: \.self, id: id, as: { .item(id, $0) })
    }
  }
}

@Suite struct RowInstanceTests {
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
    let feature = ItemFeature(answer: .never())
    let list = list((0..<100).map { Item(id: $0) }, feature)
    for id in 0..<100 { list.execute(.item(id, .load)) }
    // The first fold searches all elements.
    list.execute(.item(5, .touch))
    let before = feature.identities.value
    list.execute(.item(7, .touch))
    #expect(feature.identities.value - before < 10)
    #expect(list.currentState[7].text == "touched")
  }

  // contract 2.19: an element with unfinished actions is the one at the index where it was found last
  @Test func aFoldThatDoesNotHappenMovesNoElement() {
    let answer = PublishSubject<String>()
    let list = list(
      [Item(id: 1), Item(id: 2), Item(id: 1)], ItemFeature(answer: answer.asObservable(), hasIdentity: false))
    list.execute(.item(1, .load))
    list.execute(.setAndCancel([Item(id: 3), Item(id: 2), Item(id: 1)]))
    answer.onNext("a")
    #expect(list.currentState.map(\.text) == ["a", "", ""])
  }

  // contract 2.19: the same, if many elements have moved too far to be found one by one
  @Test func manyElementsThatMoveFarStayTheSame() {
    let answer = PublishSubject<String>()
    let (others, items) = ((100..<200).map { Item(id: $0) }, (0..<50).map { Item(id: $0) })
    let list = list(others + items, ItemFeature(answer: answer.asObservable(), hasIdentity: false))
    for item in items { list.execute(.item(item.id, .load)) }
    // Each busy element moves by 50 places. The new one with its id is 100 places from where it was.
    list.execute(.set(items + others + items))
    answer.onNext("a")
    #expect(list.currentState.map(\.text) == Array(repeating: "", count: 150) + Array(repeating: "a", count: 50))
  }
}

// MARK: A child in an element

private struct Group: Sendable, Equatable, Identifiable {
  let id: Int
  var item = Item(id: 1)
}

private enum MemberAction: Sendable, Equatable { case wait, replaceAndExecute, further }

private struct MemberFeature: Feature {
  let duringTheFold: @Sendable () -> Void

  func createObservable(_ action: MemberAction, context: FeatureContext<Self>) -> Observable<StateMapper<Item>> {
    switch action {
    case .wait: .never()
    case .replaceAndExecute:
      .mutate { item in
        context.execute(.further)
        duringTheFold()
        item.version += 1
      }
    case .further: .mutate { $0.text = "further" }
    }
  }

  func identity(of state: Item) -> AnyHashable? { state.version }
}

private struct GroupFeature: Feature {
  let member: MemberFeature

  func child(for action: MemberAction) -> ChildAction<MemberAction, Group>? {
    .init(member, action, at: \.item, as: { $0 })
  }

  func createObservable(_ action: MemberAction, context: FeatureContext<Self>) -> Observable<StateMapper<Group>> {
    .handledByChild()
  }
}

private struct GroupAction: Sendable, Equatable {
  let group: Int
  let action: MemberAction
}

extension RowInstanceTests {
  // contract 2.19: a further action ends as cancelled if its instance goes first, whether another element is busy or not
  @Test(arguments: [(false, false), (true, false), (true, true)])
  func aFurtherActionReachesNoOtherInstance(isOtherBusy: Bool, cancelsOthers: Bool) {
    let groups = ClosureViewModel<GroupAction, [Group]>(
      [Group(id: 1), Group(id: 2)], scheduler: ImmediateScheduler()
    ) {
      $0.child = { groups, action in
        let member = MemberFeature { [weak groups] in if cancelsOthers { groups?.cancelActions { $0.group == 2 } } }
        let group = action.group
        return .init(
          GroupFeature(member: member), action.action, at: \.self, id: group, as: { .init(group: group, action: $0) })
      }
    }
    if isOtherBusy { groups.execute(.init(group: 2, action: .wait)) }
    let ends = groups.executionObservable.compactMap { execution in
      if case .cancelled = execution.phase { execution.action.action } else { nil }
    }.test()
    groups.execute(.init(group: 1, action: .replaceAndExecute))
    #expect(groups.currentState[0].item == Item(id: 1, version: 1))
    #expect(ends.values == (cancelsOthers ? [.wait, .further] : [.further]))
  }
}
