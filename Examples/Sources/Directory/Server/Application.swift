import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// The directory over HTTP.
///
///     GET  /, /people, …       the page
///     POST /tabs               opens a tab: the answer to {"path": "/people/42"} is {"id": "…"}
///     GET  /tabs/ID/events     the tab's events, as server-sent events
///     POST /tabs/ID/actions    a ``PageMessage``
///     GET  /tabs/ID/recording  what the tab's view models have taken, as a file
///
/// - Parameters:
///   - requestTime: How long a client may take for a request.
///   - onServerRunning: Called with the port.
func makeApplication(
  _ tabs: Tabs, host: String = "127.0.0.1", port: Int, maximumConnections: Int,
  requestTime: TimeAmount = .seconds(10), logger: Logger,
  onServerRunning: @escaping @Sendable (Int) async -> Void
) -> some ApplicationProtocol {
  let router = Router(context: ConnectionContext.self)
  router.add(middleware: ErrorSentences())
  router.add(middleware: HostCheck(host: host))
  for path in ["", "people", "people/:id", "people/:id/color"] as [RouterPath] {
    router.get(path) { _, _ in page }
  }
  router.post("tabs") { request, _ in
    let opening = try await decode(Opening.self, from: request)
    return Response(status: .created, json: Opened(id: try await tabs.open(path: opening.path)))
  }
  router.get("tabs/:id/events") { request, context in
    let tab = try await tab(of: context, in: tabs)
    // The browser sends the number of the last event that it has received.
    let seen = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int($0) } ?? 0
    let frames = await tab.outbox.connect(after: seen) { [channel = context.channel] in channel.close(promise: nil) }
    return events(frames, request)
  }
  router.post("tabs/:id/actions") { request, context in
    let tab = try await tab(of: context, in: tabs)
    try await tab.receive(try await decode(PageMessage.self, from: request))
    return Response(status: .noContent)
  }
  router.get("tabs/:id/recording") { _, context in
    // The text is made on this thread, so that the main actor does not wait for it.
    let recording = try await tab(of: context, in: tabs).recorder.recording.description
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/plain; charset=utf-8", .contentDisposition: "attachment; filename=\"session.recording\"",
        .cacheControl: "no-store",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: recording)))
  }
  #if DEBUG
    // The state of a tab, as a ``Snapshot``, for tests.
    router.get("tabs/:id/state") { _, context in
      Response(status: .ok, json: await Snapshot(try await tab(of: context, in: tabs)))
    }
  #endif
  let waiting = WaitingConnections()
  return Application(
    router: router,
    server: .http1(
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [RequestDeadline(waiting, requestTime)])),
    configuration: ApplicationConfiguration(
      address: .hostname(host, port: port), serverName: "Directory",
      availableConnectionsDelegate: .maximum(maximumConnections, logger: logger)),
    onServerRunning: { await onServerRunning($0.localAddress?.port ?? port) },
    logger: logger)
}

/// A request with its connection, which the server can close.
private struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

private struct Opening: Decodable {
  let path: String
}

private struct Opened: Encodable {
  let id: String
}

private let page = Response(
  status: .ok,
  headers: [
    .contentType: "text/html; charset=utf-8",
    .cacheControl: "no-store",
    // The page is one file, and sends requests only to this server.
    .contentSecurityPolicy: """
    default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """,
    .xContentTypeOptions: "nosniff",
  ],
  body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.page_html)))

private func tab(of context: some RequestContext, in tabs: Tabs) async throws -> Tab {
  try await tabs.tab(try context.parameters.require("id"))
}

/// The body as JSON, of at most 16 KB.
private func decode<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value {
  // A form of another site cannot send this type, and the browser does not allow it to a script of another site.
  guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
    throw HTTPError(.unsupportedMediaType, message: "The body has to be JSON: Content-Type is application/json.")
  }
  let body = try await request.body.collect(upTo: 16_384)
  return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
}

/// Sends `frames` until they end or the browser closes the connection.
private func events(_ frames: some AsyncSequence<String, Never> & Sendable, _ request: Request) -> Response {
  Response(
    status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
    body: ResponseBody { writer in
      try await request.body.consumeWithCancellationOnInboundClose { _ in
        for await frame in frames { try await writer.write(ByteBuffer(string: frame)) }
      }
      try await writer.finish(nil)
    })
}

extension Response {
  fileprivate init(status: HTTPResponse.Status, json: some Encodable) {
    let body = (try? JSONEncoder().encode(json)) ?? Data()
    self.init(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
