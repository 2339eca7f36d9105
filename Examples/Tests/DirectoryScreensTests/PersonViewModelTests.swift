import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

struct PersonViewModelTests {
  private let fixture = Fixture(["Ada Almond"])

  private func makeLoaded(_ fixture: Fixture) -> PersonViewModel {
    let viewModel = fixture.makePerson(0)
    fixture.scheduler.advance(by: Fixture.latency)
    return viewModel
  }

  @Test func loadsThePerson() throws {
    let viewModel = fixture.makePerson(0)
    try withTestStore(viewModel) { store in
      try store.advance(by: Fixture.latency) { [fixture] state in
        state.show(fixture.people[0])
        state.secondsAgo = 5
      }
    }
  }

  // contract 5
  @Test @MainActor func anEditIsShownAtOnceAndSavedAfterAPause() throws {
    let viewModel = makeLoaded(fixture)
    let inbox = Inbox(fixture.messages)
    let nickname = viewModel.nickname
    nickname.value = "The"
    fixture.scheduler.advance(by: .milliseconds(299))
    nickname.value = "The one"
    #expect(nickname.value == "The one")
    fixture.scheduler.advance(by: .milliseconds(399))
    #expect(viewModel.currentState.person?.nickname == "")
    fixture.scheduler.advance(by: .milliseconds(1))
    #expect(viewModel.currentState.person?.nickname == "The one")
    #expect(inbox.texts == ["Nickname saved"], "the view model does not save the first text")
  }

  // The service trims "Bob " during the pause. The field keeps the space until the user leaves the field.
  @Test func aPauseDoesNotChangeTheTextThatTheUserTypes() {
    let viewModel = makeLoaded(fixture)
    let nickname = viewModel.nickname
    let shown = nickname.test(fixture.scheduler)
    nickname.value = "Bob "
    fixture.scheduler.advance(by: .milliseconds(400))
    #expect(viewModel.currentState.person?.nickname == "Bob")
    #expect(nickname.value == "Bob ")
    nickname.value = "Bob Lee "
    fixture.scheduler.advance(by: .milliseconds(400))
    #expect(viewModel.currentState.person?.nickname == "Bob Lee")
    viewModel.execute(.form(.endEditing))
    fixture.scheduler.advance()
    #expect(nickname.value == "Bob Lee")
    #expect(shown.values == ["", "Bob ", "Bob Lee ", "Bob Lee"])
  }

  // The user leaves the field, and then the screen.
  @Test func leavingTheFieldSavesTheNicknameAtOnce() {
    var viewModel: PersonViewModel? = makeLoaded(fixture)
    viewModel?.nickname.value = "Addy"
    viewModel?.execute(.form(.endEditing))
    fixture.scheduler.advance()
    viewModel = nil
    fixture.scheduler.run()
    #expect(fixture.edited[0]?.nickname == "Addy")
    #expect(fixture.scheduler.now == Fixture.latency * 2)
  }

  // The user leaves the field before the service has answered.
  @Test func aTooLongNicknameIsCutByTheService() {
    let viewModel = makeLoaded(fixture)
    let shown = viewModel.nickname.test(fixture.scheduler)
    let long = "abcdefghijklmnopqrstuvwxyz "
    viewModel.nickname.value = long
    viewModel.execute(.form(.endEditing))
    fixture.scheduler.advance(by: .milliseconds(99))
    #expect(viewModel.nickname.value == long)
    fixture.scheduler.advance(by: .milliseconds(1))
    #expect(viewModel.nickname.value == "abcdefghijklmnopqrst")
    #expect(shown.values == ["", long, "abcdefghijklmnopqrst"])
    #expect(viewModel.currentState.error == nil)
  }

