import DirectoryScreens
import RxViewModel
import RxViewModelTesting

/// What the view models need, in virtual time: each answer of the service takes 100 ms.
struct Fixture {
  static let latency = Duration.milliseconds(100)

  let scheduler: TestScheduler
  let service: DemoDirectoryService
  /// The service as the view models see it.
  private let seen: any DirectoryService
  let screens: TestNavigator<DirectoryRoute>
  let messages = PublishSubject<String>()
  let people: [Person]

  init(_ names: [String], answer: @escaping @Sendable (DirectoryRoute) -> Void = { _ in }) {
    self.init(names, on: TestScheduler(), latency: Self.latency, answer) { $0 }
  }

  /// The same on the scheduler of a run: each answer comes when the run lets it.
  init(late run: Exploration, _ names: [String], answer: @escaping @Sendable (DirectoryRoute) -> Void = { _ in }) {
    self.init(names, on: run.scheduler, latency: .zero, answer) { LateDirectoryService(service: $0, run: run) }
  }

  private init(
    _ names: [String], on scheduler: TestScheduler, latency: Duration,
    _ answer: @escaping @Sendable (DirectoryRoute) -> Void, _ seen: (DemoDirectoryService) -> any DirectoryService
  ) {
    self.scheduler = scheduler
    people = names.enumerated().map { Person(id: $0, name: $1, lastSeen: .seconds(-5)) }
    service = DemoDirectoryService(.init(people), latency: latency, clock: scheduler.clock)
    self.seen = seen(service)
    screens = TestNavigator(scheduler: scheduler, answer)
  }

  /// `count` people, who are called "First Last0000" and so on.
  init(count: Int) {
    self.init(
      (0..<count).map { number in
        let digits = String(number)
        return "First Last" + String(repeating: "0", count: 4 - digits.count) + digits
      })
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
