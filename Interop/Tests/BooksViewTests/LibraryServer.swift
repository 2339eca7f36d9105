import RxViewModel
import RxViewModelTesting

@testable import Books

struct Offline: Error {}

/// A library that answers after a second, while it is online. It has ten copies of Emma, and twenty of Villette.
struct LibraryServer {
  let scheduler = TestScheduler()
  let isOnline = MutableProperty(true)
  let books = MutableProperty([Book(id: 1, title: "Emma"), Book(id: 2, title: "Villette")])

  func makeViewModel() -> FeatureViewModel<Catalogue> {
    let (clock, isOnline, books) = (scheduler.clock, isOnline, books)
    let request = { @Sendable in
      try await clock.sleep(for: .seconds(1))
      if !isOnline.value { throw Offline() }
    }
    let library = Library(
      find: { text in
        try await request()
        return books.value.filter { text.isEmpty || $0.title.contains(text) }
      },
      copies: { id in
        try await request()
        return id * 10
      },
      save: { book in
        try await request()
        books.update { $0[book.id - 1] = book }
      })
    return Catalogue.viewModel(library, scheduler: scheduler)
  }
}