  // contract, execution modes: `sequence`. A later edit does not cancel an earlier one that is under way.
  @Test @MainActor func everyWriteIsAcknowledged() {
    let viewModel = makeLoaded(fixture)
    let inbox = Inbox(fixture.messages)
    let ends = viewModel.executionObservable.filter { $0.phase == .cancelled }.test(fixture.scheduler)
    let saved = viewModel.stateObservable.map { $0.person?.nickname }.distinctUntilChanged().test(fixture.scheduler)
    viewModel.nickname.value = "First"
    fixture.scheduler.advance(by: .milliseconds(350))
    viewModel.nickname.value = "Second"
    fixture.scheduler.advance(by: .seconds(1))
    #expect(saved.values == ["", "First", "Second"])
    #expect(inbox.texts == ["Nickname saved", "Nickname saved"])
    #expect(ends.values.isEmpty)
  }

  // contract 2.17
  @Test func twoTabsShowOnePerson() {
    let tabs = [makeLoaded(fixture), makeLoaded(fixture)]
    tabs[0].nickname.value = "Addy"
    fixture.scheduler.advance(by: .milliseconds(400))
    #expect(tabs[1].nickname.value == "Addy")
    // A new screen starts with the edited nickname.
    #expect(fixture.makePerson(0).currentState.nickname == "Addy")
    // An edit in the other tab does not replace the text that the user types in this one.
    tabs[1].nickname.value = "A"
    tabs[0].nickname.value = "Ada A."
    fixture.scheduler.advance(by: .milliseconds(200))
    #expect(tabs.map(\.nickname.value) == ["Ada A.", "A"])
  }

  @Test @MainActor func aFailedEditStaysAndCanBeRetried() {
    let viewModel = makeLoaded(fixture)
    let inbox = Inbox(fixture.messages)
    fixture.service.isFailing.value = true
    viewModel.nickname.value = "abcdefghijklmnopqrstuvwxyz"
    fixture.scheduler.advance(by: .milliseconds(400))
    // The user leaves the field, which tries again.
    viewModel.execute(.form(.endEditing))
    fixture.scheduler.advance(by: Fixture.latency)
    #expect(viewModel.currentState.error == "The service does not answer")
    #expect(viewModel.nickname.value == "abcdefghijklmnopqrstuvwxyz")
    #expect(viewModel.currentState.person?.nickname == "")
    fixture.service.isFailing.value = false
    viewModel.execute(.retry)
    fixture.scheduler.advance(by: Fixture.latency)
    #expect(viewModel.nickname.value == "abcdefghijklmnopqrst")
    #expect(viewModel.currentState.error == nil)
    #expect(inbox.texts == ["Nickname saved"])
  }

  // The first text has failed, and the second one is on its way.
  @Test @MainActor func aRetrySavesNoOlderText() {
    let viewModel = makeLoaded(fixture)
    let inbox = Inbox(fixture.messages)
    fixture.service.isFailing.value = true
    viewModel.nickname.value = "A"
    fixture.scheduler.advance(by: .milliseconds(400))
    fixture.service.isFailing.value = false
    viewModel.nickname.value = "B"
    fixture.scheduler.advance(by: .milliseconds(350))
    #expect(viewModel.currentState.error == "The service does not answer")
    viewModel.execute(.retry)
    fixture.scheduler.advance(by: .seconds(1))
    #expect(fixture.edited[0]?.nickname == "B")
    #expect(viewModel.nickname.value == "B")
    #expect(viewModel.currentState.error == nil)
    #expect(inbox.texts == ["Nickname saved"])
  }

  // A color that is stored says nothing about the nickname.
  @Test func eachKindOfEditHasItsOwnError() throws {
    let fixture = Fixture(["Ada Almond"]) { route in
      if case .pickColor(_, let reply) = route { reply.send(.green) }
    }
    let viewModel = makeLoaded(fixture)
    fixture.service.isFailing.value = true
    viewModel.nickname.value = "Addy"
    viewModel.execute(.form(.endEditing))
    fixture.scheduler.advance(by: .seconds(1))
    fixture.service.isFailing.value = false
    #expect(try fixture.scheduler.perform(.form(.chooseColor), on: viewModel).error == "The service does not answer")
    viewModel.execute(.retry)
    fixture.scheduler.advance(by: .seconds(1))
    #expect(viewModel.currentState.error == nil)
    #expect(fixture.edited[0]?.nickname == "Addy")
    // A second click on the button has nothing to do.
    viewModel.execute(.retry)
    fixture.scheduler.advance(by: .seconds(1))
    #expect(fixture.screens.routes.count == 1)
  }

