import RxViewModelRecording

/// Brings the calls of the test and the entries of the recording together: first come, first served for each question of an effect.
///
/// A call waits for its answer, which is delivered where it stands. An answer whose call hasn't come waits for it. A reading, and what a
/// stream sends at its subscription, are found wherever they stand.
struct ReplayCalls {
  /// Gets an answer or an element. Nil ends a call.
  typealias Receive = @Sendable (Entry?) -> Void
  typealias Listener = (key: CallKey, effect: PlayedEffect?, receive: Receive)

  private var waiting: [Listener] = []
  /// The newest comes first. Older ones may have been disposed.
  private var subscriptions: [Listener] = []
  /// The count of the newest call, by the key of the first one.
  private var counts: [CallKey: Int] = [:]
  /// The values, with their places in the recording.
  private var readings: [(place: Int, entry: Entry)]
  /// The place of `begin`, or 0.
  private let headCount: Int
  /// The view models before `begin`, until that has been reached: they find only what stands there, too.
  private var headModels: Set<Int>
  /// The answers that wait for their calls.
  var early: [Entry]

  /// - Parameter headCount: The number of entries before `begin`.
  init(_ entries: [Entry], headCount: Int, _ headModels: Set<Int>) {
    (self.headCount, self.headModels) = (headCount, headModels)
    readings = entries.enumerated().filter { $0.element.kind == .value }.map { ($0.offset, $0.element) }
    early = entries[..<headCount].filter(\.isAnswer)
  }

  /// Forgets what stands before `begin`: the sources have begun again with it.
  mutating func dropHead() {
    readings.removeAll { $0.place < headCount }
    (early, headModels) = ([], [])
  }

  // MARK: Calls of the test

  /// The key of the next call with this question.
  private mutating func key(_ question: String, _ effect: PlayedEffect?) -> CallKey {
    let action = effect?.number == 0 ? nil : effect?.number
    var key = CallKey(model: effect?.model ?? Entry.noModel, action: action, question: question)
    counts[key, default: 0] &+= 1
    key.count = counts[key.first]!
    return key
  }

  /// Lets a call wait for its answer, unless that has come already: returns it.
  mutating func ask(_ question: String, _ effect: PlayedEffect?, _ receive: @escaping Receive) -> Entry? {
    let key = key(question, effect)
    if let index = bestFit(of: key, in: early.lazy.map(\.call), worst: .sameEffect) { return early.remove(at: index) }
    waiting.append((key, effect, receive))
    return nil
  }

  /// Returns the recorded value. Nil if there is none.
  mutating func read(_ question: String, _ effect: PlayedEffect?) -> Entry? {
    bestFit(of: key(question, effect), in: readable(by: effect)).map { readings.remove(at: $0).entry }
  }

  /// Adds a subscription, and returns the elements that it gets immediately.
  mutating func subscribe(_ name: String, _ effect: PlayedEffect?, _ receive: @escaping Receive) -> [Entry] {
    let key = key(name, effect)
    subscriptions.insert((key, effect, receive), at: 0)
    // Another subscription's elements are not this one's. What begins again doesn't know how many there were.
    let worst: CallKey.Fit = headCount > 0 && key.action ?? -1 < 0 ? .sameEffect : .same
    guard let index = bestFit(of: key, in: readable(by: effect), worst: worst) else { return [] }
    let call = readings[index].entry.call
    defer { readings.removeAll { $0.entry.call == call } }
    return readings.map(\.entry).filter { $0.call == call }
  }

  private func readable(by effect: PlayedEffect?) -> some RandomAccessCollection<CallKey?> {
    let end = headModels.contains(effect?.model ?? Entry.noModel) ? headCount : .max
    return readings.lazy.map { $0.place < end ? $0.entry.call : nil }
  }

  // MARK: Entries of the recording

  /// Returns the call that an answer ends, or the subscription that gets an element or its end. Nil if there is none.
  mutating func listener(to entry: Entry) -> Listener? {
    guard let key = entry.call else { return nil }
    if entry.isAnswer, let index = bestFit(of: key, in: waiting.lazy.map { $0.key }) {
      return waiting.remove(at: index)
    }
    return entry.kind == .answer
      ? nil : bestFit(of: key, in: subscriptions.lazy.map { $0.key }).map { subscriptions[$0] }
  }

  /// The index of the first call that fits best.
  private func bestFit(
    of key: CallKey, in calls: some RandomAccessCollection<CallKey?>, worst: CallKey.Fit = .sameQuestion
  ) -> Int? {
    var best: (index: Int, fit: CallKey.Fit)?
    for (index, call) in calls.enumerated() {
      guard let fit = call?.fit(key), fit <= worst, best.map({ fit < $0.fit }) ?? true else { continue }
      if fit == .same { return index }
      best = (index, fit)
    }
    return best?.index
  }

  /// Drops the subscriptions, and returns the calls that wait.
  mutating func end() -> [Listener] {
    defer { (waiting, subscriptions) = ([], []) }
    return waiting
  }
}
