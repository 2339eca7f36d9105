#if canImport(Observation)
  import Dispatch
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  // contract 3.5
  @MainActor
  @Suite("A view model's mirrors for SwiftUI") struct ObservedViewModelTests {
    private struct Profile: Sendable, Equatable {
      var name = ""
      var age = 0

      subscript(letter index: Int) -> String { name.dropFirst(index).prefix(1).description }
      subscript(id: CountedID) -> String { name }
    }

    private enum Edit: Sendable, Equatable {
      case name(String)
      case age(Int)
      case load
      case fail(String)
    }

    // Sendable: it stores one `let`.
    private final class ProfileViewModel: RxViewModel<Edit, Profile>, @unchecked Sendable {
      let diagnosed = Locked(0)

      override func createInitialState() -> Profile { Profile() }

      override func createObservable(_ action: Edit) -> Effect {
        switch action {
        case .name(let name): .mutate { $0.name = name.filter { $0 != " " } }
        case .age(let age): .mutate { $0.age = age }
        case .load: .never()
        case .fail(let text): .error(TestError(text))
        }
      }

      override func showSpinner(_ action: Edit) -> Bool { action == .load }

      override func diagnose(_ diagnostic: ViewModelDiagnostic<Edit>) { diagnosed.mutate { $0 += 1 } }
    }

    /// Counts the notifications of one reader, which reads again after each of them.
    @MainActor
    private final class Reader {
      private(set) var notifications = 0
      private let read: @MainActor () -> Void

      init(_ read: @escaping @MainActor () -> Void) {
        self.read = read
        track()
      }

      private func track() {
        withObservationTracking(read) { [weak self] in
          MainActor.assumeIsolated {
            self?.notifications += 1
            self?.track()
          }
        }
      }
    }

    private let viewModel = ProfileViewModel(scheduler: ImmediateScheduler())

    @Test func theMirrorsAreTheSameObjectsAtEachCall() {
      #expect(viewModel.observed === viewModel.observed)
      #expect(viewModel.activity === viewModel.activity)
    }

    @Test func aReaderOfOnePropertyIsNotifiedOfThatPropertyOnly() {
      let reader = Reader { [viewModel] in _ = viewModel.observed.name }
      viewModel.execute(.age(7))
      #expect(reader.notifications == 0)
      viewModel.execute(.name("Ann"))
      #expect(reader.notifications > 0)
      #expect(viewModel.observed.name == "Ann")
    }

    @Test func theMirrorsDoNotKeepTheViewModelAndKeepTheLastValues() {
      var viewModel: ProfileViewModel? = ProfileViewModel(scheduler: ImmediateScheduler())
      weak let released = viewModel
      let observed = viewModel!.observed
      let activity = viewModel!.activity
      let name = viewModel!.observedProperty(\.name, set: Edit.name)
      name.value = "Ann"
      _ = activity.failure
      viewModel!.execute(.fail("one"))
      #expect(!activity.isLoading)
      viewModel!.execute(.load)
      #expect(activity.isLoading)
      viewModel = nil
      #expect(released == nil)
      #expect(observed.name == "Ann")
      #expect(name.value == "Ann")
      #expect(!activity.isLoading)
      #expect((activity.failure?.error as? TestError)?.description == TestError("one").description)
    }

    @Test func aClearedViewModelShowsItsLastState() {
      viewModel.execute(.name("Ann"))
      viewModel.clear()
      #expect(viewModel.observed.name == "Ann")
      #expect(!viewModel.activity.isLoading)
      #expect(viewModel.activity.failure == nil)
      #expect(viewModel.observedProperty(\.name, set: Edit.name).value == "Ann")
    }

    // MARK: Activity

    @Test func loadingNotifiesItsReader() {
      let reader = Reader { [viewModel] in _ = viewModel.activity.isLoading }
      viewModel.execute(.load)
      #expect(reader.notifications > 0)
      #expect(viewModel.activity.isLoading)
      viewModel.cancelActions { $0 == .load }
      #expect(!viewModel.activity.isLoading)
    }

    @Test func aFailureStaysUntilItIsReplacedOrDismissed() {
      let activity = viewModel.activity
      let reader = Reader { _ = activity.hasFailure }
      viewModel.execute(.fail("one"))
      #expect(reader.notifications > 0)
      #expect(activity.failure?.action == .fail("one"))
      viewModel.execute(.name("Ann"))
      #expect(activity.hasFailure)
      viewModel.execute(.fail("two"))
      #expect(activity.failure?.action == .fail("two"))
      activity.hasFailure = true
      #expect(activity.hasFailure)
      activity.hasFailure = false
      #expect(activity.failure == nil)
      viewModel.execute(.fail("three"))
      activity.failure = nil
      #expect(!activity.hasFailure)
    }

    @Test func aFailureThatADismissalCausesStays() {
      let activity = viewModel.activity
      _ = activity.failure
      viewModel.execute(.fail("one"))
      withObservationTracking {
        _ = activity.failure
      } onChange: { [viewModel] in
        viewModel.execute(.fail("two"))
      }
      activity.failure = nil
      #expect(activity.failure?.action == .fail("two"))
    }

    @Test func aFailureMayBeDismissedInAnswerToItsNotification() {
      let activity = viewModel.activity
      let notifications = Locked(0)
      withObservationTracking {
        _ = activity.hasFailure
      } onChange: {
        notifications.mutate { $0 += 1 }
        MainActor.assumeIsolated { activity.failure = nil }
      }
      viewModel.execute(.fail("one"))
      #expect(activity.failure == nil)
      #expect(notifications.value == 1)
      viewModel.execute(.fail("two"))
      #expect(activity.failure?.action == .fail("two"))
    }

    // contract 2.14
    @Test func aFailureFromBeforeTheFirstReadIsShown() {
      _ = viewModel.activity.isLoading
      viewModel.execute(.fail("first"))
      viewModel.execute(.fail("load"))
      #expect(viewModel.activity.failure?.action == .fail("load"))
      viewModel.activity.failure = nil
      #expect(viewModel.activity.failure == nil)
    }

    // contract 2.14
    @Test func anErrorIsDiagnosedUnlessTheFailureHasBeenReadSinceTheOneBefore() {
      viewModel.execute(.fail("unseen"))
      #expect(viewModel.diagnosed.value == 1)
      #expect(viewModel.activity.failure?.action == .fail("unseen"))
      viewModel.execute(.fail("seen"))
      #expect(viewModel.diagnosed.value == 1)
      // The view has gone.
      viewModel.execute(.fail("unseen"))
      #expect(viewModel.diagnosed.value == 2)
      #expect(viewModel.activity.hasFailure)
      viewModel.execute(.fail("seen"))
      #expect(viewModel.diagnosed.value == 2)
    }

    @Test func aFailureCanBeRetried() {
      _ = viewModel.activity.failure
      let started = viewModel.executionObservable.filter { $0.phase == .started }.map(\.action).test(TestScheduler())
      viewModel.execute(.fail("one"))
      viewModel.activity.failure?.retry()
      #expect(started.values == [.fail("one"), .fail("one")])
    }

    // MARK: Properties

    @Test func eachPropertyOfAPartWritesWithItsOwnAction() {
      let first = viewModel.observedProperty(\.name, set: Edit.name)
      let second = viewModel.observedProperty(\.name) { .name("second \($0)") }
      second.value = "Ann"
      #expect(viewModel.currentState.name == "secondAnn")
      #expect((first.value, second.value) == ("secondAnn", "secondAnn"))
      first.value = "Bob"
      #expect(viewModel.currentState.name == "Bob")
      #expect((first.value, second.value) == ("Bob", "Bob"))
      // A key path with a subscript is another one for each index.
      let initials = [0, 1, 0].map { viewModel.observedProperty(\.[letter: $0], set: Edit.name) }
      #expect(initials.map(\.value) == ["B", "o", "B"])
    }

    @Test func twoViewsOfOneFieldShowOneValue() {
      let scheduler = TestScheduler()
      let viewModel = ProfileViewModel(scheduler: scheduler)
      let (field, title) = (
        viewModel.observedProperty(\.name, set: Edit.name), viewModel.observedProperty(\.name, set: Edit.name)
      )
      field.value = "A nn"
      // Both show the edit at once, and the view model's correction when its action has ended.
      #expect(title.value == "A nn")
      scheduler.run()
      #expect((field.value, title.value) == ("Ann", "Ann"))
    }

    @Test func aNewPropertyReplacesAReleasedOne() {
      do {
        let first = viewModel.observedProperty(\.name) { .name("first \($0)") }
        first.value = "Ann"
        #expect(viewModel.currentState.name == "firstAnn")
      }
      let second = viewModel.observedProperty(\.name) { .name("second \($0)") }
      second.value = "Ann"
      #expect(viewModel.currentState.name == "secondAnn")
    }

    @Test func propertiesOfRowsThatComeAndGoLeaveLittle() { expectLittleLeft(of: 1_000) }

    @Test(.stress) func manyPropertiesOfRowsThatComeAndGoLeaveLittle() { expectLittleLeft(of: 100_000) }

    private func expectLittleLeft(of count: Int) {
      let alive = Locked(count)
      for number in 0..<count {
        let id = CountedID(number) { alive.mutate { $0 -= 1 } }
        let property = viewModel.observedProperty(\.[id], set: Edit.name)
        #expect(property.value == "")
      }
      #expect(alive.value < 32)
    }

    @Test func aPropertyThatComesAndGoesDoesNotSearchTheOthers() {
      let (count, calls) = (400, CallCount())
      func property(_ number: Int) -> ObservedProperty<String> {
        viewModel.observedProperty(\.[CountedID(number, calls)], set: Edit.name)
      }
      var properties: [ObservedProperty<String>] = []
      let costs = (0..<count).map { number in
        properties.append(property(number))
        calls.count = 0
        for _ in 0..<20 { _ = property(-1) }
        return calls.count
      }
      // At any number of properties, at most one of these twenty calls looks at all of them: about four hashes for each.
      #expect(costs.max()! < 10 * count)
    }

    @Test func aPropertyReleasedOnAnotherThreadDoesNotRemoveItsSuccessor() async {
      let scheduler = TestScheduler()
      let viewModel = ProfileViewModel(scheduler: scheduler)
      let property = Locked<ObservedProperty<String>?>(viewModel.observedProperty(\.name, set: Edit.name))
      // The thread has released the property when this line returns, and the main actor has not been free meanwhile.
      #expect(onOtherThread { property.mutate { $0 = nil } })
      let successor = viewModel.observedProperty(\.name, set: Edit.name)
      await mainActorHasBeenFree()
      successor.value = "Ann"
      #expect(viewModel.observedProperty(\.name, set: Edit.name).value == "Ann")
    }

    // MARK: Threads

    /// Returns when the main queue has run all work that was waiting there.
    private func mainActorHasBeenFree() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
    }

    @Test func theViewModelMayBeReleasedOnAnyThread() async throws {
      for _ in 0..<200 {
        let viewModel = Locked<ProfileViewModel?>(ProfileViewModel())
        let observed = viewModel.value!.observed
        let name = viewModel.value!.observedProperty(\.name, set: Edit.name)
        _ = viewModel.value!.activity.failure
        viewModel.value!.execute(.load)
        name.value = "Ann"
        let reader = Reader { (_, _) = (observed.name, name.value) }
        weak let released = viewModel.value
        let thread = Task.detached { viewModel.mutate { $0 = nil } }
        #expect(observed.name.isEmpty || observed.name == "Ann")
        await thread.value
        // A turn that waits on the scheduler keeps the view model alive until it has started the actions.
        try #require(await eventually { released == nil })
        withExtendedLifetime(reader) {}
      }
    }
  }
#endif
