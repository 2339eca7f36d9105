import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

/// The screens, with the service's answers in every order of arrival.
@Suite struct EveryOrderTests {
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
      try run.expect(viewModel.currentState.people.items.map(\.name) == ["Anna Boll"])
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
      // The user cannot edit a person before it is loaded.
      let hasForm = viewModel.currentState.person != nil
      viewModel.execute(.form(.setNickname("Ad")))
      run.mayArrive()
      viewModel.execute(.form(.setNickname("Addy")))
      viewModel.execute(.form(.endEditing))
      let hasColor = viewModel.currentState.person != nil
      viewModel.execute(.form(.chooseColor))
      run.allArrive()
      let person = viewModel.currentState.person
      try run.expect(person?.nickname == "Addy" && viewModel.nickname.value == "Addy" || !hasForm)
      try run.expect(person?.color == .green || !hasColor)
      try run.expect(fixture.service.edited.value[0] == person || !hasForm && !hasColor)
    }
    #expect(report.isExhaustive)
  }

  // contract 2.17, 4.6: the acknowledgement of an older write does not hide a newer one.
  @Test func allTabsShowTheLastWrite() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond"])
      let people = [fixture.makePerson(0), fixture.makePerson(0)]
      run.allArrive()
      let list = fixture.makePeople()
      for (person, text) in zip(people, ["First", "Second"]) {
        person.execute(.form(.saveNickname(text)))
        run.scheduler.advance()
      }
      run.allArrive()
      try run.expect(list.currentState.shown.map(\.nickname) == ["Second"])
      for person in people { try run.expect(person.currentState.nickname == "Second") }
    }
    #expect(report.isExhaustive)
  }

  // contract 2.17, 4.6
  @Test func allTabsShowAnAddedPerson() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond"])
      let lists = [fixture.makePeople(), fixture.makePeople()]
      run.mayArrive()
      lists[0].execute(.setAdding(true))
      lists[0].execute(.newPerson(.setName("Zoe Zander")))
      lists[0].execute(.newPerson(.add))
      run.allArrive()
      for list in lists {
        try run.expect(list.currentState.shown.map(\.name) == ["Ada Almond", "Zoe Zander"])
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
      let isSignedIn = !fixture.screens.routes.isEmpty
      viewModel.execute(.signIn)
      run.allArrive()
      try run.expect(fixture.screens.routes == [.people] || isSignedIn)
    }
    #expect(report.isExhaustive)
  }
}
