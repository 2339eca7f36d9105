import RxViewModel

/// A row of the list. It loads the number of copies with a request of its own.
struct BookRow: Feature {
  struct State: Codable, Sendable, Equatable, Identifiable {
    var book: Book
    var copies: Int?

    var id: Book.ID { book.id }
  }

  enum Action: Codable, Sendable, Equatable {
    case load
  }

  let library: Library

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .load where context.state.copies != nil: .empty()
    case .load:
      Observable.task { [id = context.state.id] in try await library.copies(id) }.mutate { $0.copies = $1 }
    }
  }

  // SwiftUI calls `onAppear` each time that the user scrolls the row into view.
  func executionMode(for action: Action) -> ExecutionMode { .dropWhileBusy }

  func showSpinner(_ action: Action) -> Bool { true }
}
