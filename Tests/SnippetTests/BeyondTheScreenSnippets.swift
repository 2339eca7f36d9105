// The code of *Beyond the screen* on a draft, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated protocol DraftStorage: Sendable {
  func load() -> String?
  func save(_ text: String)
}

final class DraftViewModel: RxViewModel<DraftViewModel.Action, DraftViewModel.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case type(String)
  }

  struct State: Sendable, Equatable {
    var text = ""
  }

  private let storage: any DraftStorage
  private let bag = DisposeBag()

  init(storage: any DraftStorage, scheduler: (any Scheduler)? = nil) {
    self.storage = storage
    super.init(initialState: storage.load().map { State(text: $0) }, scheduler: scheduler)
    stateObservable.map(\.text).distinctUntilChanged().skip(1)
      .throttle(.seconds(1), scheduler: self.scheduler)
      .subscribe(onNext: { storage.save($0) })
      .disposed(by: bag)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .type(let text): .mutate { $0.text = text }
    }
  }

  override func onPause() {
    storage.save(currentState.text)
  }
}

private struct MemoryStorage: DraftStorage {
  let saved = Locked<[String]>([])

  func load() -> String? { saved.value.last }
  func save(_ text: String) { saved.mutate { $0.append(text) } }
}

// contract 2.4, 2.12
struct DraftTests {
  private let scheduler = TestScheduler()
  private let storage = MemoryStorage()

  @Test func aDraftIsSavedOnceASecondAndAtThePause() {
    var viewModel: DraftViewModel? = DraftViewModel(storage: storage, scheduler: scheduler)
    viewModel?.didResume()
    for text in ["a", "ab", "abc"] {
      viewModel?.execute(.type(text))
      scheduler.advance(by: .milliseconds(100))
    }
    #expect(storage.saved.value == ["a"])
    scheduler.advance(by: .seconds(1))
    #expect(storage.saved.value == ["a", "abc"])

    viewModel?.execute(.type("abcd"))
    viewModel?.didPause()
    viewModel = nil
    scheduler.advance()
    // The old screen saves nothing more.
    let new = DraftViewModel(storage: storage, scheduler: scheduler)
    #expect(new.currentState.text == "abcd")
    new.execute(.type("abcde"))
    scheduler.run()
    #expect(storage.saved.value == ["a", "abc", "abcd", "abcde"])
  }
}
