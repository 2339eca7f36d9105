import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

/// The sheet that adds a person, in the view model of the list.
// contract 2.19
struct NewPersonTests {
  private let fixture = Fixture(["Ada Almond", "Bruno Anning", "Anna Boll"]) { route in
    if case .pickColor(.gray, let reply) = route { reply.send(.green) }
  }

  private func makeLoaded() -> PeopleViewModel {
    let viewModel = fixture.makePeople()
    fixture.scheduler.run()
    return viewModel
  }

  private func names(_ state: PeopleState) -> [String] { state.people.items.map(\.name) }

  @Test @MainActor func aPersonIsAddedInAlphabeticalOrder() throws {
    let viewModel = makeLoaded()
    let inbox = Inbox(fixture.messages)
    try withTestStore(viewModel, exhaustivity: .off) { store in
      try store.send(.setAdding(true)) { $0.newPerson = NewPerson.State() }
      try store.send(.newPerson(.setName(" Zoe   Anders"))) { $0.newPerson?.form.person.name = " Zoe   Anders" }
      try store.send(.newPerson(.form(.chooseColor))) { $0.newPerson?.form.person.color = .green }
      // The new person gets the text that the field shows, although the action that sets the text has not started yet.
      let nickname = viewModel.newNickname
      nickname.value = "Z "
      #expect(nickname.value == "Z ")
      try store.send(.newPerson(.add))
      #expect(viewModel.currentState.newPerson?.person.nickname == "Z ")
      try store.advance(by: Fixture.latency) { $0.newPerson = nil }
      try store.advance(by: Fixture.latency)
    }
    #expect(names(viewModel.currentState) == ["Ada Almond", "Zoe Anders", "Bruno Anning", "Anna Boll"])
    let added = viewModel.currentState.people.items[1]
    #expect(added.nickname == "Z" && added.color == .green)
    #expect(inbox.texts == ["Zoe Anders has been added"])
    #expect(try fixture.scheduler.perform(.load, on: fixture.makePerson(added.id)).person == added)
  }

  @Test func aRefusedPersonStaysInTheSheet() throws {
    let viewModel = makeLoaded()
    try withTestStore(viewModel) { store in
      try store.send(.setAdding(true)) { $0.newPerson = NewPerson.State() }
      #expect(viewModel.currentState.newPerson?.canAdd == false)
      try store.send(.newPerson(.add))
      try store.advance(by: Fixture.latency) { $0.newPerson?.error = "Enter a name" }
      try store.send(.setAdding(false)) { $0.newPerson = nil }
    }
  }

  // The nickname does not change when the user pauses. The service corrects and stores it when the user adds the person.
  @Test func theNicknameStaysAsTypedUntilThePersonIsAdded() throws {
    let viewModel = makeLoaded()
    viewModel.execute(.setAdding(true))
    viewModel.execute(.newPerson(.setName("Zoe Anders")))
    viewModel.newNickname.value = "Bob "
    fixture.scheduler.advance(by: .seconds(1))
    #expect(viewModel.newNickname.value == "Bob ")
    viewModel.newNickname.value = "Bob  Lee of twenty-seven letters"
    fixture.scheduler.advance(by: .seconds(1))
    #expect(viewModel.newNickname.value == "Bob  Lee of twenty-seven letters")
    viewModel.execute(.newPerson(.add))
    fixture.scheduler.run()
    #expect(viewModel.currentState.people.items[1].nickname == "Bob Lee of twenty-se")
  }

  @Test func aDoubleClickAddsOnePerson() throws {
    let viewModel = makeLoaded()
    viewModel.execute(.setAdding(true))
    viewModel.execute(.newPerson(.setName("Zoe Anders")))
    viewModel.execute(.newPerson(.add))
    viewModel.execute(.newPerson(.add))
    fixture.scheduler.run()
    #expect(names(viewModel.currentState).filter { $0 == "Zoe Anders" }.count == 1)
  }

  @Test func closingTheSheetCancelsTheAddition() throws {
    let viewModel = makeLoaded()
    try withTestStore(viewModel) { store in
      try store.send(.setAdding(true)) { $0.newPerson = NewPerson.State() }
      try store.send(.newPerson(.setName("Zoe Anders"))) { $0.newPerson?.form.person.name = "Zoe Anders" }
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
