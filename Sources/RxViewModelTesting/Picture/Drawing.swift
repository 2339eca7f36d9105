import RxViewModel

/// Draws a run of `explore`: what enters the view models that are made in its context, with actions and states as text.
///
/// Every view model in its context is on the thread of the run, so the steps are in their order.
package final class Drawing: Sendable {
  private struct State {
    var steps: [@Sendable (inout Picture) -> Void] = []
    var models = 0
    var isOver = false
  }

  private let state = Lock(State())

  package init() {}

  @TaskLocal package static var current: Drawing?

  fileprivate func tap(_ action: Any.Type, _ type: Any.Type) -> any EngineTap {
    let model = state.withLock { state in
      state.models += 1
      return state.models
    }
    let name = "\(action), \(type)"
    draw { $0.name(model, name) }
    return DrawingTap(self, model)
  }

  /// Calls `body`, and draws what it does.
  package func drawing<Result>(_ body: () -> Result) -> Result {
    Self.$current.withValue(self) { Taps.$maker.withValue(TapMaker { self.tap($0, $1) }, operation: body) }
  }

  /// Begins another run of the test, which is drawn behind the runs so far.
  package func begin(_ order: String) {
    state.withLock { $0.isOver = false }
    note("choice", order)
  }

  /// Ends the drawing, because the test has failed or is over.
  package func end() {
    state.withLock { $0.isOver = true }
  }

  package func picture(_ order: String, _ failure: String) -> Picture {
    var picture = Picture("Failing order \"\(order)\"")
    for step in state.withLock({ $0.steps }) { step(&picture) }
    (picture.failure, picture.failing) = (failure, picture.last)
    return picture
  }

  /// Adds a step of the test, or of an effect.
  package func note(_ kind: String, _ label: String, of origin: (any WorkOrigin)? = nil) {
    let (model, actions) = (origin?.model, origin.map { [$0.action] } ?? [])
    draw { $0.add(kind, model: model, actions: actions, isInput: false, label: label) }
  }

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

  func open<State: Sendable>(_ state: State, isFollowed: Bool) -> State {
    if isFollowed { fold(state) } else { add("model", []) }
    return state
  }

  func close() { add("end", []) }

  func accept(_ id: UInt64) {
    if let origin = Taps.origin { origins.withLock { $0[id] = origin } }
  }

  var player: (any EnginePlayer)? { nil }
  func send(_ id: UInt64) {}
  func stop(_ batch: UInt64, at id: UInt64) {}
  func rest(in state: AnyObject) {}

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    if !running.isEmpty { add("cancel", running) }
    return true
  }

  func take(_ input: TappedInput, in state: AnyObject) {
    switch input {
    case .action(let id, let action, _, _, let isCancelled, _):
      let origin = origins.withLock { $0.removeValue(forKey: id) }
      add(isCancelled ? "gone" : origin == nil ? "action" : "own", [id], action, origin)
    case .other(let kind, let id): add(kind.rawValue, kind == .event || kind == .quiet ? [id] : [])
    }
  }

  func end(_ id: UInt64) {}

  func fold<State: Sendable>(_ state: State) {
    drawing.draw { [model] in $0.show(dumpLines(of: state), of: model) }
  }

  func origin(of id: UInt64) -> any WorkOrigin {
    PlayedOrigin(model: model, action: Int(truncatingIfNeeded: id))
  }

  private func add(
    _ kind: String, _ actions: [UInt64], _ action: (any Sendable)? = nil, _ origin: (any WorkOrigin)? = nil
  ) {
    drawing.draw { [model] in
      $0.add(
        kind, model: model, actions: actions.map { Int(truncatingIfNeeded: $0) },
        origin: origin.map { ($0.model, $0.action) },
        isInput: !["cancel", "gone", "end"].contains(kind), label: action.map { logText(of: $0) } ?? "")
    }
  }
}
