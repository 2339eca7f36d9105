import RxViewModelRecording

/// Finds what the recording has for a call of the test, and the call that gets a recorded answer.
///
/// A call of a service waits until its answer is played, and a subscription to a stream until the end. A reading, and the first element of a
/// stream, come immediately, from the entries that aren't played: from `past` while the effect begins again, else from `readings` and
/// `openings`, which lose what has been used.
struct ReplayCalls {
  /// What makes a call: its effect, if it is known, and whether that begins again.
  typealias Caller = (effect: PlayedEffect?, isFrozen: Bool)
  /// Gets an answer or an element. Nil ends a call.
  typealias Receive = @Sendable (Entry?) -> Void
  typealias Listener = (key: CallKey, effect: PlayedEffect?, receive: Receive)

  private var waiting: [Listener] = []
  /// The newest comes first. Older ones may have been disposed.
  private var subscriptions: [Listener] = []
  /// What effects that begin again get immediately, by the key of the first call: the newest answer or reading of the head, or the newest
  /// element and the end of a stream. Without the questions that the recording answers later.
  private var past: [CallKey: [Entry]]
  /// The count of the newest call, by the key of the first one.
  private var counts: [CallKey: Int]
  private var readings: [Entry]
  private var openings: [Entry]

  /// - Parameters:
  ///   - head: The entries before `begin`.
  ///   - played: The entries from `begin` on.
  init(head: ArraySlice<Entry>, played: ArraySlice<Entry>) {
    var past: [CallKey: [Entry]] = [:]
    for entry in head where ![.element, .latest, .completed, .failed].contains(entry.kind) {
      guard let call = entry.call, call.action != nil else { continue }
      past[call.first] = (entry.kind == .closing ? past[call.first] ?? [] : []) + [entry]
    }
    counts = past.compactMapValues { $0.last?.call?.count }
    for entry in played where entry.isAnswer || entry.kind == .open {
      if let call = entry.call { past[call.first] = nil }
    }
    self.past = past
    readings = played.filter { $0.kind == .value }
    openings = played.filter(\.isOpening)
  }

  // MARK: Calls of the test

  /// Lets a call wait for its answer, unless its effect begins again and has had the answer before: returns that.
  mutating func ask(_ question: String, _ caller: Caller, _ receive: @escaping Receive) -> Entry? {
    let (key, known) = next(question, caller)
    if known.isEmpty { waiting.append((key, caller.effect, receive)) }
    return known.first
  }

  /// Returns the recorded value. Nil if there is none.
  mutating func read(_ question: String, _ caller: Caller) -> Entry? {
    let (key, known) = next(question, caller)
    if caller.isFrozen { return known.first }
    return bestFit(of: key, in: readings.map(\.call)).map { readings.remove(at: $0) }
  }

  /// Adds a subscription, and returns the elements, and the end, that it gets immediately.
  mutating func subscribe(_ name: String, _ caller: Caller, _ receive: @escaping Receive) -> [Entry] {
    let (key, known) = next(name, caller, isStream: true)
    subscriptions.insert((key, caller.effect, receive), at: 0)
    if !known.isEmpty {
      // A subscription that the effect makes after the end gets another one.
      past[key.first]?.removeAll(where: \.kind.isEnd)
      return known
    }
    // Another subscription's first element is not this one's.
    let isOwn = { (entry: Entry) in entry.call?.fit(key).map { $0 <= .sameQuestion } == true }
    defer { openings.removeAll(where: isOwn) }
    return openings.filter(isOwn)
  }

  /// The key of the next call with this question. If the effect has made it before the recording begins: that call, and what it got.
  private mutating func next(_ question: String, _ caller: Caller, isStream: Bool = false) -> (CallKey, [Entry]) {
    let action = caller.effect.flatMap { $0.action == 0 ? nil : $0.action }
    let first = CallKey(model: caller.effect?.model ?? Entry.noModel, action: action, question: question)
    if action == nil { return (first, []) }
    var key = first
    key.count = (counts[first] ?? 0) &+ 1
    if let known = past[first], let call = known.last?.call {
      // A timer may make the subscription whose event was waiting where the recording begins.
      let isWaited =
        isStream && call.count == counts[first] && !subscriptions.contains { $0.key == call }
        && !openings.contains { $0.call == key }
      if caller.isFrozen || isWaited { return (call, known) }
    }
    counts[first] = key.count
    return (key, [])
  }

  // MARK: Entries of the recording

  /// Returns the call that an answer ends, or the subscription that gets an element or its end. Nil if there is none.
  ///
  /// - Parameter isLast: Whether no timer will bring that call: another one with the question in the effect gets the answer then.
  mutating func listener(to entry: Entry, isLast: Bool) -> Listener? {
    guard let key = entry.call else { return nil }
    // What the effect asks from now on comes after this call.
    if isLast { counts[key.first] = max(counts[key.first] ?? 0, key.count) }
    let (isCall, worst) = (entry.isAnswer, isLast ? CallKey.Fit.sameEffect : .sameQuestion)
    let index = bestFit(of: key, in: (isCall ? waiting : subscriptions).map(\.key), worst: worst)
    return index.map { isCall ? waiting.remove(at: $0) : subscriptions[$0] }
  }

  /// The index of the first call that fits best, and not worse than `worst`.
  private func bestFit(of key: CallKey, in calls: [CallKey?], worst: CallKey.Fit = .sameEffect) -> Int? {
    let fits = calls.indices.compactMap { index in calls[index]?.fit(key).map { (index, $0) } }
    return fits.filter { $0.1 <= worst }.min { $0.1 < $1.1 }?.0
  }

  /// Drops the subscriptions, and returns the calls that wait.
  mutating func end() -> [Listener] {
    defer { (waiting, subscriptions) = ([], []) }
    return waiting
  }
}
