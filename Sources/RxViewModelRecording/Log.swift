import Dispatch
import RxViewModel

/// The effect of an action that a recorder knows, with what the log notes of it.
final class EffectOrigin: WorkOrigin, @unchecked Sendable {  // Sendable: the lock of the log guards the variables.
  let model: Int
  let action: Int
  /// The calls so far, by question.
  var counts: [String: Int] = [:]
  /// The answers that wait for the effect to do something, with the tasks that have got them.
  var answers: [(task: Int?, line: String)] = []
  var isOver = false

  init(model: Int, action: Int) {
    (self.model, self.action) = (model, action)
  }
}

private var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

/// The entries of a recorder: a list that loses its oldest entries.
final class Log: Sendable {
  struct Line {
    let text: String
    let model: Int
    let kind: Entry.Kind

    var size: Int { text.utf8.count }
  }

  /// A moment at which all view models rested: no action was running, no input of their own waited, and no call was open.
  private struct Restart {
    /// The number of lines before it.
    let position: Int
    /// The lines of the view models with their states, the newest elements of the streams that they follow, and their resumed screens.
    let lines: [String]

    var size: Int { lines.reduce(0) { $0 + $1.utf8.count } }
  }

  private struct State {
    var lines: [Line] = []
    /// The number of lines that have been dropped.
    var dropped = 0
    /// The bytes of `lines`.
    var size = 0
    /// The digest of each view model's newest state.
    var digests: [Int: String] = [:]
    /// The lines of view models that stand in front of the others.
    var head: [Int: [String]] = [:]
    var isCut = false
    var restarts: [Restart] = []
    var taps: [Int: any RestingTap] = [:]
    var nextModel = 0
    var nextCall = 0
    var open: [Int: String] = [:]
    /// The effects with answers.
    var waiting: [EffectOrigin] = []
    var running = 0
    /// The elements that streams are sending.
    var deliveries = 0
  }

  /// A call of a service, a reading, or a subscription.
  struct Call: Sendable {
    fileprivate let number: Int
    fileprivate let key: String
    let model: Int
    fileprivate let origin: EffectOrigin?
  }

  let limit: Int
  let bytes: Int
  let codes: Codes
  private let start = DispatchTime.now().uptimeNanoseconds
  private let state = Lock(State())

  init(limit: Int, bytes: Int, codes: Codes) {
    (self.limit, self.bytes, self.codes) = (limit, bytes, codes)
  }

