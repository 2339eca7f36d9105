import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 8.5: a service whose answer contains more than the page
@Suite struct PageAnswerTests {
  struct Answer: Sendable, Equatable {
    var numbers: [Int]
    var next: Int?
    var total: Int
  }

  struct State: Sendable, Equatable {
    var list = Pages<String, Int, Int>()
    var total: Int?
  }

  private enum Action: Sendable, Equatable {
    case search(String)
    case more
  }

  private final class Catalog: RxViewModel<Action, State>, @unchecked Sendable {  // Sendable: it stores one `let`.
    let answers: @Sendable (PageRequest<String, Int>) -> Observable<Answer>

    init(answers: @escaping @Sendable (PageRequest<String, Int>) -> Observable<Answer>) {
      self.answers = answers
      super.init(scheduler: ImmediateScheduler())
    }

    override func createInitialState() -> State { State() }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .search(let text): page { $0.first(text) }
      case .more: page { $0.next() }
      }
    }

    private func page(
      _ begin: @escaping @Sendable (inout Pages<String, Int, Int>) -> PageRequest<String, Int>?
    ) -> Effect {
      .page(
        \.list, begin, append: { items, new in items += new.filter { !items.contains($0) } }, request: answers,
        page: { Page($0.numbers, next: $0.next) }, updating: { $0.total = $1.total })
    }
  }

  @Test func theRestOfAnAnswerIsFoldedWithItsPage() {
    let catalog = Catalog { request in
      .just(Answer(numbers: request.cursor == nil ? [1, 2] : [2, 3], next: request.cursor == nil ? 1 : nil, total: 3))
    }
    let states = catalog.stateObservable.map { "\($0.list.items) \($0.total ?? 0)" }.test()
    catalog.execute(.search("a"))
    catalog.execute(.more)
    // `append:` omits the item that the list contains already.
    #expect(states.values == ["[] 0", "[] 0", "[1, 2] 3", "[1, 2] 3", "[1, 2, 3] 3"])
  }

  @Test func anAnswerThatTheListDoesNotAcceptChangesNothingElse() {
    let (old, new) = (PublishSubject<Answer>(), PublishSubject<Answer>())
    let catalog = Catalog { $0.parameters == "old" ? old.asObservable() : new.asObservable() }
    catalog.execute(.search("old"))
    catalog.execute(.search("new"))
    new.onNext(Answer(numbers: [1], next: nil, total: 1))
    old.onNext(Answer(numbers: [9], next: nil, total: 9))
    #expect(catalog.currentState.list.items == [1])
    #expect(catalog.currentState.total == 1)
  }
}
