import RxViewModel
import RxViewModelTesting
import SwiftUI
import Testing

/// The articles' SwiftUI views, with the parts that the stub of SwiftUI reads from its views.
// contract 3.5
@MainActor struct SwiftUIAppTests {
  private let scheduler = TestScheduler()
  private let plants = MutableProperty([Plant(id: 1, name: "Basil"), Plant(id: 2, name: "Mint")])

  private func makeApp() -> (GardenApp, SwiftUI.Screen<GardenWindow>) {
    let app = GardenApp(plants: plants, makeScheduler: { [scheduler] in scheduler }, delete: { _ in })
    return (app, SwiftUI.Screen(GardenWindow(app: app)))
  }

  private func open(_ name: String, on screen: SwiftUI.Screen<GardenWindow>) {
    screen.tap(name)
    scheduler.run()
    #expect(screen.lines.first == "<")
  }

  @Test func aPushedScreenShowsItsPlantUntilItIsDeleted() {
    let (app, screen) = makeApp()
    let list = ["[Basil]", "Watered: off", "[Mint]", "Watered: off"]
    #expect(screen.lines == list)
    open("Basil", on: screen)
    #expect(screen.lines == ["<", "Basil", "[Move]", "[Delete]"])
    screen.swipeBack()
    #expect(screen.lines == list)
    open("Basil", on: screen)
    screen.tap("Delete")
    scheduler.run()
    #expect(screen.lines == ["[Mint]", "Watered: off"])
    withExtendedLifetime(app) {}
  }

  @Test func aRowWritesItsOwnField() {
    let (app, screen) = makeApp()
    screen.toggle("Watered", at: 1)
    // The row shows the edit at once, before its action has run.
    #expect(screen.lines == ["[Basil]", "Watered: off", "[Mint]", "Watered: on"])
    scheduler.run()
    #expect(plants.value.map(\.isWatered) == [false, true])
    withExtendedLifetime(app) {}
  }

  @Test func aSheetAnswersOrIsSwipedAway() {
    let (app, screen) = makeApp()
    open("Basil", on: screen)
    for isAnswered in [false, true] {
      screen.tap("Move")
      scheduler.run()
      #expect(screen.lines.last == "^ [Balcony]")
      if isAnswered { screen.tapInSheet("Balcony") } else { screen.dismissSheet() }
      scheduler.run()
      #expect(screen.lines.last == "[Delete]")
      #expect(plants.value[0].spot == (isAnswered ? .balcony : .window))
    }
    withExtendedLifetime(app) {}
  }

  // contract 6.7
  @Test func aSheetWhoseRequestIsCancelledIsDismissed() {
    let (app, screen) = makeApp()
    open("Basil", on: screen)
    for isPresented in [false, true, false, true] {
      screen.tap("Move")
      scheduler.run()
      // SwiftUI may not have presented the sheet when the request ends. There is no `onDismiss` then.
      if isPresented { #expect(screen.lines.last == "^ [Balcony]") }
      for case .plant(let viewModel) in app.path { viewModel.cancelActions { $0 == .chooseSpot } }
      scheduler.run()
      #expect(screen.lines.last == "[Delete]")
    }
    screen.tap("Move")
    scheduler.run()
    screen.tapInSheet("Balcony")
    scheduler.run()
    #expect(plants.value[0].spot == .balcony)
    withExtendedLifetime(app) {}
  }

  // contract 6.2: a route waits while its observer's owner is paused.
  @Test func theNextSheetWaitsUntilThisOneIsGone() {
    let (app, screen) = makeApp()
    for id in 1...2 { app.garden.execute(.open(id)) }
    scheduler.run()
    for case .plant(let viewModel) in app.path { viewModel.execute(.chooseSpot) }
    scheduler.run()
    #expect(screen.lines.last == "^ [Balcony]")
    app.sheet?.reply.send(.balcony)
    scheduler.run()
    // The first sheet is still on screen.
    #expect(app.sheet == nil)
    #expect(plants.value.map(\.spot) == [.balcony, .window])
    #expect(screen.lines.last == "^ [Balcony]")
    #expect(app.sheet != nil)
    screen.dismissSheet()
    scheduler.run()
    #expect(screen.lines.last == "[Delete]")
    #expect(plants.value.map(\.spot) == [.balcony, .window])
  }

  // contract 3.7
  @Test func aPlaylistShowsItsRowsAndItsSheet() throws {
    let open = Playlist.State(
      id: 7, name: "Road", tracks: [TrackRow.State(id: 1, title: "Sea"), TrackRow.State(id: 2, title: "Sand")])
    let viewModel = LibraryViewModel(
      LibraryViewModel.State(names: [7: "Road"], playlist: open),
      playlist: Playlist(nameForm: NameForm { $0 }, trackRow: TrackRow { _ in }), scheduler: scheduler)
    let playlist = try #require(viewModel.slice(\.playlist, LibraryViewModel.Action.playlist))
    let screen = SwiftUI.Screen(PlaylistView(playlist: playlist))
    #expect(screen.lines == ["Road", "[Rename]", "Sea", "[Download]", "Sand", "[Download]"])
    screen.tap("Rename")
    scheduler.run()
    #expect(screen.lines.last == "^ Name: Road | [Save]")
    screen.type("", into: "Name")
    #expect(screen.lines.last == "^ Name:  | [Save]")
    scheduler.run()
    #expect(screen.lines.last == "^ Name:  | (Save)")
    screen.type("Hills", into: "Name")
    scheduler.run()
    screen.tapInSheet("Save")
    scheduler.run()
    screen.tap("Download")
    scheduler.run()
    #expect(screen.lines == ["Hills", "[Rename]", "Sea", "(Download)", "Sand", "(Download)"])
    screen.tap("Rename")
    scheduler.run()
    screen.dismissSheet()
    scheduler.run()
    #expect(viewModel.currentState.playlist?.destination == nil)
    #expect(screen.lines.last == "(Download)")
    // The content stays while the sheet is being dismissed.
    #expect(screen.dismissedSheet == ["Name: Hills", "[Save]"])
  }

  @Test func aStackInTheStateFollowsTheUser() {
    let viewModel = StackViewModel(scheduler: scheduler)
    let screen = SwiftUI.Screen(StackView(viewModel: viewModel))
    screen.tap("Product 1")
    scheduler.run()
    #expect(screen.lines == ["<", "[Reviews of 1]"])
    screen.swipeBack()
    #expect(screen.lines == ["[Product 1]"])
    scheduler.run()
    #expect(viewModel.currentState.path.isEmpty)
  }
}
