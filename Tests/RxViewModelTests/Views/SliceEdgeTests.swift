#if canImport(Observation)
  import Foundation
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  // contract 3.7
  @MainActor
  @Suite struct SliceEdgeTests {
    struct Leaf: Sendable, Identifiable {
      let id: CountedID
      var name = ""
      var object: CountedID?
    }

    struct Branch: Sendable, Identifiable {
      let id: CountedID
      var title = ""
      var leaves: [Leaf] = []
    }

    struct Child: Sendable, Equatable {
      struct Form: Sendable, Equatable { var name = "" }

      var form = Form()
    }

    struct State: Sendable {
      var child: Child?
      var branches: [Branch] = []
      var reads = CallCount()

      var countedBranches: [Branch] {
        get {
          reads.count += 1
          return branches
        }
        set { branches = newValue }
      }
    }

    // Sendable: it has no properties.
    final class ViewModel: RxViewModel<State, State>, @unchecked Sendable {
      override func createObservable(_ action: State) -> Effect { .just { _ in action } }

      func branch(_ id: CountedID) -> ViewModelSlice<State, Branch>? { slice(\.branches, id: id, { $0 }) }

      func leaf(_ id: CountedID, in branch: CountedID) -> ViewModelSlice<State, Leaf>? {
        self.branch(branch)?.slice(\.leaves, id: id, { $0 })
      }

      var child: ViewModelSlice<State, Child>? { slice(\.child, { $0 }) }
    }

    private let viewModel = ViewModel(initialState: State(), scheduler: ImmediateScheduler())

    /// Lets the main queue do the work that waits now.
    private func letMainQueueRun() async {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    private func state(_ name: String?) -> State {
      State(child: name.map { Child(form: Child.Form(name: $0)) })
    }

    // MARK: A mirror that lags behind

    @Test func aPartOfASliceWhoseChildHasGoneShowsNoOlderChildAfterANewerOne() async throws {
      viewModel.execute(state("a"))
      let child = try #require(viewModel.child)
      #expect(child.observed.form.name == "a")
      let form = Locked(ViewModelSlice<State, Child.Form>?.none)
      let shown = Locked<[String]>([])
      let bound = viewModel.stateObservable.bind { _ in
        if let form = form.value { shown.mutate { $0.append(form.observed.name) } }
      }
      let (viewModel, b) = (viewModel, state("b"))
      #expect(
        onOtherThread {
          viewModel.execute(b)
          viewModel.execute(State())
        })
      form.mutate { $0 = child.slice(\.form, { $0 }) }
      await letMainQueueRun()
      #expect(shown.value == ["b", "b"])
      bound.dispose()
    }

    @Test(.stress, arguments: [true, false]) func aViewHearsOfAChildThatComesWhileItLooks(hasMirror: Bool) async throws
    {
      // The mirror is made with a newer state than the one in which the child was absent.
      var missed = 0
      let (next, executed, isOver) = (Locked(ViewModel?.none), Signal(), Locked(false))
      defer { isOver.mutate { $0 = true } }
      let shown = state("a")
      Thread.detachNewThread {
        while !isOver.value {
          guard let viewModel = next.mutate({ $0.take() }) else { continue }
          viewModel.execute(shown)
          executed.fire()
        }
      }
      for _ in 0..<500 {
        let (viewModel, isNotified) = (ViewModel(initialState: State(), scheduler: ImmediateScheduler()), Locked(false))
        if hasMirror { _ = viewModel.observed }
        next.mutate { $0 = viewModel }
        for _ in 0..<Int.random(in: 0..<40) { _ = isNotified.value }
        let isPresent = withObservationTracking {
          viewModel.child != nil
        } onChange: {
          isNotified.mutate { $0 = true }
        }
        try #require(executed.wait())
        await letMainQueueRun()
        if !isPresent, !isNotified.value { missed += 1 }
      }
      #expect(missed == 0)
    }

    // MARK: Cost

    @Test func rowsInARowAreReadInOrderOutsideOfViewsInLinearTime() {
      let (count, calls) = (200, CallCount())
      let leaves = (0..<count).map { Leaf(id: CountedID($0, calls)) }
      let place = CountedID(0)
      viewModel.execute(State(branches: [Branch(id: place, leaves: leaves)]))
      _ = viewModel.observed
      calls.count = 0
      // As the action of a button does.
      for leaf in leaves { #expect(viewModel.leaf(leaf.id, in: place)?.observed.name == "") }
      #expect(calls.count < 100 * count)
    }

    @Test func rowsOfAStateAreReadInOrderOutsideOfViewsInLinearTime() {
      let (count, calls) = (200, CallCount())
      let branches = (0..<count).map { Branch(id: CountedID($0, calls)) }
      viewModel.execute(State(branches: branches))
      _ = viewModel.observed
      calls.count = 0
      for branch in branches { #expect(viewModel.branch(branch.id)?.observed.title == "") }
      #expect(calls.count < 100 * count)
    }

    @Test func makingASliceSubscribesToNoStates() {
      let (viewModel, id, state) = (viewModel, CountedID(0), State(branches: [Branch(id: CountedID(0))]))
      viewModel.execute(state)
      // On the main actor, a view that makes a slice is notified when the child comes or goes.
      onOtherThread {
        let rows = viewModel.slice(\.countedBranches, id: id, { (state: State) in state })
        let list = viewModel.slice(\.countedBranches, { (state: State) in state })
        let nested = list.slice(\.self, id: id, { $0 })
        #expect(rows != nil && nested != nil)
        state.reads.count = 0
        viewModel.execute(state)
        #expect(state.reads.count == 0)
        withExtendedLifetime((rows, list, nested)) {}
      }
    }

    // MARK: Releases

    @Test func anIdThatReadsTheViewModelWhenItIsReleased() async {
      await #expect(processExitsWith: .success) {
        await Self.readWhenAnIDIsReleased()
      }
    }

    static func readWhenAnIDIsReleased() {
      let viewModel = ViewModel(initialState: State(), scheduler: ImmediateScheduler())
      let place = CountedID(1)
      viewModel.execute(State(branches: [Branch(id: place, leaves: [Leaf(id: CountedID(0))])]))
      let read: @Sendable () -> Void = {
        MainActor.assumeIsolated {
          _ = withObservationTracking {
            viewModel.leaf(CountedID(0), in: place)?.observed.name
          } onChange: {
          }
        }
      }
      // Two views, each with an id of its own.
      _ = withObservationTracking {
        [
          viewModel.leaf(CountedID(0, onRelease: read), in: CountedID(1, onRelease: read))?.observed.name,
          viewModel.leaf(CountedID(0, onRelease: read), in: CountedID(1, onRelease: read))?.observed.name,
          viewModel.branch(CountedID(1, onRelease: read))?.observed.title,
        ]
      } onChange: {
      }
      viewModel.execute(State(branches: [Branch(id: place, title: "b", leaves: [Leaf(id: CountedID(0), name: "b")])]))
      viewModel.execute(State())
      viewModel.execute(State(branches: [Branch(id: place, leaves: [Leaf(id: CountedID(0))])]))
      viewModel.execute(State())
    }

    @Test func aRowThatReadsTheViewModelWhenItIsReleased() async {
      await #expect(processExitsWith: .success) {
        await Self.readWhenARowIsReleased()
      }
    }

    static func readWhenARowIsReleased() {
      let viewModel = ViewModel(initialState: State(), scheduler: ImmediateScheduler())
      let places = (0..<3).map { CountedID($0) }
      let ids = (0..<6).map { CountedID($0) }
      let read: @Sendable () -> Void = {
        MainActor.assumeIsolated {
          _ = withObservationTracking {
            ids.reversed().map { id in places.map { viewModel.leaf(id, in: $0)?.observed.name } }
          } onChange: {
          }
        }
      }
      for round in 0..<30 {
        let branches = places.dropLast(round % 3).map { place in
          Branch(
            id: place, title: "\(round)",
            leaves: ids.dropFirst(round % 5).map {
              Leaf(id: $0, name: "\(round / 2)", object: CountedID(0, onRelease: read))
            })
        }
        viewModel.execute(State(branches: round % 2 == 0 ? branches : branches.reversed()))
        read()
      }
      viewModel.execute(State())
    }

    @Test func rowsReadInANotificationLeaveNothing() {
      let (place, count) = (CountedID(0), 10)
      var leaves = (0..<count).map { Leaf(id: CountedID($0), object: CountedID($0)) }
      let released = leaves.map { leaf in { [weak object = leaf.object] in object == nil } }
      viewModel.execute(State(branches: [Branch(id: place, leaves: leaves)]))
      let ids = leaves.map(\.id)
      leaves = []
      let viewModel = viewModel
      let readAll: @Sendable () -> Void = {
        MainActor.assumeIsolated { for id in ids { _ = viewModel.leaf(id, in: place)?.observed.name } }
      }
      let read = {
        _ = withObservationTracking {
          (viewModel.leaf(ids[5], in: place)?.observed.name, viewModel.branch(place)?.observed.title)
        } onChange: {
          readAll()
        }
      }
      read()
      for _ in 0..<2 { viewModel.execute(State(branches: [Branch(id: place)])) }
      #expect(released.filter { $0() }.count == count)
    }

    @Test func rowsOfAStateReadInANotificationLeaveNothing() {
      let count = 10
      var branches = (0..<count).map {
        Branch(id: CountedID($0), leaves: [Leaf(id: CountedID(0), object: CountedID($0))])
      }
      let released = branches.map { branch in { [weak object = branch.leaves[0].object] in object == nil } }
      viewModel.execute(State(branches: branches))
      let ids = branches.map(\.id)
      branches = []
      let viewModel = viewModel
      _ = withObservationTracking {
        viewModel.branch(ids[5])?.observed.title
      } onChange: {
        MainActor.assumeIsolated { for id in ids.reversed() { _ = viewModel.branch(id)?.observed.title } }
      }
      for _ in 0..<2 { viewModel.execute(State()) }
      #expect(released.filter { $0() }.count == count)
    }

    // MARK: Nested properties

    @Test func propertiesAndPerformOfANestedSlice() async throws {
      let screen = NestedScreen(NestedFeature(form: FormFeature()))
      screen.execute(.show(NestedState(id: 1)))
      let form = try #require(screen.form)
      let name = form.observedProperty(\.name, set: FormAction.setName)
      let shown = ActivityReader { name.value }
      name.value = "a"
      screen.execute(.outer(.form(.setName("b"))))
      #expect(try await form.perform(.setName("c")).name == "c")
      screen.execute(.show(nil))
      screen.execute(.show(NestedState(id: 2, form: Form(name: "d"))))
      screen.execute(.show(nil))
      name.value = "late"
      #expect(shown.values.filter { $0 != "late" } == ["", "a", "b", "c", "d"])
      #expect(name.value == "d" && form.currentState.name == "c")
      await #expect(throws: CancellationError.self) { try await form.perform(.setName("e")) }
    }

    @Test func aFailureOfANestedSliceGoesWithTheParentOfItsChild() {
      let answer = PublishSubject<Int>()
      let screen = NestedScreen(NestedFeature(form: FormFeature(answer: answer.asObservable())))
      screen.execute(.show(NestedState(id: 1)))
      let failures = ActivityReader { screen.form?.activity.hasFailure }
      screen.form?.execute(.save)
      answer.onError(RxError.timeout)
      screen.execute(.show(NestedState(id: 1, form: Form(name: "a"))))
      #expect(failures.values == [false, true])
      screen.execute(.show(NestedState(id: 2)))
      #expect(failures.values == [false, true, false])
    }
  }

  private struct NestedState: Sendable, Identifiable {
    var id = 0
    var form = Form()
  }

  private enum NestedAction: Sendable {
    case form(FormAction)
  }

  private struct NestedFeature: Feature {
    let form: FormFeature

    func child(for action: NestedAction) -> ChildAction<NestedAction, NestedState>? {
      switch action {
      case .form(let action): .init(form, action, at: \.form, as: NestedAction.form)
      }
    }

    func createObservable(_: NestedAction, context: FeatureContext<Self>) -> Observable<StateMapper<NestedState>> {
      .handledByChild()
    }
  }

  private struct NestedScreenState: Sendable {
    var outer: NestedState?
  }

  private enum NestedScreenAction: Sendable {
    case outer(NestedAction)
    case show(NestedState?)
  }

  // Sendable: its property is a `let`.
  private final class NestedScreen: RxViewModel<NestedScreenAction, NestedScreenState>, @unchecked Sendable {
    let feature: NestedFeature

    init(_ feature: NestedFeature) {
      self.feature = feature
      super.init(initialState: NestedScreenState(), scheduler: ImmediateScheduler())
    }

    override func child(for action: NestedScreenAction) -> ChildAction<NestedScreenAction, NestedScreenState>? {
      switch action {
      case .outer(let action): .init(feature, action, at: \.outer, as: NestedScreenAction.outer)
      case .show: nil
      }
    }

    override func createObservable(_ action: NestedScreenAction) -> Effect {
      switch action {
      case .outer: .handledByChild()
      case .show(let outer): .mutate { $0.outer = outer }
      }
    }

    override func diagnose(_ diagnostic: ViewModelDiagnostic<NestedScreenAction>) {}

    var form: ViewModelSlice<FormAction, Form>? {
      slice(\.outer, NestedScreenAction.outer)?.slice(\.form, NestedAction.form)
    }
  }
#endif
