import RxViewModel

public enum DraftAction: Sendable, Equatable {
  case edit(String)
  /// The draft executes this itself, after each edit. After a failure, the user may.
  case save
}

public struct DraftState: Sendable, Equatable {
  public var text = ""
  public var message: String?
}

/// A draft that saves itself.
///
/// [decocms/studio 7147](https://github.com/decocms/studio/pull/7147): I went on typing during a save. My last words went from the screen,
/// or they stayed and had never been saved.
///
/// A save begins when the user pauses, and an edit cancels the save that runs. But a save that is on its way can't be taken back: the older
/// one may reach the server last, and stay.
public class DraftSaving: RxViewModel<DraftAction, DraftState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let save: @Sendable (String) async throws -> String

  /// - Parameter save: Stores a text, and returns it as the server has stored it.
  public init(scheduler: (any Scheduler)? = nil, save: @escaping @Sendable (String) async throws -> String) {
    self.save = save
    super.init(initialState: DraftState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: DraftAction) -> Effect {
    switch action {
    case .edit(let text): return .mutate { $0.text = text }.then(.save, on: self)
    case .save:
      let (save, text) = (save, currentState.text)
      return Observable.task { try await save(text) }.mutate { $0 = DraftState(text: $1) }
    }
  }

  override public func executionMode(for action: DraftAction) -> ExecutionMode {
    action == .save ? .switchLatest("draft", after: .milliseconds(700)) : .parallel
  }

  override public func stateMapper(for error: any Error, action: DraftAction) -> StateMapper<DraftState>? {
    mutate { $0.message = "Not saved. Try again?" }
  }
}

/// The cure: no save overtakes another, and only the last one waits.
///
/// As no save is cancelled any more, its answer may come while the user types. The answer is as old as its request, so what the user has
/// typed since goes on top of it.
public final class CuredDraftSaving: DraftSaving, @unchecked Sendable {
  override public func executionMode(for action: DraftAction) -> ExecutionMode {
    action == .save ? .keepLatest("draft", after: .milliseconds(700)) : .parallel
  }

  override public func optimisticUpdate(for action: DraftAction) -> OptimisticUpdate<DraftState>? {
    action == .save ? .snapshot : nil
  }
}
