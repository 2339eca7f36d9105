import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private struct EndingRow: Feature {
  struct State: Sendable, Equatable, Identifiable {
    let id: Int
    var isDone = false
  }

  enum Action: Sendable { case fail, touch, wait, follow }

  /// How often a row has been looked at.
  let looks: Locked<Int>
  let answer: PublishSubject<Void>

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .fail: .error(TestError())
    case .touch: .unchanged()
    case .wait: answer.mutate { state, _ in state.isDone = true }
    case .follow: answer.mutate { state, _ in state.isDone = true }.then(.touch, on: context)
    }
  }

  func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .fail, .touch: .parallel
    case .wait, .follow: .join("answer")
    }
  }

  func identity(of state: State) -> AnyHashable? {
    looks.increment()
    return state.id
  }
}

// contract 2.19
struct RowEndTests {
  private enum Act: Sendable {
    case row(Int, EndingRow.Action)
    /// Answers inside the view model's own work, so that an answer and its end are one event.
    case answer
  }

  private let looks = Locked(0)
  private let answer = PublishSubject<Void>()

  /// A list of rows. One that is done is removed.
  private func list(_ count: Int) -> ClosureViewModel<Act, [EndingRow.State]> {
    ClosureViewModel((0..<count).map { EndingRow.State(id: $0) }, scheduler: ImmediateScheduler()) {
      [answer] _, action in
      if case .answer = action {
        answer.onNext(())
        answer.onCompleted()
      }
      return .unchanged()
    } overrides: {
      $0.child = { [looks, answer] _, action in
        guard case .row(let id, let action) = action else { return nil }
        return ChildAction<Act, [EndingRow.State]>(
          EndingRow(looks: looks, answer: answer), action, at: \.self, id: id, as: { .row(id, $0) }
        )
        .updating { $0.removeAll(where: \.isDone) }
      }
      $0.diagnose = { _, _ in }
    }
  }

  // One that has joined another ends with it, also if that one is followed by an action.
  @Test(arguments: [false, true]) func aRowThatIsRemovedByTheEndOfItsActionEndsThoseThatHaveJoinedIt(isFollowed: Bool) {
    let list = list(1)
    let ends = list.executionObservable.map { step -> String? in
      switch step.phase {
      case .completed: "\(step.id) completed"
      case .cancelled: "\(step.id) cancelled"
      default: nil
      }
    }.test()
    for _ in 0..<2 { list.execute(.row(0, isFollowed ? .follow : .wait)) }
    list.execute(.answer)
    #expect(list.currentState == [])
    #expect(ends.values.compactMap(\.self).prefix(2) == ["1 completed", "2 completed"])
  }

  #if canImport(Observation)
    // contract 3.7
    @MainActor
    @Test func aDismissedFailureIsNoMoreLookedAt() {
      let list = list(100)
      for id in 0..<100 {
        let slice = list.slice(\.self, id: id) { .row(id, $0) }
        slice?.execute(.fail)
        #expect(slice?.activity.hasFailure == true)
        slice?.activity.hasFailure = false
      }
      looks.mutate { $0 = 0 }
      list.execute(.row(0, .touch))
      #expect(looks.value < 50)
    }
  #endif
}
