/// Where code of the user's runs inside the view model's own work.
enum CallbackPoint: CaseIterable {
  case executionMode, showSpinner, createObservable, subscribe, mapper, dispose, stateMapper, handleError
  case loading, state, made, error, failedWith, started, emitted, completed, failed, cancelled, dropped
}

extension LogEntry {
  /// In which callback it is, and of which action: -1 where the stream does not say.
  var point: (CallbackPoint, Int)? {
    switch self {
    case .loading: (.loading, -1)
    case .state: (.state, -1)
    case .made(let action, _): (.made, action)
    case .error(let action): (.error, action)
    case .failedWith(let action): (.failedWith, action)
    case .started(let action): (.started, action)
    case .emitted(let action, _): (.emitted, action)
    case .completed(let action, _): (.completed, action)
    case .failed(let action): (.failed, action)
    case .cancelled(let action): (.cancelled, action)
    case .dropped(let action): (.dropped, action)
    case .end: nil
    }
  }
}

/// Moves made from inside a callback, an override, a mapper or a dispose: the first time that it is reached.
final class Provocation: Sendable, CustomStringConvertible {
  let point: CallbackPoint
  let action: Int
  let moves: [Move]
  private let isDue = Locked(true)

  init(_ point: CallbackPoint, of action: Int, _ moves: [Move]) {
    self.point = point
    self.action = action
    self.moves = moves
  }

  /// The moves that are to be made now.
  func met(at point: CallbackPoint, _ action: Int) -> [Move]? {
    guard point == self.point, action == self.action || action == -1 else { return nil }
    return isDue.mutate { isDue in
      defer { isDue = false }
      return isDue ? moves : nil
    }
  }

  var hasHappened: Bool { !isDue.value }

  var description: String { "inside \(point) of \(action): \(moves)" }
}
