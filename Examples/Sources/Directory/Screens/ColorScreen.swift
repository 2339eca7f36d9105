import DirectoryScreens
import RxViewModel

final class ColorScreen: Screen {
  private let viewModel: ColorViewModel

  init(_ viewModel: ColorViewModel, _ outbox: Outbox, path: String) {
    self.viewModel = viewModel
    super.init(viewModel, outbox, path: path)
    show(viewModel.stateObservable.map { ColorsView(colors: $0.colors, current: $0.current) }, of: viewModel) {
      outbox.send(.colors(view: $0))
    }
  }

  override func receive(_ action: PageAction) -> Bool {
    guard case .pick(let color) = action else { return false }
    viewModel.execute(.pick(color))
    return true
  }
}
