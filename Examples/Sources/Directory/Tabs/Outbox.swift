import Foundation

/// The events for a page. The outbox keeps each event until the page acknowledges it, and sends those that a connection has lost again on
/// the next connection.
@MainActor
final class Outbox {
  /// The tab pauses when this many bytes of events are not acknowledged.
  private static let limit = 1_000_000
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return encoder
  }()

  /// Called when ``isConnected`` or ``isFull`` may have changed.
  var onChange: () -> Void = {}
  private var unacknowledged: [(number: Int, frame: String)] = []
  private var unacknowledgedBytes = 0
  private var lastNumber = 0
  private var connection: (number: Int, frames: AsyncStream<String>.Continuation)?
  private var connectionCount = 0

  var isConnected: Bool { connection != nil }
  /// Whether the page has left too many events unacknowledged.
  var isFull: Bool { unacknowledgedBytes >= Self.limit }

  func send(_ event: PageEvent) {
    lastNumber += 1
    // The encoder writes no line breaks, so an event is one line of data.
    guard let data = try? Self.encoder.encode(event) else {
      preconditionFailure("an event that cannot be encoded as JSON: \(event)")
    }
    let frame = "id: \(lastNumber)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
    unacknowledged.append((lastNumber, frame))
    unacknowledgedBytes += frame.utf8.count
    connection?.frames.yield(frame)
    if isFull { onChange() }
  }

  /// Drops the events up to `number`, which the page has received.
  func acknowledge(_ number: Int) {
    let count = unacknowledged.prefix { $0.number <= number }.count
    if count == 0 { return }
    unacknowledgedBytes -= unacknowledged.prefix(count).reduce(0) { $0 + $1.frame.utf8.count }
    unacknowledged.removeFirst(count)
    onChange()
  }

  /// The events after `number`, as frames of server-sent events. The stream ends at the next call of this method and at ``close()``.
  func connect(after number: Int) -> AsyncStream<String> {
    close()
    acknowledge(number)
    let (stream, frames) = AsyncStream<String>.makeStream()
    connectionCount += 1
    let current = connectionCount
    connection = (current, frames)
    frames.onTermination = { [weak self] _ in
      Task { @MainActor in self?.connectionHasEnded(current) }
    }
    frames.yield("retry: 500\n\n")
    for event in unacknowledged { frames.yield(event.frame) }
    onChange()
    return stream
  }

  /// Sends a comment: only a write detects that a connection is dead.
  func probe() {
    connection?.frames.yield(":\n\n")
  }

  /// Ends the connection.
  func close() {
    guard let last = connection else { return }
    connection = nil
    last.frames.finish()
    onChange()
  }

  private func connectionHasEnded(_ number: Int) {
    if connection?.number == number { close() }
  }
}
