import RxViewModel
import RxViewModelRecording

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Makes the entries of a session, each a line of a script, and writes them.
///
/// `session.js` has the newest entries. Full chunks before it are files of their own, which are written once, and removed when they are too
/// old. So a write costs at most a chunk. The page knows this format: `session(HEAD,[ENTRY,…])`, an entry a line. Of each entry, `k` is its
/// kind, `t` the milliseconds since the begin, `m` the view model, and `a` the action, or 0 for what no action does.
final class SessionWriter: @unchecked Sendable {  // Sendable: only the work of the log's serial scheduler uses it.
  /// The entries that the page keeps, and the bytes that they may take.
  static let newest = 2_000
  static let mostBytes = 4 << 20
  static let chunk = 128

  /// What is known of a view model. Nothing that is the user's, except the newest state.
  struct Track {
    /// The actions without an end, and the numbers of their lines.
    var unfinished: [UInt64: Int] = [:]
    var state: (any Sendable)?
    /// A state that is an action's if the next event says so. It has waited since this write.
    var open: (event: InspectorEvent, state: any Sendable, write: Int)?
    /// What has executed the actions that have no entry yet: a view model and its action.
    var causes: [UInt64: (model: Int, action: Int)] = [:]
    /// The numbers of the newest entry, and of the newest that announces the sources.
    var newest = -1
    var sources: Int?
  }

  let folder: PrivateFolder
  let recorder: Recorder?
  /// The inspector's begin, and the number of the recorder's entries that have been taken.
  let begin: Duration
  var place = 0
  /// When `recording.js` has been written, and whether something has happened since then.
  var lastRecording = Duration.zero
  var isRecordingOld = false
  private let id: String
  var tracks: [Int: Track] = [:]
  private var count = 0
  private var names: [Int: String] = [:]
  private(set) var actions = ActionLines()
  private var differences = StateDifferences()
  /// The entries of `session.js`, the number of its first one, and the sizes of the chunks before it.
  private var lines: [String] = []
  private var first = 0
  private var chunks: [Int] = []
  /// What makes the next write come although nothing happens.
  var next: (any Disposable)?

  private var from: Int { first - chunks.count * Self.chunk }
  private var number: Int { first + lines.count }

  /// Removes what an earlier inspector has written, and writes the page.
  init(_ folder: PrivateFolder, _ recorder: Recorder?, _ begin: Duration) throws(FileError) {
    (self.folder, self.recorder, self.begin) = (folder, recorder, begin)
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    id = "\(Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000)"
    for name in folder.names where Self.isOwn(name) { folder.remove(name) }
    try folder.write("page.css", Resources.page_css)
    try folder.write("page.js", Resources.page_js)
    try folder.write("index.html", Resources.page(Resources.nonce()))
  }

  private static func isOwn(_ name: String) -> Bool {
    let name = name.hasSuffix(".new") ? String(name.dropLast(4)) : name
    return ["index.html", "page.css", "page.js", "recording.js", "session.js"].contains(name)
      || name.hasSuffix(".js") && name.dropLast(3).allSatisfy { $0.isASCII && $0.isNumber || $0 == "-" }
  }

  /// Writes what has happened. Returns after which time to write again, even if nothing happens, and the view models that no entry is
  /// about any more.
  func write(_ batch: InspectorBatch, _ now: Duration) throws(FileError) -> (next: Duration?, forgotten: [Int]) {
    count += 1
    differences.begin()
    names = batch.models.mapValues(\.name)
    if batch.isCut { startAgain() }
    for event in recorded(batch, now) { take(event) }
    for (model, track) in tracks where track.open.map({ $0.write < count }) ?? false { settle(model) }
    for (model, watched) in batch.models {
      if let end = watched.end { finish(model, at: end) }
    }
    let old = try seal(batch, now)
    try folder.write("session.js", script(batch, now, first, lines))
    for first in old { folder.remove(fileName(first)) }
    let forgotten = batch.models.filter { $0.value.end != nil && (tracks[$0.key]?.newest ?? -1) < from }.map(\.key)
    for model in forgotten { tracks[model] = nil }
    let isOpen = tracks.values.contains { $0.open != nil }
    let isUnfinished = tracks.values.contains { !$0.unfinished.isEmpty }
    try writeRecording(batch, now)
    return (isOpen ? InspectorLog.interval : isUnfinished || isRecordingOld ? InspectorLog.heartbeat : nil, forgotten)
  }