  @Test func aPersonThatCouldNotBeLoadedCanBeLoadedAgain() {
    fixture.service.isFailing.value = true
    let viewModel = makeLoaded(fixture)
    #expect(viewModel.currentState.error == "The service does not answer")
    fixture.service.isFailing.value = false
    viewModel.execute(.retry)
    fixture.scheduler.advance(by: Fixture.latency)
    #expect(viewModel.currentState.person == fixture.people[0])
    #expect(viewModel.currentState.error == nil)
  }

  // contract 2.12, 2.13
  @Test @MainActor func ticksOnlyWhileTheScreenIsResumed() {
    let viewModel = makeLoaded(fixture)
    let lifecycle = Lifecycle()
    lifecycle.bind(viewModel)
    fixture.scheduler.advance(by: .seconds(3))
    #expect(viewModel.currentState.secondsAgo == 5)
    lifecycle.resume()
    fixture.scheduler.advance()
    #expect(viewModel.currentState.secondsAgo == 8)
    fixture.scheduler.advance(by: .seconds(2))
    #expect(viewModel.currentState.secondsAgo == 10)
    lifecycle.pause()
    fixture.scheduler.advance(by: .seconds(10))
    #expect(viewModel.currentState.secondsAgo == 10)
  }

  // contract 6
  @Test @MainActor func aColorIsPickedOnAScreenThatAnswers() throws {
    let fixture = Fixture(["Ada Almond"]) { route in
      if case .pickColor(.gray, let reply) = route { reply.send(.green) }
    }
    let viewModel = makeLoaded(fixture)
    let inbox = Inbox(fixture.messages)
    #expect(try fixture.scheduler.perform(.form(.chooseColor), on: viewModel).person?.color == .green)
    #expect(inbox.texts == ["Ada Almond is now green"])
  }

  // contract 6: going back ends the action, so the view model does not drop the next one.
  @Test func goingBackFromTheColorsDoesNotChangeThePerson() throws {
    let fixture = Fixture(["Ada Almond"]) { route in
      if case .pickColor(_, let reply) = route { reply.cancel() }
    }
    let viewModel = makeLoaded(fixture)
    for _ in 1...2 { #expect(try fixture.scheduler.perform(.form(.chooseColor), on: viewModel).person?.color == .gray) }
    #expect(fixture.screens.routes.count == 2)
  }

  // contract 6
  @Test func theColorScreenAnswersAndGoesBackOnce() throws {
    let answers = PublishSubject<PersonColor>()
    let answered = answers.test(fixture.scheduler)
    let viewModel = ColorViewModel(
      current: .gray, reply: Reply { answers.on($0) }, navigator: fixture.screens.navigator,
      scheduler: fixture.scheduler)
    try withTestStore(viewModel) { store in
      try store.send(.pick(.red)) { state in
        state.current = .red
        state.hasAnswered = true
      }
      try store.send(.pick(.blue))
      #expect(answered.values == [.red])
      #expect(fixture.screens.routes == [.back])
    }
  }

  // contract 2.9
  @Test func theReleaseOfTheScreenCancelsItsCall() {
    var viewModel: PersonViewModel? = fixture.makePerson(0)
    weak let released = viewModel
    fixture.scheduler.advance(by: .milliseconds(50))
    viewModel = nil
    #expect(released == nil)
    fixture.scheduler.run()
    #expect(fixture.scheduler.now == .milliseconds(50), "the service's sleep is cancelled")
  }
}
