import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias Action = Levels.Action

// contract 2.19: children at three levels come, go and are replaced while eight threads execute actions
@Suite(.serialized) struct LevelRaceTests {

  private func makeScreen(_ object: Lifetimes.Object, _ contexts: Locked<[Levels.FormContext]>) -> Levels.Screen {
    Levels.Screen { script in
      script.form = { name, context in
        object.touch()
        if name == "keep" {
          contexts.mutate { $0 = Array(($0 + [context]).suffix(8)) }
          return .never()
        }
        let text: Levels.FormEffect = .mutate { form in
          form.text = name
          context.output("told")
          context.execute(.set("further"))
        }
        return name == "later" ? text.observe(on: DispatchQueue.global()).then(.set("after"), on: context) : text
      }
      script.formMode = .switchLatest("form")
      script.detail = { _, context in context.output("detail") }
    }
  }

  private static func act(
    on screen: Levels.Screen, _ thread: Int, _ round: Int, _ contexts: Locked<[Levels.FormContext]>
  ) {
    let form = Levels.Form(id: round % 3, text: "\(round)")
    switch (thread, round % 4) {
    case (0, 0): screen.execute(.show(nil))
    case (0, _): screen.execute(.show(Levels.Detail(destination: .edit(form), tags: [form])))
    case (1, 0): screen.execute(.detail(.show(nil)))
    case (1, 1): screen.execute(.detail(.show(.alert(form))))
    case (1, _): screen.execute(.detail(.show(.edit(form))))
    case (2, 0): screen.execute(.setRows([]))
    case (2, _): screen.execute(.setRows((0..<4).map { Levels.Form(id: ($0 + round) % 5) }))
    case (3, let kind): screen.execute(.edit(.run(["now", "later", "keep", "later"][kind])))
    case (4, let kind): screen.execute(.row(round % 5, .run(["now", "later", "keep", "later"][kind])))
    case (5, 0): screen.cancelActions { if case .row = $0 { true } else { false } }
    case (5, _): screen.execute(.detail(.tag(round % 3, .run("later"))), mode: .sequence)
    case (6, _): for context in contexts.value { context.execute(.set("kept")) }
    default: for context in contexts.value { context.output("kept") }
    }
  }

  @Test func eachAcceptedActionEndsOnceAndNothingLeaks() async {
    let lifetimes = Lifetimes()
    do {
      let contexts = Locked<[Levels.FormContext]>([])
      let screen = makeScreen(lifetimes.make(), contexts)
      let ends = Locked<[UInt64: Int]>([:])
      let subscription = screen.executionObservable.subscribe(onNext: { execution in
        switch execution.phase {
        case .waiting, .started, .emitted: break
        case .completed, .failed, .cancelled, .dropped: ends.mutate { $0[execution.id, default: 0] += 1 }
        }
      })
      await race(threads: 8) { thread in
        for round in 0..<300 { Self.act(on: screen, thread, round, contexts) }
      }
      // The children go, and with them everything that waits.
      screen.execute(.show(nil))
      screen.execute(.setRows([]))
      #expect(await eventually { screen.unfinishedActions?.isEmpty == true })
      let counts = ends.value
      #expect(counts.values.allSatisfy { $0 == 1 })
      // The engine numbers the actions without a gap.
      #expect(counts.keys.max().map { UInt64(counts.count) == $0 } == true)
      #expect(screen.currentState.detail == nil && screen.currentState.rows.isEmpty)
      subscription.dispose()
    }
    #expect(await onThread { lifetimes.waitForNone() })
  }

  @Test func theViewModelMayBeReleasedWhileItsChildrenAreAtWork() async {
    let lifetimes = Lifetimes()
    for _ in 0..<30 {
      let contexts = Locked<[Levels.FormContext]>([])
      let screen = Locked<Levels.Screen?>(makeScreen(lifetimes.make(), contexts))
      await race(threads: 4) { thread in
        for round in 0..<20 {
          if thread == 0, round == 15 { screen.mutate { $0 = nil } }
          guard let screen = screen.value else { return }
          Self.act(on: screen, [0, 3, 4, 6][thread], round, contexts)
        }
      }
    }
    #expect(await onThread { lifetimes.waitForNone() })
  }
}

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
