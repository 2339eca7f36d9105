import RxViewModel
import RxViewModelTesting
import SwiftUI
import Testing

@testable import Books

/// The sample's SwiftUI views, with the parts that the stub of SwiftUI reads from them.
// contract 3.5, 3.7
@MainActor struct CatalogueViewTests {
  private let server = LibraryServer()
  private let viewModel: FeatureViewModel<Catalogue>
  private let screen: Screen<CatalogueView>

  private let header = ["Search: ", "Books"]

  init() {
    viewModel = server.makeViewModel()
    screen = Screen(CatalogueView(viewModel: viewModel))
    viewModel.execute(.search)
    server.scheduler.run()
  }

  @Test func eachRowLoadsOnItsOwn() {
    #expect(screen.lines == header + ["[Emma]", "[Villette]"])
    viewModel.execute(.row(2, .load))
    server.scheduler.advance()
    #expect(screen.lines == header + ["[Emma]", "[Villette]", "…", "…"])
    server.scheduler.run()
    #expect(screen.lines == header + ["[Emma]", "[Villette]", "20 left"])
    screen.appear()
    server.scheduler.run()
    #expect(screen.lines == header + ["[Emma]", "10 left", "[Villette]", "20 left"])
  }

  @Test func aRowShowsItsFailureAndTriesAgain() {
    server.isOnline.value = false
    viewModel.execute(.row(1, .load))
    server.scheduler.run()
    #expect(screen.lines == header + ["[Emma]", "[Try again]", "[Villette]"])
    server.isOnline.value = true
    screen.tap("Try again")
    server.scheduler.run()
    #expect(screen.lines == header + ["[Emma]", "10 left", "[Villette]"])
  }

  @Test func theFieldShowsWhatIsTypedAndTheListFollows() {
    screen.type("Em", into: "Search")
    #expect(screen.lines == ["Search: Em", "Books", "[Emma]", "[Villette]"])
    server.scheduler.run()
    #expect(screen.lines == ["Search: Em", "Books", "[Emma]"])
  }

  @Test func aSearchThatFailsTakesThePlaceOfTheList() {
    server.isOnline.value = false
    screen.type("Em", into: "Search")
    server.scheduler.run()
    #expect(screen.lines == ["Search: Em", "Books", "No answer from the library", "[Try again]"])
    server.isOnline.value = true
    screen.tap("Try again")
    server.scheduler.advance(by: .milliseconds(300))
    #expect(screen.lines.last == "…")
    server.scheduler.run()
    #expect(screen.lines == ["Search: Em", "Books", "[Emma]"])
  }

  private func openEmma() {
    screen.tap("Emma")
    server.scheduler.run()
  }

  @Test func theSheetShowsAnEditImmediately() {
    openEmma()
    #expect(screen.lines.last == "^ Emma | Read: off | Notes:  | (Undo) | (Redo) | (Save)")
    screen.toggle("Read")
    // Before the action has run.
    #expect(screen.lines.last == "^ Emma | Read: on | Notes:  | (Undo) | (Redo) | (Save)")
    server.scheduler.run()
    #expect(screen.lines.last == "^ Emma | Read: on | Notes:  | [Undo] | (Redo) | [Save]")
  }

  @Test func aSaveThatFailsIsAnAlertOverTheSheet() {
    openEmma()
    screen.toggle("Read")
    server.scheduler.run()
    server.isOnline.value = false
    screen.tapInSheet("Save")
    server.scheduler.run()
    let form = "^ Emma | Read: on | Notes:  | [Undo] | (Redo) | [Save]"
    #expect(screen.lines.last?.hasPrefix(form + " | ! That didn't work | ") == true)
    screen.tapInAlert("Cancel")
    #expect(screen.lines.last == form)
    screen.tapInSheet("Save")
    server.scheduler.run()
    server.isOnline.value = true
    screen.tapInAlert("Try again")
    server.scheduler.run()
    #expect(screen.lines == header + ["[Emma]", "Read", "[Villette]"])
  }

  @Test func aSheetKeepsItsContentWhileItIsDismissed() {
    openEmma()
    screen.dismissSheet()
    server.scheduler.run()
    #expect(viewModel.currentState.detail == nil)
    #expect(screen.lines == header + ["[Emma]", "[Villette]"])
    #expect(screen.dismissedSheet == ["Emma", "Read: off", "Notes: ", "(Undo)", "(Redo)", "(Save)"])
  }

  @Test func whatIsTypedWithTheFocusIsOneStep() throws {
    openEmma()
    let detail = try #require(viewModel.slice(\.detail, Catalogue.Action.detail))
    let sheet = Screen(BookDetailView(detail: detail))
    sheet.focus("Notes")
    for text in ["G", "Go", "Good"] {
      sheet.type(text, into: "Notes")
      server.scheduler.run()
    }
    sheet.focus(nil)
    server.scheduler.run()
    #expect(sheet.lines == ["Emma", "Read: off", "Notes: Good", "[Undo]", "(Redo)", "[Save]"])
    sheet.tap("Undo")
    server.scheduler.run()
    #expect(sheet.lines == ["Emma", "Read: off", "Notes: ", "(Undo)", "[Redo]", "(Save)"])
    sheet.tap("Redo")
    server.scheduler.run()
    #expect(detail.currentState.notes.value.text == "Good")
  }

  @Test func previewsNeedNoServer() {
    #expect(Screen(CatalogueView_Previews.previews).lines == header + header)
    #expect(Screen(BookDetailView_Previews.previews).lines.first == "Emma")
  }
}
