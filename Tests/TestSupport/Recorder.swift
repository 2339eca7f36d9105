import RxViewModel

/// Records a subscription's events, and the faults: a call during another call, a call after the end.
final class Recorder<Element: Sendable>: ObserverType {
  private struct State {
    var elements: [Element] = []
    var ends: [String] = []
    var isInside = false
    var faults: [String] = []
  }

  private let state = Locked(State())
  private let react: @Sendable (Event<Element>) -> Void

  /// - Parameter react: called with each event after the recorder has recorded it.
  init(_ react: @escaping @Sendable (Event<Element>) -> Void = { _ in }) {
    self.react = react
  }

  func on(_ event: Event<Element>) {
    state.mutate { state in
      if state.isInside { state.faults.append("called during a call") }
      if !state.ends.isEmpty { state.faults.append("called after the end") }
      state.isInside = true
      switch event {
      case .next(let element): state.elements.append(element)
      case .error: state.ends.append("error")
      case .completed: state.ends.append("completed")
      }
    }
    react(event)
    state.mutate { $0.isInside = false }
  }

  var elements: [Element] { state.value.elements }
  /// `completed`, `error` or nil.
  var end: String? { state.value.ends.first }
  /// Empty if the subscription has kept contract 1.1 and 1.2.
  var faults: [String] { state.value.faults }
}

extension Recorder<Int> {
  /// The elements without the negative ones, which an operator or a source adds.
  var sent: [Int] { elements.filter { $0 >= 0 } }
}
