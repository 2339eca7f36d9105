import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import Books

struct BooksTests {
  private let emma = Book(id: 1, title: "Emma")
  private let villette = Book(id: 2, title: "Villette")

  private struct Offline: Error, Equatable {}

  /// Everything that the screen does, in the order in which it happens. A change that the test does not assert fails it.
  @Test func theWholeScreen() throws {
    let scheduler = TestScheduler()
    let (clock, isOnline) = (scheduler.clock, MutableProperty(true))
    let request = { @Sendable in
      try await clock.sleep(for: .seconds(1))
      if !isOnline.value { throw Offline() }
    }
    let library = Library(
      find: { [emma, villette] text in
        try await request()
        return [emma, villette].filter { text.isEmpty || $0.title.contains(text) }
      },
      copies: { id in
        try await request()
        return id * 10
      },
      save: { _ in try await request() })

    try withTestStore(Catalogue.viewModel(library, scheduler: scheduler)) { store in
      // The list, and a search that replaces the one before.
      try store.send(.search)
      try store.advance(by: .milliseconds(1_300)) {
        $0.rows = [BookRow.State(book: emma), BookRow.State(book: villette)]
      }
      try store.send(.setText("E")) { $0.text = "E" }
      try store.advance(by: .milliseconds(200))
      try store.send(.setText("Em")) { $0.text = "Em" }
      try store.expect(.cancelled, of: .search)

      // Both rows load, until the search removes one of them.
      try store.send(.row(1, .load))
      try store.advance(by: .milliseconds(500))
      try store.send(.row(2, .load))
      try store.advance(by: .milliseconds(500)) { $0.rows[0].copies = 10 }
      try store.advance(by: .milliseconds(300)) { $0.rows.removeLast() }
      try store.expect(.cancelled, of: .row(2, .load))

      // The sheet, with undo, and a save that fails before it succeeds.
      try store.send(.open(1)) { $0.detail = BookDetail.State(emma) }
      try store.send(.detail(.beginTyping)) { $0.detail?.notes.beginGroup() }
      try store.send(.detail(.setText("G"))) { $0.detail?.notes.value.text = "G" }
      try store.send(.detail(.setText("Good"))) { $0.detail?.notes.value.text = "Good" }
      try store.send(.detail(.endTyping)) { $0.detail?.notes.endGroup() }
      try store.send(.detail(.undo)) { $0.detail?.notes.undo() }
      #expect(store.state.detail?.notes.value.text == "")
      try store.send(.detail(.redo)) { $0.detail?.notes.redo() }
      isOnline.value = false
      try store.send(.detail(.save))
      try store.advance(by: .seconds(1))
      try store.expect(.failed(Offline()), of: .detail(.save))
      isOnline.value = true
      try store.send(.detail(.save))
      let saved = Book(id: 1, title: "Emma", notes: Book.Notes(text: "Good"))
      try store.advance(by: .seconds(1)) {
        $0.detail = nil
        $0.rows[0].book = saved
      }

      // The list loads again after a save.
      isOnline.value = false
      try store.advance(by: .milliseconds(1_300)) { $0 = Catalogue.State(text: "Em", hasFailed: true) }
      try store.expect(.failed(Offline()), of: .search)
    }
  }

  /// In every order in which the answers can arrive, the screen ends with the same state. The server answers with the notes that it had
  /// when it was asked.
  @Test func aSaveIsShownInEveryOrder() throws {
    let report = try explore { run in
      let server = MutableProperty([emma, villette])
      let library = Library(
        find: { text in
          let books = server.value.filter { $0.title.contains(text) }
          try await run.arrival("books for \(text)")
          return books
        },
        copies: { id in
          try await run.arrival("copies of \(id)")
          return id
        },
        save: { book in
          try await run.arrival("save")
          server.update { $0[0] = book }
        })
      let rows = [BookRow.State(book: emma), BookRow.State(book: villette)]
      let viewModel = Catalogue.viewModel(
        library, initialState: Catalogue.State(rows: rows), scheduler: run.scheduler)
      viewModel.execute(.row(1, .load))
      viewModel.execute(.row(2, .load))
      viewModel.execute(.setText("Em"))
      viewModel.execute(.open(1))
      viewModel.execute(.detail(.setRead(true)))
      run.mayArrive()
      viewModel.execute(.detail(.save))
      run.allArrive()
      return viewModel.currentState
    }
    #expect(report.isExhaustive)
  }

  /// A session in which the list showed a book that the search didn't find: the answer to "V" came after the one to "E". The app had given
  /// each search a lane of its own.
  @Test func aLateAnswerIsNotShown() throws {
    let session = """
      RxViewModel recording 3
      ["model",0,0,null,{"hasFailed":false,"rows":[],"text":""},"catalogue","FeatureViewModel<Catalogue>"]
      ["action",1040,0,4,{"setText":{"_0":"V"}}]
      ["own",1040,0,5,{"search":{}},[0,4]]
      ["timer",1340,0,5]
      ["event",1340,0,5]
      ["action",1890,0,6,{"setText":{"_0":"E"}}]
      ["own",1890,0,7,{"search":{}},[0,6]]
      ["timer",2190,0,7]
      ["event",2190,0,7]
      ["answer",2270,0,7,[{"id":1,"notes":{"isRead":false,"text":""},"title":"Emma"}],"find E",1]
      ["event",2270,0,7]
      ["event",2270,0,7]
      ["answer",2980,0,5,[{"id":2,"notes":{"isRead":false,"text":""},"title":"Villette"}],"find V",1]
      ["event",2980,0,5]
      end
      """
    try replay(Recording(session)) { run in
      let viewModel = Catalogue.viewModel(.preview, recorder: run.recorder, scheduler: run.scheduler)
      var before: [Book.ID] = []
      try run.play {
        let state = viewModel.currentState
        try run.expect(state.rows.allSatisfy { before.contains($0.id) || $0.book.title.contains(state.text) })
        before = state.ids
      }
    }
  }
}
