import RxViewModel
import RxViewModelTesting
import SwiftUI
import Testing

/// The view of *A list that loads page by page*, and the form of *One screen in SwiftUI*.
// contract 3.5, 8.5
@MainActor struct BooksViewTests {
  private let scheduler = TestScheduler()

  private func makeScreen(offlineUntil: Duration = .zero) -> (BooksViewModel, SwiftUI.Screen<BooksView>) {
    let service = SlowBooks(scheduler: scheduler, offlineUntil: offlineUntil)
    let viewModel = BooksViewModel(service: service, navigator: Navigator { _ in }, scheduler: scheduler)
    return (viewModel, SwiftUI.Screen(BooksView(viewModel: viewModel)))
  }

  @Test func itSearchesWhenTheUserPausesAndLoadsTheNextPageAtTheEnd() {
    let (_, screen) = makeScreen()
    screen.type("swift", into: "Search")
    scheduler.advance(by: .milliseconds(320))
    #expect(screen.lines == ["Search: swift", "…"])
    scheduler.run()
    #expect(screen.lines == ["Search: swift", "Author 0", "[swift 10]", "Author 1", "[swift 11]"])
    screen.appear()
    scheduler.run()
    #expect(
      screen.lines == [
        "Search: swift", "Author 0", "[swift 10]", "[swift 20]", "Author 1", "[swift 11]", "[swift 21]",
      ])
  }

  @Test func aFailedPageOffersToTryAgain() {
    let (_, screen) = makeScreen(offlineUntil: .milliseconds(310))
    screen.type("swift", into: "Search")
    scheduler.run()
    let footer = "The books could not be loaded. Tap to try again."
    #expect(screen.lines == ["Search: swift", "[\(footer)]"])
    screen.tap(footer)
    scheduler.run()
    #expect(screen.lines == ["Search: swift", "Author 0", "[swift 10]", "Author 1", "[swift 11]"])
  }

  @Test func aFormWritesItsFieldsThroughOneAction() {
    let viewModel = AddressViewModel(scheduler: scheduler)
    let screen = SwiftUI.Screen(AddressForm(viewModel: viewModel))
    screen.type("Ada", into: "Name")
    screen.type("London", into: "City")
    #expect(screen.lines == ["Name: Ada", "Street: ", "City: London", "[Save]"])
    scheduler.run()
    #expect(viewModel.currentState.address == Address(name: "Ada", city: "London"))
  }
}
