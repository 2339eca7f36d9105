import RxViewModelRecording

// In a replay no timer fires because time has passed.

extension VirtualTime {
  /// Runs the next piece of work that the effect of a recorded action has scheduled. Nil stands for any work or, without a view model, for
  /// that of no effect. Returns false if there is none.
  func runNext(of model: Int, _ action: Int?) -> Bool {
    runFirst { work in
      guard let action else { return model != Entry.noModel || work.origin == nil }
      return work.origin?.model == model && work.origin?.action == action
    }
  }

  /// Runs the work that was scheduled without a delay. Returns false if more waits after `limit` pieces of work.
  func runUndelayed(limit: Int) -> Bool {
    for _ in 0..<limit {
      guard runFirst(where: { !$0.isTimer }) else { return true }
    }
    return false
  }
}