  func forgetAll() {
    next?.dispose()
    (tracks, lines, next) = ([:], [], nil)
  }

  // MARK: Entries

  private func take(_ event: InspectorEvent) {
    let model = event.model
    switch event.kind {
    case .arrival(let id, let kind, let question, let value):
      if id == 0, tracks[model] != nil { announceSources(event) }
      let answer = (value as? any Error).map { text(of: $0) } ?? logText(of: value)
      add(kind, event, id, ",\"name\":\(quoted(question)),\"value\":\(quoted(answer))")
    case .state(let state):
      let state = redacted(state)
      settle(model)
      if tracks[model]?.state == nil {
        tracks[model, default: Track()].state = state
      } else {
        tracks[model]!.open = (event, state, count)
      }
    case .step(let id, let action, let mode, let phase, let cause):
      if case .emitted = phase { tracks[model]?.open = nil } else { settle(model) }
      if tracks[model, default: Track()].unfinished[id] == nil {
        let value = logText(of: redacted(action))
        tracks[model]!.unfinished[id] = actions.add(
          .init(model: oneLine(names[model] ?? ""), id: id, value: String(value.prefix(200)), time: event.time))
        let mode = mode.renamed { recorder?.codes.text($0) ?? $0 }
        let lane = mode.laneName.map { ",\"lane\":\(quoted($0))" } ?? ""
        let by =
          tracks[model]!.causes.removeValue(forKey: id).map { ",\"by\":{\"m\":\($0.model),\"a\":\($0.action)}" }
          ?? ""
        add("action", event, id, ",\"value\":\(quoted(value)),\"mode\":\(quoted("\(mode)"))\(lane)\(by)")
        if phase.isBehindStart {
          note(.started, nil, of: tracks[model]!.unfinished[id]!, at: event.time)
          add("start", event, id, "")
        }
      }
      let reason = cause.map { ",\"cause\":\($0.json)" } ?? ""
      if case .emitted = phase {} else { note(phase, cause, of: tracks[model]!.unfinished[id]!, at: event.time) }
      switch phase {
      case .waiting: add("waits", event, id, reason)
      case .started: add("start", event, id, reason)
      case .emitted(let state): change(to: redacted(state), event, id)
      case .completed: end(event, id, "completed", reason)
      case .failed(let error): end(event, id, "failed", "\(reason),\"error\":\(quoted(text(of: error)))")
      case .cancelled: end(event, id, "cancelled", reason)
      case .dropped: end(event, id, "dropped", reason)
      }
    }
  }

  /// A state that no action has made: a source's, or that of a change that shows before its response.
  private func settle(_ model: Int) {
    guard let (event, state, _) = tracks[model]?.open else { return }
    tracks[model]!.open = nil
    change(to: state, event, 0)
  }

  private func change(to state: any Sendable, _ event: InspectorEvent, _ id: UInt64) {
    let old = tracks[event.model]?.state
    tracks[event.model]?.state = state
    let lines = old.map { differences.lines(from: $0, to: state) } ?? []
    if lines.isEmpty { return }
    if id == 0 { announceSources(event) }
    add("state", event, id, ",\"diff\":[\(lines.map { quoted($0) }.joined(separator: ","))]")
  }

  /// The row for what no action does.
  private func announceSources(_ event: InspectorEvent) {
    if (tracks[event.model]!.sources ?? -1) >= from { return }
    tracks[event.model]!.sources = number
    add("source", event, 0, ",\"value\":\"sources and optimistic changes\"")
  }

  private func end(_ event: InspectorEvent, _ id: UInt64, _ outcome: String, _ more: String) {
    tracks[event.model]!.unfinished[id] = nil
    add("end", event, id, ",\"as\":\"\(outcome)\"\(more)")
  }

