// The code of *Undo* on a delete with a grace period, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated struct BasketItem: Sendable, Equatable, Codable, Identifiable {
  let id: Int
}

final class Basket: RxViewModel<Basket.Action, Basket.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case remove(BasketItem.ID)
    case undo(BasketItem.ID)
    case commit(BasketItem.ID)
    case delete(BasketItem)
  }

  struct State: Sendable, Equatable {
    var items: [BasketItem] = []
    /// The items that the user can put back.
    var removed: [BasketItem.ID: BasketItem] = [:]
  }

  private let delete: @Sendable (BasketItem.ID) async throws -> Void

  init(
    saved: SavedBasket? = nil, scheduler: (any Scheduler)? = nil,
    delete: @escaping @Sendable (BasketItem.ID) async throws -> Void
  ) {
    self.delete = delete
    super.init(initialState: State(items: saved?.items ?? []), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .remove(let id):
      guard let item = currentState.items.first(where: { $0.id == id }) else { return .unchanged() }
      return Observable.mutate { state in
        state.items.removeAll { $0.id == id }
        state.removed[id] = item
      }
      .do(onCompleted: { [weak self] in self?.execute(.commit(id)) })
    case .undo(let id):
      return .mutate { state in
        if let item = state.removed.removeValue(forKey: id) { state.items.append(item) }
      }
    case .commit(let id):
      guard let item = currentState.removed[id] else { return .unchanged() }
      return Observable.mutate { $0.removed[id] = nil }
        .do(onCompleted: { [weak self] in self?.execute(.delete(item)) })
    case .delete(let item):
      let delete = delete
      return Observable.task { try await delete(item.id) }.ignoreElements()
    }
  }

  override func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .remove: .parallel
    case .commit(let id): .switchLatest("removal of \(id)", after: .seconds(5))
    case .undo(let id): .switchLatest("removal of \(id)")
    case .delete(let item): .sequence("write of \(item.id)")
    }
  }

  override func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    guard case .delete(let item) = action else { return nil }
    // An item that could not be deleted comes back.
    return mutate { $0.items.append(item) }
  }
}

// contract 2.8, 2.11
@MainActor
struct BasketTests {
  private let scheduler = TestScheduler()
  private let deleted = Locked<[Int]>([])

  private func makeBasket(saved: SavedBasket) -> Basket {
    let deleted = deleted
    return Basket(saved: saved, scheduler: scheduler) { id in
      if id < 0 { throw Offline() }
      deleted.mutate { $0.append(id) }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anUndoCancelsTheCommitAndAnItemThatCouldNotBeDeletedComesBack() {
    let basket = makeBasket(saved: SavedBasket(items: [1, 2, -1].map { BasketItem(id: $0) }))
    let errors = basket.errorObservable.test(scheduler)
    func items() -> [Int] { basket.currentState.items.map(\.id) }
    basket.execute(.remove(1))
    scheduler.advance(by: .milliseconds(4_999))
    #expect(items() == [2, -1])
    basket.execute(.undo(1))
    scheduler.run()
    #expect(items() == [2, -1, 1] && deleted.value == [])

    basket.execute(.remove(1))
    scheduler.advance(by: .seconds(5))
    basket.execute(.undo(1))
    scheduler.run()
    #expect(items() == [2, -1] && deleted.value == [1])

    basket.execute(.remove(-1))
    scheduler.advance(by: .milliseconds(4_999))
    #expect(items() == [2])
    scheduler.run()
    #expect(basket.currentState == Basket.State(items: [BasketItem(id: 2), BasketItem(id: -1)]))
    #expect(errors.values.count == 1)
  }
}
