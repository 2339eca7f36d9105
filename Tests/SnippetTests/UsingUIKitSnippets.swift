// Code of the page *One screen in UIKit and AppKit*, word for word. `SnippetTests` compares the two. The rest of its code is the sample Books.
import RxViewModel
import Testing

@testable import TestSupport

// MARK: A screen that is not always visible

@MainActor
final class CounterScreen {
  private(set) var text = ""
  private(set) var alerts: [String] = []
  private let viewModel: CounterViewModel
  private let lifecycle = Lifecycle()
  private let bag = DisposeBag()

  init(_ viewModel: CounterViewModel) {
    // Nothing else holds it.
    self.viewModel = viewModel
    // As long as the screen lives.
    viewModel.stateObservable.map { "\($0)" }.bind(to: self, \.text).disposed(by: bag)
    // While the screen is visible.
    viewModel.errorObservable.asLiveEvents(viewModel)
      .observe(lifecycle) { [weak self] error in self?.alerts.append("\(error)") }
      .disposed(by: bag)
  }

  func appear() { lifecycle.resume() }
  func disappear() { lifecycle.pause() }
}

@MainActor
struct BindingSnippetTests {
  @Test func theScreenShowsTheCount() {
    let viewModel = CounterViewModel(scheduler: ImmediateScheduler())
    let screen = CounterScreen(viewModel)
    screen.appear()
    #expect(screen.text == "0")
    viewModel.execute(.increment)
    #expect(screen.text == "1")
    screen.disappear()
    #expect(screen.alerts.isEmpty)
  }
}

// MARK: Other controls

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import UIKit

  extension UIStepper {
    var steps: Observable<Double> { values { $0.value } }
  }
#endif
