// The code of *Beyond the screen* on a restart, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The part of the basket that the app saves.
nonisolated struct SavedBasket: Codable, Sendable, Equatable {
  var items: [BasketItem]
}

nonisolated extension Basket.State {
  /// A removal that the user can still undo is not saved: after a restart, the item is back.
  var saved: SavedBasket { SavedBasket(items: (items + removed.values).sorted { $0.id < $1.id }) }
}

@MainActor
final class BasketSaver {
  private let basket: Basket
  private let save: @MainActor @Sendable (SavedBasket) -> Void
  private let bag = DisposeBag()

  init(of basket: Basket, save: @escaping @MainActor @Sendable (SavedBasket) -> Void) {
    (self.basket, self.save) = (basket, save)
    basket.stateObservable.map(\.saved).distinctUntilChanged().skip(1)
      .throttle(.seconds(1), scheduler: basket.scheduler)
      .bind { [weak self] _ in self?.saveNow() }
      .disposed(by: bag)
  }

  /// Call this when the app enters the background.
  func saveNow() {
    save(basket.currentState.saved)
  }
}

// contract 2.4
@MainActor
struct BasketSaverTests {
  private let scheduler = TestScheduler()

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theNextStartBeginsWithTheSavedBasket() {
    let file = Locked<[SavedBasket]>([])
    let basket = Basket(
      saved: SavedBasket(items: [BasketItem(id: 1), BasketItem(id: 2)]), scheduler: scheduler
    ) { _ in }
    let saver = BasketSaver(of: basket) { saved in file.mutate { $0.append(saved) } }
    basket.execute(.remove(1))
    scheduler.run()
    #expect(file.value == [SavedBasket(items: [BasketItem(id: 2)])])

    basket.execute(.remove(2))
    scheduler.advance()
    saver.saveNow()
    let saved = file.value.last
    #expect(
      Basket(saved: saved, scheduler: scheduler) { _ in }.currentState == Basket.State(items: [BasketItem(id: 2)]))
  }
}
