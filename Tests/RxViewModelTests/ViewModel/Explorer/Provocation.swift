@testable import TestSupport

/// The points at which user code runs inside the view model's own work.
enum CallbackPoint: CaseIterable {
  case executionMode, showSpinner, createObservable, subscribe, mapper, dispose, stateMapper, handleError
  case loading, state, made, error, failedWith, waiting, started, emitted, completed, failed, cancelled, dropped

  /// Those that an action reaches without another one in its lane, except `dropped`.
  static let allCases: [CallbackPoint] = [
    .executionMode, .showSpinner, .createObservable, .subscribe, .mapper, .dispose, .stateMapper, .handleError,
    .loading,
    .state, .made, .error, .failedWith, .started, .emitted, .completed, .failed, .cancelled, .dropped,
  ]
}

extension LogEntry {
  /// The callback that receives this event, and its action, or -1 if the stream does not name it.
  var point: (CallbackPoint, Int)? {
    switch self {
    case .loading: (.loading, -1)
    case .state: (.state, -1)
    case .made(let action, _): (.made, action)
    case .error(let action): (.error, action)
    case .failedWith(let action): (.failedWith, action)
    case .waiting(let action): (.waiting, action)
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

/// Moves that are made from inside a callback, an override, a mapper or a dispose action, at its first call.
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

  /// Returns the moves to make at this point, or nil.
  func met(at point: CallbackPoint, _ action: Int) -> [Move]? {
    guard point == self.point, action == self.action || action == -1 else { return nil }
    return isDue.exchange(for: false) ? moves : nil
  }

  var hasHappened: Bool { !isDue.value }

  var description: String { "inside \(point) of \(action): \(moves)" }
}
