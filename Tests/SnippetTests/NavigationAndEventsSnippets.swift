// The code of *Navigation and one-off events* on routes, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// MARK: The stack as state

nonisolated enum StackAction: Sendable, Equatable {
  case open([StackRoute])
  case setPath([StackRoute])
}

nonisolated enum StackRoute: Sendable, Hashable {
  case product(Int)
  case reviews
}

nonisolated struct StackState: Sendable, Equatable {
  var path: [StackRoute] = []
}

final class StackViewModel: RxViewModel<StackAction, StackState>, @unchecked Sendable {
  override func createInitialState() -> StackState { StackState() }

  override func createObservable(_ action: StackAction) -> Effect {
    switch action {
    case .open(let routes): .mutate { $0.path += routes }
    // A swipe back, a long press on the back button.
    case .setPath(let path): .mutate { $0.path = path }
    }
  }
}

@MainActor
struct NavigationSnippetTests {

  @Test func theStackIsState() {
    let viewModel = StackViewModel(scheduler: ImmediateScheduler())
    viewModel.execute(.open([.product(1), .reviews]))
    viewModel.execute(.setPath([.product(1)]))
    #expect(viewModel.currentState.path == [.product(1)])
  }

  @Test func aPickerThatAnswers() {
    let scheduler = TestScheduler()
    let screens = TestNavigator<PaintRoute> { route in
      if case .pickInk(let reply) = route { reply.send(.blue) }
    }
    let viewModel = PaintViewModel(navigator: screens.navigator, scheduler: scheduler)
    viewModel.execute(.chooseInk)
    scheduler.advance()
    #expect(viewModel.currentState.ink == .blue)
  }
}

// MARK: Views

#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct StackView: View {
    let viewModel: StackViewModel

    var body: some View {
      NavigationStack(path: viewModel.binding(\.path, set: StackAction.setPath)) {
        Button("Product 1") { viewModel.execute(.open([.product(1)])) }
          .navigationDestination(for: StackRoute.self) { route in
            switch route {
            case .product(let number): Button("Reviews of \(number)") { viewModel.execute(.open([.reviews])) }
            case .reviews: Text("Reviews")
            }
          }
      }
    }
  }
#endif

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  final class PaintCoordinator: NSObject, UINavigationControllerDelegate {
    let navigation = Navigation<PaintRoute>()
    private let controller: UINavigationController
    private let lifecycle = Lifecycle()
    private let bag = DisposeBag()

    init(_ controller: UINavigationController) {
      self.controller = controller
      super.init()
      controller.delegate = self
      navigation.observe(lifecycle) { [weak self] route in self?.show(route) }.disposed(by: bag)
      lifecycle.resume()
    }

    private func show(_ route: PaintRoute) {
      lifecycle.pause()
      switch route {
      case .pickInk(let reply): controller.pushViewController(InkScreen(reply), animated: true)
      case .about, .settings: controller.pushViewController(UIViewController(), animated: true)
      }
    }

    func navigationController(
      _ controller: UINavigationController, didShow screen: UIViewController, animated: Bool
    ) {
      lifecycle.resume()
    }
  }

  final class InkScreen: UIViewController {
    private let reply: Reply<Ink>

    init(_ reply: Reply<Ink>) {
      self.reply = reply
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func pick(_ ink: Ink) {
      reply.send(ink)
      _ = navigationController?.popViewController(animated: true)
    }
  }
#endif
