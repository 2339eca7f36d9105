import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

/// The screens, with the service's answers in every order of arrival, and each of them as a failure too.
struct EveryOrderTests {
  /// Expects that a list shows these people, or else an error, and that the list's retry then brings them.
  private func expect(
    _ names: [String], in list: PeopleViewModel, _ fixture: Fixture, _ run: Exploration, line: UInt = #line
  ) throws {
    if list.currentState.error != nil {
      fixture.mayFail.value = false
      list.execute(.loadMore)
      run.allArrive()
    }
    try run.expect(list.currentState.error == nil && list.currentState.shown.map(\.name) == names, line: line)
  }

  // contract 4.6
  @Test func theListShowsTheResultsOfTheLastSearch() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond", "Bruno Anning", "Anna Boll", "Joanna Cole"])
      let viewModel = fixture.makePeople()
      viewModel.execute(.type("ann"))
      run.mayArrive()
      viewModel.execute(.type("anna"))
      run.mayArrive()
      viewModel.execute(.loadMore)
      run.allArrive()
      try expect(["Anna Boll"], in: viewModel, fixture, run)
    }
    #expect(report.isExhaustive)
  }

  // contract 4.6: the list shows no rows of another text, although a reload comes before, during or after the search.
  @Test func aNewPersonDoesNotCostTheSearch() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond", "Anna Boll"])
      let viewModel = fixture.makePeople()
      run.mayArrive()
      viewModel.execute(.type("ann"))
      run.mayArrive()
      fixture.addPerson("Zoe Zander")
      run.allArrive()
      try expect(["Anna Boll"], in: viewModel, fixture, run)
    }
    #expect(report.isExhaustive)
  }

  // contract 4.6
  @Test func theLastEditOfEachKindIsStoredAndShown() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond"]) { route in
        if case .pickColor(_, let reply) = route { reply.send(.green) }
      }
      let viewModel = fixture.makePerson(0)
      run.mayArrive()
      viewModel.execute(.form(.setNickname("Ad")))
      run.mayArrive()
      // The user cannot edit a person before it is loaded.
      let hasForm = viewModel.currentState.person != nil
      viewModel.execute(.form(.setNickname("Addy")))
      viewModel.execute(.form(.endEditing))
      viewModel.execute(.form(.chooseColor))
      run.allArrive()
      // One retry for each error that there may be: of the person, of the nickname, of the color.
      fixture.mayFail.value = false
      for _ in 1...3 where viewModel.currentState.error != nil {
        viewModel.execute(.retry)
        run.allArrive()
      }
      let state = viewModel.currentState
      try run.expect(state.error == nil)
      try run.expect(state.nickname == (hasForm ? "Addy" : "") && state.person?.nickname == state.nickname)
      try run.expect(state.person?.color == (hasForm ? .green : .gray))
      try run.expect(fixture.edited[0] == (hasForm ? state.person : nil))
    }
    #expect(report.isExhaustive)
  }

  // contract 2.17, 4.6: the acknowledgement of an older write does not hide a newer one.
  @Test func allTabsShowTheLastWrite() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond"])
      fixture.mayFail.value = false
      let list = fixture.makePeople()
      run.allArrive()
      // One after the other, because the order does not matter here.
      var people: [PersonViewModel] = []
      for _ in 1...2 {
        people.append(fixture.makePerson(0))
        run.allArrive()
      }
      let failures = people[0].executionObservable.filter { if case .failed = $0.phase { true } else { false } }
        .test(run.scheduler)
      // Each write may fail. The view model then writes once more, after the pause that follows the edit.
      fixture.mayFail.value = true
      for (person, text) in zip(people, ["First", "Second"]) {
        person.execute(.form(.setNickname(text)))
        person.execute(.form(.endEditing))
        run.scheduler.advance()
      }
      fixture.mayFail.value = false
      run.allArrive()
      let stored = fixture.edited[0]?.nickname
      try run.expect(stored == "Second" || stored == "First" && !failures.values.isEmpty)
      try run.expect(list.currentState.shown.map(\.nickname) == [stored])
      for person in people {
        try run.expect(person.currentState.nickname == stored && person.currentState.error == nil)
      }
    }
    #expect(report.isExhaustive)
  }

  // contract 2.17, 4.6
  @Test func allTabsShowAnAddedPerson() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond"])
      fixture.mayFail.value = false
      let list = fixture.makePeople()
      run.allArrive()
      fixture.mayFail.value = true
      let other = fixture.makePeople()
      run.mayArrive()
      list.execute(.setAdding(true))
      list.execute(.newPerson(.setName("Zoe Zander")))
      list.execute(.newPerson(.add))
      run.allArrive()
      fixture.mayFail.value = false
      if let sheet = list.currentState.newPerson {
        try run.expect(sheet.error == "The service does not answer" && sheet.canAdd)
        list.execute(.newPerson(.add))
        run.allArrive()
      }
      try run.expect(list.currentState.newPerson == nil)
      for list in [list, other] {
        if list.currentState.error == nil, list.currentState.shown.map(\.name) == ["Ada Almond"] {
          // The list could not be loaded once more. It stays as it was, until the user or another new person lets it load.
          list.execute(.reload)
          run.allArrive()
        }
        try expect(["Ada Almond", "Zoe Zander"], in: list, fixture, run)
      }
    }
    #expect(report.isExhaustive)
  }

  // contract 4.6
  @Test func aDoubleClickSignsInOnce() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, [])
      let viewModel = fixture.makeSignIn()
      viewModel.execute(.setUsername("admin"))
      viewModel.execute(.setPassword(Password("admin")))
      viewModel.execute(.signIn)
      run.mayArrive()
      viewModel.execute(.signIn)
      run.allArrive()
      if fixture.screens.routes.isEmpty {
        try run.expect(viewModel.currentState.error == "The service does not answer")
        fixture.mayFail.value = false
        viewModel.execute(.signIn)
        run.allArrive()
      }
      try run.expect(fixture.screens.routes == [.people] && viewModel.currentState.error == nil)
    }
    #expect(report.isExhaustive)
  }
}
