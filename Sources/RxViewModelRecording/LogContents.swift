/// What a ``LogState`` has at one moment, to be read without its lock.
struct LogContents: Sendable {
  struct Model: Sendable {
    let number: Int
    let start: Int
    let isOver: Bool
    let checkpoints: [Checkpoint]
    let unfinished: [KeptEntry]
  }

  let ring: [KeptEntry]
  let base: Int
  let oldest: Int
  let end: Int
  let models: [Model]
  /// The calls without an answer.
  let open: [KeptEntry]

  /// The entries of a recording:
  ///
  /// 1. If entries were dropped, for each older view model what it had where it rested first behind the gap. One that hasn't rested since
  ///    then has no state, and its unfinished actions instead: its entries are for looking at. Then `begin`.
  /// 2. The entries of the ring that the test can play, with the states between them.
  /// 3. The calls without an answer.
  var recorded: [KeptEntry] { recorded(from: oldest) }

  /// The recordings that begin with everything, and at each checkpoint behind which every view model has one.
  var excerpts: [[KeptEntry]] {
    let places = models.flatMap { $0.checkpoints.map(\.place) }.filter { place in
      place > oldest && place < end
        && models.allSatisfy { $0.isOver || $0.start >= place || $0.checkpoints.contains { $0.place >= place } }
    }
    return ([oldest] + Set(places).sorted()).map(recorded)
  }

  private func recorded(from oldest: Int) -> [KeptEntry] {
    // For each view model, the number of the first entry that the recording has of it.
    var (entries, firsts, states) = ([KeptEntry](), [Entry.noModel: oldest], [(place: Int, entry: KeptEntry)]())
    for model in models {
      let points = model.checkpoints.filter { $0.place >= oldest }
      firsts[model.number] = max(model.start, oldest)
      for (index, point) in points.enumerated() where point.state.value is any Codable {
        if index == 0 || points[index - 1].box !== point.box { states.append((point.place, point.state)) }
      }
      if model.start >= oldest { continue }
      if let point = points.first {
        firsts[model.number] = point.place
        entries += point.head
      } else if model.isOver {
        firsts[model.number] = .max
      } else {
        entries += model.unfinished
      }
    }
    if oldest > 0 { entries.append(begin(oldest)) }
    states.sort { $0.place > $1.place }
    // Whether the test has the effect.
    let isPlayed = { (model: Int, action: Int, place: Int) in action <= 0 || place >= firsts[model] ?? .max }
    for place in oldest..<end {
      while let next = states.last, next.place <= place { entries.append(states.removeLast().entry) }
      let entry = ring[(place - base) % ring.count]
      guard let first = firsts[entry.model], place >= first else { continue }
      if let effect = entry.call?.effect, !isPlayed(effect.model, effect.action, effect.place) { continue }
      // The test doesn't play an effect from before the beginning, so what it has executed is an action from elsewhere.
      let hasCause = entry.cause.map { isPlayed($0.model, $0.action, $0.place) } ?? true
      entries.append(hasCause ? entry : entry.changed(to: .action))
    }
    // Without marks, a replay would let the effects act by themselves.
    if oldest == 0, entries.contains(where: \.kind.reachesEffect), !entries.contains(where: \.kind.isMark) {
      entries.insert(begin(0), at: 0)
    }
    return entries + states.reversed().map(\.entry) + open.sorted { $0.time < $1.time }
  }

  private func begin(_ place: Int) -> KeptEntry { KeptEntry(.begin, model: 0) { _ in ["\(place)"] } }
}
