import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

#if canImport(Observation)
  import Observation
#endif

// contract 3.7
struct SliceTests {
  private let viewModel = ParentViewModel()

  private func slice(ofRow id: Int) -> ViewModelSlice<FormAction, Form>? {
    viewModel.slice(\.rows, id: id) { .row(id, $0) }
  }

  @Test func aSliceExecutesActionsOfThePartAndReadsIt() async throws {
    let form = viewModel.slice(\.fixed, ParentAction.fixed)
    let names = form.stateObservable.map(\.name).test()
    form.execute(.setName("Ann"))
    viewModel.execute(.other("note"))
    form.execute(.setName("Bob"), mode: .sequence)
    #expect(form.currentState.name == "Bob")
    #expect(viewModel.currentState.fixed.name == "Bob")
    // The stream does not emit an equal child again.
    #expect(names.values == ["", "Ann", "Bob"])
    #expect(try await form.perform(.setID(3)) == Form(id: 3, name: "Bob"))
  }

  @Test func propertiesReadAndWriteThePart() {
    let form = viewModel.slice(\.fixed, ParentAction.fixed)
    let name = form.property(\.name, set: FormAction.setName)
    let length = form.property { $0.name.count }
    let lengths = length.test()
    name.value = "Ann"
    #expect(viewModel.currentState.fixed.name == "Ann")
    #expect(length.value == 3)
    #expect(lengths.values == [0, 3])
  }

  @Test func aSliceShowsItsLastChildAfterTheChildHasGone() throws {
    viewModel.execute(.show(Form(name: "Ann")))
    let sheet = try #require(viewModel.slice(\.sheet, ParentAction.sheet))
    let name = sheet.property(\.name)
    let states = sheet.stateObservable.map(\.name).test()
    sheet.execute(.setName("Bob"))
    #expect(sheet.currentState.name == "Bob")
    viewModel.execute(.show(nil))
    #expect(sheet.currentState.name == "Bob")
    #expect(name.value == "Bob")
    #expect(sheet.stateObservable.map(\.name).test().values == ["Bob"])
    sheet.execute(.setName("late"))
    #expect(viewModel.currentState.sheet == nil)
    #expect(viewModel.diagnosed.value.count == 1)
    viewModel.execute(.show(Form(name: "other")))
    #expect(sheet.currentState.name == "other")
    #expect(states.values == ["Ann", "Bob", "other"])
  }

