#if canImport(Observation)
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  @MainActor
  @Suite struct ObservedStateTests {
    struct Form: Sendable {
      var username = ""
      var password = ""
      var notEquatable: @Sendable () -> Int = { 0 }
    }

    // Sendable: it stores nothing.
    final class FormViewModel: RxViewModel<@Sendable (inout Form) -> Void, Form>, @unchecked Sendable {
      override func createInitialState() -> Form { Form() }

      override func createObservable(_ action: @escaping @Sendable (inout Form) -> Void) -> Effect {
        .mutate { action(&$0) }
      }
    }

    /// Counts the notifications for the properties that `read` reads. After a notification it counts no more until `again()`.
    @MainActor
    private final class Changes {
      var count = 0
      private let read: @MainActor () -> Void

      init(_ read: @escaping @MainActor () -> Void) {
        self.read = read
        track()
      }

      private func track() {
        withObservationTracking {
          read()
        } onChange: { [weak self] in
          MainActor.assumeIsolated {
            self?.count += 1
          }
        }
      }

      func again() { track() }
    }

    @Test func aReaderThatReadsAtANotificationGetsTheNewState() {
      let viewModel = FormViewModel(scheduler: ImmediateScheduler())
      let observed = ObservedState(viewModel)
      let seen = Locked<[String]>([])
      withObservationTracking {
        _ = observed.username
      } onChange: {
        MainActor.assumeIsolated {
          seen.mutate { $0 += [observed.username, observed.password, observed.state.username] }
        }
      }
      viewModel.execute { form in
        form.username = "admin"
        form.password = "secret"
      }
      #expect(seen.value == ["admin", "secret", "admin"])
    }

    @Test func notifiesPerProperty() {
      let viewModel = FormViewModel(scheduler: ImmediateScheduler())
      let observed = ObservedState(viewModel)
      let username = Changes { _ = observed.username }
      let password = Changes { _ = observed.password }
      let other = Changes { _ = observed.notEquatable }
      let whole = Changes { _ = observed.state }
      viewModel.execute { $0.password = "secret" }
      #expect(observed.password == "secret")
      #expect(username.count == 0)
      #expect(password.count == 1)
      #expect(other.count == 1)
      #expect(whole.count == 1)
      password.again()
      viewModel.execute { $0.username = "admin" }
      #expect(username.count == 1)
      #expect(password.count == 1)
      #expect(observed.username == "admin")
      viewModel.execute { $0.password = "other" }
      #expect(password.count == 2)
    }

    @Test func anEqualValueIsNoChange() {
      let viewModel = FormViewModel(scheduler: ImmediateScheduler())
      let observed = ObservedState(viewModel)
      let username = Changes { _ = observed.username }
      viewModel.execute { $0.username = "" }
      #expect(username.count == 0)
    }

    @Test func statesFromAQueueComeOnTheMainActor() async {
      let viewModel = FormViewModel()
      let observed = ObservedState(viewModel)
      let username = Changes { _ = observed.username }
      viewModel.execute { $0.username = "a" }
      await settle { observed.username == "a" }
      #expect(observed.username == "a")
      #expect(username.count == 1)
    }

    @Test func retainsNeitherTheViewModelNorItself() {
      var viewModel: FormViewModel? = FormViewModel(scheduler: ImmediateScheduler())
      weak let weakViewModel = viewModel
      viewModel?.execute { $0.username = "a" }
      var observed: ObservedState<Form>? = ObservedState(viewModel!)
      weak let weakObserved = observed
      #expect(observed?.username == "a")
      viewModel = nil
      #expect(weakViewModel == nil)
      #expect(observed?.username == "a")
      observed = nil
      #expect(weakObserved == nil)
    }
  }
#endif
