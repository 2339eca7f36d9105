import RxViewModel

/// Draws what the view models take that are made in its context, with actions and states as text: a run of `explore`.
///
/// Every view model in its context is on the thread of the run, so the steps are in their order.
package final class Drawing: TapMaker {
  private struct State {
    var picture = Picture("")
    var models = 0
    var isOver = false
  }

  private let state = Lock(State())

  package init() {}

  package static var current: Drawing? { Taps.maker as? Drawing }

  package func tap(_ action: Any.Type, _ type: Any.Type) -> (any EngineTap)? {
    let model = state.withLock { state in
      state.models += 1
      state.picture.name(state.models, "\(action), \(type)")
      return state.models
    }
    return DrawingTap(self, model)
  }

  /// The test has failed, or is over: what follows is not drawn.
  package func end() {
    state.withLock { $0.isOver = true }
  }

  package func picture(_ order: String, _ failure: String) -> Picture {
    var picture = state.withLock { $0.picture }
    picture.title = "Failing order \"\(order)\""
    (picture.failure, picture.failing) = (failure, picture.last)
    return picture
  }

  /// Adds a step of the test, or of an effect.
  package func note(_ kind: String, _ label: String, of origin: (any WorkOrigin)? = nil) {
    draw { $0.add(kind, model: origin?.model, actions: origin.map { [$0.action] } ?? [], isInput: false, label: label) }
  }

  fileprivate func draw(_ body: (inout Picture) -> Void) {
    state.withLock { if !$0.isOver { body(&$0.picture) } }
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

  func open<State>(_ state: State, isFollowed: Bool) -> State {
    if isFollowed { fold(state) } else { add("model", []) }
    return state
  }

  func close() { add("end", []) }

  func accept(_ id: UInt64) {
    if let origin = Taps.origin { origins.withLock { $0[id] = origin } }
  }

  func rest() {}
  func send(_ id: UInt64) {}

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    if !running.isEmpty { add("cancel", running) }
    return true
  }

  func take(_ input: TappedInput, later: @escaping @Sendable () -> Void) -> Bool {
    switch input {
    case .action(let id, let action, _, _, isCancelled: true): add("gone", [id], logText(of: action))
    case .action(let id, let action, _, _, _):
      let origin = origins.withLock { $0.removeValue(forKey: id) }
      add(origin == nil ? "action" : "own", [id], logText(of: action), origin)
    case .event(let id): add("event", [id])
    case .quiet(let id): add("quiet", [id])
    case .resume: add("resume", [])
    case .pause: add("pause", [])
    case .failure: add("failure", [])
    case .call: add("call", [])
    }
    return true
  }

  func end(_ id: UInt64) {}

  func fold(_ state: Any) {
    let text = logText(of: state)
    drawing.draw { $0.show(text, of: model) }
  }

  func origin(of id: UInt64) -> any WorkOrigin {
    EffectOrigin(model: model, action: Int(truncatingIfNeeded: id))
  }

  private func add(_ kind: String, _ actions: [UInt64], _ label: String = "", _ origin: (any WorkOrigin)? = nil) {
    let origin = origin.map { ($0.model, Optional($0.action)) }
    drawing.draw {
      $0.add(
        kind, model: model, actions: actions.map { Int(truncatingIfNeeded: $0) }, origin: origin,
        isInput: !["cancel", "gone", "end"].contains(kind), label: label)
    }
  }
}