  @Test func aRowIsFoundAtAnyIndex() throws {
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2, name: "two")]))
    let row = try #require(slice(ofRow: 2))
    viewModel.execute(.setRows([Form(id: 2, name: "first"), Form(id: 1)]))
    #expect(row.currentState.name == "first")
    row.execute(.setName("edited"))
    #expect(viewModel.currentState.rows == [Form(id: 2, name: "edited"), Form(id: 1)])
  }

  @Test func aSliceRetainsItsViewModelAndItsStreamsDoNot() {
    var viewModel: ParentViewModel? = ParentViewModel()
    weak let released = viewModel
    var slice = viewModel?.slice(\.fixed, ParentAction.fixed)
    viewModel = nil
    #expect(released != nil)
    let states = slice!.stateObservable.test()
    let name = slice!.property(\.name, set: FormAction.setName)
    slice = nil
    #expect(released == nil)
    #expect(states.isCompleted)
    #expect(name.value == "")
  }

  @Test func slicesOfOnePartAreEqual() throws {
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
    viewModel.execute(.show(Form()))
    let rows = try [1, 1, 2].map { id in try #require(slice(ofRow: id)) }
    #expect(rows[0] == rows[1] && rows[0].hashValue == rows[1].hashValue)
    #expect(rows[0] != rows[2])
    let fixed = viewModel.slice(\.fixed, ParentAction.fixed)
    #expect(fixed == viewModel.slice(\.fixed, ParentAction.fixed))
    #expect(fixed != ParentViewModel().slice(\.fixed, ParentAction.fixed))
    #expect(fixed != viewModel.slice(\.sheet, ParentAction.sheet))
    let whole = viewModel.slice(\.self, { (action: ParentAction) in action })
    let nested = (1...2).map { _ in
      whole.slice(\.rows, id: 1, { (action: FormAction) in ParentAction.row(1, action) })
    }
    #expect(nested[0] == nested[1])
  }

  // contract 5: never older than the state being delivered
  @Test func anEarlierObserverThatSubscribesGetsTheStateBeingDelivered() throws {
    viewModel.execute(.show(Form(name: "a")))
    let names = Locked<[String]>([])
    let taken = Locked<Observable<String>?>(nil)
    let subscription = viewModel.stateObservable.subscribe(onNext: { state in
      guard state.sheet?.name == "b", let stream = taken.value else { return }
      _ = stream.take(1).subscribe(onNext: { name in names.append(name) })
    })
    let sheet = try #require(viewModel.slice(\.sheet, ParentAction.sheet))
    taken.mutate { $0 = sheet.stateObservable.map(\.name) }
    viewModel.execute(.show(Form(name: "b")))
    #expect(names.value == ["b"])
    subscription.dispose()
  }

  #if os(Linux)
    // The test measures in a process of its own, where no other test allocates.
    @Test(.stress, .ownThread) func aSliceCostsLittle() async {
      await #expect(processExitsWith: .success) {
        let viewModel = ParentViewModel()
        viewModel.execute(.show(Form(name: "a")))
        let growth = (0..<3).map { _ -> Int in
          var slices: [ViewModelSlice<FormAction, Form>?] = []
          slices.reserveCapacity(1_000)
          return allocation(of: {
            for _ in 0..<1_000 { slices.append(viewModel.slice(\.sheet, ParentAction.sheet)) }
          })
        }.min()!
        precondition(growth < 300_000, "\(growth)")
      }
    }
  #endif

  // MARK: A slice of a slice

  @Test func aSliceHasSlices() throws {
    let screen = Levels.Screen(Levels.State(detail: Levels.Detail(tags: [Levels.Form(id: 7)])))
    let detail = try #require(screen.slice(\.detail, Levels.Action.detail))
    let text = detail.slice(\.text, Levels.DetailAction.formDone)
    #expect(detail.slice(\.destination.edit, Levels.DetailAction.edit) == nil)
    detail.execute(.show(.edit(Levels.Form())))
    let edit = try #require(detail.slice(\.destination.edit, Levels.DetailAction.edit))
    let tag = try #require(detail.slice(\.tags, id: 7) { (action: Levels.FormAction) in .tag(7, action) })
    edit.execute(.set("edit"))
    tag.execute(.set("tag"))
    text.execute("text")
    let last = Levels.Detail(
      text: "done text;", destination: .edit(Levels.Form(text: "edit")), tags: [Levels.Form(id: 7, text: "tag")])
    #expect(screen.currentState == Levels.State(detail: last))
    // A slice shows the last child that was read through it.
    for child in [last, nil] {
      screen.execute(.show(child))
      #expect(detail.currentState == last)
      #expect([edit.currentState.text, tag.currentState.text, text.currentState] == ["edit", "tag", "done text;"])
    }
    #expect(detail.slice(\.destination.edit, Levels.DetailAction.edit) == nil)
    // A part that its parent always has still has a slice: it reads the last parent.
    #expect(detail.slice(\.text, Levels.DetailAction.formDone).currentState == "done text;")
  }

  // MARK: Observation

  #if canImport(Observation)
    @MainActor @Test func anAbsentChildShowsTheLastOneToAView() throws {
      viewModel.execute(.show(Form(name: "Ann")))
      let sheet = try #require(viewModel.slice(\.sheet, ParentAction.sheet))
      #expect(sheet.observed.name == "Ann")
      viewModel.execute(.show(nil))
      #expect(sheet.observed.name == "Ann")
      #expect(sheet.observed.state.name == "Ann")
    }

    @MainActor @Test func observedPropertiesOfEqualPathsShowOneValueAndOthersTheirOwn() throws {
      let scheduler = TestScheduler()
      let viewModel = ParentViewModel(scheduler: scheduler)
      viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
      scheduler.run()
      let names = try [1, 2, 1].map { id in
        try #require(viewModel.slice(\.rows, id: id) { (action: FormAction) in .row(id, action) })
          .observedProperty(\.name, set: FormAction.setName)
      }
      (names[0].value, names[1].value) = ("one", "two")
      // Before their actions have run.
      #expect(names.map(\.value) == ["one", "two", "one"])
      #expect(viewModel.currentState.rows.map(\.name) == ["", ""])
      scheduler.run()
      #expect(viewModel.currentState.rows.map(\.name) == ["one", "two"])
    }

    @MainActor @Test func aPartAndAnOptionalPartHaveTheirOwnProperties() throws {
      viewModel.execute(.show(Form(name: "Ann")))
      let whole: ViewModelSlice<ParentAction, Form?> = viewModel.slice(\.sheet, { $0 })
      let sheet = try #require(viewModel.slice(\.sheet, ParentAction.sheet))
      let optional = whole.observedProperty(\.self, set: { .show($0) })
      let present = sheet.observedProperty(\.self, set: { .setName($0.name) })
      #expect(optional.value?.name == "Ann")
      #expect(present.value.name == "Ann")
    }

    @MainActor @Test func aPropertyOfANestedSliceShowsTheNewestChildThatItHasRead() async throws {
      let screen = Levels.Screen(Levels.editing())
      let detail = try #require(screen.slice(\.detail, Levels.Action.detail))
      let edit = try #require(detail.slice(\.destination.edit, Levels.DetailAction.edit))
      let text = edit.observedProperty(\.text, set: Levels.FormAction.set)
      let shown = Reader { text.value }
      text.value = "a"
      screen.execute(.edit(.set("b")))
      #expect(try await edit.perform(.set("c")).text == "c")
      screen.execute(.show(nil))
      screen.execute(.show(Levels.editing("d").detail))
      screen.execute(.show(nil))
      text.value = "late"
      #expect(shown.values.filter { $0 != "late" } == ["", "a", "b", "c", "d"])
      #expect(text.value == "d" && edit.currentState.text == "c")
      await #expect(throws: CancellationError.self) { try await edit.perform(.set("e")) }
    }
  #endif
}
