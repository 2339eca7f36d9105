import DirectoryScreens
import RxViewModel
import RxViewModelTesting

/// What the view models need, in virtual time: each answer of the service takes 100 ms.
struct Fixture {
  static let latency = Duration.milliseconds(100)

  let scheduler = TestScheduler()
  let service: DemoDirectoryService
  let screens: TestNavigator<DirectoryRoute>
  let messages = PublishSubject<String>()
  let people: [Person]

  init(_ names: [String], answer: @escaping @Sendable (DirectoryRoute) -> Void = { _ in }) {
    people = names.enumerated().map { Person(id: $0, name: $1, lastSeen: .seconds(-5)) }
    service = DemoDirectoryService(.init(people), latency: Self.latency, clock: scheduler.clock)
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
    SignInViewModel(service: service, navigator: screens.navigator, messages: messages, scheduler: scheduler)
  }

  func makePeople() -> PeopleViewModel {
    PeopleViewModel(service: service, navigator: screens.navigator, messages: messages, scheduler: scheduler)
  }

  func makePerson(_ id: Person.ID) -> PersonViewModel {
    PersonViewModel(
      id: id, service: service, navigator: screens.navigator, messages: messages, scheduler: scheduler)
  }
}
