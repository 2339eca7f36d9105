// The several screens of the page *One screen in SwiftUI*, word for word. `SnippetTests` compares the two. The rest of its code is the sample Books.
import Observation
import RxViewModel
import RxViewModelTesting
import Testing

import struct RxViewModel.Observable

// MARK: The app's data

nonisolated enum Spot: Sendable {
  case window
  case balcony
}

nonisolated struct Plant: Sendable, Hashable, Identifiable {
  let id: Int
  let name: String
  var isWatered = false
  var spot = Spot.window
}

nonisolated extension [Plant] {
  subscript(id id: Plant.ID) -> Plant? {
    get { first { $0.id == id } }
    set {
      guard let index = firstIndex(where: { $0.id == id }) else { return }
      if let newValue { self[index] = newValue } else { remove(at: index) }
    }
  }
}

nonisolated enum GardenRoute: Sendable, Equatable {
  case plant(Plant.ID)
  case close(Plant.ID)
  case pickSpot(Reply<Spot>)
}

// MARK: The list

nonisolated enum GardenAction: Sendable, Equatable {
  case open(Plant.ID)
  case setWatered(Plant.ID, Bool)
}

nonisolated struct GardenState: Sendable, Equatable {
  var plants: [Plant] = []
}

final class GardenViewModel: RxViewModel<GardenAction, GardenState>, @unchecked Sendable {
  private let plants: MutableProperty<[Plant]>
  private let navigator: Navigator<GardenRoute>

  init(
    plants: MutableProperty<[Plant]>, navigator: Navigator<GardenRoute>, scheduler: (any Scheduler)? = nil
  ) {
    (self.plants, self.navigator) = (plants, navigator)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> GardenState { GardenState() }

  override func createSources() -> [Effect] {
    [plants.asObservable().mutate { $0.plants = $1 }]
  }

  override func createObservable(_ action: GardenAction) -> Effect {
    switch action {
    case .open(let id): navigator.navigate(.plant(id))
    case .setWatered(let id, let isWatered): plants.update { $0[id: id]?.isWatered = isWatered }
    }
    return .unchanged()
  }
}

// MARK: A pushed screen

nonisolated enum PlantAction: Sendable, Equatable {
  case chooseSpot
  case delete
}

nonisolated struct PlantState: Sendable, Equatable {
  var plant: Plant?
}

final class PlantViewModel: RxViewModel<PlantAction, PlantState>, @unchecked Sendable {
  let id: Plant.ID
  private let plants: MutableProperty<[Plant]>
  private let delete: @Sendable (Plant.ID) async throws -> Void
  private let navigator: Navigator<GardenRoute>

