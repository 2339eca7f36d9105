import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private final class OnDeinit: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

// A released object may use, in its `deinit`, the object that retained it.
@Suite struct ReleaseOfObserversTests {
  // contract 3: a screen ends, and one of its observers holds the last reference to it
  @MainActor @Test func aDestroyedLifecycleReleasesObserversThatDisposeOnIt() {
    let viewModel = Screen(scheduler: TestScheduler())
    let liveData = viewModel.stateObservable.asLiveData(viewModel)
    let lifecycle = Lifecycle()
    lifecycle.resume()
    let bag = DisposeBag()
    lifecycle.bind(viewModel).disposed(by: bag)
    let isReleased = Locked(false)
    do {
      let screen = OnDeinit {
        bag.dispose()
        isReleased.mutate { $0 = true }
      }
      _ = liveData.observe(lifecycle) { _ in _ = screen }
    }
    lifecycle.destroy()
    #expect(isReleased.value)
    #expect(lifecycle.state == .destroyed)
  }

  // contract 3
  @MainActor @Test func liveDataReleasesItsValueWhileItCanBeRead() {
    let viewModel = Screen(scheduler: TestScheduler())
    let subject = PublishSubject<OnDeinit?>()
    let liveData = subject.asLiveData(viewModel)
    let subscription = liveData.observeForever { _ in }
    let seen = Locked(false)
    subject.onNext(OnDeinit { MainActor.assumeIsolated { seen.mutate { $0 = liveData.value! == nil } } })
    subject.onNext(nil)
    #expect(seen.value)
    subscription.dispose()
  }

  // contract 7.6
  @MainActor @Test func aDataSourceReleasesItsSectionsWhileTheyCanBeRead() {
    struct Item: Sendable, Equatable, Identifiable {
      let id: Int
      let object: OnDeinit?
      static func == (left: Item, right: Item) -> Bool { left.id == right.id }
    }
    final class View: BatchUpdatingList {
      var canAnimate: Bool { false }
      func reloadData() {}
      func performBatchUpdates(_ changes: ListChanges, setData: () -> Void) { setData() }
      func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) {}
    }
    let view = View()
    let list = ListDataSource<Int, Item>(view, sectionID: { $0 }, itemID: { $0.id })
    let seen = Locked(-1)
    let object = { OnDeinit { MainActor.assumeIsolated { seen.mutate { $0 = list.sections.count } } } }
    list.show([SectionModel(model: 1, items: [Item(id: 1, object: object())])])
    list.show([])
    #expect(seen.value == 0)
  }
}
