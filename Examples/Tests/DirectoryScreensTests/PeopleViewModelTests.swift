import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

struct PeopleViewModelTests {
  private let fixture = Fixture(["Ada Almond", "Bruno Anning", "Anna Boll", "Carla Chen", "Joanna Cole"])

  private func names(_ state: PeopleState) -> [String] { state.people.items.map(\.name) }

  /// The sections of the list, each as its letter and names.
  private func sections(_ state: PeopleState) -> [String] {
    state.shown.sections.map { "\($0.model): \($0.items.map(\.name).joined(separator: ", "))" }
  }

  // contract 2.4, 8
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
    try withTestStore(viewModel, exhaustivity: .off) { store in
      let started = viewModel.executionObservable.filter { $0.phase == .started }.map(\.action).test(fixture.scheduler)
      for text in ["a", "an", "ann", "anna"] {
        try store.send(.type(text)) { $0.text = text }
        try store.advance(by: .milliseconds(100))
      }
      // The view model waits for a pause of 300 ms, which began with "anna" 100 ms ago.
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
      #expect(viewModel.currentState.people.items.count == 5, "fewer than three letters match all people, at once")
    }
  }

  @Test func aSearchFindsThePeopleWithAllWordsAndTheOrderCanBeReversed() throws {
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
  @Test func thePagesAreLoadedOneByOneUpToTheEnd() throws {
    let fixture = Fixture(count: 120)
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    try withTestStore(viewModel) { store in
      for end in [100, 120] {
        try store.send(.loadMore)
        try store.send(.loadMore)
        try store.expect(.dropped, of: .loadMore)
        try store.advance(by: Fixture.latency) { state in
          let due = try #require(state.people.nextRequest)
          let page = Page(Array(fixture.people[state.people.items.count..<end]), next: end < 120 ? end - 1 : nil)
          state.people.receive(.success(page), for: due)
        }
      }
      try store.send(.loadMore)
      #expect(names(store.state) == fixture.people.map(\.name))
    }
  }

  // contract 8: the list keeps its people, and the retry requests the failed page again.
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

  // contract 2, execution modes: a named lane is one lane, whatever the modes of the actions in it.
  @Test func aSearchCancelsTheRequestForAPage() throws {
    let fixture = Fixture(count: 60)
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    try withTestStore(viewModel, exhaustivity: .off) { store in
      let ends = viewModel.executionObservable.filter { $0.phase == .cancelled }.map(\.action).test(fixture.scheduler)
      try store.send(.loadMore)
      try store.send(.type("last0059"))
      #expect(ends.values == [.loadMore])
      try store.advance(by: .milliseconds(400))
      #expect(names(viewModel.currentState) == ["First Last0059"])
    }
  }

  // contract 2.17
  @Test func twoListsShowAnEdit() {
    let lists = [fixture.makePeople(), fixture.makePeople()]
    fixture.scheduler.run()
    let person = fixture.makePerson(3)
    fixture.scheduler.advance(by: Fixture.latency)
    person.execute(.form(.setNickname("CC")))
    fixture.scheduler.advance(by: .milliseconds(400))
    for list in lists + [fixture.makePeople()] {
      fixture.scheduler.advance(by: Fixture.latency)
      #expect(list.currentState.shown.map(\.nickname) == ["", "", "", "CC", ""])
    }
  }

  // contract 2.17: the other list shows the new person and keeps its length. Its next page begins at its new end.
  @Test func anAddedPersonAppearsInAnotherList() throws {
    let fixture = Fixture(count: 120)
    let lists = [fixture.makePeople(), fixture.makePeople()]
    fixture.scheduler.run()
    try fixture.scheduler.perform(.loadMore, on: lists[1])
    lists[0].execute(.setAdding(true))
    lists[0].execute(.newPerson(.setName("First Last0000b")))
    lists[0].execute(.newPerson(.add))
    fixture.scheduler.run()
    let all = [fixture.people[0].name, "First Last0000b"] + fixture.people.dropFirst().map(\.name)
    #expect(lists.map { names($0.currentState) } == [Array(all.prefix(50)), Array(all.prefix(100))])
    try fixture.scheduler.perform(.loadMore, on: lists[1])
    #expect(names(lists[1].currentState) == all)
  }

  @Test func aReloadThatFailsLeavesTheListAsItIs() throws {
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    let loaded = viewModel.currentState
    let started = viewModel.executionObservable.filter { $0.phase == .started }.map(\.action).test(fixture.scheduler)
    fixture.addPerson("Zoe Zander")
    fixture.service.isFailing.value = true
    fixture.scheduler.run()
    #expect(started.values == [.reload])
    #expect(viewModel.currentState == loaded)
  }

  // Another tab adds a person while a search waits for its pause, and the list cannot be loaded again.
  @Test func aReloadDoesNotTakeThePlaceOfASearch() {
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    let isLoading = viewModel.isLoadingObservable.test(fixture.scheduler)
    viewModel.execute(.type("ann"))
    fixture.addPerson("Zoe Zander")
    fixture.service.isFailing.value = true
    fixture.scheduler.run()
    #expect(viewModel.currentState.error == "The service does not answer")
    #expect(viewModel.currentState.people.pageCount == 0 && viewModel.currentState.people.hasMore)
    fixture.service.isFailing.value = false
    viewModel.execute(.loadMore)
    fixture.scheduler.run()
    #expect(names(viewModel.currentState) == ["Bruno Anning", "Anna Boll"])
    #expect(isLoading.values == [false, true, false, true, false])
  }

  // A hundred people are added while the list loads.
  @Test func aListIsLoadedOnceMoreForManyNewPeople() {
    let viewModel = fixture.makePeople()
    fixture.scheduler.advance(by: .milliseconds(1))
    for number in 0..<100 { fixture.addPerson("Zoe Zander\(number)") }
    fixture.scheduler.run()
    #expect(fixture.scheduler.now == Fixture.latency * 2)
    #expect(names(viewModel.currentState).count == 50)
  }

  @Test func theDirectoryHasALimit() async throws {
    let store = PeopleStore(fixture.people, limit: 6, clock: fixture.scheduler.clock)
    let service = DemoDirectoryService(store, latency: .zero, clock: fixture.scheduler.clock)
    _ = try await service.add(Person(id: 0, name: "Zoe Zander", lastSeen: .zero))
    await #expect(throws: DirectoryError.full) {
      try await service.add(Person(id: 0, name: "Zoe Zink", lastSeen: .zero))
    }
    #expect(service.count == 6)
  }

  // contract 2.6: the state shows the errors of the service, and the streams emit the others.
  @Test func onlyErrorsOfTheServiceAreHandled() {
    struct Mistake: Error {}
    let viewModel = fixture.makePeople()
    #expect(viewModel.handleError(DirectoryError.unavailable, action: .loadMore))
    #expect(viewModel.handleError(DirectoryError.nameMissing, action: .newPerson(.add)))
    #expect(!viewModel.handleError(Mistake(), action: .loadMore))
    #expect(!viewModel.handleError(DirectoryError.unavailable, action: .reverse))
    #expect(!viewModel.handleError(DirectoryError.unavailable, action: nil))
    #expect(!fixture.makeSignIn().handleError(Mistake(), action: .signIn))
  }

  @Test func aRowOpensThePerson() throws {
    try fixture.scheduler.perform(.open(2), on: fixture.makePeople())
    #expect(fixture.screens.routes == [.person(2)])
  }
}
