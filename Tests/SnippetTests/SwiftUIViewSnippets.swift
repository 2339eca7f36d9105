// The views of the article on a SwiftUI app, word for word. `SnippetTests` compares the two.
import RxViewModel

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
        Text(viewModel.observed.tips.joined(separator: "\n"))
        Button("Move") { viewModel.execute(.chooseSpot) }
        Button("Delete", role: .destructive) { viewModel.execute(.delete) }
        if viewModel.activity.isLoading { ProgressView() }
      }
      .onAppear { viewModel.execute(.load) }
      .alert("That did not work", isPresented: Bindable(viewModel.activity).hasFailure) {
        Button("Try again") { viewModel.activity.failure?.retry() }
        Button("Cancel", role: .cancel) {}
      } message: {
        Text(viewModel.activity.failure.map { "\($0.error)" } ?? "")
      }
    }
  }
#endif
