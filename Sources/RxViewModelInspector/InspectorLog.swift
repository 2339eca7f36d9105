import RxViewModel
import RxViewModelRecording

/// Something that a view model has sent.
struct InspectorEvent: Sendable {
  typealias Phase = Execution<any Sendable, any Sendable>.Phase

  enum Kind: Sendable {
    case state(any Sendable)
    case step(UInt64, any Sendable, ExecutionMode, Phase, ExecutionCause?)
    /// An answer, an element or an error: its action, its kind, the question and the value.
    case arrival(UInt64, String, String, any Sendable)
  }

  /// Since the inspector's begin.
  let time: Duration
  let model: Int
  let kind: Kind
}

extension InspectorEvent.Phase {
  /// Whether the action has started before. If its start hasn't been seen, that was before the inspector's.
  var isBehindStart: Bool {
    switch self {
    case .emitted, .completed, .failed: true
    case .waiting, .started, .cancelled, .dropped: false
    }
  }
}

/// A view model that is watched, or has been.
struct WatchedModel: Sendable {
  let name: String
  let type: String
  /// Its number in the recording.
  let recorded: Int?
  let begin: Duration
  var end: Duration?
}

/// What has happened since the last write.
struct InspectorBatch: Sendable {
  var events: [InspectorEvent] = []
  /// Whether there were more events than the page keeps, and the oldest are missing.
  var isCut = false
  var models: [Int: WatchedModel] = [:]
}

/// Collects on the view models' threads what its scheduler writes.
///
/// A view model's thread only appends an event. Every text is made by the writer, on the scheduler.
final class InspectorLog: Sendable {
  static let interval = Duration.milliseconds(200)
  /// Bars of unfinished actions grow at least so often.
  static let heartbeat = Duration.seconds(1)

  private struct Content {
    var batch = InspectorBatch()
    var modelCount = 0
    /// Whether a write is scheduled.
    var isDue = false
    var lastWrite: Duration?
    var actions = ActionLines()
    /// Whether a file couldn't be written.
    var isOff = false
  }

  private let content = Lock(Content())
  let recorder: Recorder?
  private let scheduler: any Scheduler
  private let begin: Duration
  private let say: @Sendable (String) -> Void
  private let writer: SessionWriter?

  init(
    _ path: String, _ recorder: Recorder?, _ scheduler: any Scheduler, _ say: @escaping @Sendable (String) -> Void
  ) {
    (self.scheduler, self.say, begin, self.recorder) = (scheduler.reference, say, scheduler.now, recorder)
    do throws(FileError) {
      writer = try SessionWriter(PrivateFolder(path), recorder, begin)
      say(Coding.address(ofFile: path + "/index.html"))
    } catch {
      writer = nil
      content.withLock { $0.isOff = true }
      say("\(error)")
    }
  }

  private var now: Duration { scheduler.now - begin }

  // MARK: On any thread

  var text: String { content.withLock { $0.actions }.text }

  func add(_ name: String, _ type: String, _ recorded: Int?) -> Int {
    let model = WatchedModel(name: name, type: type, recorded: recorded, begin: now)
    return change { content in
      if content.isOff { return 0 }
      content.modelCount += 1
      content.batch.models[content.modelCount] = model
      return content.modelCount
    }
  }

  func add(_ kind: InspectorEvent.Kind, of model: Int) {
    let event = InspectorEvent(time: now, model: model, kind: kind)
    // Released after the lock, because the events have values of the user's.
    _ = change { content -> [InspectorEvent] in
      if content.isOff { return [] }
      content.batch.events.append(event)
      if content.batch.events.count < 2 * SessionWriter.newest { return [] }
      let removed = content.batch.events
      content.batch.events = Array(removed.suffix(SessionWriter.newest))
      content.batch.isCut = true
      return removed
    }
  }

  func end(_ model: Int) {
    let now = now
    change { $0.batch.models[model]?.end = now }
  }

  /// Makes a change, and has it written.
  private func change<Result>(_ body: (inout Content) -> Result) -> Result {
    let now = now
    let (result, delay) = content.withLock { content -> (Result, Duration?) in
      let result = body(&content)
      if content.isDue || content.isOff { return (result, nil) }
      content.isDue = true
      return (result, content.lastWrite.map { $0 + Self.interval - now } ?? .zero)
    }
    if let delay { _ = scheduler.schedule(after: delay) { [self] in write() } }
    return result
  }

  // MARK: On the scheduler

  private func write() {
    let now = now
    let batch = content.withLock { content in
      let batch = content.batch
      (content.batch.events, content.batch.isCut, content.isDue, content.lastWrite) = ([], false, false, now)
      return batch
    }
    guard let writer else { return }
    do throws(FileError) {
      let written = try writer.write(batch, now)
      content.withLock { content in
        for model in written.forgotten { content.batch.models[model] = nil }
        content.actions = writer.actions
      }
      writer.next?.dispose()
      writer.next = written.next.map { delay in
        scheduler.schedule(after: delay) { [self] in change { _ in } }
      }
    } catch {
      let removed = content.withLock { content in
        let removed = content.batch
        (content.batch, content.isOff) = (InspectorBatch(), true)
        return removed
      }
      writer.forgetAll()
      withExtendedLifetime(removed) { say("\(error)") }
    }
  }
}
