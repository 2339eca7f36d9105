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
    case wait(Int)
    case set([Int])
    case addElsewhere(Int)
  }

  private enum CounterAction: Sendable {
    case add, addElsewhere, wait
  }

  private struct CounterFeature: Feature {
    func createObservable(_ action: CounterAction, context: FeatureContext<Self>) -> Observable<StateMapper<Counter>> {
      let birth = context.state.birth
      let add: Observable<StateMapper<Counter>> = .mutate { $0.strangers += $0.birth == birth ? 0 : 1 }
      return switch action {
      case .add: add
      case .addElsewhere: add.observe(on: DispatchQueue.global())
      case .wait: .never()
      }
    }
  }

  private final class Counters: RxViewModel<Action, [Counter]>, @unchecked Sendable {  // Sendable: it stores one `let`.
    private let births = Locked(0)

    override func createInitialState() -> [Counter] { [] }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .add, .wait, .addElsewhere: .handledByChild()
      case .set(let ids):
        .mutate { [births] rows in
          rows = ids.map { id in
            rows.first { $0.id == id }
              ?? Counter(
                id: id,
                birth: births.mutate {
                  $0 += 1
                  return $0
                })
          }
        }
      }
    }

    override func child(for action: Action) -> ChildAction<Action, [Counter]>? {
      func row(_ id: Int, _ action: CounterAction) -> ChildAction<Action, [Counter]> {
        .init(CounterFeature(), action, at: \.self, id: id, as: { _ in .add(id) })
      }
      return switch action {
      case .add(let id): row(id, .add)
      case .addElsewhere(let id): row(id, .addElsewhere)
      case .wait(let id): row(id, .wait)
      case .set: nil
      }
    }

    override func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {}
  }

  @Test func nothingOfARemovedRowStays() async {
    let viewModel = Counters()
    let loading = viewModel.isLoadingObservable { if case .wait = $0 { true } else { false } }.test()
    await race(threads: 4) { thread in
      for round in 0..<200 {
        switch thread {
        case 0: viewModel.execute(.set((0..<8).filter { ($0 + round) % 3 != 0 }))
        case 1: viewModel.execute(.wait(round % 8))
        case 2: viewModel.execute(.add(round % 8))
        default: viewModel.execute(.addElsewhere(round % 8))
        }
      }
    }
    viewModel.execute(.set([]))
    // Each action that waits for a row has ended with the row.
    #expect(await eventually { viewModel.unfinishedActions?.isEmpty == true && loading.lastValue == false })
    withExtendedLifetime(viewModel) {}
  }

  @Test func aMapperChangesTheChildThatItWasMadeForOnly() async {
    let viewModel = Counters()
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

  @Test func theViewModelMayBeReleasedWhileItsChildrenAreAtWork() async {
    let lifetimes = Lifetimes()
    for round in 0..<100 {
      let object = lifetimes.make()
      let viewModel = Counters()
      viewModel.execute(.set([1, 2, 3]))
      viewModel.execute(.wait(round % 3 + 1))
      viewModel.execute(.addElsewhere(2))
      _ = viewModel.stateObservable.subscribe { (_: [Counter]) in object.touch() }
    }
    #expect(await onThread { lifetimes.waitForNone() })
  }
}