  var time: Int { Int((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000) }

  /// Calls `body` under the log's lock, which guards the taps and the origins too.
  func locked<Result>(_ body: () -> Result) -> Result {
    state.withLock { _ in body() }
  }

  // MARK: View models

  func add(_ tap: any RestingTap) -> Int {
    state.withLock { state in
      state.nextModel += 1
      state.taps[state.nextModel - 1] = tap
      return state.nextModel - 1
    }
  }

  func remove(_ model: Int) {
    let tap = state.withLock { state in
      state.digests[model] = nil
      return state.taps.removeValue(forKey: model)
    }
    withExtendedLifetime(tap) {}
  }

  // MARK: Entries

  func add(_ kind: Entry.Kind, _ model: Int, _ fields: String?...) {
    add(kind, model, fields: fields)
  }

  /// Adds an entry, behind the answers of the effect that has made it.
  func add(_ kind: Entry.Kind, _ model: Int, fields: [String?], of origin: EffectOrigin? = nil) {
    let line = text(kind, model, fields)
    state.withLock { state in
      addAnswers(of: origin, to: &state)
      append(line, model, kind, to: &state)
      trim(&state)
    }
  }

  /// Adds a state: its digest, and its text if it is another one than the view model's last and not large.
  func addState(_ model: Int, _ text: String) {
    let digest = Digest.text(of: text)
    let isKept = text.utf8.count <= bytes / 16 && state.withLock { $0.digests[model] } != digest
    let quoted = isKept ? try? Coding.text(of: text) : nil
    add(.state, model, "\"\(digest)\"", quoted)
    state.withLock { $0.digests[model] = digest }
  }

  private func text(_ kind: Entry.Kind, _ model: Int, _ fields: [String?]) -> String {
    let fields = fields.compactMap { $0 }
    let head = kind == .model ? "[\"model\",\(model)" : "[\"\(kind.rawValue)\",\(time),\(model)"
    return ([head] + fields).joined(separator: ",") + "]"
  }

  private func append(_ text: String, _ model: Int, _ kind: Entry.Kind, to state: inout State) {
    state.lines.append(Line(text: text, model: model, kind: kind))
    state.size += text.utf8.count
  }

  // MARK: Calls
  //
  // An answer stands in front of what its effect does next. An effect that is cancelled before that has not used the answer, which then
  // stands behind the cancellation.

  /// Notes that an effect has sent an input. If the current task has answers, those of the effect's other tasks wait for their own inputs.
  func settle(_ origin: (any WorkOrigin)?) {
    guard let origin = origin as? EffectOrigin else { return }
    let task = currentTask
    state.withLock { state in
      let isOwn = origin.answers.contains { $0.task == task }
      addAnswers(of: origin, to: &state) { !isOwn || $0 == task }
    }
  }

  private func addAnswers(
    of origin: EffectOrigin?, to state: inout State, where matches: (Int?) -> Bool = { _ in true }
  ) {
    guard let origin, !origin.answers.isEmpty else { return }
    for (task, line) in origin.answers where matches(task) { append(line, origin.model, .answer, to: &state) }
    origin.answers.removeAll { matches($0.task) }
    if origin.answers.isEmpty { state.waiting.removeAll { $0 === origin } }
    trim(&state)
  }

  /// Numbers a call of the current effect.
  func ask(_ question: String, isOpen: Bool = true) -> Call {
    let origin = Taps.origin as? EffectOrigin
    let text = (try? Coding.text(of: question)) ?? "\"\""
    return state.withLock { state in
      state.nextCall += 1
      addAnswers(of: origin, to: &state)
      let isEffect = origin != nil && origin!.action != 0
      var count = 1
      if isEffect {
        count = origin!.counts[question, default: 0] + 1
        origin!.counts[question] = count
      }
      let action = isEffect ? "\(origin!.action)" : "null"
      let call = Call(
        number: state.nextCall, key: "\(action),\(text),\(count)", model: origin?.model ?? 0,
        origin: isEffect ? origin : nil)
      if isOpen { state.open[call.number] = self.text(.open, call.model, [call.key]) }
      return call
    }
  }

  func answer(_ call: Call, _ kind: Entry.Kind, _ value: String) {
    let line = text(kind, call.model, [call.key, value])
    let task = currentTask
    state.withLock { state in
      state.open[call.number] = nil
      if let origin = call.origin, !origin.isOver {
        if origin.answers.isEmpty { state.waiting.append(origin) }
        origin.answers.append((task, line))
        return
      }
      append(line, call.model, kind, to: &state)
      trim(&state)
    }
  }

  func add(_ kind: Entry.Kind, _ call: Call, _ value: String?) {
    add(kind, call.model, fields: [call.key, value], of: call.origin)
    if kind == .opening || kind == .element, let origin = call.origin, origin.action < 0 {
      let line = text(.opening, call.model, [call.key, value])
      state.withLock { state in
        if kind == .opening || state.taps[call.model]?.openings[call.key] != nil {
          state.taps[call.model]?.openings[call.key] = line
        }
      }
    }
  }

  /// The subscription has ended, and sends nothing where the recording begins. A stream that has completed still sends its last element.
  func removeOpening(of call: Call) {
    state.withLock { _ = $0.taps[call.model]?.openings.removeValue(forKey: call.key) }
  }

  /// Notes that an action has begun, or that one has ended.
  func change(running change: Int, ending origin: EffectOrigin? = nil) {
    state.withLock { state in
      state.running += change
      if let origin, !origin.isOver {
        origin.isOver = true
        addAnswers(of: origin, to: &state)
      }
    }
  }

  /// Notes that a stream sends an element, which may become an input.
  func deliver(_ body: () -> Void) {
    state.withLock { $0.deliveries += 1 }
    body()
    state.withLock { $0.deliveries -= 1 }
  }

  // MARK: Dropping entries

  /// Adds a restart point before the next entry, if all view models rest and their states can be encoded.
  func addRestart(isDue: Bool = false) {
    let position = state.withLock { state in
      let position = state.dropped + state.lines.count
      let isDue = isDue || position - (state.restarts.last?.position ?? 0) >= limit / 8
      return isDue && isAtRest(state) ? position : nil
    }
    guard let position else { return }
    let taps = state.withLock { $0.taps }
    var lines: [String] = []
    for (model, tap) in taps.sorted(by: { $0.key < $1.key }) {
      guard let fields = tap.fields(isRestart: true) else { return }
      lines.append(text(.model, model, fields))
      lines += locked { tap.openings.sorted { $0.key < $1.key }.map(\.value) }
      lines += locked { tap.resumed.sorted() }.map { text(.resume, model, ["\($0)"]) }
    }
    state.withLock { state in
      if state.dropped + state.lines.count != position || !isAtRest(state) { return }
      let restart = Restart(position: position, lines: lines)
      if restart.size > bytes / 4 { return }
      state.restarts.append(restart)
      // The first state behind it has its text.
      state.digests = [:]
      while state.restarts.reduce(0, { $0 + $1.size }) > bytes / 4 { state.restarts.removeFirst() }
      trim(&state)
    }
  }

  private func isAtRest(_ state: State) -> Bool {
    state.running == 0 && state.deliveries == 0 && state.open.isEmpty && state.taps.values.allSatisfy(\.isAtRest)
  }

  /// The bytes of the lines that stand in front of the others, and of those that may come there.
  private func sizeOfPoints(_ state: State) -> Int {
    state.head.values.joined().reduce(0) { $0 + $1.utf8.count } + state.restarts.reduce(0) { $0 + $1.size }
  }

  private func trim(_ state: inout State) {
    if state.lines.count <= limit, state.size + sizeOfPoints(state) <= bytes { return }
    let room = bytes - bytes / 8 - sizeOfPoints(state)
    var (count, size, least) = (state.lines.count, state.size, 0)
    while least < state.lines.count, count > limit - limit / 8 || size > room {
      (count, size) = (count - 1, size - state.lines[least].size)
      least += 1
    }
    let restart = state.restarts.first { $0.position >= state.dropped + least }
    drop(to: restart.map { $0.position - state.dropped } ?? least, restart, &state)
  }

  private func drop(to end: Int, _ restart: Restart?, _ state: inout State) {
    for line in state.lines.prefix(end) {
      state.size -= line.size
      switch line.kind {
      case .model: state.head[line.model] = [line.text]
      case .end: state.head[line.model] = nil
      default: break
      }
    }
    state.lines.removeFirst(end)
    state.dropped += end
    state.isCut = restart == nil
    if let restart { state.head = [-1: restart.lines] }
    state.restarts.removeAll { $0.position <= state.dropped }
  }

  func forget() {
    addRestart(isDue: true)
    state.withLock { state in
      if let restart = state.restarts.last { drop(to: restart.position - state.dropped, restart, &state) }
    }
  }

  // MARK: Reading

  var recording: Recording {
    let (head, lines, open, isCut) = state.withLock { state in
      (
        state.head.sorted { $0.key < $1.key }.flatMap(\.value), state.lines,
        state.waiting.flatMap { $0.answers.map(\.line) } + state.open.sorted { $0.key < $1.key }.map(\.value),
        state.isCut
      )
    }
    let middle = isCut ? ["[\"middle\",0,0]"] : []
    let entries = (middle + head + lines.map(\.text) + open).compactMap { Entry($0) }
    // In a text without any mark line the inputs do not wait, as in one from which the marks have been deleted.
    let marks = entries.contains(where: \.isMark) ? [] : [Entry("[\"marks\",0,0]")!]
    return Recording(marks + entries)
  }
}

/// A tap that a restart point asks for the state of its view model.
protocol RestingTap: AnyObject, Sendable {
  /// The newest elements of the streams that send one at their subscription. Guarded by the lock of the log.
  var openings: [String: String] { get set }
  /// Whether no input of its own waits, and no turn runs. Guarded by the lock of the log.
  var isAtRest: Bool { get }
  /// The screens. Guarded by the lock of the log.
  var resumed: Set<UInt64> { get }
  /// Nil if the state cannot be encoded.
  func fields(isRestart: Bool) -> [String]?
}

/// A short text that tells texts apart: FNV-1a with 64 bits.
package enum Digest {
  package static func text(of text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
