import RxViewModel
import RxViewModelTesting

@testable import DirectoryScreens

/// View models in virtual time. The service takes 100 ms for each answer.
struct Fixture {
  static let latency = Duration.milliseconds(100)

  let scheduler: TestScheduler
  private let store: PeopleStore
  let service: DemoDirectoryService
  /// The service that the view models use. It may answer later than `service`.
  private let seen: any DirectoryService
  /// Whether the answers of an exploration's service may be failures.
  let mayFail = MutableProperty(true)
  let screens: TestNavigator<DirectoryRoute>
  let messages = Messages()
  let people: [Person]

  init(_ names: [String], answer: @escaping @Sendable (DirectoryRoute) -> Void = { _ in }) {
    self.init(names, on: TestScheduler(), latency: Self.latency, answer) { service, _ in service }
  }

  /// Uses the scheduler of an exploration's run, which decides when each answer arrives.
  init(late run: Exploration, _ names: [String], answer: @escaping @Sendable (DirectoryRoute) -> Void = { _ in }) {
    self.init(names, on: run.scheduler, latency: .zero, answer) {
      LateDirectoryService(service: $0, run: run, mayFail: $1)
    }
  }

  private init(
    _ names: [String], on scheduler: TestScheduler, latency: Duration,
    _ answer: @escaping @Sendable (DirectoryRoute) -> Void,
    _ seen: (DemoDirectoryService, MutableProperty<Bool>) -> any DirectoryService
  ) {
    self.scheduler = scheduler
    people = names.enumerated().map { Person(id: $0, name: $1, lastSeen: .seconds(-5)) }
    store = PeopleStore(people, clock: scheduler.clock)
    service = DemoDirectoryService(store, latency: latency, clock: scheduler.clock)
    self.seen = seen(service, mayFail)
    screens = TestNavigator(scheduler: scheduler, answer)
  }

  /// The people who have been edited, as the service has stored them.
  var edited: [Person.ID: Person] { store.edited.value }

  /// `count` people with the names "First Last0000" and so on.
  init(count: Int) {
    self.init(
      (0..<count).map { number in
        let digits = String(number)
        return "First Last" + String(repeating: "0", count: 4 - digits.count) + digits
      })
  }

  /// Adds a person as another tab does, at once. The service of that tab neither waits nor fails.
  func addPerson(_ name: String) {
    let service = DemoDirectoryService(store, latency: .zero, clock: scheduler.clock)
    let other = PeopleViewModel(
      service: service, navigator: screens.navigator, messages: Messages(), scheduler: scheduler)
    for action in [.setAdding(true), .newPerson(.setName(name)), .newPerson(.add)] as [PeopleAction] {
      other.execute(action)
    }
    scheduler.advance()
  }

  func makeSignIn() -> SignInViewModel {
    SignInViewModel(service: seen, navigator: screens.navigator, messages: messages, scheduler: scheduler)
  }

  func makePeople() -> PeopleViewModel {
    PeopleViewModel(service: seen, navigator: screens.navigator, messages: messages, scheduler: scheduler)
  }

  func makePerson(_ id: Person.ID) -> PersonViewModel {
    PersonViewModel(
      id: id, service: seen, navigator: screens.navigator, messages: messages, scheduler: scheduler)
  }
}

/// Records the messages that arrive after it is made.
@MainActor
final class Inbox {
  private(set) var texts: [String] = []

  init(_ messages: Messages) {
    _ = messages.events.observeForever { [weak self] in self?.texts.append($0) }
  }
}
