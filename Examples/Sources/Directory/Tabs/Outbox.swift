import Foundation
import NIOConcurrencyHelpers

/// The events for a page. The outbox keeps each event until the page acknowledges it, and sends those that a connection has lost again on
/// the next connection.
@MainActor
final class Outbox {
  /// The page as a reader of its events.
  enum Reader {
    /// The page is not connected.
    case away
    case reading
    /// The page has left so many events unacknowledged that the tab has to pause.
    case behind
    /// The events that pass the pause, such as lines of the log, have become too many. The outbox cannot go on.
    case lost
  }

  /// An event as a frame of server-sent events.
  private struct Frame {
    let number: Int
    let text: String
  }

  private final class Connection: Sendable {
    let frames: AsyncStream<Frame>.Continuation
    let close: @Sendable () -> Void

    init(_ frames: AsyncStream<Frame>.Continuation, _ close: @escaping @Sendable () -> Void) {
      (self.frames, self.close) = (frames, close)
    }
  }

  /// The bytes of unacknowledged events from which on the page is behind.
  private static let limit = 1_000_000
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return encoder
  }()

  /// Called when ``reader`` may have changed.
  var onChange: () -> Void = {}
  private var unacknowledged: [Frame] = []
  private var unacknowledgedBytes = 0
  private var lastNumber = 0
  private var connection: Connection?
  /// The number of the last event that the last connection has begun to write. The page cannot have received a later one.
  private var written = NIOLockedValueBox(0)

  var reader: Reader {
    if unacknowledgedBytes >= 4 * Self.limit { return .lost }
    if connection == nil { return .away }
    return isFull ? .behind : .reading
  }

  /// Whether the page has left too many events unacknowledged.
  var isFull: Bool { unacknowledgedBytes >= Self.limit }

  func send(_ event: PageEvent) {
    lastNumber += 1
    // The encoder writes no line breaks, so an event is one line of data.
    guard let data = try? Self.encoder.encode(event) else {
      preconditionFailure("an event that cannot be encoded as JSON: \(event)")
    }
    let frame = Frame(
      number: lastNumber, text: "id: \(lastNumber)\ndata: \(String(decoding: data, as: UTF8.self))\n\n")
    unacknowledged.append(frame)
    unacknowledgedBytes += frame.text.utf8.count
    connection?.frames.yield(frame)
    if isFull { onChange() }
  }

  /// Drops the events up to `number`, which the page says that it has received. An event that has not been written stays: the connection
  /// still holds it, so it counts.
  func acknowledge(_ number: Int) {
    let number = min(number, written.withLockedValue { $0 })
    let count = unacknowledged.prefix { $0.number <= number }.count
    if count == 0 { return }
    unacknowledgedBytes -= unacknowledged.prefix(count).reduce(0) { $0 + $1.text.utf8.count }
    unacknowledged.removeFirst(count)
    onChange()
  }

  /// The events after `number`, as frames of server-sent events. The stream ends at the next call of this method and at ``close()``.
  ///
  /// - Parameter close: Closes the connection, also while it waits for a client that does not read.
  func connect(
    after number: Int, close: @escaping @Sendable () -> Void
  ) -> some AsyncSequence<String, Never> & Sendable {
    acknowledge(number)
    self.close()
    let (stream, frames) = AsyncStream<Frame>.makeStream()
    let current = Connection(frames, close)
    connection = current
    frames.onTermination = { [weak self] _ in
      Task { @MainActor in
        if self?.connection === current { self?.close() }
      }
    }
    frames.yield(Frame(number: 0, text: "retry: 500\n\n"))
    for frame in unacknowledged { frames.yield(frame) }
    let written = NIOLockedValueBox(0)
    self.written = written
    onChange()
    return stream.map { frame in
      written.withLockedValue { $0 = max($0, frame.number) }
      return frame.text
    }
  }

  /// Sends a comment: only a write detects that a connection is dead.
  func probe() {
    connection?.frames.yield(Frame(number: 0, text: ":\n\n"))
  }

  /// Ends the connection.
  func close() {
    guard let last = connection else { return }
    connection = nil
    last.frames.finish()
    last.close()
    onChange()
  }
}
