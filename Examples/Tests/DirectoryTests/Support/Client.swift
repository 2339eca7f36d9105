import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP client for a server on this machine. It opens a connection for each request.
struct Client: Sendable {
  struct Answer: Sendable {
    var status = 0
    var body = ""
  }

  let port: Int

  /// Sends a request, and returns the whole answer.
  func send(
    _ method: HTTPMethod, _ path: String, _ body: String = "",
    headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) async throws -> Answer {
    var answer = Answer()
    for try await part in receive(method, path, body, headers: headers) {
      switch part {
      case .head(let head): answer.status = Int(head.status.code)
      case .body(let bytes): answer.body += String(buffer: bytes)
      case .end: return answer
      }
    }
    return answer
  }

  /// Sends a request, and returns the parts of the answer as they arrive. The connection is closed when the loop over them ends.
  func receive(
    _ method: HTTPMethod, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]
  ) -> AsyncThrowingStream<HTTPClientResponsePart, any Error> {
    let (parts, continuation) = AsyncThrowingStream<HTTPClientResponsePart, any Error>.makeStream()
    let connection = Task {
      do {
        try await exchange(method, path, body, headers) { continuation.yield($0) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in connection.cancel() }
    return parts
  }

  /// Opens a connection, and sends `text`.
  func begin(_ text: String, isReading: Bool = true) async throws -> any Channel {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.autoRead, value: isReading)
      .connect(host: "127.0.0.1", port: port).get()
    try await channel.writeAndFlush(ByteBuffer(string: text))
    return channel
  }

  private func exchange(
    _ method: HTTPMethod, _ path: String, _ body: String, _ headers: HTTPHeaders,
    _ onPart: (HTTPClientResponsePart) -> Void
  ) async throws {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel)
        }
      }
    var headers = headers
    if !headers.contains(name: "Host") { headers.add(name: "Host", value: "127.0.0.1:\(port)") }
    headers.replaceOrAdd(name: "Content-Length", value: "\(body.utf8.count)")
    // Otherwise the connection waits for another request until it is closed, and the server lets a client have 64 that wait.
    headers.add(name: "Connection", value: "close")
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
    try await channel.executeThenClose { parts, request in
      // One write: without a body the request is whole after its head, so the server may answer and close the connection.
      try await request.write(contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(string: body))), .end(nil)])
      for try await part in parts { onPart(part) }
    }
  }
}
