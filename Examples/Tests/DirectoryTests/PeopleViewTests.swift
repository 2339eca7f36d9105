import RxViewModel
import Testing

@testable import Directory
@testable import DirectoryScreens

struct PeopleViewTests {
  @Test func aFailureDistinguishesTheFirstPageFromLaterPages() throws {
    let error = "\(DirectoryError.unavailable)"
    var state = PeopleState()
    state.people.receive(.failure(DirectoryError.unavailable), for: state.people.begin(state.query))
    #expect(PeopleView(state, isLoading: false).failure == .firstPage(error: error))

    let page = Page([Person(id: 1, name: "Ada Abe", lastSeen: .zero)], next: 1)
    state.people.receive(.success(page), for: try #require(state.people.nextRequest))
    #expect(PeopleView(state, isLoading: false).failure == nil)

    state.people.receive(.failure(DirectoryError.unavailable), for: try #require(state.people.nextRequest))
    #expect(PeopleView(state, isLoading: false).failure == .nextPage(error: error))
  }
}