  init(
    of id: Plant.ID, in plants: MutableProperty<[Plant]>, navigator: Navigator<GardenRoute>,
    scheduler: (any Scheduler)? = nil, delete: @escaping @Sendable (Plant.ID) async throws -> Void
  ) {
    (self.id, self.plants, self.navigator, self.delete) = (id, plants, navigator, delete)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> PlantState { PlantState() }

  override func createSources() -> [Effect] {
    let id = id
    return [plants.asObservable().mutate { $0.plant = $1[id: id] }]
  }

  override func createObservable(_ action: PlantAction) -> Effect {
    let (id, plants, delete, navigator) = (id, plants, delete, navigator)
    switch action {
    case .chooseSpot:
      return navigator.request { .pickSpot($0) }
        .do(onNext: { spot in plants.update { $0[id: id]?.spot = spot } })
        .ignoreElements()
    case .delete:
      return Observable.task { try await delete(id) }
        // On the main actor: the row and the screen disappear in one turn of it.
        .observe(on: scheduler)
        .do(onNext: { _ in
          plants.update { $0[id: id] = nil }
          navigator.navigate(.close(id))
        })
        .ignoreElements()
    }
  }

  override func executionMode(for action: PlantAction) -> ExecutionMode { .dropWhileBusy("user") }

  override func showSpinner(_ action: PlantAction) -> Bool { action == .delete }
}

// MARK: The app

/// A screen on the path, with its view model.
nonisolated enum GardenScreen: Hashable {
  case plant(PlantViewModel)
}

nonisolated extension PlantViewModel: Hashable {
  static func == (left: PlantViewModel, right: PlantViewModel) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

nonisolated struct SpotSheet: Identifiable {
  let reply: Reply<Spot>
  var id: Reply<Spot> { reply }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@Observation.Observable
final class GardenApp {
  let garden: GardenViewModel
  /// Releases removed screens only after the change: their requests end then, and the next route may change the path.
  var path: [GardenScreen] = [] { didSet { withExtendedLifetime(oldValue) {} } }
  /// The next route waits until this is nil and the screen shows no sheet.
  var sheet: SpotSheet? { didSet { holdRoutes() } }
  private var isSheetOnScreen = false { didSet { holdRoutes() } }
  private let plants: MutableProperty<[Plant]>
  private let delete: @Sendable (Plant.ID) async throws -> Void
  private let makeScheduler: () -> any Scheduler
  private let navigation = Navigation<GardenRoute>()
  private let lifecycle = Lifecycle()
  private let bag = DisposeBag()

  init(
    plants: MutableProperty<[Plant]>, makeScheduler: @escaping () -> any Scheduler = { MainScheduler() },
    delete: @escaping @Sendable (Plant.ID) async throws -> Void
  ) {
    (self.plants, self.makeScheduler, self.delete) = (plants, makeScheduler, delete)
    garden = GardenViewModel(plants: plants, navigator: navigation.navigator, scheduler: makeScheduler())
    navigation.observe(lifecycle) { [weak self] route in self?.show(route) }.disposed(by: bag)
    lifecycle.resume()
  }

  /// Opens a plant from a link, with the list below it.
  func open(_ id: Plant.ID) {
    (path, sheet) = ([], nil)
    show(.plant(id))
  }

  func sheetIsShown() { isSheetOnScreen = true }
  func sheetIsGone() { isSheetOnScreen = false }

  private func holdRoutes() {
    sheet == nil && !isSheetOnScreen ? lifecycle.resume() : lifecycle.pause()
  }

  private func show(_ route: GardenRoute) {
    switch route {
    case .plant(let id):
      let viewModel = PlantViewModel(
        of: id, in: plants, navigator: navigation.navigator, scheduler: makeScheduler(), delete: delete)
      path.append(.plant(viewModel))
    case .close(let id):
      path.removeAll { if case .plant(let viewModel) = $0 { viewModel.id == id } else { false } }
    case .pickSpot(let reply):
      sheet = SpotSheet(reply: reply)
      // The request is over: the user has answered it, or its action has been cancelled.
      _ = reply.ended.bind { [weak self, weak reply] in
        guard let reply, self?.sheet?.reply == reply else { return }
        self?.sheet = nil
      }
    }
  }
}

// MARK: A form with many fields

nonisolated struct Address: Sendable, Equatable {
  var name = ""
  var street = ""
  var city = ""
}

nonisolated enum AddressAction: Sendable, Equatable {
  case edit(Address)
  case save
}

nonisolated struct AddressState: Sendable, Equatable {
  var address = Address()
}

final class AddressViewModel: RxViewModel<AddressAction, AddressState>, @unchecked Sendable {
  override func createInitialState() -> AddressState { AddressState() }

  override func createObservable(_ action: AddressAction) -> Effect {
    switch action {
    case .edit(let address): .mutate { $0.address = address }
    case .save: .unchanged()
    }
  }
}

// MARK: - Tests

@MainActor
struct SwiftUIAppSnippetTests {
  private let plants = MutableProperty([Plant(id: 1, name: "Basil"), Plant(id: 2, name: "Mint")])

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func makeApp(on scheduler: (any Scheduler)? = nil) -> GardenApp {
    GardenApp(plants: plants, makeScheduler: { scheduler ?? MainScheduler() }, delete: { _ in })
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func topScreen(of app: GardenApp) throws -> PlantViewModel {
    switch try #require(app.path.last) {
    case .plant(let viewModel): viewModel
    }
  }

  // contract 2.2, 3.5
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func twoScreensOnTheMainSchedulerShowTheSameMoment() throws {
    let app = makeApp()
    app.garden.execute(.open(1))
    let screen = try topScreen(of: app)
    let (list, detail) = (app.garden.observed, screen.observed)
    for isWatered in [true, false, true] {
      app.garden.execute(.setWatered(1, isWatered))
      #expect(list.plants[id: 1]?.isWatered == isWatered)
      #expect(detail.plant?.isWatered == isWatered)
    }
    withExtendedLifetime(app) {}
  }

  // contract 2.2, 3.5
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func theRowAndTheScreenDisappearAtTheSameMoment() async throws {
    for _ in 0..<20 {
      plants.value = [Plant(id: 1, name: "Basil")]
      let app = makeApp()
      let list = app.garden.observed
      app.garden.execute(.open(1))
      try topScreen(of: app).execute(.delete)
      let end = ContinuousClock.now.advanced(by: .seconds(20))
      while !app.path.isEmpty, ContinuousClock.now < end {
        // Each turn of the main actor is a moment at which SwiftUI may draw.
        #expect(list.plants.count == 1)
        await Task.yield()
      }
      #expect(app.path.isEmpty && list.plants.isEmpty)
      withExtendedLifetime(app) {}
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aScreenThatLeavesThePathIsReleased() throws {
    let app = makeApp()
    app.garden.execute(.open(1))
    app.garden.execute(.open(2))
    weak let second = try topScreen(of: app)
    #expect(second?.id == 2)
    // The user swipes back.
    app.path.removeLast()
    #expect(second == nil)
    #expect(try topScreen(of: app).id == 1)
    app.open(2)
    #expect(try topScreen(of: app).id == 2)
    #expect(app.path.count == 1)
  }

  // contract 6.7: no window shows the sheets.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aSheetThatNeverAppearsHoldsNoRouteAfterItsRequest() throws {
    let scheduler = TestScheduler()
    let app = makeApp(on: scheduler)
    app.garden.execute(.open(1))
    scheduler.run()
    let plant = try topScreen(of: app)
    for spot in [Spot.balcony, .window] {
      plant.execute(.chooseSpot)
      scheduler.run()
      plant.cancelActions { $0 == .chooseSpot }
      scheduler.run()
      #expect(app.sheet == nil)
      plant.execute(.chooseSpot)
      scheduler.run()
      try #require(app.sheet).reply.send(spot)
      scheduler.run()
      #expect(app.sheet == nil)
      #expect(plants.value[0].spot == spot)
    }
    plant.execute(.chooseSpot)
    scheduler.run()
    app.open(2)
    scheduler.run()
    try topScreen(of: app).execute(.chooseSpot)
    scheduler.run()
    #expect(app.sheet != nil)
  }

  // contract 6.7: the path releases a screen that waits for an answer, and another route waits behind the sheet.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(arguments: ["open", "swipe", "remove all"]) func aRequestMayEndWithItsScreen(by way: String) throws {
    let scheduler = TestScheduler()
    let app = makeApp(on: scheduler)
    app.open(1)
    try topScreen(of: app).execute(.chooseSpot)
    app.garden.execute(.open(2))
    scheduler.run()
    #expect(app.sheet != nil && app.path.count == 1)
    switch way {
    case "open": app.open(1)
    case "swipe": app.path.removeLast()
    default: app.path.removeAll()
    }
    scheduler.run()
    #expect(app.sheet == nil)
    #expect(app.path.contains { if case .plant(let plant) = $0 { plant.id == 2 } else { false } })
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct GardenWindow: View {
    let app: GardenApp

    var body: some View {
      NavigationStack(path: Bindable(app).path) {
        GardenView(viewModel: app.garden)
          .navigationDestination(for: GardenScreen.self) { screen in
            switch screen {
            case .plant(let viewModel): PlantView(viewModel: viewModel)
            }
          }
      }
      .sheet(item: Bindable(app).sheet, onDismiss: app.sheetIsGone) { sheet in
        Button("Balcony") { sheet.reply.send(.balcony) }
          .onAppear(perform: app.sheetIsShown)
      }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct GardenView: View {
    let viewModel: GardenViewModel

    var body: some View {
      List(viewModel.observed.plants) { plant in
        HStack {
          Button(plant.name) { viewModel.execute(.open(plant.id)) }
          if let row = viewModel.slice(\.plants, id: plant.id, { (action: GardenAction) in action }) {
            Toggle("Watered", isOn: row.binding(\.isWatered) { .setWatered(plant.id, $0) })
          }
        }
        .buttonStyle(.borderless)
      }
      .animation(.default, value: viewModel.observed.plants)
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct PlantView: View {
    let viewModel: PlantViewModel

    var body: some View {
      Form {
        Text(viewModel.observed.plant?.name ?? "")
        Button("Move") { viewModel.execute(.chooseSpot) }
        Button("Delete", role: .destructive) { viewModel.execute(.delete) }
        if viewModel.activity.isLoading { ProgressView() }
      }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct AddressForm: View {
    let viewModel: AddressViewModel

    var body: some View {
      let address = viewModel.binding(\.address, set: AddressAction.edit)
      Form {
        TextField("Name", text: address.name)
        TextField("Street", text: address.street)
        TextField("City", text: address.city)
        Button("Save") { viewModel.execute(.save) }
      }
    }
  }
#endif