  /// Ends what a view model that has gone has not announced the end of, and forgets its state.
  private func finish(_ model: Int, at time: Duration) {
    settle(model)
    let event = InspectorEvent(time: time, model: model, kind: .state(()))
    for (id, line) in (tracks[model]?.unfinished ?? [:]).sorted(by: { $0.key < $1.key }) {
      actions.change(line) { ($0.end, $0.phase) = (time, "cancelled (with its view model)") }
      end(event, id, "cancelled", ",\"cause\":{\"is\":\"gone\"}")
    }
    tracks[model]?.state = nil
  }

  private func note(_ phase: InspectorEvent.Phase, _ cause: ExecutionCause?, of line: Int, at time: Duration) {
    let text =
      switch phase {
      case .completed: "completed"
      case .failed(let error): "failed: \(text(of: error).prefix(200))"
      default: "\(phase)"
      }
    actions.change(line) { line in
      switch phase {
      case .waiting, .emitted: break
      case .started: line.start = time
      case .completed, .failed, .cancelled, .dropped: line.end = time
      }
      line.phase = text + (cause.map { " (\($0))" } ?? "")
    }
  }

  private func add(_ kind: String, _ event: InspectorEvent, _ id: UInt64, _ more: String) {
    tracks[event.model]?.newest = number
    lines.append("{\"k\":\"\(kind)\",\"t\":\(event.time.milliseconds),\"m\":\(event.model),\"a\":\(id)\(more)}")
  }

  // MARK: Files

  private func fileName(_ first: Int) -> String { "\(id)-\(first).js" }

  private func script(_ batch: InspectorBatch, _ now: Duration, _ first: Int, _ lines: some Sequence<String>) -> String
  {
    let models = batch.models.sorted { $0.key < $1.key }.map { number, model in
      let end = model.end.map { ",\"end\":\($0.milliseconds)" } ?? ""
      let names = ",\"name\":\(quoted(model.name)),\"type\":\(quoted(model.type))"
      let recorded = model.recorded.map { ",\"recorded\":\($0)" } ?? ""
      return "{\"m\":\(number),\"t\":\(model.begin.milliseconds)\(names)\(end)\(recorded)}"
    }
    let numbers = "\"now\":\(now.milliseconds),\"chunk\":\(Self.chunk),\"from\":\(from),\"first\":\(first)"
    return "session({\"format\":2,\"id\":\"\(id)\",\"title\":\(quoted(PrivateFolder.programName)),\(numbers),"
      + "\"models\":[\(models.joined(separator: ","))]},[\n\(lines.joined(separator: ",\n"))\n]);\n"
  }

  /// Writes full chunks. Returns the first numbers of those that the page needs no more.
  private func seal(_ batch: InspectorBatch, _ now: Duration) throws(FileError) -> [Int] {
    while lines.count > Self.chunk {
      let text = script(batch, now, first, lines.prefix(Self.chunk))
      try folder.write(fileName(first), text)
      chunks.append(text.utf8.count)
      lines.removeFirst(Self.chunk)
      first += Self.chunk
    }
    let (count, bytes) = (lines.count, lines.reduce(0) { $0 + $1.utf8.count + 2 })
    return removeChunks { chunks in
      (chunks.count - 1) * Self.chunk + count >= Self.newest || chunks.reduce(bytes, +) > Self.mostBytes
    }
  }

  private func removeChunks(while isTooMany: ([Int]) -> Bool) -> [Int] {
    var old: [Int] = []
    while !chunks.isEmpty, isTooMany(chunks) {
      old.append(from)
      chunks.removeFirst()
    }
    return old
  }

  /// After entries that are missing, the page begins as if nothing had been before.
  private func startAgain() {
    for old in removeChunks(while: { _ in true }) { folder.remove(fileName(old)) }
    // Behind what the page knows, so that it notices the gap.
    first = (number / Self.chunk + 1) * Self.chunk
    lines = []
    for (model, track) in tracks {
      for line in track.unfinished.values { actions.change(line) { $0.phase += ", and what follows is missing" } }
      (tracks[model]!.unfinished, tracks[model]!.open, tracks[model]!.sources) = ([:], nil, nil)
      tracks[model]!.causes = [:]
    }
  }
}

private func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
