import RxViewModel
import RxViewModelRecording

/// Draws a run of `explore`: what enters the view models that are made in its context, with actions and states as text.
///
/// Every view model in its context is on the thread of the run, so the steps are in their order.
final class Drawing: Sendable {
  private struct State {
    var steps: [@Sendable (inout Picture) -> Void] = []
    var models = 0
    var isOver = false
  }

  private let state = Lock(State())

  /// Makes the taps of the view models that it draws.
  var maker: TapMaker {
    TapMaker(draws: true) { [self] action, type in
      let model = state.withLock { state in
        state.models += 1
        return state.models
      }
      draw { $0.models[model] = ("\(action), \(type)", "") }
      return DrawingTap(self, model)
    }
  }

  /// Begins another run of the test, which is drawn behind the runs so far.
  func begin(_ order: String) {
    state.withLock { $0.isOver = false }
    note("choice", order)
  }

  /// Ends the drawing, because the test has failed or is over.
  func end() { state.withLock { $0.isOver = true } }

  var table: [String] { picture("").table }

  func picture(_ title: String) -> Picture {
    var picture = Picture(title)
    for step in state.withLock({ $0.steps }) { step(&picture) }
    return picture
  }

  /// Adds a step of the test, or of an effect.
  func note(_ kind: String, _ label: String, of origin: (any WorkOrigin)? = nil) {
    draw { $0.add(kind, model: origin?.model, actions: origin.map { [$0.action] } ?? [], label: label) }
  }

  /// Adds that the server of a request handles it.
  func handle(_ label: String) { draw { $0.addToServer(label) } }

  /// Adds a step. It makes texts of values only with the picture, because an engine calls this under its lock.
  fileprivate func draw(_ step: @escaping @Sendable (inout Picture) -> Void) {
    state.withLock { if !$0.isOver { $0.steps.append(step) } }
  }
}

private final class DrawingTap: EngineTap {
  private let drawing: Drawing
  private let model: Int
  /// The origins of the view model's own actions.
  private let origins: Lock<[UInt64: any WorkOrigin]> = Lock([:])

  init(_ drawing: Drawing, _ model: Int) {
    (self.drawing, self.model) = (drawing, model)
  }

  func open<State: Sendable>(_ initial: State) -> State {
    add("model")
    fold(initial)
    return initial
  }

  func close() { add("end") }

  func accept(_ id: UInt64) {
    if let origin = Taps.origin { origins.withLock { $0[id] = origin } }
  }

  // The ends say that actions are cancelled, and why.
  func cancel(_ ids: [UInt64], isInside: Bool, after states: UInt64?) -> Bool { true }

  func wait(_ id: UInt64, _ cause: ExecutionCause) { note(.waits, id, cause) }
  func start(_ id: UInt64, _ cause: ExecutionCause?) { note(.starts, id, cause) }

  func end(_ id: UInt64, _ outcome: Outcome) {
    switch outcome {
    case .completed: note(.completed, id)
    case .failed(let error, _), .joined(let error?, _): note(.failed(logText(of: error)), id)
    case .joined(nil, let other): note(.joined, id, .joined(other))
    case .cancelled(let cause): note(.cancelled, id, cause)
    case .dropped(let cause): note(.dropped, id, cause)
    }
  }

  private func note(_ phase: Picture.Phase, _ id: UInt64, _ cause: ExecutionCause? = nil) {
    drawing.draw { [model] in $0.note(phase, cause, model: model, action: Int(truncatingIfNeeded: id)) }
  }

  func take(_ input: TappedInput, in state: any AnyObject & Sendable, after states: UInt64) {
    switch input {
    case .action(let id, let action, _, _, isOver: _):
      let origin = origins.withLock { $0.removeValue(forKey: id) }
      add(origin == nil ? "action" : "own", [id], action, origin)
    case .event(let id): add("event", [id])
    case .flush(let lane): add("flush", [], lane)
    case .resume: add("resume")
    case .pause: add("pause")
    }
  }

  func fold<State: Sendable>(_ state: State) {
    drawing.draw { [model] in $0.show(StateText(of: state), of: model) }
  }

  func origin(of id: UInt64) -> any WorkOrigin { PlayedEffect(model: model, number: Int(truncatingIfNeeded: id)) }

  private func add(
    _ kind: String, _ actions: [UInt64] = [], _ action: (any Sendable)? = nil, _ origin: (any WorkOrigin)? = nil
  ) {
    drawing.draw { [model] in
      $0.add(
        kind, model: model, actions: actions.map { Int(truncatingIfNeeded: $0) },
        origin: origin.map { ($0.model, $0.action) }, label: action.map { logText(of: $0) } ?? "")
    }
  }
}
