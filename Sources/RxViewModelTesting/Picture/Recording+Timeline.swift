import RxViewModel
public import RxViewModelRecording

extension Recording {
  /// Draws the recording as one HTML file, which loads nothing from elsewhere.
  ///
  /// The page has a lane for each action, over the order of the entries. At each step, which the arrow keys choose, it shows the entries
  /// and the states that the recording has: the first one of each view model, and the newest. `picture:` of a failing
  /// ``RxViewModelTesting/replay(_:tolerant:shrinking:picture:file:line:_:)`` draws all states. O(n) in the number of entries.
  public func timeline() -> String {
    picture().page
  }

  /// - Parameters:
  ///   - states: The states of a replay, with the position of the entry behind which they came. Nil stands for the recorded ones.
  ///   - failing: The position of the entry at which a test fails.
  package func picture(
    states: [(entry: Int, model: Int, lines: [String])]? = nil, failing: Int? = nil, failure: String? = nil
  ) -> Picture {
    var picture = Picture("Recording of \(count) \(count == 1 ? "entry" : "entries")")
    picture.failure = failure
    var steps: [Int?] = []
    for entry in entries {
      if entry.kind == .model { picture.name(entry.model, entry.modelName) }
      if entry.kind != .state {
        picture.add(
          entry.kind.rawValue, time: entry.kind == .model ? nil : entry.time,
          model: entry.kind == .middle || entry.kind == .begin ? nil : entry.model, actions: entry.lanes,
          origin: entry.origin.map { ($0[0], $0[1]) },
          isInput: entry.isTaken && entry.kind != .gone || entry.kind == .model, label: entry.label, lines: [entry.text]
        )
      }
      if states == nil, let lines = entry.stateLines { picture.show(lines, of: entry.model) }
      steps.append(picture.last)
    }
    for state in states ?? [] { picture.show(state.lines, of: state.model, at: steps[state.entry]) }
    picture.failing = failing.flatMap { steps.indices.contains($0) ? steps[$0] : nil }
    return picture
  }
}
