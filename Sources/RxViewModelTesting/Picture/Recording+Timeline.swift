import RxViewModel
public import RxViewModelRecording

extension Recording {
  /// Draws the recording as one HTML file, which loads nothing from elsewhere: the page of the inspector, with steps in place of times.
  ///
  /// It has a row for each action, with what has come for it, and with the changes of the states that the recording has. `picture:` of a
  /// failing ``RxViewModelTesting/replay(_:allowingDepartures:shrinking:picture:file:line:_:)`` draws all changes. O(n) in the number of
  /// entries.
  public func timeline() -> String { picture.page }

  /// The recording as text, at most 100 characters wide: a row for each entry, with a column for each action, and the changes of the states
  /// that the recording has. From the fifth action on, the actions share a column.
  ///
  /// So does the failure of a ``RxViewModelTesting/replay(_:allowingDepartures:shrinking:picture:file:line:_:)``, with all changes. O(n) in
  /// the number of entries.
  public func table() -> String { picture.table.joined(separator: "\n") }

  private var picture: Picture {
    var picture = Picture(entries: count)
    for entry in entries {
      picture.add(entry)
      if let lines = entry.stateLines { picture.show(StateText(recorded: lines), of: entry.model) }
    }
    return picture
  }
}

extension Picture {
  init(entries count: Int) {
    self.init("Recording of \(count) \(count == 1 ? "entry" : "entries")")
  }

  /// Adds an entry without its state.
  mutating func add(_ entry: Entry) {
    if entry.kind == .model { models[entry.model] = (entry.modelName, entry.string(6) ?? "") }
    if entry.kind == .state { return }
    add(
      entry.kind.rawValue, time: entry.kind == .model ? nil : entry.time,
      model: entry.kind == .begin ? nil : entry.model,
      actions: entry.lanes, origin: entry.cause.map { ($0[0], $0[1]) }, label: entry.label)
  }
}
