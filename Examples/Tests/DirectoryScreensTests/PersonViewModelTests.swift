import DirectoryScreens
import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct PersonViewModelTests {
  private let fixture = Fixture(["Ada Almond"])

  private func makeLoaded(_ fixture: Fixture) -> PersonViewModel {
    let viewModel = fixture.makePerson(0)
    fixture.scheduler.advance(by: Fixture.latency)
    return viewModel
  }

  @Test func loadsThePerson() throws {
    let viewModel = fixture.makePerson(0)
    let store = TestStore(viewModel)
    try store.advance(by: Fixture.latency) { [fixture] state in
      state.person = fixture.people[0]
      state.secondsAgo = 5
    }
    try store.finish()
  }

  // contract 5: while an edit is unfinished the property has it, and then what the view model made of it.
  @Test func anEditIsShownAtOnceAndThenWhatTheServiceMadeOfIt() throws {
    let viewModel = makeLoaded(fixture)
    let nickname = viewModel.nickname
    let shown = nickname.test(fixture.scheduler)
    let store = TestStore(viewModel)
    nickname.value = "The"
    nickname.value = "The  one "
    try store.advance(by: .milliseconds(299))
    try store.expect(.cancelled, of: .form(.setNickname("The")))
    #expect(nickname.value == "The  one ")
    try store.advance(by: .milliseconds(101)) { $0.person?.nickname = "The one" }
    #expect(shown.values == ["", "The", "The  one ", "The one"])
    try store.finish()
  }

  // contract 2.7, 5: an edit that is refused is taken back.
  @Test func anEditThatTheServiceRefusesIsTakenBack() throws {
    let viewModel = makeLoaded(fixture)
    let nickname = viewModel.nickname
    let store = TestStore(viewModel)
    let long = String(repeating: "n", count: 21)
    nickname.value = long
    try store.advance(by: .milliseconds(400)) { $0.error = "A nickname has at most 20 characters" }
    try store.expect(.failed(DirectoryError.nicknameTooLong), of: .form(.setNickname(long)))
    #expect(nickname.value == "")
    try store.finish()
  }

  // contract 2.15
  @Test func whatFailedCanBeRetried() throws {
    let viewModel = makeLoaded(fixture)
    let messages = fixture.messages.test(fixture.scheduler)
    let failures = viewModel.actionAndErrorObservable.test(fixture.scheduler)
    fixture.service.isFailing.value = true
    viewModel.execute(.form(.setNickname("Addy")))
    fixture.scheduler.advance(by: .milliseconds(400))
    #expect(viewModel.currentState.error == "The service does not answer")
    fixture.service.isFailing.value = false
    try #require(failures.values.first).retry()
    fixture.scheduler.advance(by: .milliseconds(400))
    #expect(viewModel.currentState.person?.nickname == "Addy")
    #expect(viewModel.currentState.error == nil)
    #expect(messages.values == ["Nickname saved"])
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
  @Test func aColorIsPickedOnAScreenThatAnswers() throws {
    let fixture = Fixture(["Ada Almond"]) { route in
      if case .pickColor(.gray, let reply) = route { reply.send(.green) }
    }
    let viewModel = makeLoaded(fixture)
    let messages = fixture.messages.test(fixture.scheduler)
    #expect(try fixture.scheduler.perform(.form(.chooseColor), on: viewModel).person?.color == .green)
    #expect(messages.values == ["Ada Almond is green now"])
  }

  // contract 6: the action ends, so that the next one is not dropped.
  @Test func goingBackFromTheColorsLeavesThePersonAsItWas() throws {
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
    let store = TestStore(viewModel)
    try store.send(.pick(.red)) { state in
      state.current = .red
      state.hasAnswered = true
    }
    try store.send(.pick(.blue))
    try store.finish()
    #expect(answered.values == [.red])
    #expect(fixture.screens.routes == [.back])
  }

  // contract 2.9
  @Test func aScreenThatGoesCancelsItsCall() {
    var viewModel: PersonViewModel? = fixture.makePerson(0)
    weak let released = viewModel
    fixture.scheduler.advance(by: .milliseconds(50))
    viewModel = nil
    #expect(released == nil)
    fixture.scheduler.run()
    #expect(fixture.scheduler.now == .milliseconds(50), "nothing sleeps on")
  }
}
