import RxViewModel
import Testing

@testable import TestSupport

// contract 8, 8.1, 8.2. `DifferentialTests` compares the lists of `paginate` and `page` with a reference.
struct PagesTests {
  private typealias Numbers = Pages<String, Int, Int>
  private struct Offline: Error {}
  private struct Refused: Error {
    var reason: String
  }

  /// A list with the pages [1] and [2] of "a", which has more.
  private func loaded() -> Numbers {
    var pages = Numbers()
    pages.receive(.success(Page([1], next: 2)), for: pages.begin("a"))
    pages.receive(.success(Page([2], next: 3)), for: pages.nextRequest!)
    return pages
  }

  @Test func requestsPageAfterPageUntilThereIsNoCursor() {
    var pages = Numbers()
    #expect(!pages.hasMore && pages.nextRequest == nil)
    let first = pages.begin("a")
    #expect(first == PageRequest(parameters: "a", cursor: nil))
    #expect(pages.hasMore && pages.nextRequest == first)
    pages.receive(.success(Page([1, 2], next: 7)), for: first)
    #expect(pages.items == [1, 2] && pages.pageCount == 1)
    #expect(pages.hasMore && pages.nextRequest == PageRequest(parameters: "a", cursor: 7))
    pages.receive(.success(Page([3], next: nil)), for: pages.nextRequest!)
    #expect(pages.items == [1, 2, 3] && pages.pageCount == 2)
    #expect(!pages.hasMore && pages.nextRequest == nil)
  }

  @Test func clearingDropsTheItemsAtOnce() {
    var pages = loaded()
    _ = pages.begin("b", clearing: true)
    #expect(pages.items.isEmpty)
  }

  @Test func anAnswerForAnOlderListChangesNothing() {
    var pages = loaded()
    let (nextPage, olderList) = (pages.nextRequest!, pages.begin("b"))
    let newer = pages.begin("b")
    let before = pages
    let late = pages.receive(.success(Page([9], next: 9)), for: nextPage)
    let lateError = pages.receive(.failure(Offline()), for: olderList)
    #expect(!late && !lateError && pages == before)
    let isAccepted = pages.receive(.success(Page([5], next: nil)), for: newer)
    let isAcceptedAgain = pages.receive(.success(Page([5], next: nil)), for: newer)
    #expect(isAccepted && !isAcceptedAgain)
    #expect(pages.items == [5] && pages.pageCount == 1)
  }

  @Test func anAnswerToAnOldValueIsIgnoredAfterANewValueHasReplacedIt() {
    var pages = Numbers()
    let old = pages.begin("a")
    pages = Numbers()
    _ = pages.begin("a")
    pages.receive(.success(Page([1], next: nil)), for: old)
    #expect(pages.items.isEmpty && pages.hasMore)
  }

  @Test func copiesAreIndependent() {
    var (one, other) = (loaded(), Numbers())
    other = one
    let request = one.nextRequest!
    one.receive(.success(Page([3], next: 4)), for: request)
    other.receive(.success(Page([3], next: 4)), for: request)
    #expect(one == other)
    other.receive(.success(Page([4], next: nil)), for: one.nextRequest!)
    #expect(other.items == [1, 2, 3])
  }

  // contract 8.2
  @Test func aFailedFirstPageIsRequestedAgain() {
    var pages = Numbers()
    let failed = pages.begin("b")
    pages.receive(.failure(Offline()), for: failed)
    #expect(pages.items.isEmpty && pages.pageCount == 0 && pages.hasMore)
    #expect(pages.nextRequest == PageRequest(parameters: "b", cursor: nil))
    let isAcceptedAgain = pages.receive(.success(Page([5], next: nil)), for: failed)
    #expect(!isAcceptedAgain && pages.items.isEmpty)

    var reloaded = loaded()
    reloaded.receive(.failure(Offline()), for: reloaded.begin("b"))
    #expect(reloaded.items == [1, 2] && reloaded.error is Offline)
    let again = reloaded.begin("b")
    #expect(reloaded.items == [1, 2] && reloaded.error == nil)
    reloaded.receive(.success(Page([5], next: nil)), for: again)
    #expect(reloaded.items == [5])
  }

  @Test func itemsMayBeEdited() {
    var pages = loaded()
    let request = pages.nextRequest!
    pages.items.removeFirst()
    pages.receive(.success(Page([3], next: nil)), for: request)
    #expect(pages.items == [2, 3])
  }

  @Test func equalityComparesItemsErrorsAndTheNextRequest() {
    #expect(loaded() == loaded())
    var other = loaded()
    _ = other.begin("a")
    #expect(other != loaded())
    func failed(_ error: any Error) -> Numbers {
      var pages = loaded()
      pages.receive(.failure(error), for: pages.nextRequest!)
      return pages
    }
    #expect(failed(Offline()) == failed(Offline()))
    #expect(failed(Refused(reason: "a")) != failed(Refused(reason: "b")))
    #expect(failed(Offline()) != loaded())
    #expect(PageRequest(parameters: "a", cursor: 1) != PageRequest(parameters: "a", cursor: 2))
    #expect(Set([PageRequest(parameters: "a", cursor: 1), PageRequest(parameters: "a", cursor: 1)]).count == 1)
    #expect(Page([1], next: 2) == Page([1], next: 2))
  }

  @Test(.stress, .ownThread) func receivingAPageCopiesNoItemsWhileNothingElseRetainsThem() {
    func load(_ count: Int) {
      var pages = Numbers()
      var request = pages.begin("a")
      for page in 0..<count {
        pages.receive(.success(Page([page], next: page + 1)), for: request)
        request = pages.nextRequest!
      }
    }
    expectGrowth(from: 20_000, below: 8, load)
  }
}
