import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.19
@Suite(.serialized) struct ChildRaceTests {
  private struct Counter: Sendable, Identifiable {
    let id: Int
    /// A number that no other child has.
    var birth = 0
    /// The number of mappers made for another child that have changed this one.
    var strangers = 0
  }

  private enum Action: Sendable {
    case add(Int)
    case set([Int])
    case addElsewhere(Int)
  }

  private enum CounterAction: Sendable {
    case add, addElsewhere
  }

  private struct CounterFeature: Feature {
    func createObservable(_ action: CounterAction, context: FeatureContext<Self>) -> Observable<StateMapper<Counter>> {
      let birth = context.state.birth
      let add: Observable<StateMapper<Counter>> = .mutate { $0.strangers += $0.birth == birth ? 0 : 1 }
      return switch action {
      case .add: add
      case .addElsewhere: add.observe(on: DispatchQueue.global())
      }
    }
  }

  private func counters() -> ClosureViewModel<Action, [Counter]> {
    let births = Locked(0)
    return ClosureViewModel([]) { _, action in
      guard case .set(let ids) = action else { return .handledByChild() }
      return .mutate { rows in
        rows = ids.map { id in
          rows.first { $0.id == id } ?? Counter(id: id, birth: births.increment())
        }
      }
    } overrides: {
      $0.child = { _, action in
        func row(_ id: Int, _ action: CounterAction) -> ChildAction<Action, [Counter]> {
          .init(CounterFeature(), action, at: \.self, id: id, as: { _ in .add(id) })
        }
        return switch action {
        case .add(let id): row(id, .add)
        case .addElsewhere(let id): row(id, .addElsewhere)
        case .set: nil
        }
      }
    }
  }

  @Test func aMapperChangesTheChildThatItWasMadeForOnly() async {
    let viewModel = counters()
    let strangers = viewModel.stateObservable.map { $0.reduce(0) { $0 + $1.strangers } }.distinctUntilChanged().test()
    await race(threads: 3) { thread in
      for round in 0..<2_000 {
        switch thread {
        case 0: viewModel.execute(.set(round.isMultiple(of: 2) ? [1] : []))
        case 1: viewModel.execute(.addElsewhere(1))
        default: viewModel.execute(.add(1))
        }
      }
    }
    #expect(await eventually { viewModel.unfinishedActions?.isEmpty == true })
    #expect(viewModel.currentState.isEmpty)
    #expect(strangers.values == [0])
    withExtendedLifetime(viewModel) {}
  }
}
