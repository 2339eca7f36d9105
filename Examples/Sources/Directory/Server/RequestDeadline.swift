import NIOConcurrencyHelpers
import NIOCore
import NIOHTTPTypes

/// Closes a connection on which the client takes too long for a request.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let waiting: WaitingConnections
  private let time: TimeAmount
  private var isReading = false
  /// Whether the server closes the connection after its answer, as the client has asked.
  private var isLast = false
  private var unanswered = 0
  /// Nil while the connection does not wait for a request.
  private var deadline: Scheduled<Void>?

  init(_ waiting: WaitingConnections, _ time: TimeAmount) {
    self.waiting = waiting
    self.time = time
  }

  func channelActive(context: ChannelHandlerContext) {
    wait(context.channel)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    endWait(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let request):
      isReading = true
      isLast = request.headerFields[.connection]?.lowercased() == "close"
      unanswered += 1
      // The client may send a request before the answer to the one before.
      wait(context.channel)
    case .body: break
    case .end:
      isReading = false
      endWait(context.channel)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      unanswered -= 1
      if unanswered == 0, !isReading, !isLast { wait(context.channel) }
    }
    context.write(data, promise: promise)
  }

  private func wait(_ channel: any Channel) {
    if deadline != nil { return }
    deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    waiting.add(channel)
  }

  private func endWait(_ channel: any Channel) {
    deadline?.cancel()
    deadline = nil
    waiting.remove(channel)
  }
}

/// The connections that wait for a request or for the rest of one. If a client has more than 64 of them, the oldest one is closed. So a
/// slow client does not take the connections of others.
final class WaitingConnections: Sendable {
  private static let limit = 64
  /// By the address of the client, the oldest connection first.
  private let channels = NIOLockedValueBox<[String: [any Channel]]>([:])

  func add(_ channel: any Channel) {
    let oldest = channels.withLockedValue { channels -> (any Channel)? in
      var others = channels[client(of: channel)] ?? []
      let oldest = others.count < Self.limit ? nil : others.removeFirst()
      channels[client(of: channel)] = others + [channel]
      return oldest
    }
    oldest?.close(promise: nil)
  }

  func remove(_ channel: any Channel) {
    channels.withLockedValue { channels in
      let others = channels[client(of: channel)]?.filter { $0 !== channel } ?? []
      channels[client(of: channel)] = others.isEmpty ? nil : others
    }
  }

  private func client(of channel: any Channel) -> String { channel.remoteAddress?.ipAddress ?? "" }
}
