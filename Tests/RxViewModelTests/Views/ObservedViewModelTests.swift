#if canImport(Observation)
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  struct Profile: Sendable {
    var name = ""
    var age = 0
    var notEquatable: @Sendable () -> Int = { 0 }

    subscript(letter index: Int) -> String { name.dropFirst(index).prefix(1).description }
    subscript(id: CountedID) -> String { name }
  }

  enum ProfileEdit: Sendable, Equatable {
    /// Sets the name without spaces.
    case name(String)
    case age(Int)
    case load
    case fail(String)
  }

  typealias ProfileViewModel = ClosureViewModel<ProfileEdit, Profile>

  /// - Parameter diagnosed: the number of diagnosed errors.
  func profileViewModel(
    scheduler: (any Scheduler)? = ImmediateScheduler(), diagnosed: Locked<Int> = Locked(0)
  ) -> ProfileViewModel {
    ProfileViewModel(Profile(), scheduler: scheduler) { _, edit in
      switch edit {
      case .name(let name): .mutate { $0.name = name.filter { $0 != " " } }
      case .age(let age): .mutate { $0.age = age }
      case .load: .never()
      case .fail(let text): .error(TestError(text))
      }
    } overrides: {
      $0.spins = { _, edit in edit == .load }
      $0.diagnose = { _, _ in diagnosed.increment() }
    }
  }

  // contract 3.5
  @MainActor
  /// The state and the activity of a view model for SwiftUI.
  struct ObservedViewModelTests {
    private let viewModel = profileViewModel()
    private var activity: ObservedActivity<ProfileEdit> { viewModel.activity }

    // MARK: The state

    @Test func aReaderIsNotifiedOfTheChangesOfWhatItReads() {
      let observed = viewModel.observed
      let (name, age) = (Reader { observed.name }, Reader { observed.age })
      let (notEquatable, whole) = (Reader { (observed.notEquatable)() }, Reader { observed.state.age })
      func expect(_ notifications: [Int], after edit: ProfileEdit, sourceLocation: SourceLocation = #_sourceLocation) {
        viewModel.execute(edit)
        let counts = [name.notifications, age.notifications, notEquatable.notifications, whole.notifications]
        #expect(counts == notifications, sourceLocation: sourceLocation)
      }
      expect([0, 1, 1, 1], after: .age(7))
      expect([0, 1, 2, 2], after: .age(7))
      expect([1, 1, 3, 3], after: .name("Ann"))
      expect([1, 2, 4, 4], after: .age(8))
      #expect((name.values, age.values, whole.values) == (["", "Ann"], [0, 7, 8], [0, 7, 8]))
    }

    @Test func aReaderThatReadsAtANotificationGetsTheWholeNewState() {
      let both = ClosureViewModel<Int, [Int]>([0, 0], scheduler: ImmediateScheduler()) { _, number in
        .mutate { $0 = [number, number] }
      }
      let (observed, seen) = (both.observed, Locked<[Int]>([]))
      _ = withObservationTracking {
        observed.first
      } onChange: {
        MainActor.assumeIsolated { seen.mutate { $0 = [observed.first!, observed.last!] + observed.state } }
      }
      both.execute(1)
      #expect(seen.value == [1, 1, 1, 1])
    }

    // MARK: The objects

    @Test func theyAreTheSameObjectsAtEachCall() {
      #expect(viewModel.observed === viewModel.observed)
      #expect(viewModel.activity === viewModel.activity)
    }

    @Test func theyDoNotKeepTheViewModelAndKeepTheLastValues() {
      var viewModel: ProfileViewModel? = profileViewModel()
      weak let released = viewModel
      let (observed, activity) = (viewModel!.observed, viewModel!.activity)
      let name = viewModel!.observedProperty(\.name, set: ProfileEdit.name)
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
      #expect((activity.failure?.error as? TestError)?.description == "one")
    }

    @Test func aClearedViewModelShowsItsLastState() {
      viewModel.execute(.name("Ann"))
      viewModel.clear()
      #expect(viewModel.observed.name == "Ann")
      #expect(!activity.isLoading)
      #expect(activity.failure == nil)
      #expect(viewModel.observedProperty(\.name, set: ProfileEdit.name).value == "Ann")
    }

    @Test func theViewModelMayBeReleasedOnAnyThread() async throws {
      for _ in 0..<200 {
        let viewModel = Locked<ProfileViewModel?>(profileViewModel(scheduler: nil))
        let observed = viewModel.value!.observed
        let name = viewModel.value!.observedProperty(\.name, set: ProfileEdit.name)
        _ = viewModel.value!.activity.failure
        viewModel.value!.execute(.load)
        name.value = "Ann"
        let reader = Reader { [observed.name, name.value] }
        weak let released = viewModel.value
        let thread = Task.detached { viewModel.mutate { $0 = nil } }
        #expect(observed.name.isEmpty || observed.name == "Ann")
        await thread.value
        // A turn that waits on the scheduler keeps the view model alive until it has started the actions.
        try #require(await eventually { released == nil })
        withExtendedLifetime(reader) {}
      }
    }

    // MARK: The failure

    @Test func aFailureStaysUntilItIsReplacedOrDismissed() {
      let reader = Reader { [activity] in activity.hasFailure }
      viewModel.execute(.fail("one"))
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
      #expect(reader.values == [false, true, false, true, false])
    }

    @Test func aFailureThatADismissalCausesStays() {
      _ = activity.failure
      viewModel.execute(.fail("one"))
      _ = withObservationTracking {
        activity.failure
      } onChange: { [viewModel] in
        viewModel.execute(.fail("two"))
      }
      activity.failure = nil
      #expect(activity.failure?.action == .fail("two"))
    }

    @Test func aFailureMayBeDismissedInAnswerToItsNotification() {
      let notifications = Locked(0)
      _ = withObservationTracking {
        activity.hasFailure
      } onChange: { [activity] in
        notifications.increment()
        MainActor.assumeIsolated { activity.failure = nil }
      }
      viewModel.execute(.fail("one"))
      #expect(activity.failure == nil)
      #expect(notifications.value == 1)
      viewModel.execute(.fail("two"))
      #expect(activity.failure?.action == .fail("two"))
    }

    // contract 2.14
    @Test func anErrorIsDiagnosedUnlessTheFailureHasBeenReadSinceTheOneBefore() {
      let diagnosed = Locked(0)
      let viewModel = profileViewModel(diagnosed: diagnosed)
      // A view that reads something else does not show the failure.
      _ = viewModel.activity.isLoading
      viewModel.execute(.fail("unseen"))
      #expect(diagnosed.value == 1)
      #expect(viewModel.activity.failure?.action == .fail("unseen"))
      viewModel.execute(.fail("seen"))
      #expect(diagnosed.value == 1)
      // The view has gone.
      viewModel.execute(.fail("unseen"))
      #expect(diagnosed.value == 2)
      #expect(viewModel.activity.hasFailure)
      viewModel.execute(.fail("seen"))
      #expect(diagnosed.value == 2)
    }
  }
#endif
