import RxViewModel
import RxViewModelRecording

/// Makes the view models of a tab. The app and the tests of its recordings share this, so both give them the same names.
public struct ViewModels: Sendable {
  private let service: any DirectoryService
  private let navigator: Navigator<DirectoryRoute>
  private let messages: Messages
  private let scheduler: (any Scheduler)?
  private let recorder: Recorder
  private let list: PeopleViewModel.Type

  /// - Parameters:
  ///   - recorder: Records the view models and the answers of the service.
  ///   - list: The class of the list, so that a test can give one with a bug.
  public init(
    service: any DirectoryService, navigator: Navigator<DirectoryRoute>, messages: Messages,
    scheduler: (any Scheduler)? = nil, recorder: Recorder, list: PeopleViewModel.Type = PeopleViewModel.self
  ) {
    recorder.encode(errors: DirectoryError.self)
    self.service = RecordedService(service: service, recorder: recorder)
    (self.navigator, self.messages, self.scheduler) = (navigator, messages, scheduler)
    (self.recorder, self.list) = (recorder, list)
  }

  public func signIn() -> SignInViewModel {
    recorder.record("sign-in") {
      SignInViewModel(service: service, navigator: navigator, messages: messages, scheduler: scheduler)
    }
  }

  public func people() -> PeopleViewModel {
    recorder.record("people") {
      list.init(service: service, navigator: navigator, messages: messages, scheduler: scheduler)
    }
  }

  public func person(_ id: Person.ID) -> PersonViewModel {
    recorder.record("person \(id)") {
      PersonViewModel(id: id, service: service, navigator: navigator, messages: messages, scheduler: scheduler)
    }
  }

  public func color(_ current: PersonColor, _ reply: Reply<PersonColor>) -> ColorViewModel {
    recorder.record("color") {
      ColorViewModel(current: current, reply: reply, navigator: navigator, scheduler: scheduler)
    }
  }
}
