import RxViewModel
import RxViewModelRecording

/// Makes the view models of a tab. The app and the tests of its recordings share this, so both give them the same names.
public struct ViewModels: Sendable {
  private let service: any DirectoryService
  private let navigator: Navigator<DirectoryRoute>
  private let messages: Messages
  private let scheduler: (any Scheduler)?
  private let recorder: Recorder?

  /// - Parameter recorder: Records the view models. Nil if nothing is recorded.
  public init(
    service: any DirectoryService, navigator: Navigator<DirectoryRoute>, messages: Messages,
    scheduler: (any Scheduler)? = nil, recorder: Recorder? = nil
  ) {
    recorder?.encode(errors: DirectoryError.self)
    self.service = recorder.map { RecordedService(service: service, recorder: $0) } ?? service
    (self.navigator, self.messages, self.scheduler, self.recorder) = (navigator, messages, scheduler, recorder)
  }

  public func signIn() -> SignInViewModel {
    recorded("sign-in") {
      SignInViewModel(service: service, navigator: navigator, messages: messages, scheduler: scheduler)
    }
  }

  /// - Parameter type: The class, so that a test can give one with a fault.
  public func people(_ type: PeopleViewModel.Type = PeopleViewModel.self) -> PeopleViewModel {
    recorded("people") { type.init(service: service, navigator: navigator, messages: messages, scheduler: scheduler) }
  }

  public func person(_ id: Person.ID) -> PersonViewModel {
    recorded("person \(id)") {
      PersonViewModel(id: id, service: service, navigator: navigator, messages: messages, scheduler: scheduler)
    }
  }

  public func color(_ current: PersonColor, _ reply: Reply<PersonColor>) -> ColorViewModel {
    recorded("color") { ColorViewModel(current: current, reply: reply, navigator: navigator, scheduler: scheduler) }
  }

  private func recorded<Action: Codable & Sendable, State, Model: RxViewModel<Action, State>>(
    _ name: String, _ make: () -> Model
  ) -> Model {
    recorder?.record(name, make) ?? make()
  }
}
