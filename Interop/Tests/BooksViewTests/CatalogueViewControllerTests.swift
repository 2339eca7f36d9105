import RxViewModel
import RxViewModelTesting
import SwiftUI
import Testing
import UIKit

@testable import Books

/// The sample's UIKit screen, with the stub's own controls.
// contract 3.6, 3.7
@MainActor struct CatalogueViewControllerTests {
  private let server = LibraryServer()
  private let viewModel: FeatureViewModel<Catalogue>
  private let screen: CatalogueViewController

  init() {
    viewModel = server.makeViewModel()
    screen = CatalogueViewController(viewModel)
    screen.viewDidLoad()
    server.scheduler.run()
  }

  private func cell(_ row: Int) -> UITableViewCell {
    let cell = screen.tableView(screen.tableView, cellForRowAt: IndexPath(row: row, section: 0))
    server.scheduler.run()
    return cell
  }

  private func texts(_ cell: UITableViewCell) -> [String?] {
    let content = cell.contentConfiguration as? UIListContentConfiguration
    return [content?.text, content?.secondaryText]
  }

  private var rowCount: Int { screen.tableView(screen.tableView, numberOfRowsInSection: 0) }

  @Test func theTableFollowsTheSearch() {
    #expect(rowCount == 2)
    screen.search.text = "Vi"
    screen.search.sendActions(for: .editingChanged)
    server.scheduler.run()
    #expect(rowCount == 1)
    #expect(texts(cell(0)) == ["Villette", "20 left"])
  }

  @Test func aReusedCellShowsItsNewRowOnly() throws {
    let cell = try #require(cell(0) as? BookCell)
    #expect(texts(cell) == ["Emma", "10 left"])
    cell.show(try #require(viewModel.slice(\.rows, id: 2) { .row(2, $0) }))
    server.books.update { $0[0].notes.isRead = true }
    viewModel.execute(.search)
    server.scheduler.run()
    #expect(texts(cell) == ["Villette", "20 left"])
    #expect(cell.accessoryType == .none)
  }

  @Test func aFailureCanBeTriedAgain() throws {
    server.isOnline.value = false
    _ = cell(0)
    let alert = try #require(screen.presentedViewController as? UIAlertController)
    #expect(alert.actions.map(\.title) == ["Try again", "Cancel"])
    screen.dismiss(animated: true)
    server.isOnline.value = true
    alert.actions[0].handler?(alert.actions[0])
    server.scheduler.run()
    #expect(viewModel.currentState.rows.map(\.copies) == [10, nil])
  }

  @Test func theSheetIsTheOneOfSwiftUI() throws {
    for isSwipedAway in [true, false] {
      screen.tableView(screen.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
      server.scheduler.run()
      let host = try #require(screen.presentedViewController as? UIHostingController<BookDetailView>)
      let sheet = Screen(host.rootView)
      #expect(sheet.lines.first == "Emma")
      if isSwipedAway {
        screen.dismiss(animated: true)
        let presentation = try #require(host.presentationController)
        presentation.delegate?.presentationControllerDidDismiss(presentation)
      } else {
        sheet.toggle("Read")
        server.scheduler.run()
        sheet.tap("Save")
      }
      server.scheduler.run()
      #expect(screen.presentedViewController == nil)
      #expect(viewModel.currentState.detail == nil)
    }
    #expect(cell(0).accessoryType == .checkmark)
  }
}
