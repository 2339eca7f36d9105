import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

/// The sheet that adds a person, in the list's view model.
// contract 2.19
@Suite struct NewPersonTests {
  private let fixture = Fixture(["Ada Almond", "Bruno Anning", "Anna Boll"]) { route in
    if case .pickColor(.gray, let reply) = route { reply.send(.green) }
  }

  private func makeLoaded() -> PeopleViewModel {
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    return viewModel
  }

  private func names(_ state: PeopleState) -> [String] { state.people.items.map(\.name) }

  @Test func aPersonIsAddedInItsPlace() throws {
    let viewModel = makeLoaded()
    let messages = fixture.messages.test(fixture.scheduler)
    try withTestStore(viewModel, exhaustivity: .off) { store in
      try store.send(.setAdding(true)) { $0.newPerson = NewPerson.State() }
      try store.send(.newPerson(.setName(" Zoe   Anders"))) { $0.newPerson?.person.name = " Zoe   Anders" }
      try store.send(.newPerson(.form(.chooseColor))) { $0.newPerson?.person.color = .green }
      // The person is added after the edit, although the edit is still on its way.
      let nickname = viewModel.newNickname
      nickname.value = "Z"
      #expect(nickname.value == "Z")
      try store.send(.newPerson(.add)) { $0.newPerson?.person.nickname = "Z" }
      try store.advance(by: Fixture.latency) { $0.newPerson = nil }
      try store.advance(by: Fixture.latency)
    }
    #expect(names(viewModel.currentState) == ["Ada Almond", "Zoe Anders", "Bruno Anning", "Anna Boll"])
    let added = viewModel.currentState.people.items[1]
    #expect(added.nickname == "Z" && added.color == .green)
    #expect(messages.values == ["Zoe Anders has been added"])
    #expect(try fixture.scheduler.perform(.load, on: fixture.makePerson(added.id)).person == added)
  }

  @Test func whatTheServiceRefusesStaysInTheSheet() throws {
    let viewModel = makeLoaded()
    try withTestStore(viewModel) { store in
      try store.send(.setAdding(true)) { $0.newPerson = NewPerson.State() }
      #expect(viewModel.currentState.newPerson?.canAdd == false)
      try store.send(.newPerson(.add))
      try store.advance(by: Fixture.latency) { $0.newPerson?.error = "A person has a name" }
      try store.send(.setAdding(false)) { $0.newPerson = nil }
    }
  }

  @Test func aSheetThatIsClosedAddsNobody() throws {
    let viewModel = makeLoaded()
    try withTestStore(viewModel) { store in
      try store.send(.setAdding(true)) { $0.newPerson = NewPerson.State() }
      try store.send(.newPerson(.setName("Zoe Anders"))) { $0.newPerson?.person.name = "Zoe Anders" }
      try store.send(.newPerson(.add))
      try store.send(.setAdding(false)) { $0.newPerson = nil }
      try store.expect(.cancelled, of: .newPerson(.add))
      try store.advance(by: Fixture.latency)
    }
    viewModel.execute(.reverse)
    fixture.scheduler.run()
    #expect(names(viewModel.currentState) == ["Anna Boll", "Bruno Anning", "Ada Almond"])
  }
}
