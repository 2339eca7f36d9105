import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

#if canImport(Observation)
  import Observation
#endif

// contract 3.7
@Suite struct SliceTests {
  private let answer = PublishSubject<Int>()
  private let viewModel: ParentViewModel

  init() {
    viewModel = ParentViewModel(FormFeature(answer: answer.asObservable()))
  }

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

  @Test func makingASliceSubscribesToNoErrors() throws {
    viewModel.execute(.show(Form()))
    viewModel.execute(.setRows([Form(id: 1)]))
    let slices = try [
      viewModel.slice(\.fixed, ParentAction.fixed),
      #require(viewModel.slice(\.sheet, ParentAction.sheet)), #require(slice(ofRow: 1)),
    ]
    viewModel.execute(.fixed(.save))
    answer.onError(RxError.timeout)
    // The view model does not diagnose an error that a subscriber receives.
    #expect((viewModel.diagnosed.value.count, slices.count) == (1, 3))
  }

  @Test func aSliceOfAnAbsentChildIsNil() {
    #expect(viewModel.slice(\.sheet, ParentAction.sheet) == nil)
    #expect(slice(ofRow: 1) == nil)
    viewModel.execute(.show(Form()))
    viewModel.execute(.setRows([Form(id: 1)]))
    #expect(viewModel.slice(\.sheet, ParentAction.sheet) != nil)
    #expect(slice(ofRow: 1) != nil)
    #expect(slice(ofRow: 2) == nil)
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
      _ = stream.take(1).subscribe(onNext: { name in names.mutate { $0.append(name) } })
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

  @Test func aSliceEmitsItsChildrenInOrderToASlowSubscriber() async throws {
    viewModel.execute(.show(Form(name: "a")))
    let sheet = try #require(viewModel.slice(\.sheet, ParentAction.sheet))
    let (isInside, goOn, hasReturned) = (Signal(), Signal(), Signal())
    let names = Locked<[String]>([])
    Thread.detachNewThread {
      _ = sheet.stateObservable.subscribe(onNext: { form in
        names.mutate { $0.append(form.name) }
        if form.name != "a" { return }
        isInside.fire()
        _ = goOn.wait()
      })
      hasReturned.fire()
    }
    #expect(await onThread { isInside.wait() })
    for child in [nil, Form(name: "b"), Form(name: "c")] { viewModel.execute(.show(child)) }
    goOn.fire()
    #expect(await onThread { hasReturned.wait() })
    #expect(await eventually { names.value.count >= 3 })
    #expect(names.value == ["a", "b", "c"])
  }

  // MARK: A slice of a slice

  private struct House: Sendable, Equatable {
    var garage: Garage? = Garage()
  }

  private struct Garage: Sendable, Equatable {
    var form = Form()
    var spare: Form?
    var rows: [Form] = []
  }

  private enum HouseAction: Sendable {
    case garage(GarageAction)
    case close
  }

  private enum GarageAction: Sendable {
    case form(FormAction)
    case spare(FormAction)
    case row(Int, FormAction)
    case fill

    static func seventh(_ action: FormAction) -> GarageAction { .row(7, action) }
  }

  // Sendable: it stores nothing.
  private final class HouseViewModel: RxViewModel<HouseAction, House>, @unchecked Sendable {
    override func createInitialState() -> House { House() }

    override func child(for action: HouseAction) -> ChildAction<HouseAction, House>? {
      guard case .garage(let action) = action else { return nil }
      return .init(GarageFeature(), action, at: \.garage, as: HouseAction.garage)
    }

    override func createObservable(_ action: HouseAction) -> Effect {
      .mutate { $0.garage = nil }
    }
  }

  private struct GarageFeature: Feature {
    func child(for action: GarageAction) -> ChildAction<GarageAction, Garage>? {
      switch action {
      case .form(let action): .init(FormFeature(), action, at: \.form, as: GarageAction.form)
      case .spare(let action): .init(FormFeature(), action, at: \.spare, as: GarageAction.spare)
      case .row(let id, let action): .init(FormFeature(), action, at: \.rows, id: id, as: { .row(id, $0) })
      case .fill: nil
      }
    }

    func createObservable(_ action: GarageAction, context: FeatureContext<Self>) -> Observable<StateMapper<Garage>> {
      .mutate { $0 = Garage(spare: Form(name: "spare"), rows: [Form(id: 7)]) }
    }
  }

  @Test func aSliceHasSlices() throws {
    let viewModel = HouseViewModel(scheduler: ImmediateScheduler())
    let garage = try #require(viewModel.slice(\.garage, HouseAction.garage))
    let form = garage.slice(\.form, GarageAction.form)
    #expect(garage.slice(\.spare, GarageAction.spare) == nil)
    garage.execute(.fill)
    let spare = try #require(garage.slice(\.spare, GarageAction.spare))
    let row = try #require(garage.slice(\.rows, id: 7, GarageAction.seventh))
    form.execute(.setName("form"))
    spare.execute(.setName("other"))
    row.execute(.setName("row"))
    let garageState = Garage(form: Form(name: "form"), spare: Form(name: "other"), rows: [Form(id: 7, name: "row")])
    #expect(viewModel.currentState == House(garage: garageState))
    // A slice shows the last child that was read through it.
    #expect(garage.currentState == garageState)
    #expect([form, spare, row].map(\.currentState.name) == ["form", "other", "row"])
    viewModel.execute(.close)
    #expect([form, spare, row].map(\.currentState.name) == ["form", "other", "row"])
    #expect(garage.slice(\.spare, GarageAction.spare) == nil)
    // A part that its parent always has still has a slice: it reads the last parent.
    #expect(garage.slice(\.form, GarageAction.form).currentState.name == "form")
  }

  // MARK: Observation

  #if canImport(Observation)
    @MainActor
    private final class Reader<Value> {
      private(set) var values: [Value] = []
      private let read: @MainActor () -> Value

      init(_ read: @escaping @MainActor () -> Value) {
        self.read = read
        track()
      }

      private func track() {
        values.append(
          withObservationTracking(read) { [weak self] in
            MainActor.assumeIsolated { self?.track() }
          })
      }
    }

    @MainActor @Test func aViewIsNotifiedOfThePartThatItReads() {
      let form = viewModel.slice(\.fixed, ParentAction.fixed)
      let reader = Reader { form.observed.name }
      viewModel.execute(.other("note"))
      form.execute(.setID(1))
      #expect(reader.values == [""])
      form.execute(.setName("Ann"))
      #expect(reader.values.last == "Ann")
      #expect(form.observed.state == Form(id: 1, name: "Ann"))
    }

    @MainActor @Test func aViewIsNotifiedWhenAChildComesAndGoes() {
      let viewModel = viewModel
      let sheet = Reader { viewModel.slice(\.sheet, ParentAction.sheet)?.observed.name }
      let row = Reader { viewModel.slice(\.rows, id: 1, { .row(1, $0) })?.observed.name }
      viewModel.execute(.show(Form(name: "Ann")))
      #expect(sheet.values.last == "Ann")
      viewModel.execute(.sheet(.setName("Bob")))
      #expect(sheet.values.last == "Bob")
      viewModel.execute(.show(nil))
      #expect(sheet.values.last == .some(nil))
      viewModel.execute(.setRows([Form(id: 1, name: "one")]))
      #expect(row.values.last == "one")
      viewModel.execute(.setRows([]))
      #expect(row.values.last == .some(nil))
    }

    @MainActor @Test func anAbsentChildShowsTheLastOneToAView() throws {
      viewModel.execute(.show(Form(name: "Ann")))
      let sheet = try #require(viewModel.slice(\.sheet, ParentAction.sheet))
      #expect(sheet.observed.name == "Ann")
      viewModel.execute(.show(nil))
      #expect(sheet.observed.name == "Ann")
      #expect(sheet.observed.state.name == "Ann")
    }

    // contract 3.5
    @MainActor @Test func observedPropertiesOfEqualPathsShowOneValue() throws {
      let viewModel = ParentViewModel(scheduler: StepScheduler())
      defer { viewModel.clear() }
      let properties = (0..<2).map { _ in
        viewModel.slice(\.fixed, ParentAction.fixed).observedProperty(\.name, set: FormAction.setName)
      }
      properties[0].value = "written"
      #expect(properties[1].value == "written" && viewModel.currentState.fixed.name == "")
    }

    @MainActor @Test func observedPropertiesOfRowsAreTheirOwn() throws {
      viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
      let rows = try [1, 2, 1].map { id in
        try #require(slice(ofRow: id))
      }
      let names = rows.map { $0.observedProperty(\.name, set: FormAction.setName) }
      names[1].value = "two"
      #expect(names.map(\.value) == ["", "two", ""])
      #expect(viewModel.currentState.rows[1].name == "two")
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

    // contract 3.7: also if both have read a row with an equal id at another index
    @MainActor @Test func aRowIsThatOfItsOwnViewModel() throws {
      let viewModels = (0..<2).map { _ in ParentViewModel() }
      for (number, viewModel) in viewModels.enumerated() {
        let rows = [Form(id: 1, name: "first of \(number)"), Form(id: 2, name: "second of \(number)")]
        viewModel.execute(.setRows(number == 0 ? rows : rows.reversed()))
      }
      for _ in 0..<2 {
        let names = viewModels.map { viewModel in
          (1...2).map { id in viewModel.slice(\.rows, id: id, { .row(id, $0) })?.observed.name }
        }
        #expect(names == [["first of 0", "second of 0"], ["first of 1", "second of 1"]])
        for viewModel in viewModels { viewModel.execute(.setRows(viewModel.currentState.rows.reversed())) }
      }
    }

    @MainActor @Test func onlyRowsThatChangeAreNotified() throws {
      viewModel.execute(.setRows((1...5).map { Form(id: $0) }))
      let viewModel = viewModel
      let readers = (0...5).map { id in
        Reader { viewModel.slice(\.rows, id: id, { .row(id, $0) })?.observed.name }
      }
      func counts() -> [Int] { readers.map(\.values.count) }
      viewModel.execute(.setRows([Form(id: 9)] + viewModel.currentState.rows))
      #expect(counts() == [1, 1, 1, 1, 1, 1])
      viewModel.execute(.row(3, .setName("three")))
      #expect(readers[3].values.last == "three")
      viewModel.execute(.setRows(viewModel.currentState.rows.reversed()))
      viewModel.execute(.setRows([Form(id: 0, name: "zero")] + viewModel.currentState.rows.filter { $0.id != 5 }))
      #expect(readers[0].values.last == "zero")
      #expect(readers[5].values.last == .some(nil))
      #expect(readers[1].values.count == 1)
    }

    @MainActor @Test func aRowOfAnOptionalPartIsNotified() throws {
      let viewModel = HouseViewModel(scheduler: ImmediateScheduler())
      let row = Reader {
        viewModel.slice(\.garage, HouseAction.garage)?
          .slice(\.rows, id: 7, GarageAction.seventh)?.observed.name
      }
      viewModel.execute(.garage(.fill))
      #expect(row.values.last == "")
      viewModel.execute(.garage(.row(7, .setName("seven"))))
      #expect(row.values.last == "seven")
      viewModel.execute(.close)
      #expect(row.values.last == .some(nil))
    }
  #endif
}
