import RxViewModel

/// A form without an identity.
struct PlainForm: Sendable {
  var name = "the name in the form"
  var note = "a note, which is longer than the name"
  var list = [1, 2, 3]
  var number = 0
}

/// A form, or a row.
struct IdentifiedForm: Sendable, Identifiable, Equatable {
  let id: Int
  var name = "the name in the form"
  var note = "a note, which is longer than the name"
  var number = 0
}

struct AddToPlain: Feature {
  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<PlainForm>> {
    .mutate { $0.number += action }
  }
}

struct AddToIdentified: Feature {
  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<IdentifiedForm>> {
    action == 0 ? .never() : .mutate { $0.number += action }
  }
}

struct ParentState: Sendable {
  var wide = WideState()
  var plain: PlainForm? = PlainForm()
  var identified: IdentifiedForm? = IdentifiedForm(id: 0)
  var rows = (0..<1_000).map { IdentifiedForm(id: $0) }
}

enum ParentAction: Sendable {
  /// For the parts of the state by hand.
  case plain, identified
  case row(Int)
  case plainForm(Int)
  case identifiedForm(Int)
  case rowForm(Int, Int)
}

// Sendable: it stores nothing.
final class ParentViewModel: RxViewModel<ParentAction, ParentState>, @unchecked Sendable {
  override func createInitialState() -> ParentState { ParentState() }

  override func child(for action: ParentAction) -> ChildAction<ParentAction, ParentState>? {
    switch action {
    case .plainForm(let number): .init(AddToPlain(), number, at: \.plain, as: ParentAction.plainForm)
    case .identifiedForm(let number):
      .init(AddToIdentified(), number, at: \.identified, as: ParentAction.identifiedForm)
    case .rowForm(let id, let number): .init(AddToIdentified(), number, at: \.rows, id: id, as: { .rowForm(id, $0) })
    case .plain, .identified, .row: nil
    }
  }

  override func createObservable(_ action: ParentAction) -> Effect {
    switch action {
    case .plain: .mutate { $0.plain?.number += 1 }
    case .identified: .mutate { $0.identified?.number += 1 }
    case .row(let id):
      .mutate { state in
        if let index = state.rows.firstIndex(where: { $0.id == id }) { state.rows[index].number += 1 }
      }
    case .plainForm, .identifiedForm, .rowForm: .handledByChild()
    }
  }
}

/// Actions of children against the same mappers in the parent, by hand.
func children() -> [Workload] {
  func workload(
    _ name: String, count: Int = 200_000, goal: Double?, _ byHand: @escaping (Int) -> ParentAction,
    _ action: @escaping (Int) -> ParentAction, _ sum: @escaping (ParentState) -> Int, isBusy: Bool = false
  ) -> Workload {
    func run(_ action: (Int) -> ParentAction, _ count: Int) -> Int {
      let viewModel = ParentViewModel(scheduler: ImmediateScheduler())
      if isBusy { for id in 0..<1_000 { viewModel.execute(.rowForm(id, 0)) } }
      for number in 0..<count { viewModel.execute(action(number)) }
      return sum(viewModel.currentState)
    }
    return Workload(
      name: "child: \(name), against by hand", count: count, expected: { $0 }, goal: goal,
      contenders: [
        Contender(name: Workload.limit) { run(byHand, $0) }, Contender(name: Workload.ours) { run(action, $0) },
      ])
  }
  let sumOfRows: (ParentState) -> Int = { $0.rows.reduce(0) { $0 + $1.number } }
  return [
    workload("an optional one", goal: 3, { _ in .plain }, { _ in .plainForm(1) }, { $0.plain!.number }),
    workload(
      "an Identifiable one", goal: 3, { _ in .identified }, { _ in .identifiedForm(1) }, { $0.identified!.number }),
    workload(
      "one of 1,000 rows", count: 20_000, goal: 1.2, { .row($0 * 7 % 1_000) }, { .rowForm($0 * 7 % 1_000, 1) },
      sumOfRows),
    workload(
      "one of 1,000 busy rows", count: 20_000, goal: 1.2, { .row($0 * 7 % 1_000) }, { .rowForm($0 * 7 % 1_000, 1) },
      sumOfRows, isBusy: true),
  ]
}
