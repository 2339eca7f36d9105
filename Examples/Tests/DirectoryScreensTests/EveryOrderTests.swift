import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

/// The screens with a service whose answers come in every order.
@Suite struct EveryOrderTests {
  // contract 4.6
  @Test func theListShowsWhatTheFieldSays() throws {
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
  @Test func aPersonIsShownAsTheServiceHasStoredIt() throws {
    let report = try explore { run in
      let fixture = Fixture(late: run, ["Ada Almond"]) { route in
        if case .pickColor(_, let reply) = route { reply.send(.green) }
      }
      let viewModel = fixture.makePerson(0)
      run.mayArrive()
      // A person who has not been loaded cannot be edited.
      let hasForm = viewModel.currentState.person != nil
      viewModel.execute(.form(.setNickname("Addy")))
      run.mayArrive()
      let hasColor = viewModel.currentState.person != nil
      viewModel.execute(.form(.chooseColor))
      run.allArrive()
      let person = viewModel.currentState.person
      try run.expect(person?.nickname == "Addy" || !hasForm)
      try run.expect(person?.color == .green || !hasColor)
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
