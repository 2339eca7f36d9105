import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct PeopleViewModelTests {
  private let fixture = Fixture(["Ada Almond", "Bruno Anning", "Anna Boll", "Carla Chen", "Joanna Cole"])

  private func names(_ state: PeopleState) -> [String] { state.people.items.map(\.name) }

  /// Names by letter.
  private func sections(_ state: PeopleState) -> [String] {
    state.sections.map { "\($0.model): \($0.items.map(\.name).joined(separator: ", "))" }
  }

  // contract 2.4, 8: what `init` executes.
  @Test func theFirstPageIsLoadedAtOnceAndDividedByLetter() {
    let viewModel = fixture.makePeople()
    let isLoading = viewModel.isLoadingObservable.test(fixture.scheduler)
    fixture.scheduler.run()
    #expect(
      sections(viewModel.currentState) == ["A: Ada Almond, Bruno Anning", "B: Anna Boll", "C: Carla Chen, Joanna Cole"])
    #expect(isLoading.events.map(\.time) == [.zero, .zero, Fixture.latency])
    #expect(!viewModel.currentState.people.hasMore)
  }

  // contract 2, execution modes: switchLatest(lane, after:).
  @Test func aSearchWaitsForAPauseAndTheNewestWins() throws {
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    let store = TestStore(viewModel, exhaustivity: .off)
    let started = viewModel.executionObservable.filter { $0.phase == .started }.map(\.action).test(fixture.scheduler)
    for text in ["a", "an", "ann", "anna"] {
      try store.send(.type(text)) { $0.text = text }
      try store.advance(by: .milliseconds(100))
    }
    // The pause is counted from "anna" on, which came 100 ms ago.
    try store.advance(by: .milliseconds(199))
    #expect(!started.values.contains(.load(PeopleQuery(["anna"]))))
    try store.advance(by: .milliseconds(1))
    #expect(started.values.suffix(1) == [.load(PeopleQuery(["anna"]))])
    #expect(!started.values.contains(.load(PeopleQuery(["ann"]))))
    try store.advance(by: Fixture.latency)
    #expect(names(viewModel.currentState) == ["Anna Boll"])
    try store.send(.type("ann"))
    try store.advance(by: .milliseconds(400))
    #expect(names(viewModel.currentState) == ["Bruno Anning", "Anna Boll"])
    try store.send(.type("an"))
    try store.advance(by: Fixture.latency)
    #expect(viewModel.currentState.people.items.count == 5, "below three letters, all people, without a pause")
  }

  @Test func allWordsOfASearchCountAndTheOrderCanBeReversed() throws {
    let viewModel = fixture.makePeople()
    viewModel.execute(.type("jo co"))
    fixture.scheduler.run()
    #expect(names(viewModel.currentState) == ["Joanna Cole"])
    viewModel.execute(.type(" c"))
    viewModel.execute(.reverse)
    fixture.scheduler.run()
    #expect(names(viewModel.currentState) == fixture.people.reversed().map(\.name))
  }

  // contract 8
  @Test func pagesFollowOnEachOtherUpToTheEnd() throws {
    let fixture = Fixture(count: 120)
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    let store = TestStore(viewModel)
    for end in [100, 120] {
      try store.send(.loadMore)
      try store.send(.loadMore)
      try store.expect(.dropped, of: .loadMore)
      try store.advance(by: Fixture.latency) { state in
        let due = try #require(state.people.next())
        let page = Page(Array(fixture.people[state.people.items.count..<end]), next: end < 120 ? end : nil)
        state.people.receive(.success(page), for: due)
      }
    }
    try store.send(.loadMore)
    try store.finish()
    #expect(names(store.state) == fixture.people.map(\.name))
  }

  // contract 8: the page that failed is asked for once more, and what is there stays.
  @Test func aPageThatFailsCanBeRetried() throws {
    let fixture = Fixture(count: 60)
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    fixture.service.isFailing.value = true
    #expect(throws: DirectoryError.unavailable) { try fixture.scheduler.perform(.loadMore, on: viewModel) }
    #expect(viewModel.currentState.error == "The service does not answer")
    #expect(viewModel.currentState.people.items.count == 50)
    fixture.service.isFailing.value = false
    let state = try fixture.scheduler.perform(.loadMore, on: viewModel)
    #expect(state.error == nil)
    #expect(state.people.items.count == 60)
  }

  // contract 2, execution modes: a lane is one lane.
  @Test func aSearchCancelsAPageOnItsWay() throws {
    let fixture = Fixture(count: 60)
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    let store = TestStore(viewModel, exhaustivity: .off)
    let ends = viewModel.executionObservable.filter { $0.phase == .cancelled }.map(\.action).test(fixture.scheduler)
    try store.send(.loadMore)
    try store.send(.type("last0059"))
    #expect(ends.values == [.loadMore])
    try store.advance(by: .milliseconds(400))
    #expect(names(viewModel.currentState) == ["First Last0059"])
  }

  @Test func aPersonWhoIsEditedChangesInTheList() {
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    let person = fixture.makePerson(3)
    fixture.scheduler.advance(by: Fixture.latency)
    person.execute(.form(.setNickname("CC")))
    fixture.scheduler.advance(by: .milliseconds(400))
    #expect(viewModel.currentState.people.items.map(\.nickname) == ["", "", "", "CC", ""])
  }

  @Test func aRowOpensThePerson() throws {
    try fixture.scheduler.perform(.open(2), on: fixture.makePeople())
    #expect(fixture.screens.routes == [.person(2)])
  }
}
