import Foundation

/// The events to a page, from when they are sent until the page says that it has seen them: what a connection loses, the next one
/// sends again.
@MainActor
final class Outbox {
  /// How many bytes of events a page may leave unseen before the tab pauses.
  private static let limit = 1_000_000
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return encoder
  }()

  /// Called when ``isConnected`` or ``isFull`` may have changed.
  var onChange: () -> Void = {}
  private var unseen: [(number: Int, frame: String)] = []
  private var unseenBytes = 0
  private var lastNumber = 0
  private var connection: (number: Int, frames: AsyncStream<String>.Continuation)?
  private var connectionCount = 0

  /// Whether the page is connected.
  var isConnected: Bool { connection != nil }
  /// Whether the page does not keep up with the events.
  var isFull: Bool { unseenBytes >= Self.limit }

  func send(_ event: PageEvent) {
    lastNumber += 1
    // JSON text has no line breaks, so that an event is one line of data.
    guard let data = try? Self.encoder.encode(event) else { preconditionFailure("an event that is no JSON: \(event)") }
    let frame = "id: \(lastNumber)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
    unseen.append((lastNumber, frame))
    unseenBytes += frame.utf8.count
    connection?.frames.yield(frame)
    if isFull { onChange() }
  }

  /// Drops the events up to `number`: the page has seen them.
  func acknowledge(_ number: Int) {
    let count = unseen.prefix { $0.number <= number }.count
    if count == 0 { return }
    unseenBytes -= unseen.prefix(count).reduce(0) { $0 + $1.frame.utf8.count }
    unseen.removeFirst(count)
    onChange()
  }

  /// The events that come after `number`, as frames of server-sent events, until the next call of this, ``close()``, or the release
  /// of the stream.
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
    for event in unseen { frames.yield(event.frame) }
    onChange()
    return stream
  }

  /// Sends a comment: a write is what shows that a connection is dead.
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
